import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';

const nearEndPx = 80;
const positions = new Map<string, number>();

/** As far down as one can see the last entry from its beginning: a long answer is read from its question on. */
const endOf = (element: HTMLElement): number => {
  const bottom = element.scrollHeight - element.clientHeight;
  const last = [...element.querySelectorAll('article')].at(-1);
  if (!last) return bottom;
  const top = last.getBoundingClientRect().top - element.getBoundingClientRect().top + element.scrollTop;
  return Math.min(bottom, top);
};

/**
 * Keeps the last entry in view while something is written there, unless the reader has scrolled away; and comes back to
 * the place where a conversation was left.
 */
export const useStickToEnd = (scroller: RefObject<HTMLElement | null>, conversation: string, isLoaded: boolean) => {
  const [isAtEnd, setAtEnd] = useState(true);
  const sticks = useRef(true);

  const toEnd = useCallback(() => {
    sticks.current = true;
    const element = scroller.current;
    if (element) element.scrollTop = endOf(element);
  }, [scroller]);

  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element || !isLoaded) return;
    const left = positions.get(conversation);
    sticks.current = left === undefined;
    element.scrollTop = left ?? endOf(element);
  }, [scroller, conversation, isLoaded]);

  useEffect(() => {
    const element = scroller.current;
    const content = element?.firstElementChild;
    if (!element || !content) return;
    const onScroll = () => {
      const before = endOf(element) - element.scrollTop;
      sticks.current = Math.abs(before) < nearEndPx;
      setAtEnd(before < nearEndPx);
      if (conversation === '') return;
      if (sticks.current) positions.delete(conversation);
      else positions.set(conversation, element.scrollTop);
    };
    element.addEventListener('scroll', onScroll, { passive: true });
    const observer = typeof ResizeObserver === 'undefined' ? null : new ResizeObserver(() => sticks.current && toEnd());
    observer?.observe(content);
    return () => {
      element.removeEventListener('scroll', onScroll);
      observer?.disconnect();
    };
  }, [scroller, conversation, toEnd]);

  return { isAtEnd, toEnd };
};
