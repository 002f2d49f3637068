import katex from 'katex';
import { useLayoutEffect, useRef } from 'react';

/**
 * KaTeX writes MathML, which browsers draw themselves: no style sheet, no fonts, and nothing that a strict content
 * security policy forbids. Loaded when the first formula is shown.
 */
const Formula = ({ tex, isBlock }: { tex: string; isBlock: boolean }) => {
  const place = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    if (place.current) katex.render(tex, place.current, { displayMode: isBlock, output: 'mathml', throwOnError: false, trust: false });
  }, [tex, isBlock]);
  return <span ref={place} className={isBlock ? 'block overflow-x-auto' : undefined} />;
};

export default Formula;
