import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { fetchExport, fetchFeedback } from '../api/client';
import type { Citation, Feedback } from '../api/types';
import { fileName, saveFile } from '../lib/download';
import { navigate } from '../lib/router';
import { useStore } from '../lib/store';
import { useAgents } from '../state/agents';
import { conversation, threads } from '../state/app';
import { isOpen, type Turn } from '../state/turn';
import { AgentPicker } from './composer/agent-picker';
import { Composer, type ComposerHandle } from './composer/composer';
import { TradeBar } from './composer/trade-bar';
import { DocumentPanel } from './document-panel';
import type { EntryActions } from './entry/entry';
import { EntryList } from './entry-list';
import type { ExportFormat } from './export-menu';
import { useChatKeys } from './use-chat-keys';
import { Welcome } from './welcome';

interface OpenSource {
  citations: Citation[];
  n: number;
  agent: string;
}

const exportConversation = (format: ExportFormat): void => {
  const { threadId, turns } = conversation.state.get();
  void fetchExport(threadId, format).then((file) => saveFile(fileName(turns[0]?.question ?? '', format), file), () => undefined);
};

/** A question may come with the address, from the first page or from elsewhere: /chat?q=…&agent=… */
const takeQuestion = (): { question: string; agent: string } | null => {
  const wanted = new URLSearchParams(location.search);
  const question = wanted.get('q')?.trim() ?? '';
  if (question === '') return null;
  navigate(location.pathname, { replace: true });
  return { question, agent: wanted.get('agent') ?? '' };
};

const useFeedback = (threadId: string, isThere: boolean): Feedback[] => {
  const [feedback, setFeedback] = useState<Feedback[]>([]);
  useEffect(() => {
    setFeedback([]);
    if (threadId === '' || !isThere) return;
    let isCurrent = true;
    fetchFeedback(threadId).then((found) => isCurrent && setFeedback(found), () => undefined);
    return () => {
      isCurrent = false;
    };
  }, [threadId, isThere]);
  return feedback;
};

export const ChatPage = ({ thread }: { thread: string }) => {
  const state = useStore(conversation.state);
  const { agents } = useAgents();
  const composer = useRef<ComposerHandle>(null);
  const [source, setSource] = useState<OpenSource | null>(null);
  const feedback = useFeedback(thread, state.turns.length > 0 && !state.loading);
  const last = state.turns.at(-1);
  const isBusy = isOpen(last);

  useEffect(() => {
    setSource(null);
    void conversation.open(thread).then(() => {
      const wanted = takeQuestion();
      if (!wanted) return;
      if (wanted.agent) conversation.setAgent(wanted.agent);
      conversation.ask(wanted.question);
    });
    composer.current?.focus();
  }, [thread]);
  useEffect(() => () => conversation.leave(), []);
  useChatKeys(() => composer.current?.focus(), isBusy && !source ? () => conversation.stop() : null);

  const openCitation = useCallback((turn: Turn, n: number) => setSource({ citations: turn.citations, n, agent: turn.agent }), []);
  const actions = useMemo<EntryActions>(
    () => ({
      onAsk: (question) => conversation.ask(question),
      onChoose: (option) => conversation.answer(option),
      onRetry: (turn) => conversation.retry(turn),
      onOpenCitation: openCitation,
      onExport: exportConversation,
    }),
    [openCitation],
  );
  const send = (words: string) => (last?.phase === 'waiting' ? conversation.answer(words) : conversation.ask(words));
  const askAgent = (question: string, agent: string) => {
    conversation.setAgent(agent);
    conversation.ask(question);
  };
  const { threads: known } = useStore(threads.state);
  /** A conversation stays with its agent; another one begins a new conversation. */
  const pickAgent = (agent: string) => {
    conversation.setAgent(agent);
    if (agent !== '' && last && last.agent !== '' && last.agent !== agent) navigate('/chat');
  };
  const title = known.find((each) => each.thread_id === thread)?.title ?? last?.question ?? '';
  useEffect(() => {
    document.title = title ? `${title} – Quaestor` : 'Quaestor';
  }, [title]);
  const sourceAgent = agents?.find((agent) => agent.name === source?.agent);
  const isTrade = agents?.find((agent) => agent.name === state.agent)?.workflow === 'atlas';
  return (
    <div className="flex min-h-0 flex-1">
      <div className="ledger-page flex min-w-0 flex-1 flex-col">
      <EntryList
        state={state}
        feedback={feedback}
        actions={actions}
        onReload={() => void conversation.load(state.threadId)}
        welcome={<Welcome agents={agents ?? []} chosen={state.agent} onAsk={askAgent} />}
      />
      <div className="ledger">
        <div className="ledger-row pb-4">
          <span />
          <div>
            {isTrade && <TradeBar overrides={state.overrides} onChange={(overrides) => conversation.setOverrides(overrides)} />}
            <Composer
              ref={composer}
              isBusy={isBusy}
              isWaiting={last?.phase === 'waiting'}
              lastQuestion={last?.question ?? ''}
              onSend={send}
              onStop={() => conversation.stop()}
            >
              <AgentPicker agents={agents ?? []} value={state.agent} onChange={pickAgent} />
            </Composer>
          </div>
        </div>
      </div>
      </div>
      {source && (
        <DocumentPanel
          corpus={sourceAgent?.source || source.agent}
          citations={source.citations}
          n={source.n}
          onOpen={(n) => setSource({ ...source, n })}
          onClose={() => setSource(null)}
        />
      )}
    </div>
  );
};
