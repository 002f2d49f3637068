import { memo, useState } from 'react';
import { formatMs } from '../../lib/format';
import type { Step } from '../../state/turn';
import { Icon } from '../../ui/icon';
import { StepDetail } from './step-detail';

const StateMark = ({ state }: { state: Step['state'] }) => {
  if (state === 'active') {
    return (
      <span className="flex size-4 items-center justify-center">
        <span className="pulse size-2 rounded-full bg-accent" />
      </span>
    );
  }
  return (
    <span className={state === 'failed' ? 'text-bad' : 'text-accent'}>
      <Icon name={state === 'failed' ? 'cross' : 'tick'} />
    </span>
  );
};

const stateWords = { active: 'working', done: 'done', failed: 'failed' } as const;

const StepRow = memo(({ step }: { step: Step }) => {
  const [isOpen, setOpen] = useState(false);
  const hasDetail = Object.keys(step.detail).length > 0;
  const line = (
    <>
      <StateMark state={step.state} />
      <span className={step.state === 'active' ? 'text-ink' : 'text-ink-2'}>
        {step.label}
        {step.attempt > 1 && <span className="text-ink-3">, attempt {step.attempt}</span>}
        <span className="sr-only">: {stateWords[step.state]}</span>
      </span>
      <span className="leader" aria-hidden="true" />
      <span className="text-ink-3 tabular-nums">{step.state === 'active' ? '' : formatMs(step.latencyMs)}</span>
    </>
  );
  const className = 'flex w-full items-center gap-2.5 py-0.5 text-left text-[0.9375rem]';
  return (
    <li>
      {hasDetail ? (
        <button type="button" className={`${className} hover:text-accent`} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {line}
        </button>
      ) : (
        <div className={className}>{line}</div>
      )}
      {isOpen && <StepDetail detail={step.detail} />}
    </li>
  );
});

/** The steps of an answer as they happen, each with its time. */
export const Stepper = ({ steps }: { steps: readonly Step[] }) => (
  <ol aria-label="Steps" className="max-w-lg">
    {steps.map((step, at) => (
      <StepRow key={at} step={step} />
    ))}
  </ol>
);
