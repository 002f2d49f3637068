import { describe, expect, it, vi } from 'vitest';
import { toCsv, toTsv } from './csv';
import { fileName } from './download';
import { dayGroup, formatCost, formatCount, formatDate, formatMs, formatNumber } from './format';
import { frameBatch } from './frame-batch';
import { number, parseJson, texts } from './read';
import { routeOf } from './router';

describe('format', () => {
  it.each([[0, '0 ms'], [0.4, '<1 ms'], [12.6, '13 ms'], [999.4, '999 ms'], [1234, '1.2 s'], [45_000, '45 s'], [125_000, '2 min 5 s']])('%d ms', (ms, words) => expect(formatMs(ms)).toBe(words));
  it.each([[0, 'no cost'], [0.00001, '<$0.0001'], [0.0042, '$0.0042'], [1.239, '$1.24']])('costs %d', (usd, words) => expect(formatCost(usd)).toBe(words));
  it.each([[1, '1 row'], [0, '0 rows'], [1234, '1,234 rows']])('counts %d', (count, words) => expect(formatCount(count, 'row')).toBe(words));
  it.each([
    [1234567, '', '1,234,567'],
    [2021, 'season', '2021'],
    [2021, 'player_id', '2021'],
    [16232.3578, '', '16,232.4'],
    [3.14159, '', '3.14'],
    [0.123456, '', '0.1235'],
    [0.000001234, '', '1.23e-6'],
    [-0.5, '', '-0.5'],
  ])('writes %d of %j', (value, column, words) => expect(formatNumber(value, column)).toBe(words));
  it.each([
    ['2026-11-15T08:00:00', 'Today'],
    ['2026-11-14T23:00:00', 'Yesterday'],
    ['2026-11-10T08:00:00', 'This week'],
    ['2026-10-20T08:00:00', 'This month'],
    ['2025-01-01T08:00:00', 'Earlier'],
    ['nonsense', 'Earlier'],
  ])('groups %s', (iso, group) => expect(dayGroup(iso, new Date('2026-11-15T12:00:00'))).toBe(group));
  it('writes a day as that day everywhere', () => expect(formatDate('2023-05-03')).toBe('3 May 2023'));
});

describe('csv', () => {
  it('quotes, and leaves missing values empty', () =>
    expect(toCsv(['a', 'b,c'], [['x "y"', null], ['1\n2', 3]])).toBe('a,"b,c"\r\n"x ""y""",\r\n"1\n2",3\r\n'));
  it('makes formulas harmless, but not negative numbers', () =>
    expect(toCsv(['a'], [['=1+1'], ['@x'], ['-5'], [-5], ['+x']])).toBe("a\r\n'=1+1\r\n'@x\r\n-5\r\n-5\r\n'+x\r\n"));
  it('separates by tabs for spreadsheets', () => expect(toTsv(['a', 'b'], [[1, true]])).toBe('a\tb\n1\ttrue'));
});

describe('routeOf', () => {
  it.each([
    ['/', { page: 'landing' }],
    ['/chat', { page: 'chat', thread: '' }],
    ['/chat/', { page: 'chat', thread: '' }],
    ['/chat/a%20b', { page: 'chat', thread: 'a b' }],
    ['/runs/r1', { page: 'runs', run: 'r1' }],
    ['/settings', { page: 'settings' }],
    ['/settings/x', { page: 'missing' }],
    ['/chat/a/b', { page: 'missing' }],
    ['/chat/%zz', { page: 'missing' }],
    ['/else', { page: 'missing' }],
  ])('%s', (path, route) => expect(routeOf(path)).toEqual(route));
});

describe('read', () => {
  it.each([['1.5', 1.5], ['', 0], ['x', 0], [null, 0], [Infinity, 0], [3, 3]])('%j is the number %d', (value, expected) => expect(number(value)).toBe(expected));
  it('takes texts and numbers of a list', () => expect(texts(['a', 1, null, {}])).toEqual(['a', '1']));
  it('makes nothing of broken JSON', () => expect(parseJson('{')).toBeUndefined());
});

describe('frameBatch', () => {
  it('hands over once per frame, at once when asked, and never after being dropped', () => {
    const frames: FrameRequestCallback[] = [];
    vi.stubGlobal('requestAnimationFrame', (frame: FrameRequestCallback) => frames.push(frame));
    vi.stubGlobal('cancelAnimationFrame', () => frames.splice(0));
    const taken: number[][] = [];
    const batch = frameBatch<number>((items) => taken.push(items));
    batch.push([1]);
    batch.push([2, 3]);
    expect(taken).toEqual([]);
    frames.shift()?.(0);
    expect(taken).toEqual([[1, 2, 3]]);
    batch.push([4]);
    batch.flush();
    expect(taken).toEqual([[1, 2, 3], [4]]);
    batch.push([5]);
    batch.drop();
    expect(frames).toEqual([]);
    batch.flush();
    expect(taken).toHaveLength(2);
  });
});

it('names files by the question', () => {
  expect(fileName('What is the average, by season?', 'csv')).toBe('what-is-the-average-by-season.csv');
  expect(fileName('¿?', 'csv')).toBe('quaestor.csv');
});
