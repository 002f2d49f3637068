import { useCallback, useEffect, useRef } from 'react';
import { fetchDocument } from '../api/client';
import type { Citation } from '../api/types';
import { formatDate } from '../lib/format';
import { useResource } from '../state/use-resource';
import { IconButton } from '../ui/button';
import { Loading } from '../ui/states';
import { findPassage } from './find-passage';

interface Props {
  corpus: string;
  citations: readonly Citation[];
  n: number;
  onOpen: (n: number) => void;
  onClose: () => void;
}

const Passage = ({ text, citation }: { text: string; citation: Citation }) => {
  const passage = useRef<HTMLElement>(null);
  // Braces, because scrolling answers with a promise in some browsers, and effects must not.
  useEffect(() => {
    passage.current?.scrollIntoView?.({ block: 'center' });
  }, [text, citation]);
  const place = findPassage(text, citation);
  if (!place) return <p className="whitespace-pre-wrap">{text}</p>;
  return (
    <p className="whitespace-pre-wrap">
      {text.slice(0, place.begin)}
      <mark ref={passage} className="bg-mark text-ink">
        {text.slice(place.begin, place.end)}
      </mark>
      {text.slice(place.end)}
    </p>
  );
};

/** A cited document, open at the passage. */
export const DocumentPanel = ({ corpus, citations, n, onOpen, onClose }: Props) => {
  const citation = citations.find((each) => each.n === n);
  const heading = useRef<HTMLHeadingElement>(null);
  const name = citation?.document ?? '';
  const place = citation?.corpus || corpus;
  const { value, problem } = useResource(useCallback(() => fetchDocument(place, name), [place, name]));
  useEffect(() => {
    heading.current?.focus();
  }, [n]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => event.key === 'Escape' && onClose();
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [onClose]);
  if (!citation) return null;
  return (
    <aside
      aria-label="Source document"
      className="slide-in fixed inset-y-0 right-0 z-30 flex w-[34rem] max-w-full shrink-0 flex-col border-l border-rule-strong bg-paper max-xl:shadow-(--shadow) xl:static xl:w-[30rem]"
    >
      <header className="border-b border-rule px-6 pt-4 pb-3">
        <div className="flex items-start justify-between gap-3">
          <h2 ref={heading} tabIndex={-1} className="text-xl leading-snug font-semibold outline-none">
            {value?.title || citation.document}
          </h2>
          <IconButton icon="cross" label="Close the document" onClick={onClose} />
        </div>
        <p className="text-ink-2">
          {[citation.date && formatDate(citation.date), citation.section].filter(Boolean).join(', ')}
        </p>
        <nav aria-label="Sources of this answer" className="mt-2 flex flex-wrap gap-1">
          {citations.map((each) => (
            <button
              key={each.n}
              type="button"
              aria-current={each.n === n}
              aria-label={`Source ${each.n}: ${each.document}`}
              className={`h-7 min-w-7 rounded border px-1.5 text-sm tabular-nums ${each.n === n ? 'border-accent bg-accent text-on-accent' : 'border-rule-strong hover:border-accent hover:text-accent'}`}
              onClick={() => onOpen(each.n)}
            >
              {each.n}
            </button>
          ))}
        </nav>
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto px-6 py-5 text-[1.0625rem] leading-relaxed" tabIndex={0} role="document" aria-label="Text">
        {value && <Passage text={value.text} citation={citation} />}
        {!value && !problem && <Loading label="Loading the document" lines={8} />}
        {problem && (
          <>
            <p className="text-ink-2">The whole document is not to be had ({problem.message}) The passage that was cited:</p>
            <blockquote className="prose mt-3">
              <mark className="bg-mark text-ink">{citation.excerpt}</mark>
            </blockquote>
          </>
        )}
      </div>
    </aside>
  );
};
