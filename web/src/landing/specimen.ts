import type { Claim, Query } from '../api/types';

/** An answer that the demo league gave, printed on the first page to show what answers look like. */
export const question = 'What is the average attendance by season?';

export const answer = 'Average attendance went from 3,988.4 in 2021 to 16,239 in 2025, up 12,250.6 (307.2 %). The peak was 16,267.3 in 2024.';

export const query: Query = {
  kind: 'sql',
  text: 'SELECT T1."season", AVG(T2."attendance") AS "average attendance" FROM "seasons" AS T1 JOIN "games" AS T2 ON T1."season" = T2."season" GROUP BY T1."season"',
  source: 'nba',
  columns: ['season', 'average attendance'],
  rows: [
    [2021, 3988.4427710843374],
    [2022, 16232.357846853676],
    [2023, 16234.093394077448],
    [2024, 16267.315110098709],
    [2025, 16239.046317388003],
  ],
  row_count: 5,
  truncated: false,
  execution_time_ms: 4.1,
  tables: ['main.seasons', 'main.games'],
};

const claim = (text: string, origin: string, ...cells: [number, number][]): Claim => {
  const begin = answer.indexOf(text);
  return { begin, end: begin + text.length, text, origin, passage: null, cells: cells.map(([row, column]) => ({ result: 0, row, column })) };
};

export const claims: Claim[] = [
  claim('3,988.4', 'cell', [0, 1]),
  claim('2021', 'cell', [0, 0]),
  claim('16,239', 'cell', [4, 1]),
  claim('2025', 'cell', [4, 0]),
  claim('12,250.6', 'difference', [0, 1], [4, 1]),
  claim('307.2 %', 'growth', [0, 1], [4, 1]),
  claim('16,267.3', 'extreme', [3, 1]),
  claim('2024', 'cell', [3, 0]),
];
