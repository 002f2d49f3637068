import { describe, expect, it } from 'vitest';
import { sceneOf, toSvg } from './draw';
import { domainOf, roundTicks, shorten, type Shape } from './scene';
import { describe as inWords, readChart, type ChartModel } from './spec';

const quantitative = (field: string) => ({ field, type: 'quantitative', title: field });
const nominal = (field: string) => ({ field, type: 'nominal', title: field });
const ordinal = (field: string) => ({ field, type: 'ordinal', title: field });

const model = (mark: string, values: object[], encoding: object): ChartModel => {
  const found = readChart({ mark: { type: mark }, data: { values }, encoding });
  if (!found) throw new Error('not drawable');
  return found;
};

const bars = model('bar', [{ team: 'a', wins: 4 }, { team: 'b', wins: 2 }, { team: 'c', wins: null }], { x: quantitative('wins'), y: nominal('team') });
const ofKind = <K extends Shape['kind']>(shapes: Shape[], kind: K) => shapes.filter((shape): shape is Extract<Shape, { kind: K }> => shape.kind === kind);

describe('readChart', () => {
  it.each([
    [{}],
    [{ mark: 'arc', data: { values: [{}] }, encoding: { x: quantitative('a'), y: quantitative('b') } }],
    [{ mark: 'bar', data: { values: [] }, encoding: { x: quantitative('a'), y: nominal('b') } }],
    [{ mark: 'bar', data: { values: [{ a: 1 }] }, encoding: { x: nominal('a'), y: nominal('b') } }],
    [{ mark: 'point', data: { values: [{ a: 1 }] }, encoding: { x: nominal('a'), y: quantitative('b') } }],
    [{ mark: 'line', data: { url: 'https://evil.example' }, encoding: { x: ordinal('a'), y: quantitative('b') } }],
  ])('leaves %j to the table', (spec) => expect(readChart(spec)).toBeNull());

  it('takes a mark by name or as an object', () => {
    const spec = { data: { values: [{ a: 1, b: 2 }] }, encoding: { x: quantitative('a'), y: quantitative('b') } };
    expect(readChart({ ...spec, mark: 'point' })?.mark).toBe('point');
    expect(readChart({ ...spec, mark: { type: 'point' } })?.mark).toBe('point');
  });

  it('describes a chart in words', () => expect(inWords(bars)).toBe('Bar chart of wins by team, 3 values'));
});

describe('sceneOf', () => {
  it('draws bars in proportion, in the order of the rows, with their figures', () => {
    const { shapes } = sceneOf(bars, 600);
    const [first, second] = ofKind(shapes, 'rect');
    expect(first!.width / second!.width).toBeCloseTo(2);
    expect(first!.y).toBeLessThan(second!.y);
    expect(ofKind(shapes, 'text').map((shape) => shape.text)).toEqual(['wins', 'a', '4', 'b', '2', 'c', 'NULL']);
  });

  it('draws negative bars to the other side', () => {
    const both = model('bar', [{ t: 'a', v: -2 }, { t: 'b', v: 2 }], { x: quantitative('v'), y: nominal('t') });
    const [minus, plus] = ofKind(sceneOf(both, 600).shapes, 'rect');
    expect(minus!.x + minus!.width).toBeCloseTo(plus!.x);
  });

  it('draws one line for each name, with gaps where values are missing', () => {
    const values = ['a', 'b'].flatMap((team) => [1, 2, 3, 4, 5].map((year) => ({ team, year, v: team === 'a' && year === 3 ? null : year })));
    const lines = model('line', values, { x: ordinal('year'), y: quantitative('v'), color: nominal('team') });
    const { shapes } = sceneOf(lines, 600);
    expect(ofKind(shapes, 'path').map((path) => path.points.length)).toEqual([2, 2, 5]);
    expect(ofKind(shapes, 'dot')).toHaveLength(9);
  });

  it('spaces dates by time, and other names evenly', () => {
    const values = [{ d: '2024-01-01', v: 1 }, { d: '2024-01-02', v: 2 }, { d: '2024-01-11', v: 3 }];
    const at = (type: string) => {
      const lines = model('line', values, { x: { field: 'd', type }, y: quantitative('v') });
      return ofKind(sceneOf(lines, 600).shapes, 'dot').map((dot) => dot.x);
    };
    const [a, b, c] = at('temporal');
    expect((c! - a!) / (b! - a!)).toBeCloseTo(10);
    const [d, e, f] = at('ordinal');
    expect((f! - d!) / (e! - d!)).toBeCloseTo(2);
  });

  it('draws points within the frame', () => {
    const points = model('point', [{ a: 1, b: 5 }, { a: 9, b: -5 }, { a: 'x', b: 1 }], { x: quantitative('a'), y: quantitative('b') });
    const scene = sceneOf(points, 500);
    const dots = ofKind(scene.shapes, 'dot');
    expect(dots).toHaveLength(2);
    for (const dot of dots) {
      expect(dot.x).toBeGreaterThan(0);
      expect(dot.x).toBeLessThanOrEqual(500);
      expect(dot.y).toBeLessThan(scene.height);
    }
  });

  it('writes SVG in which no text is markup', () => {
    const sly = model('bar', [{ t: '<script>"&', v: 1 }], { x: quantitative('v'), y: nominal('t') });
    const svg = toSvg(sceneOf(sly, 400), 'a <b>', () => '#000');
    const parsed = new DOMParser().parseFromString(svg, 'image/svg+xml');
    expect(parsed.querySelector('parsererror, script')).toBeNull();
    expect(parsed.querySelector('title')?.textContent).toBe('a <b>');
  });
});

describe('scales', () => {
  it.each([
    [0, 16267, 4, [0, 5000, 10000, 15000, 20000]],
    [0, 1, 5, [0, 0.2, 0.4, 0.6, 0.8, 1]],
    [-3, 7, 5, [-4, -2, 0, 2, 4, 6, 8]],
    [5, 5, 5, [0, 1, 2, 3, 4, 5]],
    [0, 0, 5, [0, 1]],
  ])('from %d to %d in about %d steps', (from, to, about, expected) => expect(roundTicks(from, to, about)).toEqual(expected));

  it.each([
    [[3, 10], [0, 10]],
    [[90, 100], [90, 100]],
    [[-5, -2], [-5, 0]],
    [[-1, 4], [-1, 4]],
  ])('takes zero in where it belongs: %j', (values, expected) => expect(domainOf(values)).toEqual(expected));

  it('shortens names', () => expect(shorten('A very long name of a thing', 60)).toMatch(/^A very.*…$/));
});
