import { describe, expect, it } from 'vitest';
import { failTurn, reduceTurn, reduceTurns, resumeTurn, settleTurn } from './reduce-turn';
import { newTurn, type Turn } from './turn';

const event = (name: string, data: unknown) => ({ id: '', event: name, data: JSON.stringify(data) });
const after = (...events: [string, unknown][]): Turn => reduceTurns(newTurn('k', 'How many?'), events.map(([name, data]) => event(name, data)));

const link = { url: 'https://a/1', label: 'One', link_type: 'explore_page', resolution_notes: ['as KEN'] };

/** Events, and the part of the turn that they must lead to. */
const cases: { name: string; events: [string, unknown][]; expected: Partial<Record<keyof Turn, unknown>> }[] = [
  { name: 'keeps the id of the run', events: [['run', { run_id: 'r1' }]], expected: { runId: 'r1', phase: 'running' } },
  { name: 'appends what the agent says', events: [['agent_talk', { content: 'Ten ' }], ['agent_talk', { content: 'teams.' }]], expected: { text: 'Ten teams.' } },
  {
    name: 'adds an active step with its label',
    events: [['node_start', { node: 'plan_query', label: 'Thinking', query_index: 1 }]],
    expected: { steps: [{ node: 'plan_query', label: 'Thinking', queryIndex: 1, state: 'active', latencyMs: 0, attempt: 1, detail: {} }] },
  },
  {
    name: 'ends the last active step of that name',
    events: [['node_start', { node: 'a' }], ['node_start', { node: 'a' }], ['pipeline_state', { stage: 'a', latency_ms: 4, found: 2 }]],
    expected: { steps: [expect.objectContaining({ state: 'active', attempt: 1 }), expect.objectContaining({ state: 'done', attempt: 2, latencyMs: 4, detail: { found: 2 } })] },
  },
  {
    name: 'shows a stage that never started as done',
    events: [['pipeline_state', { stage: 'get_table_info', schemas: ['hs92'] }]],
    expected: { steps: [expect.objectContaining({ label: 'Loading table metadata', state: 'done' })] },
  },
  {
    name: 'marks a stage with an error as failed',
    events: [['node_start', { node: 'validate_sql' }], ['pipeline_state', { stage: 'validate_sql', is_valid: false, error: 'no such column' }]],
    expected: { steps: [expect.objectContaining({ state: 'failed' })] },
  },
  {
    name: 'opens a query and fills it with its rows',
    events: [
      ['pipeline_state', { stage: 'generate_sql', sql: 'SELECT 1' }],
      ['pipeline_state', { stage: 'execute_sql', sql: 'SELECT 1', columns: ['n'], rows: [[1], [null]], row_count: 2, execution_time_ms: 3, tables: ['t'], schema: 'hs92' }],
    ],
    expected: { queries: [expect.objectContaining({ text: 'SELECT 1', columns: ['n'], rows: [[1], [null]], row_count: 2, source: 'hs92' })] },
  },
  {
    name: 'replaces a query that had no result by the next attempt',
    events: [['pipeline_state', { stage: 'generate_sql', sql: 'SELEC' }], ['pipeline_state', { stage: 'generate_sql', sql: 'SELECT 2' }]],
    expected: { queries: [expect.objectContaining({ text: 'SELECT 2' })] },
  },
  {
    name: 'keeps a second query beside the first',
    events: [
      ['pipeline_state', { stage: 'execute_sql', sql: 'A', columns: ['n'], rows: [] }],
      ['pipeline_state', { stage: 'generate_sql', sql: 'B' }],
    ],
    expected: { queries: [expect.objectContaining({ text: 'A' }), expect.objectContaining({ text: 'B' })] },
  },
  {
    name: 'understands products and countries',
    events: [['pipeline_state', { stage: 'extract_products', schemas: ['hs92'], products: [{ name: 'tea', codes: ['0902'], schema: 'hs92' }], countries: [{ name: 'Kenya', iso3_code: 'KEN' }] }]],
    expected: {
      entities: [
        { kind: 'country', name: 'Kenya', codes: 'KEN' },
        { kind: 'product', name: 'tea', codes: '0902' },
        { kind: 'classification', name: 'hs92', codes: '' },
      ],
    },
  },
  {
    name: 'understands entities at the top level',
    events: [['pipeline_state', { stage: 'extract_entities', country: 'Kenya', year: '2022' }]],
    expected: { entities: [{ kind: 'country', name: 'Kenya', codes: '' }, { kind: 'year', name: '2022', codes: '' }] },
  },
  {
    name: 'understands entities in an object',
    events: [['pipeline_state', { stage: 'extract_entities', entities: { country: 'Kenya' } }]],
    expected: { entities: [{ kind: 'country', name: 'Kenya', codes: '' }] },
  },
  {
    name: 'takes resolved ids under both names',
    events: [
      ['pipeline_state', { stage: 'resolve_ids', resolved_ids: { country_id: 404 } }],
      ['pipeline_state', { stage: 'resolve_ids', resolved_params: { product_id: '726' } }],
    ],
    expected: { notes: ['country id: 404', 'product id: 726'] },
  },
  {
    name: 'keeps one block per API query, with its links',
    events: [
      ['pipeline_state', { stage: 'build_and_execute_graphql', api_target: 'explore', query_type: 'treemap', execution_time_ms: 9, entities: { country: 'Kenya' } }],
      ['pipeline_state', { stage: 'format_graphql_results', atlas_links: [link] }],
      ['atlas_links', { atlas_links: [link] }],
    ],
    expected: { lookups: [expect.objectContaining({ apiTarget: 'explore', queryType: 'treemap', links: [link] })], links: [link] },
  },
  {
    name: 'lists documents of all variants once',
    events: [
      ['pipeline_state', { stage: 'select_and_synthesize', selected_files: ['a.md', 'b.md'] }],
      ['pipeline_state', { stage: 'select_docs', selected_files: ['b.md'] }],
      ['pipeline_state', { stage: 'retrieve_docs', doc_titles: ['C'] }],
    ],
    expected: { documents: ['a.md', 'b.md', 'C'] },
  },
  {
    name: 'sorts citations, the later of a number winning',
    events: [['citation', { n: 2, document: 'b' }], ['citation', { n: 1, document: 'a' }], ['citation', { n: 2, document: 'c' }]],
    expected: { citations: [expect.objectContaining({ n: 1, document: 'a' }), expect.objectContaining({ n: 2, document: 'c' })] },
  },
  {
    name: 'waits after a question back, also when the stream is done',
    events: [['clarification', { run_id: 'r', reason: 'Which?', options: ['a', 'b'] }], ['done', {}]],
    expected: { phase: 'waiting', status: 'clarification', runId: 'r', clarification: { reason: 'Which?', options: ['a', 'b'] } },
  },
  { name: 'waits after an answer that asks back', events: [['answer', { status: 'clarification', clarification: { reason: 'Which?', options: [] } }]], expected: { phase: 'waiting' } },
  {
    name: 'ends with what went wrong and keeps what was said',
    events: [['agent_talk', { content: 'So far' }], ['node_start', { node: 'a' }], ['error', { message: 'Timeout', code: 't', hint: 'Narrow it' }]],
    expected: { phase: 'failed', text: 'So far', problem: { message: 'Timeout', code: 't', hint: 'Narrow it' }, steps: [expect.objectContaining({ state: 'failed' })] },
  },
  {
    name: 'takes totals of the old protocol',
    events: [['done', { total_time_ms: 900, token_usage: { total: { input_tokens: 5, output_tokens: 2, call_count: 1 } }, cost: { total_cost_usd: 0.01 } }]],
    expected: { phase: 'done', status: 'answered', timingMs: 900, usage: { llm_calls: 1, input_tokens: 5, output_tokens: 2, cost_usd: 0.01 } },
  },
  { name: 'stays failed when the stream ends', events: [['error', { message: 'No' }], ['done', {}]], expected: { phase: 'failed', problem: { message: 'No', code: '', hint: '' } } },
  {
    name: 'puts a better answer in the place of one that was taken back',
    events: [['agent_talk', { content: 'Wrong.' }], ['retract', { reason: 'a check did not pass' }], ['agent_talk', { content: '\n\n---\n\n' }], ['agent_talk', { content: 'Right.' }]],
    expected: { text: 'Right.' },
  },
  {
    name: 'begins anew when the server tells everything again',
    events: [['run', { run_id: 'r' }], ['node_start', { node: 'a' }], ['agent_talk', { content: 'Half' }], ['restart', {}], ['agent_talk', { content: 'Whole' }]],
    expected: { runId: 'r', text: 'Whole', steps: [] },
  },
  {
    name: 'shows of a stage what its line does not say',
    events: [['pipeline_state', { stage: 'a', label: 'A', status: 'success', attempt: 1, query_index: 1, latency_ms: 1, tables: ['t'] }]],
    expected: { steps: [expect.objectContaining({ detail: { tables: ['t'] } })] },
  },
  { name: 'takes a chart', events: [['chart', { mark: 'bar' }]], expected: { chart: { mark: 'bar' } } },
  {
    name: 'lets the complete answer replace what was streamed',
    events: [
      ['agent_talk', { content: 'Let me look. ' }],
      ['answer', { answer: 'Ten.', status: 'answered', agent: 'nba', run_id: 'r', suggestions: ['And?'], assumptions: ['All'], method: 'Looked', confidence: { level: 'high', score: 1 }, timing_ms: 4, trace: [{ node: 'plan_query', status: 'success', attempt: 1, latency_ms: 2 }] }],
      ['done', {}],
    ],
    expected: { text: 'Ten.', agent: 'nba', runId: 'r', suggestions: ['And?'], assumptions: ['All'], method: 'Looked', phase: 'done', steps: [expect.objectContaining({ label: 'Planning', latencyMs: 2 })] },
  },
];

describe('reduceTurn', () => {
  it.each(cases)('$name', ({ events, expected }) => {
    expect(after(...events)).toMatchObject(expected);
  });

  it.each(['tool_call', 'tool_output', 'thread_id', 'something_new'])('ignores %s', (name) => {
    const turn = newTurn('k', 'q');
    expect(reduceTurn(turn, event(name, { content: 'x' }))).toBe(turn);
  });

  it.each(['', '{', '[]', '"text"', 'null'])('ignores data that is no object: %s', (data) => {
    const turn = newTurn('k', 'q');
    expect(reduceTurn(turn, { id: '', event: 'agent_talk', data })).toBe(turn);
  });

  it('survives payloads of the wrong types', () => {
    const names = ['node_start', 'pipeline_state', 'citation', 'clarification', 'grounding', 'answer', 'done', 'error', 'atlas_links'];
    const nonsense = { node: 5, stage: 'execute_sql', rows: 'x', columns: {}, options: 3, claims: [null], atlas_links: { a: 1 }, queries: [7], trace: 'x', usage: [] };
    for (const name of names) expect(() => after([name, nonsense])).not.toThrow();
  });

  it('keeps partial text when it is stopped, and only then', () => {
    const running = after(['agent_talk', { content: 'Half' }], ['node_start', { node: 'a' }]);
    expect(settleTurn(running, 'stopped')).toMatchObject({ phase: 'stopped', text: 'Half', steps: [{ state: 'done' }] });
    const ended = after(['done', {}]);
    expect(settleTurn(ended, 'stopped')).toBe(ended);
  });

  it('goes on after an answer to its question', () => {
    const waiting = after(['clarification', { run_id: 'r', reason: 'Which?', options: ['a'] }], ['done', {}]);
    const resumed = reduceTurns(resumeTurn(waiting), [event('agent_talk', { content: 'A.' }), event('done', {})]);
    expect(resumed).toMatchObject({ phase: 'done', text: 'A.', clarification: null, runId: 'r' });
  });

  it('fails with words for a person', () => {
    expect(failTurn(newTurn('k', 'q'), 'Gone', 'unreachable', 'Look')).toMatchObject({ phase: 'failed', problem: { message: 'Gone', hint: 'Look' } });
  });
});
