import { useEffect } from 'react';

const isWriting = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.matches('input, textarea, select') || target.isContentEditable);

/** "/" goes to the question, Escape stops the answer. */
export const useChatKeys = (focusQuestion: () => void, stop: (() => void) | null): void => {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === '/' && !isWriting(event.target) && !event.metaKey && !event.ctrlKey) {
        event.preventDefault();
        focusQuestion();
      } else if (event.key === 'Escape' && stop && !event.defaultPrevented) {
        stop();
      }
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  });
};
