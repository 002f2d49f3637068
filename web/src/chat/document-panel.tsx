import { useCallback, useEffect, useMemo, useRef } from 'react';
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

interface Paragraph {
  text: string;
  begin: number;
  isHeading: boolean;
}

const headingLength = 70;

/** Documents come as plain text: a short line of its own that ends without a mark is a heading. */
const paragraphsOf = (text: string): Paragraph[] =>
  [...text.matchAll(/[^\n]+(?:\n[^\n]+)*/g)].map(({ 0: words, index }, at, all) => ({
    text: words,
    begin: index,
    isHeading: words.length <= headingLength && !words.includes('\n') && /[\p{L}\d)]$/u.test(words) && at + 1 < all.length,
  }));

const Passage = ({ text, title, citation }: { text: string; title: string; citation: Citation }) => {
  const passage = useRef<HTMLElement>(null);
  // Braces, because scrolling answers with a promise in some browsers, and effects must not.
  useEffect(() => {
    passage.current?.scrollIntoView?.({ block: 'center' });
  }, [text, citation]);
  const paragraphs = useMemo(() => paragraphsOf(text), [text]);
  const place = useMemo(() => findPassage(text, citation) ?? { begin: 0, end: 0 }, [text, citation]);
  return paragraphs.map((each, at) => {
    if (at === 0 && each.text === title) return null;
    const from = Math.min(Math.max(place.begin - each.begin, 0), each.text.length);
    const to = Math.min(Math.max(place.end - each.begin, from), each.text.length);
    return (
      <p key={each.begin} className={each.isHeading ? 'mt-5 mb-1 font-semibold first:mt-0' : 'mb-3 whitespace-pre-line'}>
        {each.text.slice(0, from)}
        {to > from && (
          <mark ref={place.begin >= each.begin ? passage : null} className="bg-mark text-ink">
            {each.text.slice(from, to)}
          </mark>
        )}
        {each.text.slice(to)}
      </p>
    );
  });
};

/** "Decision" of "FOMC meeting of July 25-26, 2023 › Decision", where the first part is the title above it. */
const sectionBelow = (section: string, title: string): string => (section.startsWith(`${title} › `) ? section.slice(title.length + 3) : section === title ? '' : section);

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
          {[citation.date && formatDate(citation.date), sectionBelow(citation.section, value?.title ?? '')].filter(Boolean).join(', ')}
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
        {value && <Passage text={value.text} title={value.title} citation={citation} />}
        {!value && !problem && <Loading label="Loading the document" lines={8} />}
        {problem && (
          <>
            <p className="text-ink-2">The whole document cannot be shown: {problem.message}. This is the passage that was cited.</p>
            <blockquote className="prose mt-3">
              <mark className="bg-mark text-ink">{citation.excerpt}</mark>
            </blockquote>
          </>
        )}
      </div>
    </aside>
  );
};
