import { cancelRun, fetchHistory, fetchRuns } from '../api/client';
import { ApiError, asApiError, isAbort } from '../api/http';
import { newId } from '../api/session';
import type { SseMessage } from '../api/sse';
import { followStream, openChat, openResume, openRun, runIdIn, type StreamSource } from '../api/stream';
import type { TradeOverrides } from '../api/types';
import { frameBatch } from '../lib/frame-batch';
import { Store } from '../lib/store';
import { noOverrides, readHistory } from './history';
import { forgetRun, pendingRun, rememberRun, type PendingRun } from './pending-runs';
import { failTurn, reduceTurns, resumeTurn, settleTurn } from './reduce-turn';
import { isOpen, newTurn, type Turn } from './turn';

export interface ConversationState {
  /** Empty until the first question of a new conversation. */
  threadId: string;
  loading: boolean;
  problem: ApiError | null;
  turns: Turn[];
  agent: string;
  overrides: TradeOverrides;
  reconnecting: boolean;
}

export const emptyConversation: ConversationState = {
  threadId: '',
  loading: false,
  problem: null,
  turns: [],
  agent: '',
  overrides: noOverrides,
  reconnecting: false,
};

const recentRuns = 20;
const stoppingDelaysMs = [200, 500, 1000, 2000];

export interface ConversationEvents {
  /** The server has accepted the first question of a thread. */
  onStarted: (threadId: string) => void;
  /** A turn has ended, so titles and order of conversations may have changed. */
  onEnded: () => void;
}

/** One conversation on the screen: its turns, and the stream that is filling the last of them. */
export class Conversation {
  readonly state = new Store<ConversationState>(emptyConversation);
  private abort: AbortController | null = null;
  private hasStopped = false;

  constructor(private readonly events: ConversationEvents) {}

  /** Shows another thread, or an empty page. What the server is doing meanwhile goes on there. */
  async open(threadId: string): Promise<void> {
    const { agent, loading, threadId: shown } = this.state.get();
    const isFollowed = this.abort !== null || !this.isBusy();
    if (threadId !== '' && threadId === shown && !loading && isFollowed) return;
    this.leave();
    this.state.set({ ...emptyConversation, agent, threadId, loading: threadId !== '' });
    if (threadId !== '') await this.load(threadId);
  }

  async load(threadId: string): Promise<void> {
    const loading = new AbortController();
    this.abort = loading;
    this.patch({ loading: true, problem: null });
    let pending: PendingRun | null = null;
    try {
      const { running, ...history } = readHistory(await fetchHistory(threadId, loading.signal), threadId);
      if (loading.signal.aborted) return;
      this.patch({ ...history, agent: history.agent || this.state.get().agent, loading: false });
      pending = running;
      if (!running) forgetRun(threadId);
    } catch (problem) {
      if (isAbort(problem) || loading.signal.aborted) return;
      pending = pendingRun(threadId);
      if (!pending) {
        this.patch({ loading: false, problem: asApiError(problem) });
        return;
      }
      this.patch({ loading: false });
    }
    if (pending) this.attach(pending);
  }

  ask(question: string): void {
    const { agent, overrides, threadId } = this.state.get();
    if (this.isBusy()) return;
    const thread = threadId || newId();
    this.patch({ threadId: thread, problem: null });
    const isNew = this.state.get().turns.length === 0;
    this.addTurn(newTurn(newId(), question, agent));
    const chosen = Object.fromEntries(Object.entries(overrides).filter(([, value]) => value !== ''));
    const body = { ...chosen, question, thread_id: thread, ...(agent ? { agent } : {}) };
    void this.follow((signal) => this.openPatiently(() => openChat(body, signal)), isNew);
  }

  /** Answers what the last turn asked back. */
  answer(reply: string): void {
    const turn = this.state.get().turns.at(-1);
    if (!turn || turn.phase !== 'waiting' || turn.runId === '') return;
    this.changeLast((last) => ({ ...resumeTurn(last), turnIndex: last.turnIndex + 1, notes: [...last.notes, `You chose: ${reply}`] }));
    void this.follow((signal) => openResume(turn.runId, reply, signal), false);
  }

  /** Stops the answer that is being worked on; what is there stays. */
  stop(): void {
    const turn = this.state.get().turns.at(-1);
    if (!turn || !isOpen(turn)) return;
    if (turn.runId !== '') void cancelRun(turn.runId).catch(() => undefined);
    this.hasStopped = true;
    this.leave();
    forgetRun(this.state.get().threadId);
    this.changeLast((last) => settleTurn(last, 'stopped'));
    this.events.onEnded();
  }

  /** Asks a failed or stopped question again in its place, any other as a new turn. */
  retry(turn: Turn): void {
    if (this.isBusy()) return;
    const isLast = this.state.get().turns.at(-1)?.key === turn.key;
    if (isLast && (turn.phase === 'failed' || turn.phase === 'stopped')) {
      this.patch({ turns: this.state.get().turns.slice(0, -1) });
    }
    this.ask(turn.question);
  }

  setAgent(agent: string): void {
    this.patch({ agent });
  }

  setOverrides(overrides: TradeOverrides): void {
    this.patch({ overrides });
  }

  isBusy(): boolean {
    return isOpen(this.state.get().turns.at(-1));
  }

  /** Stops listening; the server goes on. */
  leave(): void {
    this.abort?.abort();
    this.abort = null;
    this.patch({ reconnecting: false });
  }

  /** Goes on with a run that is under way; one that had asked back continues its entry. */
  private attach({ runId, question, agent }: PendingRun): void {
    const { turns } = this.state.get();
    const last = turns.at(-1);
    if (last?.runId === runId) this.changeLast((turn) => ({ ...resumeTurn(turn), turnIndex: turn.turnIndex + 1 }));
    else this.addTurn({ ...newTurn(newId(), question, agent), runId });
    void this.follow((signal) => openRun(runId, '', signal), false);
  }

  private async follow(open: StreamSource['open'], isNew: boolean): Promise<void> {
    const abort = new AbortController();
    this.abort?.abort();
    this.abort = abort;
    const batch = frameBatch<SseMessage>((messages) => this.changeLast((turn) => reduceTurns(turn, messages)));
    let isAccepted = false;
    const source: StreamSource = {
      open: async (signal) => {
        const response = await open(signal);
        isAccepted = true;
        return response;
      },
      canReopen: async () => isAccepted || (await this.findRunId().catch(() => '')) !== '',
      reopen: async (afterId, signal) => openRun(await this.findRunId(), afterId, signal),
    };
    try {
      await followStream(source, {
        onMessages: (messages) => {
          batch.push(messages);
          this.notice(messages, batch.flush, isNew);
        },
        onConnection: (state) => this.patch({ reconnecting: state === 'reconnecting' }),
      }, abort.signal);
      batch.flush();
      this.changeLast((turn) => settleTurn(turn, 'done'));
    } catch (problem) {
      if (isAbort(problem)) {
        batch.drop();
        return;
      }
      batch.flush();
      const { message, code, hint } = asApiError(problem);
      this.changeLast((turn) => failTurn(turn, message, code, hint));
    }
    if (this.abort === abort) this.abort = null;
    this.patch({ reconnecting: false });
    forgetRun(this.state.get().threadId);
    this.events.onEnded();
  }

  /** What must be known at once, before the next frame is drawn. */
  private notice(messages: SseMessage[], flush: () => void, isNew: boolean): void {
    for (const message of messages) {
      if (message.event === 'thread_id' && isNew) this.events.onStarted(this.state.get().threadId);
      const runId = runIdIn(message);
      if (runId === '') continue;
      flush();
      const turn = this.state.get().turns.at(-1);
      if (turn && message.event === 'run') {
        rememberRun(this.state.get().threadId, { runId, question: turn.question, agent: turn.agent });
      }
    }
  }

  /** A run that was just stopped may keep its thread busy for a moment. */
  private async openPatiently(open: () => Promise<Response>): Promise<Response> {
    for (const delayMs of this.hasStopped ? stoppingDelaysMs : []) {
      try {
        return await open();
      } catch (problem) {
        if (!(problem instanceof ApiError) || problem.status !== 409) throw problem;
        await new Promise((resolve) => setTimeout(resolve, delayMs));
      }
    }
    this.hasStopped = false;
    return open();
  }

  /** The stream says which run it is; one that broke off before that is looked for. */
  private async findRunId(): Promise<string> {
    const { threadId, turns } = this.state.get();
    const said = turns.at(-1)?.runId;
    if (said) return said;
    const others = new Set(turns.map((turn) => turn.runId));
    const found = (await fetchRuns(recentRuns)).find((run) => run.thread_id === threadId && !others.has(run.run_id));
    if (found) return found.run_id;
    throw new ApiError(404, 'lost', 'The connection broke off before the answer began.', 'Ask again.');
  }

  private patch(change: Partial<ConversationState>): void {
    this.state.update((state) => ({ ...state, ...change }));
  }

  private addTurn(turn: Turn): void {
    const { turns } = this.state.get();
    const turnIndex = (turns.at(-1)?.turnIndex ?? -1) + 1;
    this.patch({ turns: [...turns, { ...turn, turnIndex }] });
  }

  private changeLast(change: (turn: Turn) => Turn): void {
    const { turns } = this.state.get();
    const last = turns.at(-1);
    if (!last) return;
    const changed = change(last);
    if (changed !== last) this.patch({ turns: turns.with(-1, changed) });
  }
}
