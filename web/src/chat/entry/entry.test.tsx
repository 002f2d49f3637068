import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import type { Query } from '../../api/types';
import { newTurn, type Turn } from '../../state/turn';
import { announcement } from '../announcer';
import { Entry, type EntryActions } from './entry';

const query: Query = {
  kind: 'sql', text: 'SELECT team, wins FROM t', source: 's', columns: ['team', 'wins'], rows: [['Lakers', 41], ['Bulls', 38]],
  row_count: 2, truncated: false, execution_time_ms: 4, tables: ['main.t'],
};

const answered: Turn = {
  ...newTurn('k', 'Who won?'),
  phase: 'done', status: 'answered', text: 'The Lakers won 41, the rest 99.', agent: 'nba', runId: 'r1', queries: [query],
  steps: [{ node: 'plan_query', label: 'Planning', queryIndex: 1, state: 'done', latencyMs: 4, attempt: 1, detail: { tables: ['main.t'] } }],
  grounding: {
    checked: 2, traced: 1, untraced: ['99'],
    claims: [
      { begin: 15, end: 17, text: '41', origin: 'cell', cells: [{ result: 0, row: 0, column: 1 }], passage: null },
      { begin: 28, end: 30, text: '99', origin: 'none', cells: [], passage: null },
    ],
  },
  suggestions: ['And in 2022?'], assumptions: ['Regular season only.'], method: 'How I found this: I looked in main.t.',
  confidence: { level: 'low', score: 0.4 }, timingMs: 41, usage: { llm_calls: 2, input_tokens: 900, output_tokens: 100, cost_usd: 0.0042 },
};

const show = (turn: Turn, more: Partial<Parameters<typeof Entry>[0]> = {}) => {
  const actions: EntryActions = { onAsk: vi.fn(), onChoose: vi.fn(), onRetry: vi.fn(), onOpenCitation: vi.fn(), onExport: vi.fn() };
  const view = render(<Entry turn={turn} number={1} threadId="t" isLast isBusy={false} feedback={undefined} actions={actions} {...more} />);
  return { actions, ...view };
};

describe('Entry', () => {
  it('shows on hover which cell a figure comes from, and goes there on a click', async () => {
    show(answered);
    const figure = screen.getByRole('button', { name: '41' });
    await userEvent.hover(figure);
    expect(screen.getByRole('tooltip').textContent).toContain('row 1, Lakers');
    await userEvent.click(figure);
    expect(document.querySelector('td.flash')?.textContent).toBe('41');
  });

  it('marks a figure that was not found', async () => {
    show(answered);
    const figure = screen.getByRole('button', { name: 'Untraced: 99' });
    expect(figure.className).toContain('claim-untraced');
    await userEvent.hover(figure);
    expect(screen.getByRole('tooltip').textContent).toContain('Not found in the result');
  });

  it('shows notes by keyboard as well, and hides them with Escape', async () => {
    show(answered);
    screen.getByRole('button', { name: '41' }).focus();
    expect(await screen.findByRole('tooltip')).toBeTruthy();
    await userEvent.keyboard('{Escape}');
    expect(screen.queryByRole('tooltip')).toBeNull();
  });

  it('notes how sure, how long, how dear and what was assumed', () => {
    show(answered);
    const notes = within(screen.getByRole('complementary', { name: 'Notes' }));
    expect(notes.getByText('1 of 2 facts traced')).toBeTruthy();
    expect(notes.getByText('low confidence')).toBeTruthy();
    expect(notes.getByText('41 ms')).toBeTruthy();
    expect(notes.getByText('2 model calls, 1,000 tokens, $0.0042')).toBeTruthy();
    expect(notes.getByText('Regular season only.')).toBeTruthy();
    expect(notes.getByRole('link', { name: 'trace' }).getAttribute('href')).toBe('/runs/r1');
  });

  it('tells how it was found when asked', async () => {
    show(answered);
    expect(screen.queryByLabelText('SQL')).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: /How I found this/ }));
    expect(screen.getByText('I looked in main.t.')).toBeTruthy();
    expect(screen.getByLabelText('Statement').textContent).toBe('SELECT team, wins\nFROM t');
    await userEvent.click(screen.getByRole('button', { name: /Planning/ }));
    expect(screen.getByText('["main.t"]')).toBeTruthy();
  });

  it('asks what is suggested, only below the last entry', async () => {
    const { actions, unmount } = show(answered);
    await userEvent.click(screen.getByRole('button', { name: 'And in 2022?' }));
    expect(actions.onAsk).toHaveBeenCalledWith('And in 2022?');
    unmount();
    show(answered, { isLast: false });
    expect(screen.queryByRole('button', { name: 'And in 2022?' })).toBeNull();
  });

  it('lets a question be changed and asked again', async () => {
    const { actions } = show(answered);
    await userEvent.click(screen.getByRole('button', { name: /Change the question/ }));
    await userEvent.clear(screen.getByLabelText('Changed question'));
    await userEvent.type(screen.getByLabelText('Changed question'), 'Who lost?{Enter}');
    expect(actions.onAsk).toHaveBeenCalledWith('Who lost?');
  });

  it('offers the readings of a question back, and no longer when they were chosen', async () => {
    const waiting: Turn = { ...newTurn('k', 'Best?'), phase: 'waiting', status: 'clarification', clarification: { reason: 'By what?', options: ['By points', 'By wins'] } };
    const { actions, unmount } = show(waiting);
    await userEvent.click(screen.getByRole('button', { name: /By wins/ }));
    expect(actions.onChoose).toHaveBeenCalledWith('By wins');
    unmount();
    show({ ...waiting, phase: 'done' });
    expect(screen.getByRole<HTMLButtonElement>('button', { name: /By wins/ }).disabled).toBe(true);
  });

  it('shows the steps while it works, and then the words', () => {
    const running: Turn = { ...newTurn('k', 'q'), steps: [{ node: 'a', label: 'Planning', queryIndex: 1, state: 'active', latencyMs: 0, attempt: 1, detail: {} }] };
    const { rerender, actions } = show(running);
    expect(screen.getByRole('list', { name: 'Steps' }).textContent).toContain('Planning: working');
    rerender(<Entry turn={{ ...running, text: 'So far' }} number={1} threadId="t" isLast isBusy feedback={undefined} actions={actions} />);
    expect(screen.queryByRole('list', { name: 'Steps' })).toBeNull();
    expect(screen.getByText('So far')).toBeTruthy();
    expect(screen.getByRole('article').getAttribute('aria-busy')).toBe('true');
  });

  it('says what went wrong, what to do, and tries again', async () => {
    const failed: Turn = { ...newTurn('k', 'q'), phase: 'failed', text: 'Half', problem: { message: 'Too slow.', code: 't', hint: 'Narrow it.' } };
    const { actions } = show(failed);
    expect(screen.getByRole('alert').textContent).toContain('Narrow it.');
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(actions.onRetry).toHaveBeenCalledWith(failed);
  });

  it('opens a citation from the text and from the notes', async () => {
    const citation = { n: 1, document: 'minutes', date: '2023-05-03', section: 'Vote', chunk_id: 'c', start: 0, end: 1, excerpt: 'Aye.', score: 1, corpus: '' };
    const cited: Turn = { ...newTurn('k', 'q'), phase: 'done', text: 'Aye [1].', citations: [citation] };
    const { actions } = show(cited);
    await userEvent.click(screen.getByRole('button', { name: 'Source 1' }));
    await userEvent.click(screen.getByRole('button', { name: /minutes.*3 May 2023.*Vote/ }));
    expect(actions.onOpenCitation).toHaveBeenCalledTimes(2);
    expect(actions.onOpenCitation).toHaveBeenCalledWith(cited, 1);
  });

  it('sends feedback, and a comment if there is one', async () => {
    const fetch = vi.fn((_: string, __: RequestInit) => Promise.resolve(new Response('{"id":"1","rating":"down"}', { status: 201 })));
    vi.stubGlobal('fetch', fetch);
    show({ ...answered, turnIndex: 2 });
    await userEvent.click(screen.getByRole('button', { name: 'Bad answer' }));
    await userEvent.type(await screen.findByLabelText('Comment on this answer'), 'Wrong year{Enter}');
    expect(await screen.findByText('Noted, thank you.')).toBeTruthy();
    const bodies = fetch.mock.calls.map(([, init]) => JSON.parse(init.body as string) as unknown);
    expect(bodies).toEqual([
      { thread_id: 't', turn_index: 2, rating: 'down', comment: '' },
      { thread_id: 't', turn_index: 2, rating: 'down', comment: 'Wrong year' },
    ]);
  });

  it('says once why it failed, and keeps what was written before', () => {
    const problem = { message: 'the key was refused', code: '', hint: '' };
    const { unmount } = show({ ...answered, phase: 'failed', text: 'I could not finish: the key was refused.', problem });
    expect(screen.queryByText(/I could not finish/)).toBeNull();
    expect(screen.getByText('The key was refused.')).toBeTruthy();
    unmount();
    show({ ...answered, phase: 'failed', text: 'Ten teams so far', problem });
    expect(screen.getByText('Ten teams so far')).toBeTruthy();
  });

  it('leaves out a table of a single figure', () => {
    const single = { ...query, columns: ['n'], rows: [[42]], row_count: 1 };
    show({ ...answered, queries: [single] });
    expect(screen.queryByRole('table')).toBeNull();
  });
});

describe('announcement', () => {
  it.each<[Partial<Turn>, string]>([
    [{}, 'Working on it'],
    [{ steps: [{ node: 'a', label: 'Planning', queryIndex: 1, state: 'active', latencyMs: 0, attempt: 1, detail: {} }] }, 'Planning'],
    [{ phase: 'done', text: '**Ten** teams.' }, '  Ten   teams.'],
    [{ phase: 'stopped' }, 'Stopped'],
    [{ phase: 'waiting', clarification: { reason: 'Which?', options: [] } }, 'Which?'],
    [{ phase: 'failed', problem: { message: 'Gone.', code: '', hint: '' } }, 'Gone.'],
  ])('of %j', (turn, words) => expect(announcement({ ...newTurn('k', 'q'), ...turn })).toBe(words));
});
