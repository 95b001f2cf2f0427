import type { VideoSample } from 'mediabunny';
import type { SeriesFrame } from '../../../shared/film/frameSeries.ts';
import { EDGE_S, type FrameMeasure, GRID_SIDE } from '../../../shared/film/measures.ts';
import {
  brightnessOf,
  CELL_PIXELS,
  differenceOf,
  type Grid,
  gridOf,
  meanLab,
} from '../../../shared/library/picture/grid.ts';
import { Repetitions } from './alike.ts';

/** The schema's limit per edge, exceeded only above 120 frames per second. */
const EDGE_FRAMES = 130;

/** The measured frames of a piece of a clip, and the cells of its first and last frame. */
export interface MeasuredFrames {
  frames: FrameMeasure[];
  series: SeriesFrame[];
  first: Grid;
  last: Grid;
}

/** A change is lasting if none of this many frames before it is like one of this many after it: a flash ends as it began. */
const LASTING_FRAMES = 4;

/** Measures the frames of a piece in order. */
export async function measureFrames(samples: AsyncIterable<VideoSample>): Promise<MeasuredFrames | undefined> {
  const read = pixelReader();
  const repetitions = new Repetitions();
  const frames: FrameMeasure[] = [];
  const grids: Grid[] = [];
  const repeats: number[] = [];
  for await (const sample of samples) {
    try {
      const pixels = read(sample);
      const grid = gridOf(pixels);
      const before = grids.at(-1);
      const [l, a, b] = meanLab(grid);
      frames.push({
        at: Math.max(0, rounded(sample.timestamp)),
        lab: [rounded(l), rounded(a), rounded(b)],
        change: before ? Math.round(differenceOf(before, grid) * 1e5) / 1e5 : null,
      });
      grids.push(grid);
      repeats.push(repetitions.next(pixels));
    } finally {
      sample.close();
    }
  }
  const [first, last] = [grids[0], grids.at(-1)];
  return first && last && { frames, series: seriesOf(frames, grids, repeats), first, last };
}

function seriesOf(frames: readonly FrameMeasure[], grids: readonly Grid[], repeats: readonly number[]): SeriesFrame[] {
  return frames.map(({ at, change }, index) => {
    const grid = grids[index];
    const { mean, brightest } = grid ? brightnessOf(grid) : { mean: 0, brightest: 0 };
    return {
      at,
      light: mean,
      peak: brightest,
      change: change ?? 0,
      lasting: lastingAt(grids, index),
      repeats: repeats[index] ?? 0,
      isFirst: index === 0,
    };
  });
}

function lastingAt(grids: readonly Grid[], index: number): number {
  if (index === 0) return 0;
  const before = grids.slice(Math.max(0, index - LASTING_FRAMES), index);
  const behind = grids.slice(index, index + LASTING_FRAMES);
  return Math.min(...before.flatMap((one) => behind.map((other) => differenceOf(one, other))));
}

/** The frames of the first second after `start`. */
export const startOf = (frames: readonly FrameMeasure[], start: number): FrameMeasure[] =>
  frames.filter(({ at }) => at < start + EDGE_S - 1e-6).slice(0, EDGE_FRAMES);

/** The frames of the last second before `end`. */
export function endOf(frames: readonly FrameMeasure[], end: number): FrameMeasure[] {
  const inEdge = frames.filter(({ at }) => at >= end - EDGE_S - 1e-6);
  return (inEdge.length > 0 ? inEdge : frames.slice(-1)).slice(-EDGE_FRAMES);
}

const rounded = (value: number): number => Math.round(value * 10_000) / 10_000;

function pixelReader(): (sample: VideoSample) => Uint8ClampedArray {
  const side = GRID_SIDE * CELL_PIXELS;
  const context = new OffscreenCanvas(side, side).getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('This browser cannot draw pictures.');
  context.imageSmoothingQuality = 'high';
  return (sample) => {
    sample.draw(context, 0, 0, side, side);
    return context.getImageData(0, 0, side, side).data;
  };
}
