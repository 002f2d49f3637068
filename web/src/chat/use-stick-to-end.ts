import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';

const nearEndPx = 80;
const positions = new Map<string, number>();

/**
 * Keeps the end in view while something is written there, unless the reader has scrolled away; and comes back to the
 * place where a conversation was left.
 */
export const useStickToEnd = (scroller: RefObject<HTMLElement | null>, conversation: string, isLoaded: boolean) => {
  const [isAtEnd, setAtEnd] = useState(true);
  const sticks = useRef(true);

  const toEnd = useCallback(() => {
    sticks.current = true;
    const element = scroller.current;
    if (element) element.scrollTop = element.scrollHeight;
  }, [scroller]);

  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element || !isLoaded) return;
    const left = positions.get(conversation);
    sticks.current = left === undefined;
    element.scrollTop = left ?? element.scrollHeight;
  }, [scroller, conversation, isLoaded]);

  useEffect(() => {
    const element = scroller.current;
    const content = element?.firstElementChild;
    if (!element || !content) return;
    const onScroll = () => {
      const isNear = element.scrollHeight - element.scrollTop - element.clientHeight < nearEndPx;
      sticks.current = isNear;
      setAtEnd(isNear);
      if (conversation === '') return;
      if (isNear) positions.delete(conversation);
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
