import { useRef, type ReactNode } from 'react';
import type { Feedback } from '../api/types';
import type { ConversationState } from '../state/conversation';
import { isOpen } from '../state/turn';
import { Icon } from '../ui/icon';
import { Link } from '../ui/link';
import { Loading, Problem } from '../ui/states';
import { Announcer } from './announcer';
import { Entry, type EntryActions } from './entry/entry';
import { LazyEntry } from './lazy-entry';
import { useStickToEnd } from './use-stick-to-end';

interface Props {
  state: ConversationState;
  feedback: readonly Feedback[];
  actions: EntryActions;
  onReload: () => void;
  welcome: ReactNode;
}

/** A conversation that is nobody's, or somebody else's. */
const NotThere = () => (
  <div role="alert" className="max-w-xl py-2">
    <p className="text-lg">There is no such conversation here.</p>
    <p className="mt-1 text-ink-2">
      It was deleted, or it began in another browser.{' '}
      <Link href="/chat" className="text-accent underline decoration-rule-strong underline-offset-3">
        Begin a new one
      </Link>
    </p>
  </div>
);

/** The pages of a conversation, one entry below the other. */
export const EntryList = ({ state, feedback, actions, onReload, welcome }: Props) => {
  const scroller = useRef<HTMLDivElement>(null);
  const { isAtEnd, toEnd } = useStickToEnd(scroller, state.threadId, !state.loading);
  const last = state.turns.at(-1);
  const isBusy = isOpen(last);
  return (
    <div className="relative min-h-0 flex-1">
      <div ref={scroller} className="h-full overflow-y-auto" tabIndex={-1} role="log" aria-live="off" aria-label="Conversation">
        <div className="ledger min-h-full pb-6">
          {state.loading && (
            <div className="ledger-row pt-8">
              <span />
              <Loading label="Loading the conversation" />
            </div>
          )}
          {state.problem && (
            <div className="ledger-row pt-8">
              <span />
              {state.problem.status === 404 ? <NotThere /> : <Problem error={state.problem} onRetry={onReload} />}
            </div>
          )}
          {!state.loading && !state.problem && state.turns.length === 0 && welcome}
          {state.turns.map((turn, at) => (
            <LazyEntry key={turn.key} isPinned={at >= state.turns.length - 2}>
              {() => (
                <Entry
                  turn={turn}
                  number={at + 1}
                  threadId={state.threadId}
                  isLast={turn === last}
                  isBusy={isBusy}
                  feedback={feedback.find((entry) => entry.turn_index === turn.turnIndex)}
                  actions={actions}
                />
              )}
            </LazyEntry>
          ))}
          {state.reconnecting && (
            <div className="ledger-row">
              <span />
              <p role="status" className="flex items-center gap-2 text-warn">
                <span className="pulse size-2 rounded-full bg-warn" /> The connection broke off; taking it up again …
              </p>
            </div>
          )}
        </div>
      </div>
      {!isAtEnd && state.turns.length > 0 && (
        <button
          type="button"
          className="appear absolute bottom-3 left-1/2 flex -translate-x-1/2 items-center gap-1.5 rounded-full border border-rule-strong bg-paper px-3 py-1 text-[0.9375rem] shadow-(--shadow) hover:text-accent"
          onClick={toEnd}
        >
          <Icon name="down_chevron" size={13} /> Latest
        </button>
      )}
      <Announcer turn={last} />
    </div>
  );
};
