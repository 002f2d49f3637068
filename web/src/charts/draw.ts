import { barScene } from './bars';
import { lineScene, pointScene } from './plane';
import { fontSize, type Colour, type Scene, type Shape } from './scene';
import type { ChartModel } from './spec';

export const sceneOf = (model: ChartModel, width: number): Scene => {
  if (model.mark === 'bar') return barScene(model, width);
  return model.mark === 'line' ? lineScene(model, width) : pointScene(model, width);
};

export type Palette = (colour: Colour) => string;

/** The colours of the page as they are now, for pictures that leave it. */
export const pagePalette = (): Palette => {
  const style = getComputedStyle(document.documentElement);
  return (colour) => style.getPropertyValue(`--${colour}`).trim() || '#000';
};

const face = "'Source Serif 4', 'Source Serif', Georgia, serif";

const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (each) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[each] ?? each);

const rounded = (value: number): string => String(Math.round(value * 100) / 100);

const svgShape = (shape: Shape, of: Palette): string => {
  switch (shape.kind) {
    case 'line':
      return `<line x1="${rounded(shape.x1)}" y1="${rounded(shape.y1)}" x2="${rounded(shape.x2)}" y2="${rounded(shape.y2)}" stroke="${of(shape.stroke)}"/>`;
    case 'rect':
      return `<rect x="${rounded(shape.x)}" y="${rounded(shape.y)}" width="${rounded(shape.width)}" height="${rounded(shape.height)}" fill="${of(shape.fill)}"><title>${escaped(shape.note)}</title></rect>`;
    case 'path':
      return `<polyline points="${pointList(shape.points)}" fill="none" stroke="${of(shape.stroke)}" stroke-width="2" stroke-linejoin="round"/>`;
    case 'dot':
      return `<circle cx="${rounded(shape.x)}" cy="${rounded(shape.y)}" r="${shape.r}" fill="${of(shape.fill)}"${shape.isSoft ? ' fill-opacity="0.6"' : ''}><title>${escaped(shape.note)}</title></circle>`;
    case 'text':
      return `<text x="${rounded(shape.x)}" y="${rounded(shape.y)}" dy="0.35em" text-anchor="${shape.anchor}" fill="${of(shape.fill)}"${shape.isItalic ? ' font-style="italic"' : ''}>${escaped(shape.text)}</text>`;
  }
};

export const pointList = (points: [number, number][]): string => points.map(([x, y]) => `${rounded(x)},${rounded(y)}`).join(' ');

export const toSvg = (scene: Scene, title: string, of: Palette): string => {
  const shapes = scene.shapes.map((shape) => svgShape(shape, of)).join('\n');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${scene.width} ${scene.height}" width="${scene.width}" height="${scene.height}" font-family="${face}" font-size="${fontSize}">
<title>${escaped(title)}</title>
<rect width="100%" height="100%" fill="${of('paper')}"/>
${shapes}
</svg>
`;
};

const anchors = { start: 'left', middle: 'center', end: 'right' } as const;

const drawShape = (canvas: CanvasRenderingContext2D, shape: Shape, of: Palette): void => {
  canvas.beginPath();
  switch (shape.kind) {
    case 'line':
      canvas.strokeStyle = of(shape.stroke);
      canvas.lineWidth = 1;
      canvas.moveTo(shape.x1, shape.y1);
      canvas.lineTo(shape.x2, shape.y2);
      canvas.stroke();
      return;
    case 'rect':
      canvas.fillStyle = of(shape.fill);
      canvas.fillRect(shape.x, shape.y, shape.width, shape.height);
      return;
    case 'path':
      canvas.strokeStyle = of(shape.stroke);
      canvas.lineWidth = 2;
      canvas.lineJoin = 'round';
      for (const [x, y] of shape.points) canvas.lineTo(x, y);
      canvas.stroke();
      return;
    case 'dot':
      canvas.fillStyle = of(shape.fill);
      canvas.globalAlpha = shape.isSoft ? 0.6 : 1;
      canvas.arc(shape.x, shape.y, shape.r, 0, 2 * Math.PI);
      canvas.fill();
      canvas.globalAlpha = 1;
      return;
    case 'text':
      canvas.fillStyle = of(shape.fill);
      canvas.font = `${shape.isItalic ? 'italic ' : ''}${fontSize}px ${face}`;
      canvas.textAlign = anchors[shape.anchor];
      canvas.textBaseline = 'middle';
      canvas.fillText(shape.text, shape.x, shape.y);
  }
};

const pixelsPerUnit = 2;
const padding = 12;

/** Drawn straight to a canvas: making an image of an SVG is what strict content security policies forbid. */
export const toPng = (scene: Scene, of: Palette): Promise<Blob | null> => {
  const element = document.createElement('canvas');
  element.width = (scene.width + 2 * padding) * pixelsPerUnit;
  element.height = (scene.height + 2 * padding) * pixelsPerUnit;
  const canvas = element.getContext('2d');
  if (!canvas) return Promise.resolve(null);
  canvas.scale(pixelsPerUnit, pixelsPerUnit);
  canvas.fillStyle = of('paper');
  canvas.fillRect(0, 0, element.width, element.height);
  canvas.translate(padding, padding);
  for (const shape of scene.shapes) drawShape(canvas, shape, of);
  return new Promise((resolve) => element.toBlob(resolve, 'image/png'));
};
