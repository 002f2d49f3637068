import { memo, useCallback, useMemo } from 'react';
import type { Citation, Claim, Query } from '../../api/types';
import { NoteButton } from '../../ui/popover';
import { claimsInText, withoutSources } from '../markdown/marks';
import { Markdown } from '../markdown/markdown';
import { ClaimNote } from './claim-note';

interface Props {
  text: string;
  claims: readonly Claim[];
  citations: readonly Citation[];
  queries: readonly Query[];
  onShowCell: (claim: Claim) => void;
  onOpenCitation: (n: number) => void;
}

const noTable = () => false;

/** The words of an answer, with where its figures come from and what its references point to. */
export const AnswerText = memo(({ text, claims, citations, queries, onShowCell, onOpenCitation }: Props) => {
  const source = useMemo(() => withoutSources(text, citations), [text, citations]);
  const placed = useMemo(() => claimsInText(text, claims).sort((a, b) => a.begin - b.begin), [text, claims]);
  const renderClaim = useCallback(
    (claim: Claim, key: string) => <ClaimNote key={key} claim={claim} queries={queries} onShowCell={onShowCell} />,
    [queries, onShowCell],
  );
  const renderCitation = useCallback(
    (n: number, key: string) => <CitationMark key={key} n={n} citation={citations.find((each) => each.n === n)} onOpen={onOpenCitation} />,
    [citations, onOpenCitation],
  );
  const hidesTable = useMemo(() => {
    if (queries.length === 0) return noTable;
    return (headers: string[]) => queries.some((query) => headers.every((header) => query.columns.includes(header)));
  }, [queries]);
  return (
    <Markdown
      source={source}
      claims={placed}
      citations={citations}
      renderClaim={renderClaim}
      renderCitation={renderCitation}
      hidesTable={hidesTable}
    />
  );
});

interface MarkProps {
  n: number;
  citation: Citation | undefined;
  onOpen: (n: number) => void;
}

/** A numbered reference in the text. */
const CitationMark = ({ n, citation, onOpen }: MarkProps) => (
  <NoteButton
    className="citation"
    hint="Source "
    label={n}
    onActivate={() => onOpen(n)}
  >
    {citation && (
      <>
        <p className="font-semibold">{citation.document}</p>
        {citation.excerpt && <p className="mt-1 text-ink-2">“{citation.excerpt}”</p>}
      </>
    )}
  </NoteButton>
);
