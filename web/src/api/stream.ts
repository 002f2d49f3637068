import { number, fields, parseJson } from '../lib/read';
import { ApiError, asApiError, isAbort, request, unreachable } from './http';
import { SseParser, type SseMessage } from './sse';

/** How a stream of events is opened: anew, or where an earlier connection broke off. */
export interface StreamSource {
  open: (signal: AbortSignal) => Promise<Response>;
  /** Whether there is a run to go on with: the connection may have broken before or after the question was taken. */
  canReopen: () => Promise<boolean>;
  reopen: (afterId: string, signal: AbortSignal) => Promise<Response>;
}

export interface StreamHandlers {
  onMessages: (messages: SseMessage[]) => void;
  onConnection: (state: 'open' | 'reconnecting') => void;
}

export interface StreamTiming {
  retryDelaysMs: readonly number[];
  silenceMs: number;
  wait: (ms: number, signal: AbortSignal) => Promise<void>;
}

const wait = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });

/** A server that is started anew has a minute. It sends a comment every 15 s; three missed ones mean that nobody is there. */
export const defaultTiming: StreamTiming = { retryDelaysMs: [300, 1000, 2000, 4000, 8000, 15_000, 15_000, 15_000], silenceMs: 45_000, wait };

export const endsStream = (message: SseMessage): boolean => message.event === 'done' || message.event === 'error';

/** Reads one connection to its end; true when the turn is complete. */
const readConnection = async (
  response: Response,
  seen: { lastId: string },
  handlers: StreamHandlers,
  silenceMs: number,
  abort: AbortController,
): Promise<boolean> => {
  if (!response.body) throw unreachable();
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  const parser = new SseParser();
  let silence = setTimeout(() => abort.abort(), silenceMs);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return false;
      clearTimeout(silence);
      silence = setTimeout(() => abort.abort(), silenceMs);
      const fresh = freshOf(parser.push(decoder.decode(value, { stream: true })), seen);
      if (fresh.length > 0) handlers.onMessages(fresh);
      if (fresh.some(endsStream)) return true;
    }
  } finally {
    clearTimeout(silence);
    void reader.cancel().catch(() => undefined);
  }
};

/** Ids end in a number that counts upwards. What stands before it names the telling: another one begins anew. */
const partsOf = (id: string): { telling: string; count: number } => {
  const at = id.lastIndexOf('.');
  return { telling: id.slice(0, at + 1), count: Number(id.slice(at + 1)) };
};

/** Drops what a server repeats after a break, and marks where it tells everything from the beginning. */
const freshOf = (messages: SseMessage[], seen: { lastId: string }): SseMessage[] =>
  messages.flatMap((message) => {
    if (!message.id) return [message];
    const last = partsOf(seen.lastId);
    const now = partsOf(message.id);
    const isAnew = seen.lastId !== '' && now.telling !== last.telling;
    if (seen.lastId !== '' && !isAnew && now.count <= last.count) return [];
    seen.lastId = message.id;
    return isAnew ? [{ id: '', event: 'restart', data: '{}' }, message] : [message];
  });

const isWorthRetrying = (problem: ApiError): boolean => problem.status === 0 || problem.status === 429 || problem.status >= 500;

/**
 * Follows a stream until it is complete, reconnecting where it broke off. Resolves when the turn has ended, throws
 * ApiError when it cannot go on, and an AbortError when `signal` says so.
 */
export const followStream = async (
  source: StreamSource,
  handlers: StreamHandlers,
  signal: AbortSignal,
  timing: StreamTiming = defaultTiming,
): Promise<void> => {
  const seen = { lastId: '' };
  let attempt = 0;
  let opened = source.open;
  for (;;) {
    const connection = new AbortController();
    const forward = () => connection.abort();
    signal.addEventListener('abort', forward);
    let problem: ApiError = unreachable();
    const idBefore = seen.lastId;
    try {
      signal.throwIfAborted();
      const response = await opened(connection.signal);
      handlers.onConnection('open');
      if (await readConnection(response, seen, handlers, timing.silenceMs, connection)) return;
    } catch (caught) {
      if (signal.aborted) throw new DOMException('Stopped.', 'AbortError');
      if (!isAbort(caught)) problem = caught instanceof TypeError ? unreachable() : asApiError(caught);
      if (caught instanceof ApiError && !isWorthRetrying(caught)) throw caught;
    } finally {
      signal.removeEventListener('abort', forward);
    }
    if (seen.lastId !== idBefore) attempt = 0;
    const delay = timing.retryDelaysMs[attempt++];
    if (delay === undefined || !(await source.canReopen())) throw problem;
    handlers.onConnection('reconnecting');
    await timing.wait(Math.max(delay, problem.retryAfterS * 1000), signal);
    opened = (each) => source.reopen(seen.lastId, each);
  }
};

export interface ChatRequest {
  question: string;
  thread_id: string;
  agent?: string;
  [override: string]: string | undefined;
}

const accept = { Accept: 'text/event-stream' };

export const openChat = (body: ChatRequest, signal: AbortSignal): Promise<Response> =>
  request('/api/chat/stream', { method: 'POST', body, signal, headers: accept });

export const openRun = (runId: string, afterId: string, signal: AbortSignal): Promise<Response> =>
  request(`/api/runs/${encodeURIComponent(runId)}/events`, {
    signal,
    headers: afterId ? { ...accept, 'Last-Event-ID': afterId } : accept,
  });

export const openResume = (runId: string, answer: string, signal: AbortSignal): Promise<Response> =>
  request(`/api/runs/${encodeURIComponent(runId)}/resume`, { method: 'POST', body: { answer }, signal, headers: accept });

/** The id of the run that a message is about, if it says so. */
export const runIdIn = (message: SseMessage): string => {
  if (message.event !== 'run' && message.event !== 'clarification' && message.event !== 'answer') return '';
  const found = fields(parseJson(message.data))['run_id'];
  return typeof found === 'string' ? found : number(found) ? String(found) : '';
};
