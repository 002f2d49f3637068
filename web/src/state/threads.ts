import { deleteThread, fetchThreads, renameThread } from '../api/client';
import { asApiError, type ApiError } from '../api/http';
import type { Thread } from '../api/types';
import { Store } from '../lib/store';
import { oweDeletion, owedDeletions, settleDeletion } from './owed-deletions';

export interface ThreadsState {
  loading: boolean;
  problem: ApiError | null;
  threads: Thread[];
  /** Shown as gone, and deleted for good when the time to think again is over. */
  deleted: Thread | null;
}

const undoMs = 6000;

/** The conversations of this browser. */
export class Threads {
  readonly state = new Store<ThreadsState>({ loading: true, problem: null, threads: [], deleted: null });
  private timer: ReturnType<typeof setTimeout> | undefined;

  async refresh(): Promise<void> {
    try {
      // A deletion that is settled while the list is on its way may have come after it.
      const owedBefore = owedDeletions();
      const found = await fetchThreads();
      const hidden = [this.state.get().deleted?.thread_id, ...owedBefore, ...owedDeletions()];
      this.patch({ threads: found.filter((thread) => !hidden.includes(thread.thread_id)), loading: false, problem: null });
    } catch (problem) {
      this.patch({ loading: false, problem: asApiError(problem) });
    }
  }

  async rename(id: string, title: string): Promise<void> {
    const wanted = title.trim();
    const before = this.state.get().threads;
    if (wanted === '' || before.find((thread) => thread.thread_id === id)?.title === wanted) return;
    this.patch({ threads: before.map((thread) => (thread.thread_id === id ? { ...thread, title: wanted } : thread)) });
    await renameThread(id, wanted).catch(() => this.refresh());
  }

  remove(id: string): void {
    this.commit();
    const { threads } = this.state.get();
    const deleted = threads.find((thread) => thread.thread_id === id);
    if (!deleted) return;
    this.patch({ threads: threads.filter((thread) => thread !== deleted), deleted });
    this.timer = setTimeout(() => this.commit(), undoMs);
  }

  undo(): void {
    clearTimeout(this.timer);
    this.patch({ deleted: null });
    void this.refresh();
  }

  /** Deletes for good what is marked; also when the page is being left. */
  commit(isLeaving = false): void {
    clearTimeout(this.timer);
    const { deleted } = this.state.get();
    if (!deleted) return;
    this.patch({ deleted: null });
    oweDeletion(deleted.thread_id);
    void this.settle(deleted.thread_id, isLeaving);
  }

  /** Sends again what the page before could not see the end of. */
  resume(): void {
    for (const id of owedDeletions()) void this.settle(id, false);
  }

  private async settle(id: string, isLeaving: boolean): Promise<void> {
    try {
      await deleteThread(id, isLeaving);
      settleDeletion(id);
    } catch (problem) {
      // A page that is being left learns nothing; the next one resumes.
      if (isLeaving) return;
      settleDeletion(id);
      if (asApiError(problem).status !== 404) await this.refresh();
    }
  }

  private patch(change: Partial<ThreadsState>): void {
    this.state.update((state) => ({ ...state, ...change }));
  }
}
