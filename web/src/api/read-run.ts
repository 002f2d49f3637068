import { fields, list, number, text } from '../lib/read';
import type { Run, RunNode } from './types';

const epochMs = (value: unknown): number => {
  if (typeof value === 'number') return value;
  const parsed = Date.parse(text(value));
  return Number.isNaN(parsed) ? 0 : parsed;
};

/** Numbers below this are milliseconds since the run began, above it since 1970. */
const earliestEpochMs = 1e11;

const detailOf = (node: Record<string, unknown>): Record<string, unknown> => {
  const detail = typeof node['detail'] === 'string' ? { note: node['detail'] } : { ...fields(node['detail']) };
  return text(node['error']) ? { error: node['error'], ...detail } : detail;
};

/**
 * Where a node says no start, it began when the step before it ended: nodes of one step run side by side, attempts one
 * after the other.
 */
const readNodes = (value: unknown, startedMs: number): RunNode[] => {
  let endMs = 0;
  let step: unknown;
  let stepMs = 0;
  return list(value).map((item) => {
    const node = fields(item);
    const said = node['start_ms'] ?? node['start'] ?? node['started_at'];
    const at = epochMs(said);
    const isBeside = node['step'] !== undefined && node['step'] === step && !(number(node['attempt']) > 1);
    if (!isBeside) stepMs = endMs;
    step = node['step'];
    const start_ms = said === undefined ? stepMs : at > earliestEpochMs ? Math.max(0, at - startedMs) : at;
    const duration_ms = number(node['duration_ms'] ?? node['latency_ms'] ?? node['duration']);
    endMs = Math.max(endMs, start_ms + duration_ms);
    return {
      node: text(node['node']) || text(node['name']),
      label: text(node['label']),
      status: text(node['status']) || 'success',
      attempt: number(node['attempt']) || 1,
      start_ms,
      duration_ms,
      detail: detailOf(node),
    };
  });
};

export const readRun = (value: unknown): Run => {
  const run = fields(value);
  const started = run['started_at'] ?? run['start'];
  const startedMs = epochMs(started);
  const endedMs = epochMs(run['ended_at']);
  const nodes = readNodes(run['nodes'] ?? run['trace'], startedMs);
  const lastEnd = Math.max(0, ...nodes.map((node) => node.start_ms + node.duration_ms));
  const wallMs = endedMs > startedMs && startedMs > 0 ? endedMs - startedMs : lastEnd;
  return {
    run_id: text(run['run_id']) || text(run['id']),
    thread_id: text(run['thread_id']),
    agent: text(run['agent']) || text(fields(run['answer'])['agent']),
    workflow: text(run['workflow']) || text(run['graph']),
    question: text(run['question']) || text(fields(run['input'])['question']) || text(run['title']),
    status: text(run['status']) || 'finished',
    started_at: startedMs > 0 ? new Date(startedMs).toISOString() : '',
    duration_ms: number(run['duration_ms'] ?? run['timing_ms']) || wallMs,
    nodes,
  };
};
