import { formatNumber } from '../lib/format';
import { label, linear, seriesColour, shorten, textWidth, type Scene, type Shape } from './scene';
import { numberAt, textAt, type ChartModel } from './spec';

const rowHeight = 28;
const barHeight = 16;
const top = 28;

/** Horizontal bars, each with its figure at the end: there is no axis to read off. */
export const barScene = (model: ChartModel, width: number): Scene => {
  const isAcross = model.x.type === 'quantitative';
  const [measure, category] = isAcross ? [model.x, model.y] : [model.y, model.x];
  const rows = model.values.map((value) => ({
    name: textAt(value, category),
    value: numberAt(value, measure),
    group: model.color ? textAt(value, model.color) : '',
  }));
  const groups = [...new Set(rows.map((row) => row.group))];
  const numbers = rows.map((row) => row.value ?? 0);
  const least = Math.min(0, ...numbers);
  const most = Math.max(0, ...numbers);
  const nameWidth = Math.min(width * 0.4, Math.max(...rows.map((row) => textWidth(row.name))) + 4);
  const figureWidth = Math.max(...numbers.map((value) => textWidth(formatNumber(value)))) + 10;
  const place = linear(least, most || 1, nameWidth + 12 + (least < 0 ? figureWidth : 0), width - figureWidth);
  const zero = place(0);
  const height = top + rows.length * rowHeight + 4;
  const shapes: Shape[] = [label(zero, 10, measure.title, { isItalic: true })];
  rows.forEach((row, at) => {
    const middle = top + at * rowHeight + rowHeight / 2;
    const colour = seriesColour(groups.indexOf(row.group));
    shapes.push(label(nameWidth, middle, shorten(row.name, nameWidth), { anchor: 'end', fill: 'ink' }));
    if (row.value === null) {
      shapes.push(label(zero + 6, middle, 'NULL', { fill: 'ink-3', isItalic: true }));
      return;
    }
    const end = place(row.value);
    const note = `${row.name}: ${formatNumber(row.value)}`;
    const y = middle - barHeight / 2;
    shapes.push({ kind: 'rect', x: Math.min(zero, end), y, width: Math.abs(end - zero), height: barHeight, fill: colour, note });
    const isNegative = row.value < 0;
    shapes.push(label(end + (isNegative ? -6 : 6), middle, formatNumber(row.value), { anchor: isNegative ? 'end' : 'start' }));
  });
  shapes.push({ kind: 'line', x1: zero, y1: top, x2: zero, y2: height - 4, stroke: 'ink-3' });
  return { width, height, shapes };
};
