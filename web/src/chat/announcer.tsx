import type { Turn } from '../state/turn';

const spokenMax = 300;

/** What a screen reader hears of an answer: the step at work, then the answer once, not each piece of it. */
export const announcement = (turn: Turn | undefined): string => {
  if (!turn) return '';
  if (turn.phase === 'running') {
    const active = turn.steps.findLast((step) => step.state === 'active');
    return active ? active.label : 'Working on it';
  }
  if (turn.problem) return turn.problem.message;
  if (turn.phase === 'waiting') return turn.clarification?.reason ?? 'A question back';
  if (turn.phase === 'stopped') return 'Stopped';
  return turn.text.replaceAll(/[|*_#`]/g, ' ').slice(0, spokenMax);
};

export const Announcer = ({ turn }: { turn: Turn | undefined }) => (
  <p role="status" aria-live="polite" className="sr-only">
    {announcement(turn)}
  </p>
);
