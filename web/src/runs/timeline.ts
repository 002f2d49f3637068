import type { RunNode } from '../api/types';

export interface Bar {
  node: RunNode;
  /** Both in per cent of the whole. */
  left: number;
  width: number;
}

const barMin = 0.4;

/** Where the nodes of a run lie on a line from its start to its end. */
export const layOutBars = (nodes: readonly RunNode[], totalMs: number): Bar[] => {
  const whole = Math.max(totalMs, ...nodes.map((node) => node.start_ms + node.duration_ms), 1e-6);
  return nodes.map((node) => {
    const left = Math.min(100 - barMin, (node.start_ms / whole) * 100);
    const width = Math.min(100 - left, Math.max(barMin, (node.duration_ms / whole) * 100));
    return { node, left, width };
  });
};
