import { memo, useEffect, useMemo, useRef, useState } from 'react';
import type { Cell, Query } from '../../api/types';
import { formatCount, formatNumber, isNameColumn } from '../../lib/format';
import { TextButton } from '../../ui/button';
import { isNumericColumn, nextSorting, sortedOrder, type Sorting } from './sort-rows';

const pageRows = 12;
const allRowsMax = 1000;

export interface CellMark {
  row: number;
  /** -1 for the table as a whole. */
  column: number;
  /** Changes with each wish to show the cell, so that the same cell can be shown again. */
  round: number;
}

const CellText = ({ cell, column, isNumeric }: { cell: Cell; column: string; isNumeric: boolean }) => {
  if (cell === null) return <span className="text-ink-3 italic">NULL</span>;
  if (!isNumeric) return String(cell);
  const value = Number(cell);
  // Text with more digits than a number holds is shown to the last one.
  const shown = Number.isSafeInteger(value) || typeof cell === 'number' ? formatNumber(value, column) : String(cell);
  return <span title={String(cell) === shown ? undefined : String(cell)}>{shown}</span>;
};

const SortMark = ({ sorting, column }: { sorting: Sorting | null; column: number }) => (
  <span aria-hidden="true" className={`inline-block w-3 text-accent ${sorting?.column === column ? '' : 'opacity-0'}`}>
    {sorting?.isDescending ? '↓' : '↑'}
  </span>
);

const ariaSort = (sorting: Sorting | null, column: number) =>
  sorting?.column !== column ? 'none' : sorting.isDescending ? 'descending' : 'ascending';

/** The rows of a result: sortable, figures aligned, missing values visible. */
export const ResultTable = memo(({ query, caption, mark }: { query: Query; caption: string; mark: CellMark | null }) => {
  const [sorting, setSorting] = useState<Sorting | null>(null);
  const [isWhole, setWhole] = useState(false);
  const marked = useRef<HTMLTableCellElement>(null);
  const { columns, rows } = query;
  const numeric = useMemo(() => columns.map((_, at) => isNumericColumn(rows, at)), [columns, rows]);
  // A first column of years or numbers of things is read as a name, and stands on the left like one.
  const isRight = (at: number) => numeric[at] === true && !(at === 0 && isNameColumn(columns[0] ?? ''));
  const order = useMemo(() => sortedOrder(rows, sorting), [rows, sorting]);
  const isMarkBelow = mark !== null && order.indexOf(mark.row) >= pageRows;
  const shown = order.slice(0, isWhole || isMarkBelow ? allRowsMax : pageRows);
  useEffect(() => {
    if (mark) marked.current?.scrollIntoView?.({ block: 'nearest', behavior: 'smooth' });
  }, [mark]);
  if (rows.length === 0) return <p className="py-2 text-ink-2">The query found no rows.</p>;
  return (
    <div>
      <div className="overflow-x-auto" tabIndex={0} role="group" aria-label={caption}>
        <table className="figures">
          <caption className="sr-only">{caption}</caption>
          <thead>
            <tr>
              {columns.map((column, at) => (
                <th key={at} scope="col" aria-sort={ariaSort(sorting, at)} className={isRight(at) ? 'numeric' : undefined}>
                  <button type="button" className="hover:text-accent" onClick={() => setSorting((now) => nextSorting(now, at))}>
                    {isRight(at) && <SortMark sorting={sorting} column={at} />}
                    {column.replaceAll('_', ' ')}
                    {!isRight(at) && <SortMark sorting={sorting} column={at} />}
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((at) => (
              <tr key={at}>
                {columns.map((column, of) => {
                  const isMarked = mark?.row === at && mark.column === of;
                  return (
                    <td
                      key={isMarked ? `marked-${mark.round}` : of}
                      ref={isMarked ? marked : undefined}
                      className={`${isRight(of) ? 'numeric' : ''} ${isMarked ? 'flash' : ''}`}
                    >
                      <CellText cell={rows[at]?.[of] ?? null} column={column} isNumeric={numeric[of] === true} />
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <TableFoot query={query} shown={shown.length} onAll={() => setWhole(true)} />
    </div>
  );
});

const TableFoot = ({ query, shown, onAll }: { query: Query; shown: number; onAll: () => void }) => {
  const kept = query.rows.length;
  const isPart = query.truncated || query.row_count > kept;
  if (shown >= kept && !isPart) return null;
  return (
    <p className="pt-1.5 text-[0.9375rem] text-ink-3">
      {shown < kept && (
        <>
          {shown} of {formatCount(kept, 'row')}.{' '}
          {shown < allRowsMax && <TextButton onClick={onAll}>Show all</TextButton>}{' '}
        </>
      )}
      {isPart && `The result has ${query.truncated ? 'more than ' : ''}${formatCount(Math.max(query.row_count, kept), 'row')}; ${kept} came with the answer.`}
    </p>
  );
};
