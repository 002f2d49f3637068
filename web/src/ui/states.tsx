import type { ReactNode } from 'react';
import type { ApiError } from '../api/http';
import { Button } from './button';

/** Lines of a page that is still being written. */
export const Loading = ({ label, lines = 4 }: { label: string; lines?: number }) => (
  <div role="status" className="max-w-xl space-y-4 py-4">
    <span className="sr-only">{label}</span>
    {Array.from({ length: lines }, (_, at) => (
      <div key={at} aria-hidden="true" className={`h-3 animate-pulse rounded-sm bg-rule ${['w-full', 'w-11/12', 'w-4/5', 'w-2/3'][at % 4]}`} />
    ))}
  </div>
);

export const Empty = ({ title, children }: { title: string; children?: ReactNode }) => (
  <div className="max-w-xl py-6">
    <p className="text-lg">{title}</p>
    {children && <div className="mt-1 text-ink-2">{children}</div>}
  </div>
);

/** Messages of the server begin small and have no full stop, for they also stand within sentences. */
const sentence = (words: string): string => {
  const whole = words.charAt(0).toUpperCase() + words.slice(1);
  return /[.!?…:]$/.test(whole) ? whole : `${whole}.`;
};

/** What happened, what to do about it, and a way to try again. */
export const Problem = ({ error, onRetry }: { error: Pick<ApiError, 'message' | 'hint'>; onRetry?: () => void }) => (
  <div role="alert" className="max-w-xl border-l-3 border-double border-bad py-1 pl-4">
    <p className="text-bad">{sentence(error.message)}</p>
    {error.hint && <p className="mt-0.5 text-ink-2">{sentence(error.hint)}</p>}
    {onRetry && (
      <Button className="mt-3" onClick={onRetry}>
        Try again
      </Button>
    )}
  </div>
);
