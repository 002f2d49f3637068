import type { Cell } from '../../api/types';

export interface Sorting {
  column: number;
  isDescending: boolean;
}

/** Numbers that JSON would cut are sent as text; a column of such text is a column of numbers. */
export const isNumericColumn = (rows: readonly Cell[][], column: number): boolean => {
  let hasNumber = false;
  for (const row of rows) {
    const cell = row[column] ?? null;
    if (cell === null) continue;
    if (typeof cell === 'number') hasNumber = true;
    else if (typeof cell === 'string' && /^-?\d+(\.\d+)?$/.test(cell)) hasNumber = true;
    else return false;
  }
  return hasNumber;
};

const compare = (a: Cell, b: Cell, isNumeric: boolean): number =>
  isNumeric ? Number(a) - Number(b) : String(a).localeCompare(String(b), 'en', { numeric: true });

/** Places of the rows in their new order. Nulls come last, whichever way. */
export const sortedOrder = (rows: readonly Cell[][], sorting: Sorting | null): number[] => {
  const order = rows.map((_, at) => at);
  if (!sorting) return order;
  const { column, isDescending } = sorting;
  const isNumeric = isNumericColumn(rows, column);
  return order.sort((left, right) => {
    const a = rows[left]?.[column] ?? null;
    const b = rows[right]?.[column] ?? null;
    if (a === null || b === null) return a === b ? left - right : a === null ? 1 : -1;
    const difference = compare(a, b, isNumeric);
    return (isDescending ? -difference : difference) || left - right;
  });
};

/** One click sorts, a second turns the order round, a third gives back the order of the answer. */
export const nextSorting = (now: Sorting | null, column: number): Sorting | null => {
  if (now?.column !== column) return { column, isDescending: false };
  return now.isDescending ? null : { column, isDescending: true };
};
