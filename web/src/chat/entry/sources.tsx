import type { Citation } from '../../api/types';
import { formatDate } from '../../lib/format';

interface Props {
  citations: readonly Citation[];
  onOpen: (n: number) => void;
}

/** The sources of an answer as notes at the foot of the page. */
export const Sources = ({ citations, onOpen }: Props) => (
  <section aria-label="Sources" className="pt-1 text-[0.9375rem]">
    <div className="mb-2 w-24 border-t border-ink-3" />
    <ol className="space-y-1">
      {citations.map((citation) => (
        <li key={citation.n} className="flex gap-2">
          <span className="w-5 shrink-0 text-right text-accent tabular-nums">{citation.n}</span>
          <button type="button" className="text-left hover:text-accent" onClick={() => onOpen(citation.n)}>
            <span className="underline decoration-rule-strong underline-offset-3">{citation.document}</span>
            {citation.date && <span className="text-ink-2">, {formatDate(citation.date)}</span>}
            {citation.section && <span className="text-ink-3">, {citation.section}</span>}
          </button>
        </li>
      ))}
    </ol>
  </section>
);
