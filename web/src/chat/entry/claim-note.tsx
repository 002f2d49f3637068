import type { Claim, Query } from '../../api/types';
import { formatNumber } from '../../lib/format';
import { NoteButton } from '../../ui/popover';

const origins: Record<string, string> = {
  cell: 'Stands in the result',
  row_count: 'The number of rows',
  sum: 'A sum of the result',
  average: 'An average of the result',
  difference: 'The difference of two cells',
  ratio: 'The ratio of two cells',
  share: 'A share of a column',
  growth: 'The growth between two cells',
  rank: 'A place in the order of a column',
  extreme: 'The least or greatest of a column',
  question: 'Said in the question',
  passage: 'Stands in a cited passage',
  none: 'Not found in the result',
};

const cellsMax = 4;

const shown = (cell: unknown, column: string): string =>
  cell === null || cell === undefined ? 'NULL' : typeof cell === 'number' ? formatNumber(cell, column) : String(cell);

/** The cells that a figure was traced to, each with the first cell of its row to tell which row it is. */
const Cells = ({ claim, queries }: { claim: Claim; queries: readonly Query[] }) => {
  const cells = claim.cells.slice(0, cellsMax).flatMap((place) => {
    const query = queries[place.result];
    const row = query?.rows[place.row];
    if (!query || !row) return [];
    const column = query.columns[place.column] ?? '';
    const key = place.column > 0 ? shown(row[0], query.columns[0] ?? '') : '';
    return [{ place, column, key, value: shown(row[place.column], column) }];
  });
  if (cells.length === 0) return null;
  return (
    <table className="mt-1 tabular-nums">
      <tbody>
        {cells.map(({ place, column, key, value }) => (
          <tr key={`${place.result}-${place.row}-${place.column}`}>
            <td className="pr-3 text-ink-3">
              row {place.row + 1}
              {key && `, ${key}`}
            </td>
            <td className="pr-3 italic">{column}</td>
            <td className="text-right font-semibold">{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};

interface Props {
  claim: Claim;
  queries: readonly Query[];
  onShowCell: (claim: Claim) => void;
}

/** A figure or name of an answer that shows on hover where it comes from. */
export const ClaimNote = ({ claim, queries, onShowCell }: Props) => {
  const isTraced = claim.origin !== 'none';
  const canShow = claim.cells.length > 0;
  const isName = isTraced && !/\d/.test(claim.text);
  return (
    <NoteButton
      className={`claim ${isTraced ? '' : 'claim-untraced'} ${isName ? 'claim-name' : ''}`}
      isSkipped={isName}
      label={isName ? claim.text : claim.text.replaceAll(' ', '\u00a0')}
      {...(isTraced ? {} : { hint: 'Untraced: ' })}
      {...(canShow ? { onActivate: () => onShowCell(claim) } : {})}
    >
      <p className={isTraced ? '' : 'text-warn'}>{origins[claim.origin] ?? claim.origin}</p>
      {isTraced ? <Cells claim={claim} queries={queries} /> : <p className="text-ink-2">Take it with care.</p>}
      {canShow && <p className="mt-1 text-ink-3 italic">Click to see it in the table</p>}
    </NoteButton>
  );
};
