import type { Clarification } from '../../api/types';

interface Props {
  clarification: Clarification;
  /** Absent when the question has been answered. */
  onChoose?: (option: string) => void;
}

/** A question back, with its readings to choose from. */
export const ClarificationBlock = ({ clarification, onChoose }: Props) => (
  <section aria-label="Which do you mean?" className="appear">
    <p className="prose">{clarification.reason}</p>
    <ol className="mt-3 max-w-xl border-t border-rule">
      {clarification.options.map((option, at) => (
        <li key={option} className="border-b border-rule">
          <button
            type="button"
            disabled={!onChoose}
            className="group flex w-full items-baseline gap-3 py-2 text-left hover:text-accent disabled:text-ink-3"
            onClick={() => onChoose?.(option)}
          >
            <span className="w-5 shrink-0 text-right text-ink-3 italic group-hover:text-accent">{String.fromCharCode(97 + at)}.</span>
            {option}
          </button>
        </li>
      ))}
    </ol>
    {onChoose && <p className="label mt-2">Choose one, or write below what you mean.</p>}
  </section>
);
