import { type SeriesFrame, unpackFrames } from '../film/frameSeries.ts';
import type { Lab, MediaMeasures, SoundMeasures } from '../film/measures.ts';
import { deltaE2000 } from '../library/picture/colour.ts';
import { differenceOf, gridOfText } from '../library/picture/grid.ts';
import type { TriageLimits } from './limits.ts';
import { blackSpans, frozenSpans, inBlack } from './spans.ts';

/**
 * Conspicuous places of a take, by its measures and the limits. A finding only names a place to look at. Times are seconds from the start
 * of the clip; frames count from 1.
 */

export const FINDING_KINDS = ['jump', 'black', 'cut', 'frozen', 'doubled', 'silence', 'clipping'] as const;
export type FindingKind = (typeof FINDING_KINDS)[number];

export interface Finding {
  kind: FindingKind;
  at: number;
  /** The end; absent for a single moment. */
  to?: number;
  /** Its first frame; for a cut, the first after it. */
  frame?: number;
  /**
   * `jump`, `cut`: difference of the frames, 0 to 1. `black`: mean brightness. `frozen`, `doubled`: number of frames. `silence`: seconds.
   * `clipping`: the most consecutive samples.
   */
  value: number;
  /** With a cut: the motion around it. */
  around?: number;
  /** With a jump: ΔE 2000 of the mean colours. */
  colour?: number;
  /** With frozen frames: whether there is sound meanwhile. */
  isHeard?: true;
}

/** The frame that a take was to begin with: measures of a picture, or of the clip that ends with it. */
export interface StartFrame {
  measures: MediaMeasures;
  end: 'first' | 'last';
}

/** The limit of listed findings of one kind. */
const MOST_OF_A_KIND = 20;

export function findingsOf(measures: MediaMeasures, limits: TriageLimits, given?: StartFrame): Finding[] {
  const frames = measures.pictures?.series ? unpackFrames(measures.pictures.series) : [];
  const frozen = frozenSpans(frames, limits.frozen);
  const black = blackSpans(frames, limits.black);
  const found = [
    ...(given ? jumps(measures, given, limits) : []),
    ...black.map(
      ({ from, to, first, mean }): Finding => ({ kind: 'black', at: from, to, frame: first + 1, value: mean }),
    ),
    ...cuts(frames, limits),
    ...frozen
      .filter(({ first, last }) => !inBlack(frames, first, last, limits.black))
      .map(
        ({ from, to, first, repeats }): Finding => ({
          kind: 'frozen',
          at: from,
          to,
          frame: first + 1,
          value: repeats,
          ...(isHeard(measures.sound, from, to) ? { isHeard: true } : {}),
        }),
      ),
    ...doubles(frames, limits),
    ...silences(measures.sound, limits),
    ...clippings(measures.sound, limits),
  ];
  const counts = new Map<FindingKind, number>();
  return found
    .toSorted((one, other) => one.at - other.at || FINDING_KINDS.indexOf(one.kind) - FINDING_KINDS.indexOf(other.kind))
    .filter(({ kind }) => {
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
      return (counts.get(kind) ?? 0) <= MOST_OF_A_KIND;
    });
}

/** Whether half of the clip or more is black or frozen. */
export function isBroken(measures: MediaMeasures, findings: readonly Finding[]): boolean {
  const spans = findings.filter(({ kind }) => kind === 'black' || kind === 'frozen');
  const lost = spans.reduce((sum, { at, to = at }) => sum + to - at, 0);
  return measures.seconds > 0 && lost >= measures.seconds / 2;
}

/**
 * Compares the first frame with the given one, if both have the same shape: otherwise the gateway cropped or padded it in an unknown way.
 */
function jumps(measures: MediaMeasures, { measures: source, end }: StartFrame, limits: TriageLimits): Finding[] {
  if (!isSameShape(measures, source)) return [];
  const [one, other] = [source.pictures, measures.pictures];
  const from: Lab | undefined = end === 'first' ? one?.start[0]?.lab : one?.end.at(-1)?.lab;
  const to = other?.start[0]?.lab;
  if (!one || !other || !from || !to) return [];
  const value = differenceOf(gridOfText(one[end]), gridOfText(other.first));
  const colour = deltaE2000(from, to);
  if (value <= limits.jump && colour <= limits.jumpColour) return [];
  return [{ kind: 'jump', at: 0, frame: 1, value, colour }];
}

/** Within one in a hundred: gateways round to blocks of pixels. */
export function isSameShape(one: MediaMeasures, other: MediaMeasures): boolean {
  if (!one.pictures || !other.pictures) return false;
  const shapes = [one.pictures, other.pictures].map(({ width, height }) => width / height) as [number, number];
  return Math.abs(shapes[0] / shapes[1] - 1) <= 0.01;
}

/** The surroundings in which motion is measured, in seconds. */
const AROUND_S = 0.5;

/**
 * A cut differs from the frame before by more than the motion around it, and stays different, unlike a flash. A cut to or from black is a
 * fade, reported as black if it lasts.
 */
function cuts(frames: readonly SeriesFrame[], { cut, black }: TriageLimits): Finding[] {
  return frames.flatMap((frame, index): Finding[] => {
    if (frame.isFirst || frame.lasting <= cut) return [];
    if (inBlack(frames, index, index, black) || inBlack(frames, index - 1, index - 1, black)) return [];
    const around = medianOf(near(frames, index).filter((other) => other !== frame && !other.isFirst));
    if (frame.lasting <= cut + around) return [];
    return [{ kind: 'cut', at: frame.at, frame: index + 1, value: frame.lasting, around }];
  });
}

function near(frames: readonly SeriesFrame[], index: number): SeriesFrame[] {
  const at = frames[index]?.at ?? 0;
  let [from, to] = [index, index];
  while (frames[from - 1] && at - (frames[from - 1]?.at ?? 0) <= AROUND_S) from -= 1;
  while (frames[to + 1] && (frames[to + 1]?.at ?? 0) - at <= AROUND_S) to += 1;
  return frames.slice(from, to + 1);
}

function medianOf(frames: readonly SeriesFrame[]): number {
  const sorted = frames.map(({ change }) => change).toSorted((one, other) => one - other);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
}

/** A repeated frame is visible only in motion: this much from one new frame to the next, within half a second. */
const MOVES = 0.0005;

/** Repeated frames, too few in a row to be frozen, that reach the limit within a second. */
function doubles(frames: readonly SeriesFrame[], { doubled, frozen, black }: TriageLimits): Finding[] {
  const repeated = frames.flatMap(({ repeats, at }, index) => {
    if (repeats === 0 || rowOf(frames, index) >= frozen || inBlack(frames, index, index, black)) return [];
    const around = near(frames, index).filter((frame) => frame.repeats === 0 && !frame.isFirst);
    return medianOf(around) >= MOVES ? [{ at, index }] : [];
  });
  const spans: { first: number; last: number }[] = [];
  for (const [nth, { at }] of repeated.entries()) {
    const last = repeated.findLastIndex((other) => other.at - at < 1);
    if (last - nth + 1 < doubled) continue;
    const open = spans.at(-1);
    if (open && nth <= open.last) open.last = Math.max(open.last, last);
    else spans.push({ first: nth, last });
  }
  return spans.flatMap(({ first, last }): Finding[] => {
    const [one, other] = [repeated[first], repeated[last]];
    if (!one || !other) return [];
    return [{ kind: 'doubled', at: one.at, to: other.at, frame: one.index + 1, value: last - first + 1 }];
  });
}

/** The number of consecutive repetitions around a frame. */
function rowOf(frames: readonly SeriesFrame[], index: number): number {
  let last = index;
  while ((frames[last + 1]?.repeats ?? 0) > (frames[last]?.repeats ?? 0)) last += 1;
  return frames[last]?.repeats ?? 0;
}

function silences(sound: SoundMeasures | undefined, { silence }: TriageLimits): Finding[] {
  return (sound?.silent ?? []).flatMap(([from, to]): Finding[] =>
    // Times have a precision of a tenth of a millisecond.
    to - from >= silence - 1e-4 ? [{ kind: 'silence', at: from, to, value: to - from }] : [],
  );
}

/** Clippings within this many seconds are one finding. */
const SAME_PLACE_S = 0.5;

function clippings(sound: SoundMeasures | undefined, { clipping }: TriageLimits): Finding[] {
  const places: Finding[] = [];
  for (const [at, samples] of sound?.clipped ?? []) {
    if (samples < clipping) continue;
    const open = places.at(-1);
    if (!open || at - (open.to ?? open.at) > SAME_PLACE_S) places.push({ kind: 'clipping', at, value: samples });
    else {
      open.to = at;
      open.value = Math.max(open.value, samples);
    }
  }
  return places;
}

const isHeard = (sound: SoundMeasures | undefined, from: number, to: number): boolean =>
  sound !== undefined && !sound.silent.some(([start, end]) => start <= from && end >= to);
