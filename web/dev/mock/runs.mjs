import { randomUUID } from 'node:crypto';
import { answerTo } from './answers.mjs';
import { continuationOf, eventsOf } from './script.mjs';

const paceMs = Number(process.env.MOCK_PACE_MS ?? 40);
/** A step of a slow answer is there for longer than a browser driver looks away, which is half a second. */
const slowStepMs = 600;
const textPaceMs = 25;

/** Runs, threads and feedback, in memory. */
export const runs = new Map();
export const threads = new Map();
export const feedback = [];

const titleOf = (question) => question.split(/[.!?]/)[0].slice(0, 50);

export const begin = (session, { question, thread_id: thread = randomUUID(), agent = '' }) => {
  const run = { run_id: randomUUID(), thread_id: thread, session, question, agent, status: 'running', started_at: new Date().toISOString(), events: [], watchers: new Set(), drops: /drop/i.test(question) };
  runs.set(run.run_id, run);
  const now = new Date().toISOString();
  const known = threads.get(thread) ?? { thread_id: thread, session, title: titleOf(question), created_at: now, turns: [] };
  threads.set(thread, { ...known, updated_at: now });
  const answer = answerTo(question, agent);
  play(run, answer, eventsOf(answer, run));
  return run;
};

export const resume = (run, reply) => {
  run.status = 'running';
  const answer = { ...answerTo(reply, 'nba'), resolved_question: reply };
  play(run, answer, continuationOf(answer, run));
};

const end = (run, answer, status) => {
  run.status = status;
  run.ended_at = new Date().toISOString();
  run.trace = answer.trace;
  const thread = threads.get(run.thread_id);
  if (!thread) return;
  const turns = thread.turns.filter((turn) => turn.run_id !== run.run_id);
  thread.turns = [...turns, { run_id: run.run_id, question: run.question, answer: { ...answer, question: run.question, run_id: run.run_id, thread_id: run.thread_id } }];
};

const play = (run, answer, events) => {
  const pace = /slow/i.test(run.question) ? slowStepMs : paceMs;
  const next = () => {
    if (run.status === 'cancelled') return;
    const { value, done } = events.next();
    if (done) return;
    const [event, data] = value;
    if (event === 'done') end(run, answer, answer.status === 'clarification' ? 'interrupted' : 'finished');
    if (event === 'error') end(run, { ...answer, status: 'failed', answer: data.message }, 'failed');
    run.events.push({ id: run.events.length + 1, event, data });
    for (const watcher of run.watchers) watcher();
    setTimeout(next, event === 'agent_talk' ? Math.min(pace, textPaceMs) : pace);
  };
  setTimeout(next, pace);
};

export const cancel = (run) => {
  run.status = 'cancelled';
  end(run, { ...answerTo(run.question, run.agent), answer: '', status: 'failed' }, 'cancelled');
};
