import { useState } from 'react';
import type { Thread } from '../../api/types';
import { threads } from '../../state/app';
import { IconButton } from '../../ui/button';
import { Link } from '../../ui/link';

interface Props {
  thread: Thread;
  isCurrent: boolean;
  onRemove: (id: string) => void;
}

const RenameField = ({ thread, onDone }: { thread: Thread; onDone: () => void }) => {
  const [title, setTitle] = useState(thread.title);
  const save = () => {
    void threads.rename(thread.thread_id, title);
    onDone();
  };
  return (
    <input
      autoFocus
      aria-label="Title of the conversation"
      className="w-full rounded border border-accent bg-paper px-2 py-1 outline-none"
      value={title}
      maxLength={120}
      onChange={(event) => setTitle(event.target.value)}
      onFocus={(event) => event.target.select()}
      onBlur={save}
      onKeyDown={(event) => {
        if (event.key === 'Enter') save();
        if (event.key === 'Escape') {
          event.stopPropagation();
          onDone();
        }
      }}
    />
  );
};

export const ThreadRow = ({ thread, isCurrent, onRemove }: Props) => {
  const [isRenaming, setRenaming] = useState(false);
  if (isRenaming) {
    return (
      <li className="py-0.5">
        <RenameField thread={thread} onDone={() => setRenaming(false)} />
      </li>
    );
  }
  return (
    <li className={`group relative rounded-sm ${isCurrent ? 'bg-paper shadow-[inset_3px_0_0_var(--accent)]' : 'hover:bg-paper'}`}>
      <Link
        href={`/chat/${encodeURIComponent(thread.thread_id)}`}
        data-thread=""
        aria-current={isCurrent ? 'page' : undefined}
        title={thread.title}
        className="block truncate py-1.5 pr-2 pl-3 group-focus-within:pr-16 group-hover:pr-16"
      >
        {thread.title}
      </Link>
      <div className="absolute inset-y-0 right-0 flex items-center opacity-0 group-focus-within:opacity-100 group-hover:opacity-100">
        <IconButton icon="pen" size={14} label={`Rename ${thread.title}`} className="size-7!" onClick={() => setRenaming(true)} />
        <IconButton icon="bin" size={14} label={`Delete ${thread.title}`} className="size-7!" onClick={() => onRemove(thread.thread_id)} />
      </div>
    </li>
  );
};
