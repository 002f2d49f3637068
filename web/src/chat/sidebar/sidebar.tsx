import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import type { Thread } from '../../api/types';
import { dayGroup } from '../../lib/format';
import { navigate, useRoute } from '../../lib/router';
import { useStore } from '../../lib/store';
import { threads } from '../../state/app';
import { IconButton } from '../../ui/button';
import { Icon } from '../../ui/icon';
import { Link } from '../../ui/link';
import { Mark } from '../../ui/mark';
import { TextButton } from '../../ui/button';
import { SideNav } from './side-nav';
import { ThreadRow } from './thread-row';

/** Conversations under the names of the time that they are from, newest first. */
export const groupThreads = (list: readonly Thread[], search: string, now: Date): [string, Thread[]][] => {
  const wanted = search.trim().toLowerCase();
  const groups = new Map<string, Thread[]>();
  for (const thread of list) {
    if (wanted !== '' && !thread.title.toLowerCase().includes(wanted)) continue;
    const group = dayGroup(thread.updated_at, now);
    groups.set(group, [...(groups.get(group) ?? []), thread]);
  }
  return [...groups];
};

const moveFocus = (event: KeyboardEvent<HTMLElement>) => {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (step === 0 || event.target instanceof HTMLInputElement) return;
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('a[data-thread]')];
  const next = links[links.indexOf(document.activeElement as HTMLElement) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
};

/** The index of the book: conversations, and the way to everything else. */
export const Sidebar = ({ onClose }: { onClose: () => void }) => {
  const state = useStore(threads.state);
  const route = useRoute();
  const [search, setSearch] = useState('');
  const list = useRef<HTMLElement>(null);
  const current = route.page === 'chat' ? route.thread : '';
  useEffect(() => void threads.refresh(), []);
  const groups = useMemo(() => groupThreads(state.threads, search, new Date()), [state.threads, search]);
  const remove = (id: string) => {
    threads.remove(id);
    if (id === current) navigate('/chat');
  };
  return (
    <div className="flex h-full flex-col bg-leaf">
      <header className="flex items-center justify-between px-4 pt-4 pb-3">
        <Link href="/" className="flex items-center gap-2.5 text-xl font-semibold">
          <span className="text-accent">
            <Mark size={26} />
          </span>
          Quaestor
        </Link>
        <IconButton icon="cross" label="Close the index" className="lg:hidden" onClick={onClose} />
      </header>
      <div className="px-3">
        <Link href="/chat" className="flex items-center gap-2 rounded border border-rule-strong bg-paper px-3 py-1.5 hover:border-accent hover:text-accent">
          <Icon name="plus" /> New conversation
        </Link>
        <label className="mt-2 flex items-center gap-2 border-b border-rule-strong px-1 py-1.5 text-ink-3 focus-within:border-accent">
          <Icon name="search" />
          <span className="sr-only">Search conversations</span>
          <input
            type="search"
            placeholder="Search"
            className="w-full bg-transparent text-ink outline-none placeholder:text-ink-3"
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
        </label>
      </div>
      <nav ref={list} aria-label="Conversations" className="min-h-0 flex-1 overflow-y-auto px-3 py-3" onKeyDown={moveFocus}>
        {groups.map(([group, entries]) => (
          <section key={group} className="pb-3">
            <h2 className="label px-1 pb-0.5">{group}</h2>
            <ul>
              {entries.map((thread) => (
                <ThreadRow key={thread.thread_id} thread={thread} isCurrent={thread.thread_id === current} onRemove={remove} />
              ))}
            </ul>
          </section>
        ))}
        <SidebarState isLoading={state.loading} isFailed={state.problem !== null} isEmpty={groups.length === 0} search={search} />
      </nav>
      <SideNav page={route.page} />
    </div>
  );
};

const SidebarState = ({ isLoading, isFailed, isEmpty, search }: { isLoading: boolean; isFailed: boolean; isEmpty: boolean; search: string }) => {
  if (isFailed) {
    return (
      <p className="px-1 text-[0.9375rem] text-ink-2">
        The conversations could not be loaded. <TextButton onClick={() => void threads.refresh()}>Try again</TextButton>
      </p>
    );
  }
  if (isLoading || !isEmpty) return null;
  return (
    <p className="px-1 text-[0.9375rem] text-ink-3">
      {search ? `Nothing is called “${search}”.` : 'Conversations that you begin are listed here.'}
    </p>
  );
};
