import { navigate } from '../lib/router';
import { Conversation } from './conversation';
import { Threads } from './threads';

/** What outlives the pages: the list of conversations and the one that is open. */
export const threads = new Threads();

export const conversation = new Conversation({
  onStarted: (threadId) => {
    navigate(`/chat/${encodeURIComponent(threadId)}`, { replace: true });
    void threads.refresh();
  },
  onEnded: () => void threads.refresh(),
});

threads.resume();
addEventListener('pagehide', () => threads.commit(true));
