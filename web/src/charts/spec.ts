import { fields, isFields, list, text, type Fields } from '../lib/read';

/** The part of Vega-Lite that answers use: bars, lines and points with simple encodings. */
export interface Channel {
  field: string;
  title: string;
  type: 'quantitative' | 'temporal' | 'ordinal' | 'nominal';
}

export interface ChartModel {
  mark: 'bar' | 'line' | 'point';
  x: Channel;
  y: Channel;
  color: Channel | null;
  values: Fields[];
}

const types = ['quantitative', 'temporal', 'ordinal', 'nominal'] as const;
const marks: Record<string, ChartModel['mark']> = { bar: 'bar', line: 'line', area: 'line', point: 'point', circle: 'point' };

const readChannel = (value: unknown): Channel | null => {
  if (!isFields(value)) return null;
  const field = text(value['field']);
  if (field === '') return null;
  const type = types.find((each) => each === value['type']) ?? 'nominal';
  return { field, title: text(value['title']) || field, type };
};

/** Null for what cannot be drawn here; the table is shown then. */
export const readChart = (spec: unknown): ChartModel | null => {
  const found = fields(spec);
  const mark = marks[text(found['mark']) || text(fields(found['mark'])['type'])];
  const encoding = fields(found['encoding']);
  const x = readChannel(encoding['x']);
  const y = readChannel(encoding['y']);
  const values = list(fields(found['data'])['values']).filter(isFields);
  if (!mark || !x || !y || values.length === 0) return null;
  const numeric = [x, y].filter((channel) => channel.type === 'quantitative').length;
  const isDrawable = mark === 'point' ? numeric === 2 : mark === 'line' ? y.type === 'quantitative' : numeric >= 1;
  return isDrawable ? { mark, x, y, color: readChannel(encoding['color']), values } : null;
};

/** Null where there is no number. */
export const numberAt = (value: Fields, channel: Channel): number | null => {
  const found = value[channel.field];
  const parsed = typeof found === 'string' && found.trim() !== '' ? Number(found) : found;
  return typeof parsed === 'number' && Number.isFinite(parsed) ? parsed : null;
};

export const textAt = (value: Fields, channel: Channel): string => {
  const found = value[channel.field];
  return found === null || found === undefined ? 'NULL' : String(found);
};

export const describe = (model: ChartModel): string => {
  const kind = { bar: 'Bar chart', line: 'Line chart', point: 'Scatter plot' }[model.mark];
  const [what, by] = model.mark === 'bar' && model.x.type === 'quantitative' ? [model.x, model.y] : [model.y, model.x];
  return `${kind} of ${what.title} by ${by.title}${model.color ? ` and ${model.color.title}` : ''}, ${model.values.length} values`;
};
