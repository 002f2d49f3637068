import type { Cell } from '../api/types';

const quoted = (value: string, separator: string): string =>
  value.includes('"') || value.includes(separator) || /[\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;

/** Spreadsheets run cells that begin like a formula; an apostrophe makes them text. Numbers stay as they are. */
const harmless = (cell: Cell): string => {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  return /^[=+\-@\t\r]/.test(cell) && Number.isNaN(Number(cell)) ? `'${cell}` : cell;
};

const lines = (columns: string[], rows: Cell[][], separator: string): string[] =>
  [columns, ...rows.map((row) => row.map(harmless))].map((row) => row.map((cell) => quoted(cell, separator)).join(separator));

export const toCsv = (columns: string[], rows: Cell[][]): string => `${lines(columns, rows, ',').join('\r\n')}\r\n`;

/** What spreadsheets take from the clipboard. */
export const toTsv = (columns: string[], rows: Cell[][]): string => lines(columns, rows, '\t').join('\n');
