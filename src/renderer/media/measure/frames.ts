import type { VideoSample } from 'mediabunny';
import { EDGE_S, type FrameMeasure, GRID_SIDE } from '../../../shared/measures.ts';
import { CELL_PIXELS, differenceOf, type Grid, gridOf, meanLab } from './grid.ts';

/** The schema takes no more of an edge; only a clip of more than 120 frames a second has more. */
const EDGE_FRAMES = 130;

/** The frames of a piece of a clip: each one measured, and the cells of the outermost two. */
export interface MeasuredFrames {
  frames: FrameMeasure[];
  first: Grid;
  last: Grid;
}

/** Measures frames in order. */
export async function measureFrames(samples: AsyncIterable<VideoSample>): Promise<MeasuredFrames | undefined> {
  const read = gridReader();
  const frames: FrameMeasure[] = [];
  let first: Grid | undefined;
  let last: Grid | undefined;
  for await (const sample of samples) {
    try {
      const grid = read(sample);
      const [l, a, b] = meanLab(grid);
      frames.push({
        at: Math.max(0, rounded(sample.timestamp)),
        lab: [rounded(l), rounded(a), rounded(b)],
        change: last ? Math.round(differenceOf(last, grid) * 1e5) / 1e5 : null,
      });
      first ??= grid;
      last = grid;
    } finally {
      sample.close();
    }
  }
  return first && last && { frames, first, last };
}

export const startOf = (frames: readonly FrameMeasure[]): FrameMeasure[] => frames.slice(0, EDGE_FRAMES);

/** What lies in the last second before `end`, without the frame that only the first change was measured against. */
export function endOf(frames: readonly FrameMeasure[], end: number): FrameMeasure[] {
  const inEdge = frames.filter(({ at }) => at >= end - EDGE_S - 1e-6);
  return (inEdge.length > 0 ? inEdge : frames.slice(-1)).slice(-EDGE_FRAMES);
}

const rounded = (value: number): number => Math.round(value * 1_000) / 1_000;

function gridReader(): (sample: VideoSample) => Grid {
  const side = GRID_SIDE * CELL_PIXELS;
  const context = new OffscreenCanvas(side, side).getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('This browser cannot draw pictures.');
  context.imageSmoothingQuality = 'high';
  return (sample) => {
    sample.draw(context, 0, 0, side, side);
    return gridOf(context.getImageData(0, 0, side, side).data);
  };
}
