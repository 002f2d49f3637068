import { useCallback, useState } from 'react';
import { fetchRun } from '../api/client';
import type { Run } from '../api/types';
import { StepDetail } from '../chat/entry/step-detail';
import { formatCount, formatMs, formatTime } from '../lib/format';
import { labelOf } from '../state/labels';
import { useResource } from '../state/use-resource';
import { Link } from '../ui/link';
import { Loading, Problem } from '../ui/states';
import { StatusWord } from './status-word';
import { layOutBars, type Bar } from './timeline';

const fillOf = (status: string): string => {
  if (status === 'error' || status === 'failed') return 'var(--bad)';
  if (status === 'interrupted' || status === 'cancelled') return 'var(--warn)';
  return status === 'cached' ? 'var(--rule-strong)' : 'var(--accent)';
};

const NodeRow = ({ bar }: { bar: Bar }) => {
  const [isOpen, setOpen] = useState(false);
  const { node } = bar;
  const hasDetail = Object.keys(node.detail).length > 0;
  return (
    <li className="border-b border-rule">
      <button
        type="button"
        aria-expanded={isOpen}
        disabled={!hasDetail}
        className="grid w-full grid-cols-[minmax(0,14rem)_minmax(0,1fr)_4.5rem] items-center gap-3 py-1.5 text-left enabled:hover:text-accent max-md:grid-cols-[minmax(0,1fr)_4.5rem]"
        onClick={() => setOpen(!isOpen)}
      >
        <span className="leading-tight">
          {node.label || labelOf(node.node)}
          {node.attempt > 1 && <span className="text-ink-3">, attempt {node.attempt}</span>}
          <span className="block font-mono text-[0.8125rem] text-ink-3">
            {node.node}
            {node.status !== 'success' && ` · ${node.status}`}
          </span>
        </span>
        <svg viewBox="0 0 100 10" preserveAspectRatio="none" className="h-3 w-full max-md:order-last max-md:col-span-2" aria-hidden="true">
          <line x1="0" x2="100" y1="5" y2="5" stroke="var(--rule)" strokeWidth="1" vectorEffect="non-scaling-stroke" />
          <rect x={bar.left} y="0" width={bar.width} height="10" fill={fillOf(node.status)} />
        </svg>
        <span className="text-right text-ink-2 tabular-nums">{formatMs(node.duration_ms)}</span>
      </button>
      {isOpen && <StepDetail detail={node.detail} />}
    </li>
  );
};

const Trace = ({ run }: { run: Run }) => (
  <article>
    <h1 className="text-2xl leading-snug font-semibold text-balance">{run.question || run.workflow || run.run_id}</h1>
    <p className="mt-1 flex flex-wrap gap-x-4 text-ink-2">
      <StatusWord status={run.status} />
      <span>{formatMs(run.duration_ms)}</span>
      <span>{formatCount(run.nodes.length, 'step')}</span>
      {run.agent && <span>{run.agent}</span>}
      <span>{formatTime(run.started_at)}</span>
      {run.thread_id && (
        <Link href={`/chat/${encodeURIComponent(run.thread_id)}`} className="text-accent underline decoration-rule-strong underline-offset-3">
          conversation
        </Link>
      )}
    </p>
    <div className="mt-6 grid grid-cols-[minmax(0,14rem)_minmax(0,1fr)_4.5rem] gap-3 border-b border-ink-3 pb-1 text-[0.9375rem] text-ink-3 italic max-md:hidden">
      <span>step</span>
      <span className="flex justify-between tabular-nums not-italic">
        <span>0</span>
        <span>{formatMs(run.duration_ms)}</span>
      </span>
      <span className="text-right">time</span>
    </div>
    <ol aria-label="Steps of the run">
      {layOutBars(run.nodes, run.duration_ms).map((bar, at) => (
        <NodeRow key={at} bar={bar} />
      ))}
    </ol>
    <p className="mt-4 font-mono text-[0.8125rem] text-ink-3">{run.run_id}</p>
  </article>
);

/** What a run did, step by step, on a line of time. */
export const RunView = ({ id }: { id: string }) => {
  const { value, problem, reload } = useResource(useCallback(() => fetchRun(id), [id]));
  if (problem) return <Problem error={problem} onRetry={reload} />;
  if (value?.run_id !== id && value === null) return <Loading label="Loading the run" lines={6} />;
  return value && <Trace run={value} />;
};
