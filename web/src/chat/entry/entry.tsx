import { memo, useCallback, useId, useState } from 'react';
import type { Claim, Feedback as FeedbackEntry, Query } from '../../api/types';
import type { Turn } from '../../state/turn';
import { IconButton } from '../../ui/button';
import { CopyButton } from '../../ui/copy-button';
import { Problem } from '../../ui/states';
import { ExportMenu, type ExportFormat } from '../export-menu';
import { ResultBlock } from '../results/result-block';
import type { CellMark } from '../results/result-table';
import { AnswerText } from './answer-text';
import { ClarificationBlock } from './clarification';
import { Feedback } from './feedback';
import { LinkPills } from './link-pills';
import { Notes } from './notes';
import { Question } from './question';
import { Sources } from './sources';
import { Stepper } from './stepper';
import { Working } from './working';

export interface EntryActions {
  onAsk: (question: string) => void;
  onChoose: (option: string) => void;
  onRetry: (turn: Turn) => void;
  onOpenCitation: (turn: Turn, n: number) => void;
  onExport: (format: ExportFormat) => void;
}

interface Props {
  turn: Turn;
  number: number;
  threadId: string;
  isLast: boolean;
  isBusy: boolean;
  feedback: FeedbackEntry | undefined;
  actions: EntryActions;
}

const noClaims: Claim[] = [];

/** A single figure stands in the answer already. */
const isWorthShowing = (query: Query): boolean => query.columns.length > 1 || (query.columns.length === 1 && query.rows.length !== 1);

/** A server that failed says why in the answer as well; once is enough. */
const saysProblem = ({ text, problem }: Turn): boolean => problem !== null && text.includes(problem.message);

/** One question and its answer, as an entry of the book. */
export const Entry = memo(({ turn, number, threadId, isLast, isBusy, feedback, actions }: Props) => {
  const heading = useId();
  const [mark, setMark] = useState<(CellMark & { result: number }) | null>(null);
  const showCell = useCallback((claim: Claim) => {
    const place = claim.cells[0];
    if (place) setMark((before) => ({ ...place, round: (before?.round ?? 0) + 1 }));
  }, []);
  const showTable = useCallback((result: number) => setMark((before) => ({ result, row: 0, column: -1, round: (before?.round ?? 0) + 1 })), []);
  const openCitation = useCallback((n: number) => actions.onOpenCitation(turn, n), [actions, turn]);
  const isRunning = turn.phase === 'running';
  const results = turn.queries.map((query, at) => ({ query, at })).filter(({ query, at }) => isWorthShowing(query) || mark?.result === at);
  return (
    <article aria-labelledby={heading} aria-busy={isRunning} className="ledger-row pt-8 pb-4">
      <p className="ledger-number pt-1" aria-hidden="true">
        {number}
      </p>
      <div className="min-w-0 space-y-4">
        <Question id={heading} question={turn.question} canEdit={!isBusy} onResend={actions.onAsk} />
        {isRunning && turn.text === '' && <Progress turn={turn} />}
        {turn.clarification ? (
          <ClarificationBlock clarification={turn.clarification} {...(turn.phase === 'waiting' && isLast ? { onChoose: actions.onChoose } : {})} />
        ) : (
          turn.text !== '' &&
          !saysProblem(turn) && (
            <AnswerText
              text={turn.text}
              claims={turn.grounding?.claims ?? noClaims}
              citations={turn.citations}
              queries={turn.queries}
              onShowCell={showCell}
              onOpenCitation={openCitation}
            />
          )
        )}
        {isRunning && turn.text !== '' && <Progress turn={turn} />}
        {turn.phase === 'stopped' && <p className="label">Stopped. What was found so far is kept.</p>}
        {turn.problem && <Problem error={turn.problem} {...(isLast ? { onRetry: () => actions.onRetry(turn) } : {})} />}
        {results.map(({ query, at }) => (
          <ResultBlock
            key={at}
            query={query}
            title={turn.question}
            chart={at === results.at(-1)?.at ? turn.chart : null}
            mark={mark?.result === at ? mark : null}
          />
        ))}
        {turn.citations.length > 0 && <Sources citations={turn.citations} onOpen={openCitation} />}
        {turn.links.length > 0 && <LinkPills links={turn.links} />}
        {!isRunning && <Working turn={turn} onShowTable={showTable} />}
        {!isRunning && turn.phase !== 'waiting' && (
          <div className="-ml-2 flex flex-wrap items-center">
            <CopyButton label="Copy the answer" text={() => turn.text} />
            <IconButton icon="again" label="Ask again" disabled={isBusy} onClick={() => actions.onRetry(turn)} />
            {threadId && isLast && <ExportMenu onExport={actions.onExport} />}
            {threadId && <Feedback threadId={threadId} turnIndex={turn.turnIndex} given={feedback} />}
          </div>
        )}
      </div>
      <aside aria-label="Notes" className="ledger-notes pt-3 margin:pt-1.5">
        {!isRunning && turn.phase !== 'waiting' && <Notes turn={turn} />}
      </aside>
      {isLast && turn.phase === 'done' && turn.suggestions.length > 0 && <Suggestions suggestions={turn.suggestions} onAsk={actions.onAsk} />}
    </article>
  );
});

/** All steps until there is something to read; then only the one at work. */
const Progress = ({ turn }: { turn: Turn }) => {
  if (turn.text === '' && turn.steps.length > 0) return <Stepper steps={turn.steps} />;
  const active = turn.steps.findLast((step) => step.state === 'active');
  const words = active?.label ?? (turn.text === '' ? 'Opening the books' : 'Writing');
  return (
    <p className="flex items-center gap-2.5 text-[0.9375rem] text-ink-2">
      <span className="flex size-4 items-center justify-center">
        <span className="pulse size-2 rounded-full bg-accent" />
      </span>
      {words} …
    </p>
  );
};

const Suggestions = ({ suggestions, onAsk }: { suggestions: readonly string[]; onAsk: (question: string) => void }) => (
  <section aria-label="Next questions" className="col-start-2 pt-4">
    <h3 className="label">You might ask next</h3>
    <ul className="mt-1.5 flex flex-wrap gap-2">
      {suggestions.map((suggestion) => (
        <li key={suggestion}>
          <button
            type="button"
            className="rounded-full border border-rule-strong px-3 py-1 text-left text-[0.9375rem] hover:border-accent hover:text-accent"
            onClick={() => onAsk(suggestion)}
          >
            {suggestion}
          </button>
        </li>
      ))}
    </ul>
  </section>
);
