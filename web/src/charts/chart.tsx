import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import { fileName, saveFile, saveText } from '../lib/download';
import { TextButton } from '../ui/button';
import { pagePalette, pointList, sceneOf, toPng, toSvg } from './draw';
import { fontSize, type Colour, type Shape } from './scene';
import { describe, type ChartModel } from './spec';

const colour = (name: Colour): string => `var(--${name})`;

const Drawn = ({ shape }: { shape: Shape }) => {
  switch (shape.kind) {
    case 'line':
      return <line x1={shape.x1} y1={shape.y1} x2={shape.x2} y2={shape.y2} stroke={colour(shape.stroke)} />;
    case 'rect':
      return (
        <rect x={shape.x} y={shape.y} width={shape.width} height={shape.height} fill={colour(shape.fill)}>
          <title>{shape.note}</title>
        </rect>
      );
    case 'path':
      return <polyline points={pointList(shape.points)} fill="none" stroke={colour(shape.stroke)} strokeWidth="2" strokeLinejoin="round" />;
    case 'dot':
      return (
        <circle cx={shape.x} cy={shape.y} r={shape.r} fill={colour(shape.fill)} fillOpacity={shape.isSoft ? 0.6 : 1}>
          <title>{shape.note}</title>
        </circle>
      );
    case 'text':
      return (
        <text x={shape.x} y={shape.y} dy="0.35em" textAnchor={shape.anchor} fill={colour(shape.fill)} fontStyle={shape.isItalic ? 'italic' : undefined}>
          {shape.text}
        </text>
      );
  }
};

const widthMin = 280;
const exportWidth = 720;

/** The chart of an answer, as wide as its place. */
const Chart = ({ model, title }: { model: ChartModel; title: string }) => {
  const frame = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(640);
  // Before anything is painted, so that no chart is seen wider than the page.
  useLayoutEffect(() => {
    const element = frame.current;
    if (!element || typeof ResizeObserver === 'undefined') return;
    const fit = (room: number) => room > 0 && setWidth(Math.max(widthMin, Math.round(room)));
    fit(element.clientWidth);
    const observer = new ResizeObserver(([entry]) => entry && fit(entry.contentRect.width));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const scene = useMemo(() => sceneOf(model, width), [model, width]);
  const saveSvg = () => saveText(fileName(title, 'svg'), toSvg(sceneOf(model, exportWidth), title, pagePalette()), 'image/svg+xml');
  const savePng = async () => {
    const picture = await toPng(sceneOf(model, exportWidth), pagePalette());
    if (picture) saveFile(fileName(title, 'png'), picture);
  };
  return (
    <div>
      <div ref={frame} className="overflow-x-auto pt-2" tabIndex={0} role="group" aria-label="Chart">
        <svg
          role="img"
          aria-label={describe(model)}
          viewBox={`0 0 ${scene.width} ${scene.height}`}
          width={scene.width}
          height={scene.height}
          fontSize={fontSize}
          className="tabular-nums"
        >
          {scene.shapes.map((shape, at) => (
            <Drawn key={at} shape={shape} />
          ))}
        </svg>
      </div>
      <p className="flex gap-4 pt-1 text-[0.9375rem] text-ink-3">
        <span>Save as</span>
        <TextButton onClick={() => void savePng()}>PNG</TextButton>
        <TextButton onClick={saveSvg}>SVG</TextButton>
      </p>
    </div>
  );
};

export default Chart;
