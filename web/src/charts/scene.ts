/** A chart as shapes with places and the names of colours; how they are drawn is for others to say. */

export type Colour = 'ink' | 'ink-2' | 'ink-3' | 'rule' | 'rule-strong' | 'paper' | `series-${number}`;

export type Shape =
  | { kind: 'line'; x1: number; y1: number; x2: number; y2: number; stroke: Colour }
  | { kind: 'rect'; x: number; y: number; width: number; height: number; fill: Colour; note: string }
  | { kind: 'path'; points: [number, number][]; stroke: Colour }
  | { kind: 'dot'; x: number; y: number; r: number; fill: Colour; isSoft: boolean; note: string }
  | { kind: 'text'; x: number; y: number; text: string; fill: Colour; anchor: 'start' | 'middle' | 'end'; isItalic: boolean };

export interface Scene {
  width: number;
  height: number;
  shapes: Shape[];
}

export const fontSize = 14;
const meanCharacterWidth = 0.57;

export const textWidth = (text: string): number => text.length * fontSize * meanCharacterWidth;

export const shorten = (text: string, width: number): string => {
  const fits = Math.max(3, Math.floor(width / (fontSize * meanCharacterWidth)));
  return text.length <= fits ? text : `${text.slice(0, fits - 1).trimEnd()}…`;
};

export const label = (x: number, y: number, text: string, options: Partial<Extract<Shape, { kind: 'text' }>> = {}): Shape => ({
  kind: 'text',
  x,
  y,
  text,
  fill: 'ink-2',
  anchor: 'start',
  isItalic: false,
  ...options,
});

export const seriesColour = (at: number): Colour => `series-${(at % 8) + 1}`;

/** From a to b in round steps; the ends are round as well. */
export const roundTicks = (from: number, to: number, about = 5): number[] => {
  if (from === to) return from === 0 ? [0, 1] : roundTicks(Math.min(0, from), Math.max(0, to), about);
  const raw = (to - from) / about;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * ([1, 2, 2.5, 5, 10].find((each) => each * power >= raw) ?? 10);
  const first = Math.floor(from / step + 1e-9);
  const last = Math.ceil(to / step - 1e-9);
  return Array.from({ length: last - first + 1 }, (_, at) => Number(((first + at) * step).toPrecision(12)));
};

/** Zero belongs to a scale unless all values are far from it. */
export const domainOf = (values: number[]): [number, number] => {
  const least = Math.min(...values);
  const most = Math.max(...values);
  if (least >= 0) return [least > 0.6 * most ? least : 0, most];
  return most <= 0 ? [least, 0] : [least, most];
};

export const linear = (from: number, to: number, start: number, end: number) => (value: number): number =>
  to === from ? (start + end) / 2 : start + ((value - from) / (to - from)) * (end - start);
