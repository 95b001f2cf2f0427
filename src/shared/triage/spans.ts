import type { SeriesFrame } from '../film/frameSeries.ts';

/** Consecutive frames with something in common, by their indexes. */
interface Span {
  first: number;
  last: number;
  /** In seconds; the end is that of the last frame. */
  from: number;
  to: number;
}

/** No cell of a black frame is brighter: a night with one lamp is not black. FFmpeg's `blackdetect` allows a pixel this much by default. */
const DARK = 0.1;

/** Seconds of black that a clip may begin and end with, as in fades. */
const EDGE_BLACK_S = 1;

const isBlack = ({ light, peak }: SeriesFrame, limit: number): boolean => light < limit && peak <= DARK;

export const inBlack = (frames: readonly SeriesFrame[], first: number, last: number, limit: number): boolean =>
  frames.slice(first, last + 1).every((frame) => isBlack(frame, limit));

/** Black frames except fades at either end: any inside, and longer ones at an end. */
export function blackSpans(frames: readonly SeriesFrame[], limit: number): (Span & { mean: number })[] {
  return rowsOf(frames, (frame) => isBlack(frame, limit))
    .filter(({ first, last, from, to }) => {
      const isAtEnd = first === 0 || last === frames.length - 1;
      return !isAtEnd || to - from > EDGE_BLACK_S;
    })
    .map((span) => {
      const light = frames.slice(span.first, span.last + 1).reduce((sum, frame) => sum + frame.light, 0);
      return { ...span, mean: light / (span.last - span.first + 1) };
    });
}

/** An encoder's refresh of a still picture changes it by no more than this, for so many frames. */
const REFRESH = 0.01;
const REFRESH_FRAMES = 3;

/** Frozen frames: at least `limit` repetitions of a picture. `first` is the first repetition. */
export function frozenSpans(frames: readonly SeriesFrame[], limit: number): (Span & { repeats: number })[] {
  const rows = rowsOf(frames, ({ repeats }) => repeats > 0).filter(({ first, last }) => last - first + 1 >= limit);
  const spans: (Span & { repeats: number })[] = [];
  for (const row of rows) {
    const open = spans.at(-1);
    const between = open ? frames.slice(open.last + 1, row.first) : [];
    const isRefresh = between.every(({ change, isFirst }) => change <= REFRESH && !isFirst);
    if (open && between.length <= REFRESH_FRAMES && isRefresh && !frames[row.first]?.isFirst) {
      open.last = row.last;
      open.to = row.to;
      open.repeats += between.length + row.last - row.first + 1;
    } else spans.push({ ...row, repeats: row.last - row.first + 1 });
  }
  return spans;
}

/** Runs of frames with a property; a new piece begins a new run. */
function rowsOf(frames: readonly SeriesFrame[], holds: (frame: SeriesFrame) => boolean): Span[] {
  const rows: Span[] = [];
  frames.forEach((frame, index) => {
    if (!holds(frame)) return;
    const open = rows.at(-1);
    const to = endOf(frames, index);
    if (open && open.last === index - 1 && !frame.isFirst) {
      open.last = index;
      open.to = to;
    } else rows.push({ first: index, last: index, from: frame.at, to });
  });
  return rows;
}

/** The end of a frame: the start of the next, else as long as the one before it. */
function endOf(frames: readonly SeriesFrame[], index: number): number {
  const [before, frame, next] = [frames[index - 1], frames[index], frames[index + 1]];
  const at = frame?.at ?? 0;
  if (next && !next.isFirst) return next.at;
  return at + (before && !frame?.isFirst ? at - before.at : 0);
}
