import { useState } from 'react';
import { navigate } from '../lib/router';
import { Icon } from '../ui/icon';

export const chatAddress = (question: string, agent = ''): string => {
  const wanted = new URLSearchParams({ q: question });
  if (agent) wanted.set('agent', agent);
  return `/chat?${wanted.toString()}`;
};

/** The first question, from the first page. */
export const AskBox = () => {
  const [words, setWords] = useState('');
  return (
    <form
      className="flex max-w-2xl items-center gap-2 border-b-2 border-ink focus-within:border-accent"
      onSubmit={(event) => {
        event.preventDefault();
        if (words.trim() !== '') navigate(chatAddress(words.trim()));
      }}
    >
      <input
        aria-label="Question"
        placeholder="Ask a question"
        className="min-w-0 flex-1 bg-transparent py-2.5 text-xl outline-none placeholder:text-ink-3"
        value={words}
        onChange={(event) => setWords(event.target.value)}
      />
      <button type="submit" className="flex items-center gap-2 py-2 pl-3 text-lg text-accent hover:underline">
        Ask <Icon name="arrow" size={18} />
      </button>
    </form>
  );
};
