import { describe, expect, it, vi } from 'vitest';
import { ApiError } from './http';
import type { SseMessage } from './sse';
import { followStream, type StreamSource, type StreamTiming } from './stream';

const timing: StreamTiming = { retryDelaysMs: [1, 2, 3], silenceMs: 60_000, wait: () => Promise.resolve() };

const block = (id: number, event: string, data = '{}') => `id: ${id}\nevent: ${event}\ndata: ${data}\n\n`;

/** A response whose body is these pieces, and then breaks or ends. */
const responseOf = (pieces: string[], isBroken = false): Response => {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece));
      if (isBroken) controller.error(new TypeError('network error'));
      else controller.close();
    },
  });
  return new Response(body);
};

const follow = async (source: Partial<StreamSource>, signal = new AbortController().signal) => {
  const messages: SseMessage[] = [];
  const states: string[] = [];
  const complete: StreamSource = { open: () => Promise.reject(new Error('unused')), canReopen: () => Promise.resolve(true), reopen: () => Promise.reject(new ApiError(0, '', 'down')), ...source };
  const handlers = { onMessages: (more: SseMessage[]) => messages.push(...more), onConnection: (state: string) => states.push(state) };
  const outcome = await followStream(complete, handlers, signal, timing).then(() => 'ended', (problem: unknown) => problem);
  return { ids: messages.map((message) => message.id), states, outcome };
};

describe('followStream', () => {
  it('ends with the done event', async () => {
    const found = await follow({ open: () => Promise.resolve(responseOf([block(1, 'run'), block(2, 'done')])) });
    expect(found).toEqual({ ids: ['1', '2'], states: ['open'], outcome: 'ended' });
  });

  it('reads characters that are cut between two pieces', async () => {
    const bytes = new TextEncoder().encode(`event: done\ndata: {"t":"½"}\n\n`);
    const cut = bytes.indexOf(0xc2) + 1;
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(bytes.slice(0, cut));
        controller.enqueue(bytes.slice(cut));
        controller.close();
      },
    });
    const data: string[] = [];
    const source: StreamSource = { open: () => Promise.resolve(new Response(body)), canReopen: () => Promise.resolve(false), reopen: () => Promise.reject(new Error()) };
    await followStream(source, { onMessages: (messages) => data.push(...messages.map((each) => each.data)), onConnection: () => undefined }, new AbortController().signal, timing);
    expect(data).toEqual(['{"t":"½"}']);
  });

  it('takes up a broken stream behind the last event, and drops what is repeated', async () => {
    const reopen = vi.fn(() => Promise.resolve(responseOf([block(2, 'node_start'), block(3, 'agent_talk'), block(4, 'done')])));
    const found = await follow({ open: () => Promise.resolve(responseOf([block(1, 'run'), block(2, 'node_start')])), reopen });
    expect(found).toEqual({ ids: ['1', '2', '3', '4'], states: ['open', 'reconnecting', 'open'], outcome: 'ended' });
    expect(reopen).toHaveBeenCalledWith('2', expect.anything());
  });

  it.each([
    ['ids with names of tellings', 'e1.9', ['e1.9', 'e1.10'], ['e1.9', 'e1.10']],
    ['names that look like numbers', '12.9', ['12.9', '12.10', '12.11'], ['12.9', '12.10', '12.11']],
    ['another telling, which begins anew', 'e1.2', ['e2.1', 'e2.2'], ['e1.2', '', 'e2.1', 'e2.2']],
  ])('understands %s', async (_, before, after, expected) => {
    const blocks = after.map((id, at) => `id: ${id}\nevent: ${at === after.length - 1 ? 'done' : 'agent_talk'}\ndata: {}\n\n`);
    const found = await follow({
      open: () => Promise.resolve(responseOf([`id: ${before}\nevent: run\ndata: {}\n\n`])),
      reopen: () => Promise.resolve(responseOf(blocks)),
    });
    expect(found.ids).toEqual(expected);
  });

  it('takes up a stream that broke off with an error', async () => {
    const found = await follow({
      open: () => Promise.resolve(responseOf([], true)),
      reopen: () => Promise.resolve(responseOf([block(1, 'done')])),
    });
    expect(found.outcome).toBe('ended');
  });

  it('counts attempts anew once something has arrived', async () => {
    let calls = 0;
    const reopen = () => Promise.resolve(responseOf([block(++calls + 1, calls < 8 ? 'agent_talk' : 'done')]));
    const found = await follow({ open: () => Promise.resolve(responseOf([block(1, 'run')])), reopen });
    expect(found.outcome).toBe('ended');
    expect(calls).toBe(8);
  });

  it('gives up after the last delay', async () => {
    const found = await follow({ open: () => Promise.resolve(responseOf([block(1, 'run')])) });
    expect(found.outcome).toBeInstanceOf(ApiError);
    expect(found.states.filter((state) => state === 'reconnecting')).toHaveLength(3);
  });

  it('gives up at once when no run is known', async () => {
    const found = await follow({ open: () => Promise.reject(new ApiError(0, 'unreachable', 'down')), canReopen: () => Promise.resolve(false) });
    expect(found.outcome).toMatchObject({ code: 'unreachable' });
  });

  it('does not repeat a request that was refused', async () => {
    const found = await follow({ open: () => Promise.reject(new ApiError(409, 'busy', 'An answer is being worked on.')) });
    expect(found.outcome).toMatchObject({ status: 409 });
    expect(found.states).toEqual([]);
  });

  it('stops when it is told to', async () => {
    const abort = new AbortController();
    const open = (signal: AbortSignal) =>
      new Promise<Response>((_, reject) => signal.addEventListener('abort', () => reject(new DOMException('', 'AbortError'))));
    const outcome = follow({ open }, abort.signal);
    abort.abort();
    expect((await outcome).outcome).toMatchObject({ name: 'AbortError' });
  });
});
