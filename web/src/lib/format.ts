/** Numbers, times and sizes as people read them. */

const grouped = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

export const formatMs = (ms: number): string => {
  if (ms < 1) return ms > 0 ? '<1 ms' : '0 ms';
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
};

export const formatCost = (usd: number): string => {
  if (usd <= 0) return 'no cost';
  if (usd < 0.0001) return '<$0.0001';
  return `$${usd < 0.01 ? usd.toFixed(4) : usd.toFixed(2)}`;
};

export const formatCount = (count: number, one: string, many = `${one}s`): string =>
  `${grouped.format(count)} ${count === 1 ? one : many}`;

const identityColumn = /(^|[_\s])(id|key|code|number|year|season|zip|phone)$/i;

/** A number of a column whose figures name things, such as years, is written without separators. */
export const isNameColumn = (column: string): boolean => identityColumn.test(column);

const significantDecimals = (value: number): number => {
  const size = Math.abs(value);
  if (size >= 1000) return 1;
  if (size >= 1) return 2;
  return 4;
};

export const formatNumber = (value: number, column = ''): string => {
  if (Number.isInteger(value)) return isNameColumn(column) ? String(value) : grouped.format(value);
  const decimals = significantDecimals(value);
  const isTiny = value !== 0 && Math.abs(value) < 0.0001;
  if (isTiny) return value.toExponential(2);
  return new Intl.NumberFormat('en', { maximumFractionDigits: decimals }).format(value);
};

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** The group of the side bar that a time belongs to. */
export const dayGroup = (iso: string, now: Date): string => {
  const then = new Date(iso);
  if (Number.isNaN(then.getTime())) return 'Earlier';
  const startOfToday = new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime();
  const daysAgo = Math.ceil((startOfToday - then.getTime()) / dayMs);
  if (daysAgo <= 0) return 'Today';
  if (daysAgo === 1) return 'Yesterday';
  if (daysAgo <= 7) return 'This week';
  if (daysAgo <= 30) return 'This month';
  return 'Earlier';
};

export const formatDate = (iso: string): string => {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(iso);
  return date.toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    ...(isDay ? { timeZone: 'UTC' } : {}),
  });
};

export const formatTime = (iso: string): string => {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return '';
  return date.toLocaleString('en-GB', { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });
};
