import { formatNumber } from '../lib/format';
import {
  domainOf, label, linear, roundTicks, seriesColour, shorten, textWidth, type Scene, type Shape,
} from './scene';
import { numberAt, textAt, type Channel, type ChartModel } from './spec';

const height = 300;
const top = 34;
const bottom = 34;

interface Axis {
  shapes: Shape[];
  left: number;
  place: (value: number) => number;
}

/** Hairlines with figures on the left; the name of what is measured above them. */
const measureAxis = (values: number[], channel: Channel, right: number): Axis => {
  const ticks = roundTicks(...domainOf(values), 4);
  const figures = ticks.map((tick) => formatNumber(tick));
  const left = Math.max(...figures.map(textWidth)) + 12;
  const place = linear(ticks[0] ?? 0, ticks.at(-1) ?? 1, height - bottom, top);
  const shapes = ticks.flatMap((tick, at): Shape[] => [
    { kind: 'line', x1: left, y1: place(tick), x2: right, y2: place(tick), stroke: at === 0 ? 'ink-3' : 'rule' },
    label(left - 8, place(tick), figures[at] ?? '', { anchor: 'end', fill: 'ink-3' }),
  ]);
  shapes.push(label(0, 10, channel.title, { fill: 'ink-2', isItalic: true }));
  return { shapes, left, place };
};

const spread = (count: number, most: number): number[] => {
  const step = Math.max(1, Math.ceil(count / most));
  return Array.from({ length: Math.ceil(count / step) }, (_, at) => at * step);
};

const timeOf = (text: string): number => Date.parse(text);

/** Places of the values along the time: dates by their distance, other names by their order. */
const timeAxis = (model: ChartModel, left: number, right: number) => {
  const names = [...new Set(model.values.map((value) => textAt(value, model.x)))];
  const times = names.map(timeOf);
  const isDated = model.x.type === 'temporal' && times.every((time) => !Number.isNaN(time)) && names.length > 1;
  const byTime = isDated ? linear(Math.min(...times), Math.max(...times), left + 8, right - 8) : null;
  const byOrder = linear(0, Math.max(1, names.length - 1), left + 8, right - 8);
  const place = (name: string) => (byTime ? byTime(timeOf(name)) : byOrder(names.indexOf(name)));
  const widest = Math.max(...names.map(textWidth)) + 24;
  const shown = spread(names.length, Math.max(2, Math.floor((right - left) / widest)));
  const shapes = shown.map((at, order): Shape => {
    const name = names[at] ?? '';
    const anchor = order === 0 ? 'start' : at === names.length - 1 ? 'end' : 'middle';
    return label(place(name) + (anchor === 'start' ? -8 : anchor === 'end' ? 8 : 0), height - bottom + 18, name, { anchor, fill: 'ink-3' });
  });
  return { names, place, shapes };
};

/** Names at the ends of lines, pushed apart until none covers another. */
const spreadLabels = (ends: { y: number; at: number }[]): Map<number, number> => {
  const places = new Map<number, number>();
  let floor = -Infinity;
  for (const end of [...ends].sort((a, b) => a.y - b.y)) {
    floor = Math.max(end.y, floor + 17);
    places.set(end.at, floor);
  }
  return places;
};

export const lineScene = (model: ChartModel, width: number): Scene => {
  const series = model.color ? [...new Set(model.values.map((value) => textAt(value, model.color!)))] : [''];
  const nameWidth = model.color ? Math.min(width * 0.25, Math.max(...series.map(textWidth)) + 12) : 0;
  const right = width - nameWidth - 4;
  const numbers = model.values.map((value) => numberAt(value, model.y)).filter((value) => value !== null);
  const measure = measureAxis(numbers.length > 0 ? numbers : [0, 1], model.y, right);
  const time = timeAxis(model, measure.left, right);
  const shapes: Shape[] = [...measure.shapes, ...time.shapes];
  const ends: { y: number; at: number }[] = [];
  series.forEach((name, at) => {
    const own = model.values.filter((value) => !model.color || textAt(value, model.color) === name);
    const ordered = [...own].sort((a, b) => time.names.indexOf(textAt(a, model.x)) - time.names.indexOf(textAt(b, model.x)));
    let run: [number, number][] = [];
    const dots: Shape[] = [];
    const endRun = () => {
      if (run.length > 1) shapes.push({ kind: 'path', points: run, stroke: seriesColour(at) });
      run = [];
    };
    for (const value of ordered) {
      const number = numberAt(value, model.y);
      if (number === null) {
        endRun();
        continue;
      }
      const x = time.place(textAt(value, model.x));
      const y = measure.place(number);
      run.push([x, y]);
      const note = `${name ? `${name}, ` : ''}${textAt(value, model.x)}: ${formatNumber(number)}`;
      dots.push({ kind: 'dot', x, y, r: ordered.length > 40 ? 2 : 3.5, fill: seriesColour(at), isSoft: false, note });
    }
    const last = run.at(-1);
    if (last && model.color) ends.push({ y: last[1], at });
    endRun();
    shapes.push(...dots);
  });
  for (const [at, y] of spreadLabels(ends)) {
    shapes.push(label(right + 6, y, shorten(series[at] ?? '', nameWidth), { fill: seriesColour(at) }));
  }
  return { width, height, shapes };
};

export const pointScene = (model: ChartModel, width: number): Scene => {
  const pairs = model.values.flatMap((value) => {
    const x = numberAt(value, model.x);
    const y = numberAt(value, model.y);
    return x === null || y === null ? [] : [{ x, y, value }];
  });
  const right = width - 12;
  const measure = measureAxis(pairs.map((pair) => pair.y), model.y, right);
  const ticks = roundTicks(...domainOf(pairs.map((pair) => pair.x)), 5);
  const place = linear(ticks[0] ?? 0, ticks.at(-1) ?? 1, measure.left + 6, right);
  const shapes: Shape[] = [...measure.shapes];
  for (const tick of ticks) {
    shapes.push(label(place(tick), height - bottom + 14, formatNumber(tick), { anchor: 'middle', fill: 'ink-3' }));
  }
  shapes.push(label(right, height - 6, model.x.title, { anchor: 'end', isItalic: true }));
  for (const pair of pairs) {
    const others = Object.entries(pair.value).map(([name, value]) => `${name}: ${String(value)}`);
    shapes.push({ kind: 'dot', x: place(pair.x), y: measure.place(pair.y), r: 4.5, fill: 'series-1', isSoft: true, note: others.join(', ') });
  }
  return { width, height: height + 8, shapes };
};
