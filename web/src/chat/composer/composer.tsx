import { useImperativeHandle, useLayoutEffect, useRef, useState, type KeyboardEvent, type ReactNode, type Ref } from 'react';
import { Icon } from '../../ui/icon';

export interface ComposerHandle {
  focus: () => void;
}

interface Props {
  isBusy: boolean;
  isWaiting: boolean;
  lastQuestion: string;
  onSend: (words: string) => void;
  onStop: () => void;
  /** What stands beside the button: the choice of an agent. */
  children: ReactNode;
  ref?: Ref<ComposerHandle>;
}

const questionMax = 4000;

const placeholderOf = (isBusy: boolean, isWaiting: boolean): string => {
  if (isWaiting) return 'Or say in your own words what you mean';
  return isBusy ? 'Write the next question meanwhile' : 'Ask a question';
};

/** Where questions are written. Enter sends, Shift+Enter breaks the line, arrow up brings back the last question. */
export const Composer = ({ isBusy, isWaiting, lastQuestion, onSend, onStop, children, ref }: Props) => {
  const [words, setWords] = useState('');
  const area = useRef<HTMLTextAreaElement>(null);
  useImperativeHandle(ref, () => ({ focus: () => area.current?.focus() }), []);
  useLayoutEffect(() => {
    const element = area.current;
    if (!element) return;
    element.style.height = 'auto';
    element.style.height = `${Math.min(element.scrollHeight, 220)}px`;
  }, [words]);
  const send = () => {
    if (isBusy || words.trim() === '') return;
    onSend(words.trim());
    setWords('');
  };
  const onKey = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) {
      event.preventDefault();
      send();
    } else if (event.key === 'ArrowUp' && words === '' && lastQuestion !== '') {
      event.preventDefault();
      setWords(lastQuestion);
    }
  };
  return (
    <form
      className="rounded border border-rule-strong bg-paper focus-within:border-accent"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <textarea
        ref={area}
        rows={1}
        maxLength={questionMax}
        aria-label="Question"
        aria-keyshortcuts="/"
        placeholder={placeholderOf(isBusy, isWaiting)}
        className="block w-full resize-none bg-transparent px-4 pt-3 pb-1 text-lg leading-snug outline-none placeholder:text-ink-3"
        value={words}
        onChange={(event) => setWords(event.target.value)}
        onKeyDown={onKey}
      />
      <div className="flex items-center gap-2 px-2 pb-2">
        {children}
        <span className="ml-auto hidden text-sm text-ink-3 md:block">
          {words.length > questionMax * 0.9 ? `${questionMax - words.length} characters left` : 'Enter sends'}
        </span>
        {isBusy ? (
          <button type="button" className="flex h-9 items-center gap-2 rounded border border-rule-strong px-3 hover:border-bad hover:text-bad max-md:ml-auto" onClick={onStop}>
            <Icon name="stop" /> Stop
          </button>
        ) : (
          <button
            type="submit"
            aria-label="Send the question"
            disabled={words.trim() === ''}
            className="flex h-9 w-11 items-center justify-center rounded bg-accent text-on-accent hover:opacity-90 disabled:bg-rule disabled:text-ink-3 max-md:ml-auto"
          >
            <Icon name="send" size={18} />
          </button>
        )}
      </div>
    </form>
  );
};
