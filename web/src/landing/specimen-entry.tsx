import { useState, type ReactNode } from 'react';
import { AnswerText } from '../chat/entry/answer-text';
import { ResultTable, type CellMark } from '../chat/results/result-table';
import { SqlBlock } from '../chat/results/sql-block';
import { answer, claims, query, question } from './specimen';

const queries = [query];
const noCitations: never[] = [];
const nothing = () => undefined;

const Annotation = ({ children }: { children: ReactNode }) => <p className="text-[0.9375rem] leading-snug text-ink-2 italic">{children}</p>;

/** One entry as it looks in a conversation, with remarks in the margin. It is live: figures show their cells. */
export const SpecimenEntry = () => {
  const [mark, setMark] = useState<CellMark | null>(null);
  return (
    <figure className="ledger-row py-10" aria-label="Specimen of an answer">
      <p className="ledger-number pt-1" aria-hidden="true">
        1
      </p>
      <div className="min-w-0 space-y-5">
        <h2 className="text-[1.375rem] leading-snug font-semibold">{question}</h2>
        <AnswerText
          text={answer}
          claims={claims}
          citations={noCitations}
          queries={queries}
          onShowCell={(claim) => claim.cells[0] && setMark((before) => ({ ...claim.cells[0]!, round: (before?.round ?? 0) + 1 }))}
          onOpenCitation={nothing}
        />
        <ResultTable query={query} caption={question} mark={mark} />
        <SqlBlock query={query} />
      </div>
      <figcaption className="ledger-notes mt-4 grid content-start gap-y-4 gap-x-8 md:grid-cols-2 margin:mt-12 margin:grid-cols-1">
        <Annotation>Every figure is traced to the cells that it comes from. Point at one.</Annotation>
        <Annotation>
          Those that were all found get the two lines that accountants draw under a sum: <span className="total not-italic">8 of 8 facts traced</span>
        </Annotation>
        <Annotation>The rows that the answer stands on, to sort and take away.</Annotation>
        <Annotation>The statement that was run, checked beforehand to do nothing but read.</Annotation>
        <Annotation>This league is invented. What is invented says so.</Annotation>
      </figcaption>
    </figure>
  );
};
