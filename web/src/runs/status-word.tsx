const tones: Record<string, string> = {
  finished: 'text-accent',
  success: 'text-accent',
  running: 'text-ink',
  interrupted: 'text-warn',
  waiting: 'text-warn',
  cancelled: 'text-ink-3',
  failed: 'text-bad',
};

const words: Record<string, string> = { interrupted: 'waiting for an answer', success: 'finished' };

export const StatusWord = ({ status }: { status: string }) => <span className={tones[status] ?? ''}>{words[status] ?? status}</span>;
