import { type SeriesFrame, unpackFrames } from '../../../../shared/frameSeries.ts';
import type { MediaMeasures, SoundMeasures } from '../../../../shared/measures.ts';
import type { TriageLimits } from '../../../../shared/triage/limits.ts';

/** Geometry of the four lanes of a take. All share one axis, the whole clip, 1000 wide; a lane is 52 high. */

export const LANE_WIDTH = 1_000;
export const LANE_HEIGHT = 52;
const BASE = LANE_HEIGHT - 2;
const TOP = 4;

export const xOf = (at: number, seconds: number): number => (seconds > 0 ? (at / seconds) * LANE_WIDTH : 0);

/** Nothing is drawn across what was not looked at. */
const pieces = (frames: readonly SeriesFrame[]): SeriesFrame[][] => {
  const all: SeriesFrame[][] = [];
  for (const frame of frames) {
    const open = all.at(-1);
    if (frame.isFirst || !open) all.push([frame]);
    else open.push(frame);
  }
  return all;
};

const y = (part: number): number => BASE - Math.min(1, Math.max(0, part)) * (BASE - TOP);

export interface Bar {
  x: number;
  width: number;
  y: number;
  height: number;
  isBeyond: boolean;
}

export interface Lanes {
  /** One path for each piece that was looked at. */
  light: { paths: string[]; limitY: number; from: number; to: number };
  change: { bars: Bar[]; limitY: number; highest: { at: number; value: number } };
  alike: { path: string; longest: { at: number; frames: number } };
  sound: { path: string } | undefined;
}

export function lanesOf(measures: MediaMeasures, limits: TriageLimits): Lanes | undefined {
  const series = measures.pictures?.series;
  if (!series) return undefined;
  const frames = unpackFrames(series);
  const { seconds } = measures;
  return {
    light: lightLane(frames, seconds, limits.black),
    change: changeLane(frames, seconds, limits.cut),
    alike: alikeLane(frames, seconds, limits.frozen),
    sound: measures.sound && { path: wave(measures.sound) },
  };
}

function lightLane(frames: readonly SeriesFrame[], seconds: number, limit: number): Lanes['light'] {
  const values = frames.map(({ light }) => light);
  return {
    paths: pieces(frames).map((piece) =>
      piece
        .map(
          ({ at, light }, index) => `${index === 0 ? 'M' : 'L'}${xOf(at, seconds).toFixed(1)} ${y(light).toFixed(1)}`,
        )
        .join(''),
    ),
    limitY: y(limit),
    from: Math.min(...values),
    to: Math.max(...values),
  };
}

/** No more bars than can be told apart: of frames that share one the highest is drawn. */
const MOST_BARS = 250;

function changeLane(frames: readonly SeriesFrame[], seconds: number, limit: number): Lanes['change'] {
  const steps = frames.filter(({ isFirst }) => !isFirst);
  const highest = steps.reduce((most, { at, lasting }) => (lasting > most.value ? { at, value: lasting } : most), {
    at: 0,
    value: 0,
  });
  // Half of the scale lies above the limit, so that a step that is beyond it is seen to be.
  const full = Math.max(limit * 2, highest.value, 0.02);
  const share = Math.ceil(steps.length / MOST_BARS) || 1;
  const width = Math.max(1.5, (LANE_WIDTH / Math.max(1, Math.ceil(steps.length / share))) * 0.75);
  const bars = Array.from({ length: Math.ceil(steps.length / share) }, (_, index): Bar => {
    const group = steps.slice(index * share, (index + 1) * share);
    const most = group.reduce((one, other) => (other.change > one.change ? other : one), group[0] ?? NO_FRAME);
    const top = y(root(most.change / full));
    const height = Math.max(0.8, BASE - top);
    return {
      x: xOf(most.at, seconds),
      width,
      y: BASE - height,
      height,
      isBeyond: most.lasting > limit || most.repeats > 0,
    };
  });
  return { bars, limitY: y(root(limit / full)), highest };
}

/** Drawn by its root, so that the motion of a calm clip is still seen beside a cut. */
const root = (part: number): number => Math.sqrt(Math.max(0, part));

const NO_FRAME: SeriesFrame = { at: 0, light: 0, peak: 0, change: 0, lasting: 0, repeats: 0, isFirst: true };

/** A repeated frame is a stroke: a tall one in a row that stands, a short one alone. */
function alikeLane(frames: readonly SeriesFrame[], seconds: number, limit: number): Lanes['alike'] {
  const longest = { at: 0, frames: 0 };
  let path = '';
  frames.forEach(({ at, repeats }, index) => {
    if (repeats === 0) return;
    if (repeats > longest.frames) {
      longest.frames = repeats;
      longest.at = frames[index - repeats + 1]?.at ?? at;
    }
    let row = repeats;
    for (let next = index + 1; (frames[next]?.repeats ?? 0) > row; next++) row = frames[next]?.repeats ?? row;
    path += `M${xOf(at, seconds).toFixed(1)} ${row >= limit ? 8 : 34}V46`;
  });
  return { path, longest };
}

function wave({ wave: peaks }: SoundMeasures): string {
  const step = LANE_WIDTH / Math.max(1, peaks.length);
  return peaks
    .map((peak, index) => {
      const half = Math.max(0.5, (peak / 255) * (LANE_HEIGHT / 2 - TOP));
      return `M${((index + 0.5) * step).toFixed(1)} ${(LANE_HEIGHT / 2 - half).toFixed(1)}v${(half * 2).toFixed(1)}`;
    })
    .join('');
}
