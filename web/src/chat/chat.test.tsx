import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Citation, Thread } from '../api/types';
import { placeBeside } from '../ui/popover';
import { owedDeletions } from '../state/owed-deletions';
import { Threads } from '../state/threads';
import { threads } from '../state/app';
import { DocumentPanel } from './document-panel';
import { findPassage } from './find-passage';
import { groupThreads, Sidebar } from './sidebar/sidebar';
import { UndoToast } from './sidebar/undo-toast';

const thread = (thread_id: string, title: string): Thread => ({ thread_id, title, created_at: '', updated_at: new Date().toISOString() });
const citation = (start: number, end: number, excerpt: string): Citation => ({ n: 1, document: 'd', date: '2023-05-03', section: 'S', chunk_id: '', start, end, excerpt, score: 1, corpus: '' });

describe('findPassage', () => {
  const text = 'Rates – 5¼ per cent.\nThe vote was\nunanimous.';
  const bytes = (part: string) => new TextEncoder().encode(text.slice(0, text.indexOf(part))).length;
  const cut = (found: { begin: number; end: number } | null) => found && text.slice(found.begin, found.end);

  it('counts in bytes', () => {
    const start = bytes('The vote');
    expect(cut(findPassage(text, citation(start, start + 8, 'The vote')))).toBe('The vote');
  });
  it('looks for the excerpt where the places do not fit', () => expect(cut(findPassage(text, citation(0, 4, 'vote was unanimous')))).toBe('vote was\nunanimous'));
  it('looks for an excerpt that was cut off', () => expect(cut(findPassage(text, citation(0, 0, 'Rates – 5¼ …')))).toBe('Rates – 5¼'));
  it('takes signs of the excerpt as they are', () => expect(findPassage('a (b) [c', citation(0, 0, '(b) [c'))).toEqual({ begin: 2, end: 8 }));
  it('finds nothing where nothing is', () => expect(findPassage(text, citation(0, 900, 'elsewhere'))).toBeNull());
});

describe('placeBeside', () => {
  const anchor = (left: number, top: number) => ({ left, top, bottom: top + 20, right: left + 40 }) as DOMRect;
  const window = { width: 400, height: 300 };
  it('lies below', () => expect(placeBeside(anchor(10, 10), 100, 50, window)).toEqual({ left: 10, top: 38 }));
  it('lies above where there is no room', () => expect(placeBeside(anchor(10, 270), 100, 50, window)).toEqual({ left: 10, top: 212 }));
  it('stays inside', () => expect(placeBeside(anchor(390, 10), 100, 50, window).left).toBe(292));
});

describe('groupThreads', () => {
  it('searches without regard to case, and groups by time', () => {
    const old = { ...thread('c', 'Old teams'), updated_at: '2020-01-01' };
    const found = groupThreads([thread('a', 'Teams'), thread('b', 'Players'), old], 'TEAM', new Date());
    expect(found.map(([group, list]) => [group, list.map((each) => each.thread_id)])).toEqual([['Today', ['a']], ['Earlier', ['c']]]);
  });
});

const listOf = (list: Thread[]) => new Response(JSON.stringify({ conversations: list, has_more: false }));

const serve = (list: Thread[]) => {
  const fetch = vi.fn((path: string, _: RequestInit) => Promise.resolve(path.startsWith('/api/threads?') ? listOf(list) : new Response('{}')));
  vi.stubGlobal('fetch', fetch);
  return () => fetch.mock.calls.filter(([, init]) => init.method !== 'GET').map(([path, init]) => `${init.method} ${path} ${(init.body as string) ?? ''}`.trim());
};

describe('Threads', () => {
  beforeEach(() => void vi.useFakeTimers());

  it('deletes when the time to think again is over', async () => {
    const sent = serve([thread('a', 'A')]);
    const own = new Threads();
    await own.refresh();
    own.remove('a');
    expect(own.state.get()).toMatchObject({ threads: [], deleted: { thread_id: 'a' } });
    expect(sent()).toEqual([]);
    vi.runAllTimers();
    expect(sent()).toEqual(['DELETE /api/threads/a']);
    vi.useRealTimers();
  });

  it('brings back what was deleted', async () => {
    const sent = serve([thread('a', 'A')]);
    const own = new Threads();
    await own.refresh();
    own.remove('a');
    own.undo();
    vi.runAllTimers();
    vi.useRealTimers();
    await vi.waitFor(() => expect(own.state.get().threads).toHaveLength(1), { timeout: 30_000 });
    expect(sent()).toEqual([]);
  });

  it('deletes the first for good when a second is deleted, and when the page is left', async () => {
    const sent = serve([thread('a', 'A'), thread('b', 'B')]);
    const own = new Threads();
    await own.refresh();
    own.remove('a');
    own.remove('b');
    expect(sent()).toEqual(['DELETE /api/threads/a']);
    own.commit(true);
    expect(sent()).toEqual(['DELETE /api/threads/a', 'DELETE /api/threads/b']);
    vi.useRealTimers();
  });

  it('does not show after a reload what was deleted as the page was left, and deletes it again', async () => {
    vi.useRealTimers();
    vi.stubGlobal('fetch', vi.fn((path: string) => (path.startsWith('/api/threads?') ? Promise.resolve(listOf([thread('a', 'A'), thread('b', 'B')])) : new Promise(() => undefined))));
    const left = new Threads();
    await left.refresh();
    left.remove('a');
    left.commit(true);
    // The server lists before it deletes.
    const sent = serve([thread('a', 'A'), thread('b', 'B')]);
    const opened = new Threads();
    opened.resume();
    await opened.refresh();
    expect(opened.state.get().threads.map((each) => each.thread_id)).toEqual(['b']);
    expect(sent()).toEqual(['DELETE /api/threads/a']);
    await vi.waitFor(() => expect(owedDeletions()).toEqual([]));
  });

  it('shows again what could not be deleted', async () => {
    vi.useRealTimers();
    vi.stubGlobal('fetch', vi.fn((path: string) => Promise.resolve(path.startsWith('/api/threads?') ? listOf([thread('a', 'A')]) : new Response('{}', { status: 503 }))));
    const own = new Threads();
    await own.refresh();
    own.remove('a');
    own.commit();
    expect(own.state.get().threads).toEqual([]);
    await vi.waitFor(() => expect(own.state.get().threads).toHaveLength(1));
    expect(owedDeletions()).toEqual([]);
  });
});

describe('Sidebar', () => {
  const open = async (list: Thread[]) => {
    const sent = serve(list);
    render(
      <>
        <Sidebar onClose={() => undefined} />
        <UndoToast />
      </>,
    );
    await act(() => threads.refresh());
    return sent;
  };

  it('renames in place', async () => {
    const sent = await open([thread('a', 'Old name')]);
    await userEvent.click(screen.getByRole('button', { name: 'Rename Old name' }));
    await userEvent.keyboard('New name{Enter}');
    expect(screen.getByRole('link', { name: 'New name' })).toBeTruthy();
    expect(sent()).toContain('PATCH /api/threads/a {"title":"New name"}');
  });

  it('deletes, and undoes it', async () => {
    const sent = await open([thread('a', 'A title')]);
    await userEvent.click(screen.getByRole('button', { name: 'Delete A title' }));
    expect(screen.queryByRole('link', { name: 'A title' })).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
    expect(await screen.findByRole('link', { name: 'A title' })).toBeTruthy();
    expect(sent()).toEqual([]);
  });

  it('goes through the list with arrows', async () => {
    await open([thread('a', 'First'), thread('b', 'Second')]);
    screen.getByRole('link', { name: 'First' }).focus();
    await userEvent.keyboard('{ArrowDown}');
    expect(document.activeElement?.textContent).toBe('Second');
  });

  it('says when nothing is called like that', async () => {
    await open([thread('a', 'First')]);
    await userEvent.type(screen.getByLabelText('Search conversations'), 'zzz');
    expect(screen.getByText('Nothing is called “zzz”.')).toBeTruthy();
  });
});

describe('DocumentPanel', () => {
  const panel = (onClose = vi.fn()) => {
    render(<DocumentPanel corpus="fomc" citations={[citation(0, 0, 'The vote')]} n={1} onOpen={vi.fn()} onClose={onClose} />);
    return onClose;
  };

  it('opens the document with the passage marked, and closes with Escape', async () => {
    vi.stubGlobal('fetch', vi.fn(() => Promise.resolve(new Response(JSON.stringify({ name: 'd', title: 'Minutes', text: 'Before. The vote was clear.' })))));
    const onClose = panel();
    expect((await screen.findByText('The vote')).tagName).toBe('MARK');
    expect(screen.getByRole('heading', { name: 'Minutes' })).toBe(document.activeElement);
    await userEvent.keyboard('{Escape}');
    expect(onClose).toHaveBeenCalled();
  });

  it('tells headings from text, and says nothing twice', async () => {
    const text = 'Minutes\n\nDecision\n\nBefore. The vote was clear.\n\nEnd';
    vi.stubGlobal('fetch', vi.fn(() => Promise.resolve(new Response(JSON.stringify({ name: 'd', title: 'Minutes', text })))));
    panel();
    await screen.findByText('The vote');
    expect(screen.getByText('Decision').className).toContain('font-semibold');
    expect(screen.getByText('End').className).not.toContain('font-semibold');
    expect(screen.getAllByText('Minutes')).toHaveLength(1);
  });

  it('shows the passage alone when the document is not to be had', async () => {
    vi.stubGlobal('fetch', vi.fn(() => Promise.resolve(new Response('{}', { status: 404 }))));
    panel();
    expect((await screen.findByText('The vote')).tagName).toBe('MARK');
  });
});
