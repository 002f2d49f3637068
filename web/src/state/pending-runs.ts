import { fields, parseJson, text } from '../lib/read';
import { keep, recall } from '../lib/storage';

/** Runs that this browser has begun and not seen the end of, by thread: a reload finds them again. */
export interface PendingRun {
  runId: string;
  question: string;
  agent: string;
}

const key = 'quaestor.pending';
const pendingMax = 20;

const all = (): Record<string, PendingRun> => {
  const found: Record<string, PendingRun> = {};
  for (const [thread, value] of Object.entries(fields(parseJson(recall(key) || '{}')))) {
    const run = fields(value);
    if (text(run['runId'])) found[thread] = { runId: text(run['runId']), question: text(run['question']), agent: text(run['agent']) };
  }
  return found;
};

const store = (runs: Record<string, PendingRun>): void => {
  const newest = Object.entries(runs).slice(-pendingMax);
  keep(key, newest.length > 0 ? JSON.stringify(Object.fromEntries(newest)) : '');
};

export const pendingRun = (thread: string): PendingRun | null => all()[thread] ?? null;

export const rememberRun = (thread: string, run: PendingRun): void => {
  const { [thread]: _, ...others } = all();
  store({ ...others, [thread]: run });
};

export const forgetRun = (thread: string): void => {
  const { [thread]: _, ...others } = all();
  store(others);
};
