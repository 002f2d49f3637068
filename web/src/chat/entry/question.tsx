import { useState, type KeyboardEvent } from 'react';
import { Button, IconButton } from '../../ui/button';

interface Props {
  id: string;
  question: string;
  canEdit: boolean;
  onResend: (question: string) => void;
}

/** The head of an entry: what was asked. It can be changed and asked again. */
export const Question = ({ id, question, canEdit, onResend }: Props) => {
  const [draft, setDraft] = useState<string | null>(null);
  if (draft === null) {
    return (
      <div className="group flex items-start gap-2">
        <h2 id={id} className="text-[1.375rem] leading-snug font-semibold text-balance whitespace-pre-wrap">
          {question}
        </h2>
        {canEdit && (
          <IconButton
            icon="pen"
            label="Change the question and ask again"
            className="opacity-0 group-hover:opacity-100 focus-visible:opacity-100"
            onClick={() => setDraft(question)}
          />
        )}
      </div>
    );
  }
  const resend = () => {
    if (draft.trim() === '') return;
    setDraft(null);
    onResend(draft.trim());
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape') setDraft(null);
    if (event.key !== 'Enter' || event.shiftKey) return;
    event.preventDefault();
    resend();
  };
  return (
    <div>
      <h2 id={id} className="sr-only">
        {question}
      </h2>
      <textarea
        autoFocus
        aria-label="Changed question"
        rows={2}
        className="w-full rounded border border-accent bg-transparent px-3 py-2 text-lg"
        value={draft}
        onChange={(event) => setDraft(event.target.value)}
        onKeyDown={onKey}
      />
      <div className="mt-1 flex gap-2">
        <Button tone="strong" onClick={resend}>
          Ask again
        </Button>
        <Button onClick={() => setDraft(null)}>Leave it</Button>
      </div>
    </div>
  );
};
