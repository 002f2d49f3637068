import { lazy, memo, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import type { Query } from '../../api/types';
import { readChart } from '../../charts/spec';
import { toCsv, toTsv } from '../../lib/csv';
import { fileName, saveText } from '../../lib/download';
import { formatCount } from '../../lib/format';
import type { Fields } from '../../lib/read';
import { IconButton } from '../../ui/button';
import { CopyButton } from '../../ui/copy-button';
import { Segmented } from '../../ui/segmented';
import { ResultTable, type CellMark } from './result-table';

const Chart = lazy(() => import('../../charts/chart'));

type View = 'chart' | 'table';
const views = [
  { value: 'chart', label: 'Chart' },
  { value: 'table', label: 'Table' },
] as const;

interface Props {
  query: Query;
  title: string;
  /** Only the result that the answer is about has a chart. */
  chart: Fields | null;
  mark: CellMark | null;
}

/** The result of a query, as a table or as a chart, to look at and to take away. */
export const ResultBlock = memo(({ query, title, chart, mark }: Props) => {
  const model = useMemo(() => (chart ? readChart(chart) : null), [chart]);
  const [wanted, setView] = useState<View>('chart');
  const view: View = model ? wanted : 'table';
  const block = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!mark) return;
    setView('table');
    block.current?.scrollIntoView?.({ block: 'nearest', behavior: 'smooth' });
  }, [mark]);
  return (
    <section ref={block} aria-label="Result" className="border-t border-ink-3 pt-2">
      <header className="flex min-h-8 items-center gap-3">
        <h3 className="label">{formatCount(query.row_count, 'row')}</h3>
        <div className="ml-auto flex items-center gap-1">
          {model && <Segmented legend="Show as" hideLegend choices={views} value={view} onChange={setView} />}
          <CopyButton label="Copy the table" text={() => toTsv(query.columns, query.rows)} />
          <IconButton
            icon="download"
            label="Download as CSV"
            onClick={() => saveText(fileName(title, 'csv'), toCsv(query.columns, query.rows), 'text/csv')}
          />
        </div>
      </header>
      {model && view === 'chart' ? (
        <Suspense fallback={<div className="h-64" />}>
          <Chart model={model} title={title} />
        </Suspense>
      ) : (
        <ResultTable query={query} caption={title} mark={mark} />
      )}
    </section>
  );
});
