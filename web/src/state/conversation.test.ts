import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Conversation } from './conversation';
import { pendingRun, rememberRun } from './pending-runs';

interface Call {
  path: string;
  method: string;
  body: unknown;
  headers: Record<string, string>;
}

const block = (id: number, event: string, data: unknown) => `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

const started = [block(1, 'thread_id', { thread_id: 't' }), block(2, 'run', { run_id: 'r1' })];
const ended = [block(3, 'agent_talk', { content: 'Ten.' }), block(4, 'done', {})];

let calls: Call[] = [];

/** Answers each request by the first path that fits. */
const serve = (answers: [string, () => Response | Promise<Response>][]) => {
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => {
    calls.push({ path, method: init.method ?? 'GET', body: init.body ? JSON.parse(init.body as string) : null, headers: init.headers as Record<string, string> });
    const found = answers.find(([start]) => path.startsWith(start));
    return Promise.resolve(found ? found[1]() : new Response('{}', { status: 404 }));
  });
};

const patience = { timeout: 30_000 };
const settle = () => vi.waitFor(() => expect(['done', 'waiting', 'failed']).toContain(current?.state.get().turns.at(-1)?.phase), patience);
let current: Conversation | null = null;
const onStarted = vi.fn();
const onEnded = vi.fn();

beforeEach(() => {
  calls = [];
  current = new Conversation({ onStarted, onEnded });
});

describe('Conversation', () => {
  it('asks, follows the stream and says when the thread begins and the turn ends', async () => {
    serve([['/api/chat/stream', () => new Response([...started, ...ended].join(''))]]);
    current!.setAgent('nba');
    current!.ask('How many teams?');
    expect(current!.isBusy()).toBe(true);
    await settle();
    const { turns, threadId } = current!.state.get();
    expect(turns).toMatchObject([{ question: 'How many teams?', text: 'Ten.', phase: 'done', runId: 'r1' }]);
    expect(calls[0]).toMatchObject({ method: 'POST', body: { question: 'How many teams?', agent: 'nba', thread_id: threadId } });
    expect(calls[0]?.headers['X-Session-Id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(onStarted).toHaveBeenCalledWith(threadId);
    expect(onEnded).toHaveBeenCalled();
    expect(pendingRun(threadId)).toBeNull();
  });

  it('sends what trade questions are held to, without what is left to the server', async () => {
    serve([['/api/chat/stream', () => new Response(ended.join(''))]]);
    current!.setOverrides({ override_mode: 'goods', override_schema: '', override_direction: 'exports', mode: '' });
    current!.ask('Tea?');
    await settle();
    expect(calls[0]?.body).toMatchObject({ override_mode: 'goods', override_direction: 'exports' });
    expect(calls[0]?.body).not.toHaveProperty('override_schema');
  });

  it('does not ask twice at the same time', () => {
    serve([['/api/chat/stream', () => new Promise<Response>(() => undefined)]]);
    current!.ask('One?');
    current!.ask('Two?');
    expect(current!.state.get().turns).toHaveLength(1);
  });

  it('takes a broken stream up by its run', async () => {
    serve([
      ['/api/chat/stream', () => new Response(started.join(''))],
      ['/api/runs/r1/events', () => new Response(ended.join(''))],
    ]);
    current!.ask('How many teams?');
    await settle();
    expect(current!.state.get()).toMatchObject({ reconnecting: false, turns: [{ text: 'Ten.', phase: 'done' }] });
    expect(calls[1]?.headers['Last-Event-ID']).toBe('2');
  });

  it('looks for a run that broke off before it said its name', async () => {
    serve([
      ['/api/chat/stream', () => new Response(started[0]!)],
      ['/api/runs?', () => new Response(JSON.stringify([{ run_id: 'r1', thread_id: current!.state.get().threadId, status: 'running' }]))],
      ['/api/runs/r1/events', () => new Response([...started, ...ended].join(''))],
    ]);
    current!.ask('How many teams?');
    await settle();
    expect(current!.state.get().turns).toMatchObject([{ text: 'Ten.', phase: 'done' }]);
  });

  it('looks for a run whose connection broke before anything came back', async () => {
    serve([
      ['/api/chat/stream', () => Promise.reject(new TypeError('network error'))],
      ['/api/runs?', () => new Response(JSON.stringify([{ run_id: 'r1', thread_id: current!.state.get().threadId, status: 'finished' }]))],
      ['/api/runs/r1/events', () => new Response([...started, ...ended].join(''))],
    ]);
    current!.ask('How many teams?');
    await settle();
    expect(current!.state.get().turns).toMatchObject([{ text: 'Ten.', phase: 'done' }]);
  });

  it('says at once when nobody is there', async () => {
    serve([['/api/', () => Promise.reject(new TypeError('network error'))]]);
    current!.ask('How many teams?');
    await settle();
    expect(current!.state.get().turns).toMatchObject([{ phase: 'failed', problem: { code: 'unreachable' } }]);
  });

  it('says that a question was lost when there is no run of it', async () => {
    serve([['/api/chat/stream', () => new Response(started[0]!)], ['/api/runs?', () => new Response('[]')]]);
    current!.ask('How many teams?');
    await settle();
    expect(current!.state.get().turns).toMatchObject([{ phase: 'failed', problem: { code: 'lost' } }]);
  });

  it('answers a question back in the same turn', async () => {
    const asks = [block(3, 'clarification', { run_id: 'r1', reason: 'Which?', options: ['a', 'b'] }), block(4, 'done', {})];
    serve([
      ['/api/chat/stream', () => new Response([...started, ...asks].join(''))],
      ['/api/runs/r1/resume', () => new Response([block(5, 'agent_talk', { content: 'B it is.' }), block(6, 'done', {})].join(''))],
    ]);
    current!.ask('Best?');
    await settle();
    expect(current!.state.get().turns[0]?.phase).toBe('waiting');
    current!.answer('b');
    await settle();
    expect(calls[1]).toMatchObject({ path: '/api/runs/r1/resume', body: { answer: 'b' } });
    expect(current!.state.get().turns).toMatchObject([{ question: 'Best?', text: 'B it is.', phase: 'done' }]);
  });

  it('stops the run and keeps what is there', async () => {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode([...started, block(3, 'agent_talk', { content: 'Half' })].join(''))),
    });
    serve([['/api/chat/stream', () => new Response(body)], ['/api/runs/r1/cancel', () => new Response('{}')]]);
    current!.ask('Long?');
    await vi.waitFor(() => expect(current!.state.get().turns[0]?.text).toBe('Half'), patience);
    current!.stop();
    expect(current!.state.get().turns[0]).toMatchObject({ phase: 'stopped', text: 'Half' });
    expect(calls.at(-1)).toMatchObject({ path: '/api/runs/r1/cancel', method: 'POST' });
  });

  it('waits for a thread that it has just stopped', async () => {
    const body = new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(new TextEncoder().encode(started.join(''))) });
    const answers = [() => new Response(body), () => new Response('{}', { status: 409 }), () => new Response([...started, ...ended].join(''))];
    serve([['/api/chat/stream', () => answers.shift()!()], ['/api/runs/r1/cancel', () => new Response('{}', { status: 202 })]]);
    current!.ask('Long?');
    await vi.waitFor(() => expect(current!.state.get().turns[0]?.runId).toBe('r1'), patience);
    current!.stop();
    current!.ask('Short?');
    await settle();
    expect(current!.state.get().turns).toMatchObject([{ phase: 'stopped' }, { question: 'Short?', phase: 'done', turnIndex: 1 }]);
  });

  it('shows a refusal of the server, and asks again in the same place', async () => {
    const refusal = () => new Response(JSON.stringify({ error: { code: 'busy', message: 'Still at work.', hint: 'Wait.' } }), { status: 409 });
    serve([['/api/chat/stream', refusal]]);
    current!.ask('Now?');
    await settle();
    const failed = current!.state.get().turns[0]!;
    expect(failed).toMatchObject({ phase: 'failed', problem: { message: 'Still at work.', hint: 'Wait.' } });
    serve([['/api/chat/stream', () => new Response(ended.join(''))]]);
    current!.retry(failed);
    await settle();
    expect(current!.state.get().turns).toMatchObject([{ question: 'Now?', phase: 'done' }]);
  });

  it('opens a thread with its history', async () => {
    const history = { messages: [{ role: 'human', content: 'A?' }, { role: 'ai', content: 'a' }], turn_summaries: [{}], overrides: { override_mode: 'goods' }, agent: 'atlas' };
    serve([['/api/threads/t1/messages', () => new Response(JSON.stringify(history))]]);
    await current!.open('t1');
    expect(current!.state.get()).toMatchObject({ loading: false, agent: 'atlas', overrides: { override_mode: 'goods' }, turns: [{ text: 'a' }] });
  });

  it('finds a run again that was under way when the page was left', async () => {
    rememberRun('t1', { runId: 'r1', question: 'Slow?', agent: 'nba' });
    serve([['/api/runs/r1/events', () => new Response([...started, ...ended].join(''))]]);
    await current!.open('t1');
    await settle();
    expect(current!.state.get().turns).toMatchObject([{ question: 'Slow?', text: 'Ten.', phase: 'done' }]);
    expect(pendingRun('t1')).toBeNull();
  });

  it('finds a run that was begun in another tab', async () => {
    const history = { messages: [], turn_summaries: [], running: { run_id: 'r1', question: 'Slow?', agent: 'nba' } };
    serve([
      ['/api/threads/t1/messages', () => new Response(JSON.stringify(history))],
      ['/api/runs/r1/events', () => new Response([...started, ...ended].join(''))],
    ]);
    await current!.open('t1');
    await settle();
    expect(current!.state.get()).toMatchObject({ problem: null, turns: [{ question: 'Slow?', text: 'Ten.', phase: 'done' }] });
  });

  it('does not follow a run whose end is already in the history', async () => {
    rememberRun('t1', { runId: 'r1', question: 'A?', agent: '' });
    const history = { messages: [{ role: 'human', content: 'A?' }, { role: 'ai', content: 'a' }], turn_summaries: [{ answer: { answer: 'a', status: 'answered', run_id: 'r1' } }] };
    serve([['/api/threads/t1/messages', () => new Response(JSON.stringify(history))]]);
    await current!.open('t1');
    expect(calls.map((call) => call.path)).toEqual(['/api/threads/t1/messages']);
    expect(current!.state.get().turns).toHaveLength(1);
    expect(pendingRun('t1')).toBeNull();
  });

  it('says that a thread is not there', async () => {
    serve([]);
    await current!.open('nobody');
    expect(current!.state.get()).toMatchObject({ loading: false, problem: { status: 404 } });
  });
});
