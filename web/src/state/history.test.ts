import { describe, expect, it } from 'vitest';
import { noOverrides, readHistory } from './history';

const human = (content: string) => ({ role: 'human', content });
const ai = (content: string) => ({ role: 'ai', content });

describe('readHistory', () => {
  it('joins questions, answers and summaries in order', () => {
    const { turns } = readHistory(
      {
        messages: [human('A?'), ai('a'), human('B?'), ai('b')],
        turn_summaries: [{ answer: { answer: 'a', status: 'answered', agent: 'nba', run_id: 'r1' } }, { answer: { answer: 'b', status: 'refused' } }],
      },
      't',
    );
    expect(turns).toMatchObject([
      { key: 't/0', question: 'A?', text: 'a', agent: 'nba', runId: 'r1', phase: 'done' },
      { key: 't/1', question: 'B?', text: 'b', status: 'refused' },
    ]);
  });

  it('reads summaries of a server that sends no answers', () => {
    const { turns } = readHistory(
      {
        messages: [human('A?'), ai('a')],
        turn_summaries: [
          {
            queries: [{ sql: 'SELECT 1', columns: ['n'], rows: [[1]], row_count: 1, execution_time_ms: 2, tables: ['t'], schema_name: 'hs92' }],
            atlas_links: [{ url: 'https://a', label: 'A', link_type: 'country_page', resolution_notes: [] }],
            docs_consulted: ['metrics.md'],
            graphql_summaries: [{ api_target: 'explore', classification: { query_type: 'x', is_rejected: true, rejection_reason: 'no' }, entities: {}, execution_time_ms: 3, links: [] }],
          },
        ],
      },
      't',
    );
    expect(turns[0]).toMatchObject({
      queries: [{ text: 'SELECT 1', source: 'hs92' }],
      links: [{ label: 'A' }],
      documents: ['metrics.md'],
      lookups: [{ isRejected: true, rejectionReason: 'no' }],
    });
  });

  it('shows a question back and the reply to it as one entry', () => {
    const asked = { answer: { answer: 'Which?', status: 'clarification', run_id: 'r', clarification: { reason: 'Which?', options: ['a'] } } };
    const { turns } = readHistory({ messages: [human('Best?'), ai('Which?'), human('By points'), ai('Him.')], turn_summaries: [asked, { answer: { answer: 'Him.', status: 'answered', run_id: 'r' } }] }, 't');
    expect(turns).toMatchObject([{ question: 'Best?', text: 'Him.', turnIndex: 1, notes: ['You chose: By points'], clarification: null, phase: 'done' }]);
  });

  it('says what the server is working on', () => {
    expect(readHistory({ running: { run_id: 'r', question: 'Q?', agent: 'nba' } }, 't').running).toEqual({ runId: 'r', question: 'Q?', agent: 'nba' });
    expect(readHistory({}, 't').running).toBeNull();
  });

  it('lets only the last turn wait', () => {
    const asked = (run_id: string) => ({ answer: { answer: '', status: 'clarification', run_id, clarification: { reason: 'Which?', options: ['a'] } } });
    const { turns } = readHistory({ messages: [human('A?'), ai('Which?'), human('B?'), ai('Which?')], turn_summaries: [asked('r1'), asked('r2')] }, 't');
    expect(turns.map((turn) => turn.phase)).toEqual(['done', 'waiting']);
  });

  it('restores overrides that are known, and only those', () => {
    const overrides = { override_schema: 'hs92', override_direction: null, override_mode: 'goods', mode: 'sql_only' };
    expect(readHistory({ overrides, agent: 'atlas' }, 't')).toMatchObject({
      agent: 'atlas',
      overrides: { override_schema: 'hs92', override_direction: '', override_mode: 'goods', mode: 'sql_only' },
    });
    expect(readHistory({ overrides: { override_schema: 'hs22' } }, 't').overrides).toEqual(noOverrides);
  });

  it.each([null, {}, { messages: 'x' }, { messages: [ai('alone')] }])('makes nothing of %j', (value) => {
    expect(readHistory(value, 't').turns).toEqual([]);
  });
});
