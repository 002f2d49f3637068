import { describe, expect, it } from 'vitest';
import { readModels, readReadiness } from './read-health';
import { readRun } from './read-run';

describe('readRun', () => {
  it('reads nodes with starts in milliseconds', () => {
    const run = readRun({ run_id: 'r', started_at: '2026-01-01T00:00:00Z', duration_ms: 9, nodes: [{ node: 'a', start_ms: 1, duration_ms: 5, status: 'success', attempt: 2, detail: { x: 1 } }] });
    expect(run).toMatchObject({ duration_ms: 9, nodes: [{ start_ms: 1, duration_ms: 5, attempt: 2, detail: { x: 1 } }] });
  });
  it('reads nodes with starts as times of day', () => {
    const run = readRun({ started_at: '2026-01-01T00:00:00.000Z', nodes: [{ node: 'a', start: '2026-01-01T00:00:00.250Z', duration_ms: 5 }] });
    expect(run.nodes[0]?.start_ms).toBe(250);
  });
  it('puts nodes without starts one behind the other', () => {
    const run = readRun({ trace: [{ node: 'a', latency_ms: 5 }, { node: 'b', latency_ms: 2, error: 'no' }] });
    expect(run.nodes).toMatchObject([{ start_ms: 0 }, { start_ms: 5, detail: { error: 'no' } }]);
    expect(run.duration_ms).toBe(7);
  });
  it('puts nodes of one step side by side, and attempts one after the other', () => {
    const trace = [{ node: 'a', step: 1, latency_ms: 5 }, { node: 'b', step: 1, latency_ms: 9 }, { node: 'c', step: 2, attempt: 1, latency_ms: 1 }, { node: 'c', step: 2, attempt: 2, latency_ms: 1 }];
    expect(readRun({ trace }).nodes.map((node) => node.start_ms)).toEqual([0, 0, 9, 10]);
  });
  it('takes the title of the conversation for a question that is not said', () => expect(readRun({ title: 'T', answer: { agent: 'nba' } })).toMatchObject({ question: 'T', agent: 'nba' }));
  it('makes an empty run of nonsense', () => expect(readRun(null)).toMatchObject({ run_id: '', nodes: [], status: 'finished' }));
});

describe('health', () => {
  it('reads store, agents and what is wrong', () => {
    const body = { status: 'ready', store: 'sqlite', agents: { available: 1, all: 2 }, problems: [{ what: 'agent wealth', problem: 'no data' }] };
    expect(readReadiness(true, body).dependencies).toEqual([
      { name: 'store', state: 'ok', detail: 'sqlite' },
      { name: 'agents', state: 'ok', detail: '1 of 2 can be asked' },
      { name: 'agent wealth', state: 'not ready', detail: 'no data' },
    ]);
  });
  it.each([
    [[{ name: 'store', state: 'ok' }]],
    [{ store: 'ok' }],
    [{ store: { ok: true } }],
    [{ store: true }],
  ])('reads dependencies as %j', (dependencies) => {
    expect(readReadiness(true, { dependencies })).toEqual({ ready: true, dependencies: [{ name: 'store', state: 'ok', detail: '' }] });
  });
  it.each([
    [true, 'closed', 'ready'],
    [false, 'closed', 'no key'],
    [true, 'half_open', 'half open'],
  ])('judges a model by its key and its breaker (%s, %s)', (has_key, breaker, state) => {
    const model = { name: 'main', provider: 'openai', model: 'm', tiers: ['frontier', 'lightweight'], has_key, breaker };
    expect(readModels({ models: [model], native: false })).toEqual([{ tier: 'frontier, lightweight', provider: 'openai', model: 'm', state, detail: '' }]);
  });
  it.each([
    [[{ tier: 'frontier', provider: 'openai', model: 'm', state: 'ready' }]],
    [{ models: [{ tier: 'frontier', provider: 'openai', model: 'm', state: 'ready' }] }],
    [{ tiers: { frontier: { provider: 'openai', model: 'm', state: 'ready' } } }],
  ])('reads models as %j', (value) => {
    expect(readModels(value)).toEqual([{ tier: 'frontier', provider: 'openai', model: 'm', state: 'ready', detail: '' }]);
  });
});
