import { useState } from 'react';
import { sendFeedback } from '../../api/client';
import type { Feedback as FeedbackEntry } from '../../api/types';
import { Button, IconButton } from '../../ui/button';

interface Props {
  threadId: string;
  turnIndex: number;
  given: FeedbackEntry | undefined;
}

type Rating = FeedbackEntry['rating'];

/** Thumbs, and a line for those who want to say why. */
export const Feedback = ({ threadId, turnIndex, given }: Props) => {
  const [own, setOwn] = useState<Rating | null>(null);
  const [comment, setComment] = useState('');
  const [state, setState] = useState<'idle' | 'asking' | 'sent' | 'failed'>('idle');
  const rating = own ?? given?.rating ?? null;
  const send = async (wanted: Rating, words: string) => {
    try {
      await sendFeedback(threadId, turnIndex, wanted, words);
      setState(words === '' ? 'asking' : 'sent');
    } catch {
      setState('failed');
    }
  };
  const rate = (wanted: Rating) => {
    setOwn(wanted);
    void send(wanted, '');
  };
  const thumb = (wanted: Rating, label: string) => (
    <IconButton
      icon={wanted}
      label={label}
      aria-pressed={rating === wanted}
      className={rating === wanted ? 'text-accent!' : ''}
      onClick={() => rate(wanted)}
    />
  );
  return (
    <>
      {thumb('up', 'Good answer')}
      {thumb('down', 'Bad answer')}
      {state === 'asking' && rating && (
        <form
          className="appear order-last flex basis-full gap-2 pt-2"
          onSubmit={(event) => {
            event.preventDefault();
            void send(rating, comment.trim());
          }}
        >
          <input
            autoFocus
            aria-label="Comment on this answer"
            placeholder={rating === 'up' ? 'What was good about it?' : 'What should it have said?'}
            className="min-w-0 flex-1 rounded border border-rule-strong bg-transparent px-2 py-1 placeholder:text-ink-3"
            value={comment}
            onChange={(event) => setComment(event.target.value)}
          />
          <Button type="submit" disabled={comment.trim() === ''}>
            Send
          </Button>
        </form>
      )}
      <span role="status" className={`px-1 text-[0.9375rem] ${state === 'failed' ? 'text-bad' : 'text-ink-3'}`}>
        {state === 'sent' && 'Noted, thank you.'}
        {state === 'failed' && 'Could not be saved.'}
      </span>
    </>
  );
};
