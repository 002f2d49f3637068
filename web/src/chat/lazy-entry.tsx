import { useEffect, useRef, useState, type ReactNode } from 'react';

const aheadPx = 1200;
const guessedHeightPx = 420;

type Listener = (isNear: boolean) => void;
const listeners = new WeakMap<Element, Listener>();
let observer: IntersectionObserver | null = null;

const watch = (element: Element, listener: Listener): (() => void) => {
  observer ??= new IntersectionObserver(
    (entries) => entries.forEach((entry) => listeners.get(entry.target)?.(entry.isIntersecting)),
    { rootMargin: `${aheadPx}px 0px` },
  );
  listeners.set(element, listener);
  observer.observe(element);
  return () => observer?.unobserve(element);
};

interface Props {
  /** Always drawn: the last entry, which may be growing. */
  isPinned: boolean;
  children: () => ReactNode;
}

/**
 * Draws its content only near the window and keeps its place otherwise, so that a long conversation costs what can be
 * seen of it. The browser's scroll anchoring holds the position when a guessed height turns out different.
 */
export const LazyEntry = ({ isPinned, children }: Props) => {
  const canWatch = typeof IntersectionObserver !== 'undefined';
  const [isNear, setNear] = useState(!canWatch);
  const height = useRef(guessedHeightPx);
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!canWatch || !element.current) return;
    return watch(element.current, (near) => {
      if (!near && element.current) height.current = element.current.offsetHeight || height.current;
      setNear(near);
    });
  }, [canWatch]);
  const isDrawn = isNear || isPinned;
  return (
    <div ref={element} style={{ minHeight: isDrawn ? undefined : height.current }}>
      {isDrawn && children()}
    </div>
  );
};
