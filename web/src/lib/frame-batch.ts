/** Collects items and hands them over together, once per animation frame. */
export interface Batch<T> {
  push: (items: readonly T[]) => void;
  /** Hands over at once what is waiting. */
  flush: () => void;
  drop: () => void;
}

/** Hidden tabs draw no frames, but their streams go on. */
const hiddenTabMs = 100;

export const frameBatch = <T>(take: (items: T[]) => void): Batch<T> => {
  let waiting: T[] = [];
  let cancel: (() => void) | null = null;
  const flush = () => {
    cancel?.();
    cancel = null;
    const items = waiting;
    waiting = [];
    if (items.length > 0) take(items);
  };
  const schedule = () => {
    if (document.hidden) {
      const timer = setTimeout(flush, hiddenTabMs);
      cancel = () => clearTimeout(timer);
    } else {
      const frame = requestAnimationFrame(flush);
      cancel = () => cancelAnimationFrame(frame);
    }
  };
  return {
    push: (items) => {
      waiting.push(...items);
      if (!cancel && waiting.length > 0) schedule();
    },
    flush,
    drop: () => {
      cancel?.();
      cancel = null;
      waiting = [];
    },
  };
};
