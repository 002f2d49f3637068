import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import type { Cell, Query } from '../../api/types';
import { ResultBlock } from './result-block';
import { ResultTable } from './result-table';
import { isNumericColumn, nextSorting, sortedOrder } from './sort-rows';
import { layOut, tokenise } from './sql';
import { SqlBlock } from './sql-block';

const query = (columns: string[], rows: Cell[][], more: Partial<Query> = {}): Query => ({
  kind: 'sql', text: 'SELECT 1', source: 's', columns, rows, row_count: rows.length, truncated: false, execution_time_ms: 4, tables: ['main.t'], ...more,
});

const texts = (column: number) => screen.getAllByRole('row').slice(1).map((row) => within(row).getAllByRole('cell')[column]?.textContent);

describe('sortedOrder', () => {
  const rows: Cell[][] = [[10], [null], [9], ['2.5'], [100]];
  it('orders numbers as numbers, also those sent as text, and nulls last', () => {
    expect(sortedOrder(rows, { column: 0, isDescending: false })).toEqual([3, 2, 0, 4, 1]);
    expect(sortedOrder(rows, { column: 0, isDescending: true })).toEqual([4, 0, 2, 3, 1]);
  });
  it('keeps the order of equal rows', () => expect(sortedOrder([['a', 1], ['a', 2]], { column: 0, isDescending: true })).toEqual([0, 1]));
  it('leaves rows as they came without a wish', () => expect(sortedOrder(rows, null)).toEqual([0, 1, 2, 3, 4]));
  it('comes back to the order of the answer', () => {
    const first = nextSorting(null, 1);
    expect(nextSorting(nextSorting(first, 1), 1)).toBeNull();
    expect(nextSorting(first, 0)).toEqual({ column: 0, isDescending: false });
  });
  it.each([[[[1], [null]], true], [[['1.5'], ['-2']], true], [[['a']], false], [[[null]], false], [[[true]], false]] as [Cell[][], boolean][])(
    'knows whether %j are numbers',
    (cells, expected) => expect(isNumericColumn(cells, 0)).toBe(expected),
  );
});

describe('ResultTable', () => {
  it('shows figures for reading, years as years, missing values, and the whole number on hover', () => {
    render(<ResultTable query={query(['team', 'season', 'points'], [['Lakers', 2021, 16232.357846853676], ['Bulls', 2022, null]])} caption="c" mark={null} />);
    expect(texts(1)).toEqual(['2021', '2022']);
    expect(texts(2)).toEqual(['16,232.4', 'NULL']);
    expect(screen.getByTitle('16232.357846853676')).toBeTruthy();
  });

  it('keeps every digit of numbers that are too large', () => {
    render(<ResultTable query={query(['n', 'v'], [['a', '123456789012345678901']])} caption="c" mark={null} />);
    expect(texts(1)).toEqual(['123456789012345678901']);
  });

  it('sorts by a click on the head and tells assistive technology', async () => {
    render(<ResultTable query={query(['team', 'wins'], [['b', 2], ['a', 3], ['c', 1]])} caption="c" mark={null} />);
    await userEvent.click(screen.getByRole('button', { name: /wins/ }));
    expect(texts(0)).toEqual(['c', 'b', 'a']);
    expect(screen.getByRole('columnheader', { name: /wins/ }).getAttribute('aria-sort')).toBe('ascending');
    await userEvent.click(screen.getByRole('button', { name: /wins/ }));
    expect(texts(0)).toEqual(['a', 'b', 'c']);
  });

  it('shows the first rows and all of them on demand', async () => {
    render(<ResultTable query={query(['n', 'm'], Array.from({ length: 30 }, (_, at) => [at, at]))} caption="c" mark={null} />);
    expect(screen.getAllByRole('row')).toHaveLength(13);
    await userEvent.click(screen.getByRole('button', { name: 'Show all' }));
    expect(screen.getAllByRole('row')).toHaveLength(31);
  });

  it('brings a cell into view that lies below', () => {
    render(<ResultTable query={query(['n', 'm'], Array.from({ length: 30 }, (_, at) => [at, at]))} caption="c" mark={{ row: 25, column: 1, round: 1 }} />);
    expect(document.querySelector('td.flash')?.textContent).toBe('25');
  });

  it('says that nothing was found, and that there is more', () => {
    const { rerender } = render(<ResultTable query={query(['n'], [])} caption="c" mark={null} />);
    expect(screen.getByText('The query found no rows.')).toBeTruthy();
    rerender(<ResultTable query={query(['n'], [[1]], { row_count: 5000, truncated: true })} caption="c" mark={null} />);
    expect(screen.getByText(/more than 5,000 rows; 1 came with the answer/)).toBeTruthy();
  });
});

const chart = {
  mark: { type: 'bar' },
  data: { values: [{ team: 'a', wins: 3 }, { team: 'b', wins: 2 }] },
  encoding: { x: { field: 'wins', type: 'quantitative' }, y: { field: 'team', type: 'nominal' } },
};

describe('ResultBlock', () => {
  it('switches between chart and table', async () => {
    render(<ResultBlock query={query(['team', 'wins'], [['a', 3], ['b', 2]])} title="Wins?" chart={chart} mark={null} />);
    expect(await screen.findByRole('img', { name: /Bar chart of wins by team/ })).toBeTruthy();
    await userEvent.click(screen.getByRole('radio', { name: 'Table' }));
    expect(screen.getByRole('table')).toBeTruthy();
  });

  it('shows the table when a chart cannot be drawn', () => {
    render(<ResultBlock query={query(['team'], [['a'], ['b']])} title="t" chart={{ mark: 'geoshape' }} mark={null} />);
    expect(screen.getByRole('table')).toBeTruthy();
    expect(screen.queryByRole('radio')).toBeNull();
  });

  it('saves rows as CSV', async () => {
    const create = vi.fn((_: Blob) => 'blob:x');
    vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: create, revokeObjectURL: () => undefined }));
    const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
    render(<ResultBlock query={query(['a', 'b'], [['x', null]])} title="What is it?" chart={null} mark={null} />);
    await userEvent.click(screen.getByRole('button', { name: 'Download as CSV' }));
    expect(click).toHaveBeenCalled();
    expect(create.mock.calls[0]?.[0].size).toBe('a,b\r\nx,\r\n'.length);
  });
});

describe('SQL', () => {
  it.each([
    ['SELECT a FROM t WHERE b = 1 GROUP BY a', 'SELECT a\nFROM t\nWHERE b = 1\nGROUP BY a'],
    ['SELECT a FROM t LEFT JOIN u ON t.i = u.i', 'SELECT a\nFROM t\nLEFT JOIN u ON t.i = u.i'],
    ['SELECT a FROM (SELECT b FROM t) AS x', 'SELECT a\nFROM (\n  SELECT b\n  FROM t\n) AS x'],
    ['SELECT sum(x) FILTER (WHERE y > 0) FROM t', 'SELECT sum(x) FILTER (WHERE y > 0)\nFROM t'],
    ["SELECT 'from where' FROM t", "SELECT 'from where'\nFROM t"],
    ['SELECT a\nFROM t', 'SELECT a\nFROM t'],
  ])('lays out %j', (sql, expected) => expect(layOut(sql)).toBe(expected));

  it('loses no character', () => {
    const sql = `SELECT "a""b", 'it''s' -- note\nFROM t /* c */ WHERE x >= 1.5e3 AND y::text ~ 'é'`;
    expect(tokenise(sql).map((token) => token.text).join('')).toBe(sql);
  });

  it.each([["'unclosed", 'string'], ['"unclosed', 'name'], ['/* unclosed', 'comment'], ['SeLeCt', 'keyword'], ['42', 'number']])('takes %j for a %s', (sql, kind) =>
    expect(tokenise(sql)).toEqual([{ kind, text: sql }]),
  );

  it('says what the statement read and leads to the table', async () => {
    const onShowTable = vi.fn();
    render(<SqlBlock query={query(['a'], [[1]])} onShowTable={onShowTable} />);
    expect(screen.getByText('1 row · 4 ms · from main.t')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Open in table' }));
    expect(onShowTable).toHaveBeenCalled();
  });
});
