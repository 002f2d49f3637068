import { fields, list, number, text, texts } from '../lib/read';
import { request, requestJson } from './http';
import { readModels, readReadiness } from './read-health';
import { readRun } from './read-run';
import type { Agent, Coverage, Dependency, Feedback, Model, Run, SourceDocument, Thread } from './types';

const at = (id: string): string => encodeURIComponent(id);

/** A list, bare or under a name: the protocol has had both. */
const listIn = (value: unknown, name: string): unknown[] => (Array.isArray(value) ? value : list(fields(value)[name]));

const readCoverage = (value: unknown): Coverage => {
  const coverage = fields(value);
  return {
    tables: number(coverage['tables']),
    rows: number(coverage['rows']),
    documents: number(coverage['documents']),
    from: text(coverage['from']),
    to: text(coverage['to']),
  };
};

const readAgent = (value: unknown): Agent => {
  const agent = fields(value);
  return {
    name: text(agent['name']),
    workflow: text(agent['workflow']),
    about: text(agent['about']),
    source: text(agent['source']),
    examples: texts(agent['examples']),
    synthetic: agent['synthetic'] === true,
    available: agent['available'] !== false,
    reason: text(agent['reason']),
    coverage: readCoverage(agent['coverage']),
  };
};

const readThread = (value: unknown): Thread => {
  const thread = fields(value);
  return {
    thread_id: text(thread['thread_id']),
    title: text(thread['title']) || 'Untitled',
    created_at: text(thread['created_at']),
    updated_at: text(thread['updated_at']) || text(thread['created_at']),
  };
};

const readFeedback = (value: unknown): Feedback => {
  const entry = fields(value);
  return {
    id: text(entry['id']),
    turn_index: number(entry['turn_index']),
    rating: entry['rating'] === 'down' ? 'down' : 'up',
    comment: text(entry['comment']),
  };
};

export const fetchAgents = async (): Promise<Agent[]> => listIn(await requestJson('/api/agents'), 'agents').map(readAgent);

export const fetchThreads = async (): Promise<Thread[]> =>
  listIn(await requestJson('/api/threads?limit=200'), 'conversations').map(readThread);

export const renameThread = async (id: string, title: string): Promise<void> => {
  await request(`/api/threads/${at(id)}`, { method: 'PATCH', body: { title } });
};

/** `keepalive` lets the request outlive the page. */
export const deleteThread = async (id: string, keepalive = false): Promise<void> => {
  await request(`/api/threads/${at(id)}`, { method: 'DELETE', keepalive });
};

export const fetchHistory = (id: string, signal?: AbortSignal): Promise<unknown> =>
  requestJson(`/api/threads/${at(id)}/messages`, signal ? { signal } : {});

export const fetchExport = async (id: string, format: 'md' | 'json' | 'csv'): Promise<Blob> =>
  (await request(`/api/threads/${at(id)}/export?format=${format}`)).blob();

export const fetchRuns = async (limit = 50): Promise<Run[]> =>
  listIn(await requestJson(`/api/runs?limit=${limit}`), 'runs').map(readRun);

export const fetchRun = async (id: string): Promise<Run> => readRun(await requestJson(`/api/runs/${at(id)}`));

export const cancelRun = async (id: string): Promise<void> => {
  await request(`/api/runs/${at(id)}/cancel`, { method: 'POST' });
};

export const fetchFeedback = async (threadId: string): Promise<Feedback[]> =>
  listIn(await requestJson(`/api/feedback?thread_id=${at(threadId)}`), 'feedback').map(readFeedback);

export const sendFeedback = async (threadId: string, turn: number, rating: 'up' | 'down', comment: string): Promise<Feedback> =>
  readFeedback(
    await requestJson('/api/feedback', { method: 'POST', body: { thread_id: threadId, turn_index: turn, rating, comment } }),
  );

export const fetchDocument = async (corpus: string, document: string): Promise<SourceDocument> => {
  const found = fields(await requestJson(`/api/corpora/${at(corpus)}/documents/${document.split('/').map(at).join('/')}`));
  return {
    name: text(found['name']) || document,
    title: text(found['title']) || text(found['name']) || document,
    date: text(found['date']),
    text: text(found['text']),
  };
};

export const fetchModels = async (): Promise<Model[]> => readModels(await requestJson('/api/models'));

/** Not being ready is an answer here, not a failure: the server says 503 and why. */
export const fetchReadiness = async (): Promise<{ ready: boolean; dependencies: Dependency[] }> => {
  const response = await fetch('/ready');
  return readReadiness(response.ok, await response.json().catch(() => ({})));
};
