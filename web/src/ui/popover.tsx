import { useCallback, useEffect, useId, useLayoutEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { createPortal } from 'react-dom';

const gap = 8;

interface Place {
  left: number;
  top: number;
}

/** Below its anchor where there is room, else above; always inside the window. */
export const placeBeside = (anchor: DOMRect, width: number, height: number, window: { width: number; height: number }): Place => {
  const fitsBelow = anchor.bottom + gap + height <= window.height;
  const top = fitsBelow ? anchor.bottom + gap : Math.max(gap, anchor.top - gap - height);
  const left = Math.min(Math.max(gap, anchor.left), Math.max(gap, window.width - width - gap));
  return { left, top };
};

interface Props {
  className?: string;
  label: string | number;
  /** Read out before the label. */
  hint?: string;
  onActivate?: () => void;
  /** Left out when going through the page by keyboard. */
  isSkipped?: boolean;
  children: ReactNode;
}

/** A word with a note that shows on hover and focus. A click may do more. */
export const NoteButton = ({ className = '', label, hint, onActivate, isSkipped = false, children }: Props) => {
  const [isShown, setShown] = useState(false);
  const [place, setPlace] = useState<Place | null>(null);
  const anchor = useRef<HTMLSpanElement>(null);
  const note = useRef<HTMLDivElement>(null);
  const id = useId();
  const hide = useCallback(() => setShown(false), []);
  useLayoutEffect(() => {
    if (!isShown || !anchor.current || !note.current) return;
    const { width, height } = note.current.getBoundingClientRect();
    setPlace(placeBeside(anchor.current.getBoundingClientRect(), width, height, { width: innerWidth, height: innerHeight }));
  }, [isShown]);
  useEffect(() => {
    if (!isShown) return;
    const onEscape = (event: globalThis.KeyboardEvent) => event.key === 'Escape' && hide();
    addEventListener('keydown', onEscape);
    addEventListener('scroll', hide, true);
    return () => {
      removeEventListener('keydown', onEscape);
      removeEventListener('scroll', hide, true);
    };
  }, [isShown, hide]);
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    onActivate?.();
  };
  return (
    <>
      {/* Not a button element: that would not break across lines like the words around it. */}
      <span
        ref={anchor}
        role="button"
        tabIndex={isSkipped ? -1 : 0}
        className={className}
        aria-label={hint ? `${hint}${label}` : undefined}
        aria-describedby={isShown ? id : undefined}
        onMouseEnter={() => setShown(true)}
        onMouseLeave={hide}
        onFocus={() => setShown(true)}
        onBlur={hide}
        onClick={onActivate}
        onKeyDown={onKey}
      >
        {label}
      </span>
      {isShown &&
        createPortal(
          <div
            ref={note}
            id={id}
            role="tooltip"
            className="pointer-events-none fixed z-50 max-w-xs rounded border border-rule-strong bg-paper px-3 py-2 text-[0.9375rem] leading-snug shadow-(--shadow)"
            style={place ? { left: place.left, top: place.top } : { left: 0, top: 0, visibility: 'hidden' }}
          >
            {children}
          </div>,
          document.body,
        )}
    </>
  );
};
