import { useCallback, useEffect } from 'react';
import { fetchRuns } from '../api/client';
import type { Run } from '../api/types';
import { formatMs, formatTime } from '../lib/format';
import { useResource } from '../state/use-resource';
import { Link } from '../ui/link';
import { Empty, Loading, Problem } from '../ui/states';
import { RunView } from './run-view';
import { StatusWord } from './status-word';

const RunTable = ({ runs }: { runs: readonly Run[] }) => (
  <div className="overflow-x-auto" tabIndex={0} role="group" aria-label="Runs">
    <table className="figures">
      <thead>
        <tr>
          <th scope="col">Question</th>
          <th scope="col">Agent</th>
          <th scope="col">Status</th>
          <th scope="col" className="numeric">
            Time
          </th>
          <th scope="col" className="numeric">
            Begun
          </th>
        </tr>
      </thead>
      <tbody>
        {runs.map((run) => (
          <tr key={run.run_id}>
            <td className="min-w-56">
              <Link href={`/runs/${encodeURIComponent(run.run_id)}`} className="hover:text-accent hover:underline">
                {run.question || run.run_id}
              </Link>
            </td>
            <td>{run.agent || run.workflow}</td>
            <td>
              <StatusWord status={run.status} />
            </td>
            <td className="numeric">{run.duration_ms > 0 ? formatMs(run.duration_ms) : ''}</td>
            <td className="numeric">{formatTime(run.started_at)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

const RecentRuns = () => {
  const { value, problem, reload } = useResource(useCallback(() => fetchRuns(), []));
  return (
    <>
      <h1 className="text-3xl font-semibold">Runs</h1>
      <p className="mt-1 mb-6 text-ink-2">Every question is a run. Its steps, times and findings are kept and can be looked at.</p>
      {problem && <Problem error={problem} onRetry={reload} />}
      {!value && !problem && <Loading label="Loading the runs" lines={6} />}
      {value?.length === 0 && <Empty title="Nothing has been asked yet.">The first question makes the first run.</Empty>}
      {value && value.length > 0 && <RunTable runs={value} />}
    </>
  );
};

const RunsPage = ({ run }: { run: string }) => {
  useEffect(() => {
    document.title = 'Runs – Quaestor';
  }, []);
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <div className="mx-auto max-w-5xl px-8 py-10 max-md:px-4 max-md:py-6">
        {run === '' ? (
          <RecentRuns />
        ) : (
          <>
            <p className="mb-4">
              <Link href="/runs" className="text-accent underline decoration-rule-strong underline-offset-3">
                All runs
              </Link>
            </p>
            <RunView key={run} id={run} />
          </>
        )}
      </div>
    </div>
  );
};

export default RunsPage;
