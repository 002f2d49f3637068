import type { ReactNode } from 'react';
import type { AnswerStatus } from '../../api/types';
import { formatCost, formatCount, formatMs } from '../../lib/format';
import type { Turn } from '../../state/turn';
import { Link } from '../../ui/link';
import { NoteButton } from '../../ui/popover';

const Note = ({ children }: { children: ReactNode }) => <li className="py-0.5">{children}</li>;

const Grounded = ({ grounding }: { grounding: NonNullable<Turn['grounding']> }) => {
  if (grounding.checked === 0) return null;
  const isWhole = grounding.traced >= grounding.checked;
  const words = `${grounding.traced} of ${formatCount(grounding.checked, 'fact')} traced`;
  if (isWhole) return <Note><span className="total">{words}</span></Note>;
  return (
    <Note>
      <NoteButton className="text-left text-warn underline decoration-wavy decoration-1 underline-offset-3" label={words}>
        Not found in what was read: {grounding.untraced.join(', ') || 'some figures'}
      </NoteButton>
    </Note>
  );
};

const Cost = ({ usage }: { usage: NonNullable<Turn['usage']> }) => {
  if (usage.llm_calls === 0) return <Note>no language model</Note>;
  const tokens = usage.input_tokens + usage.output_tokens;
  return (
    <Note>
      {formatCount(usage.llm_calls, 'model call')}, {formatCount(tokens, 'token')}, {formatCost(usage.cost_usd)}
    </Note>
  );
};

const outcomes: Partial<Record<AnswerStatus, string>> = { uncertain: 'not certain enough', refused: 'declined', failed: 'not answered' };

const confidenceTone: Record<string, string> = { high: '', medium: '', low: 'text-warn' };

/** What stands in the margin of an entry: how sure, how long, how dear, and what was taken for granted. */
export const Notes = ({ turn }: { turn: Turn }) => (
  <>
    <ul className="flex flex-wrap gap-x-4 text-[0.9375rem] leading-snug text-ink-2 margin:block">
      {turn.status && outcomes[turn.status] && (
        <Note>
          <span className="text-warn">{outcomes[turn.status]}</span>
        </Note>
      )}
      {turn.grounding && <Grounded grounding={turn.grounding} />}
      {turn.confidence?.level && (
        <Note>
          <span className={confidenceTone[turn.confidence.level] ?? ''}>{turn.confidence.level} confidence</span>
        </Note>
      )}
      {turn.timingMs > 0 && <Note>{formatMs(turn.timingMs)}</Note>}
      {turn.usage && <Cost usage={turn.usage} />}
      {turn.agent && (
        <Note>
          {turn.agent}
          {turn.runId && (
            <>
              {', '}
              <Link href={`/runs/${encodeURIComponent(turn.runId)}`} className="text-accent underline decoration-rule-strong underline-offset-3 hover:decoration-accent">
                trace
              </Link>
            </>
          )}
        </Note>
      )}
    </ul>
    {turn.assumptions.length > 0 && (
      <section aria-label="Assumptions" className="mt-3 text-[0.9375rem] leading-snug">
        <h3 className="label">Taken for granted</h3>
        <ul className="mt-0.5 space-y-1 text-ink-2">
          {turn.assumptions.map((assumption) => (
            <li key={assumption}>{assumption}</li>
          ))}
        </ul>
      </section>
    )}
  </>
);
