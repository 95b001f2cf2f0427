import { create } from 'zustand';
import { type SeamLimits, seamLimitsOf } from '../../../../shared/film/continuityLimits.ts';
import {
  EDGE_S,
  type FrameMeasure,
  type MeasuredFile,
  type MediaMeasures,
  MOMENTARY_STEP_S,
} from '../../../../shared/film/measures.ts';
import { isAudible } from '../../../../shared/film/sound/levels.ts';
import { deltaE2000 } from '../../../../shared/library/picture/colour.ts';
import { differenceOf, gridOfText } from '../../../../shared/library/picture/grid.ts';
import { t } from '../../../../shared/text/texts.ts';
import { useSharedParts } from '../../../app/index.ts';
import { useMeasures } from '../../../media/useMeasures.ts';
import { formatStep } from '../../../ui/index.ts';
import type { ShotView, TakeView } from '../model/view.ts';
import type { BoardHandle } from '../useBoard.ts';

export type SeamMeasureName = keyof SeamLimits;

export const NAMES: Record<SeamMeasureName, string> = { frames: t`Frames`, colour: t`Colour`, sound: t`Sound` };

/** A step in its unit: `0.31`, `ΔE 4.2`, `−0.4 LU`. */
export const FIGURES: Record<SeamMeasureName, (value: number) => string> = {
  frames: (value) => value.toFixed(2),
  colour: (value) => t`ΔE ${value.toFixed(1)}`,
  sound: (value) => formatStep(value, 'LU'),
};

/** Names of findings for screen readers. */
export const SPOKEN = { level: t`Matches`, step: t`Jump`, none: '' } as const;

/** One measure of a link. */
export interface SeamMeasure {
  /** `level` is continuous, `step` jumps, `none` is not measured. */
  finding: 'level' | 'step' | 'none';
  /** The difference from the last frame (or window) of the first clip to the first of the second; for sound with a sign. */
  value: number;
  /** The size of normal differences between frames nearby. */
  around: number;
  /** A value above this is a jump: the limit plus the motion nearby. */
  above: number;
  /** Why it is not measured. */
  why?: string;
}

export interface Seam extends Record<SeamMeasureName, SeamMeasure> {
  /** LUFS of the last 400 ms before and the first 400 ms after the link. */
  soundStep: { from: number; to: number } | undefined;
}

/** The measures of one side, or why there are none. */
export type SeamSide = { measures: MediaMeasures } | { why: string };

const MEDIAN = (values: readonly number[]): number => {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
};

const notMeasured = (why: string): SeamMeasure => ({ finding: 'none', value: 0, around: 0, above: 0, why });

/**
 * Compares the step at a link with the motion around it: it is a jump if it exceeds, by more than the limit, the frame-to-frame motion of
 * the livelier side.
 */
export function seamOf(before: SeamSide, after: SeamSide, limits: SeamLimits): Seam {
  if ('why' in before || 'why' in after) {
    const none = notMeasured('why' in before ? before.why : 'why' in after ? after.why : '');
    return { frames: none, colour: none, sound: none, soundStep: undefined };
  }
  return {
    ...picturesOf(before.measures, after.measures, limits),
    ...soundOf(before.measures, after.measures, limits.sound),
  };
}

function picturesOf(before: MediaMeasures, after: MediaMeasures, limits: SeamLimits) {
  const { pictures: one } = before;
  const { pictures: other } = after;
  const from = one?.end.at(-1)?.lab;
  const to = other?.start[0]?.lab;
  if (!one || !other || !from || !to) {
    const none = notMeasured(t`No picture yet`);
    return { frames: none, colour: none };
  }
  const frames = differenceOf(gridOfText(one.last), gridOfText(other.first));
  const motion = Math.max(MEDIAN(changesOf(one.end)), MEDIAN(changesOf(other.start)));
  const drift = Math.max(MEDIAN(colourSteps(one.end)), MEDIAN(colourSteps(other.start)));
  return {
    frames: judged(frames, motion, limits.frames),
    colour: judged(deltaE2000(from, to), drift, limits.colour),
  };
}

function judged(value: number, around: number, limit: number): SeamMeasure {
  const above = around + limit;
  return { finding: Math.abs(value) > above ? 'step' : 'level', value, around, above };
}

const changesOf = (frames: readonly FrameMeasure[]): number[] => frames.flatMap(({ change }) => change ?? []);

const colourSteps = (frames: readonly FrameMeasure[]): number[] =>
  frames.slice(1).map(({ lab }, index) => deltaE2000(frames[index]?.lab ?? lab, lab));

function soundOf(before: MediaMeasures, after: MediaMeasures, limit: number): Pick<Seam, 'sound' | 'soundStep'> {
  const silent = (why: string) => ({ sound: notMeasured(why), soundStep: undefined });
  for (const { soundFault } of [before, after]) if (soundFault) return silent(soundFault);
  const first = before.sound?.momentary ?? [];
  const second = after.sound?.momentary ?? [];
  const from = first.at(-1);
  const to = second[0];
  if (!isAudible(from) || !isAudible(to)) return silent(SILENT);
  const around = Math.max(MEDIAN(levelSteps(first.slice(-WINDOWS))), MEDIAN(levelSteps(second.slice(0, WINDOWS))));
  return { sound: judged(to - from, around, limit), soundStep: { from, to } };
}

export const SILENT = t`Silent at the link.`;

/** Windows of loudness in a second. */
const WINDOWS = EDGE_S / MOMENTARY_STEP_S;

const levelSteps = (levels: readonly (number | null)[]): number[] =>
  levels.slice(1).flatMap((level, index) => {
    const before = levels[index];
    return level === null || before === null || before === undefined ? [] : [Math.abs(level - before)];
  });

export type Verdict = 'meets' | 'jumps' | 'meant' | 'not measured';

/** A cut is measured but never flagged. */
export function verdictOf(seam: Seam, isCut: boolean): Verdict {
  const findings = [seam.frames, seam.colour, seam.sound].map(({ finding }) => finding);
  if (seam.frames.finding === 'none') return 'not measured';
  if (isCut) return 'meant';
  return findings.includes('step') ? 'jumps' : 'meets';
}

/** How the two frames at a link are shown. */
export type SeamMode = 'pair' | 'wipe' | 'difference' | 'flicker';

/** The view of the continuity check. */
export const useSeamView = create<{ mode: SeamMode }>()(() => ({ mode: 'pair' }));

/** One link of the film, measured. */
export interface SeamView {
  before: ShotView;
  after: ShotView;
  sides: readonly [SeamSide, SeamSide];
  seam: Seam;
  verdict: Verdict;
}

/** Every link between shots of the film. */
export function useSeams({ shots, board }: Pick<BoardHandle, 'shots' | 'board'>): SeamView[] {
  const limits = seamLimitsOf(board);
  const played = shots.filter(({ shot }) => !shot.skipped);
  const files = useMeasures(played.flatMap(({ active }) => active?.clip?.sha256 ?? []));
  const seams = played.slice(1).map((after, index): SeamView => {
    const before = played[index] ?? after;
    const sides = [
      sideOf(before, before.active, { files, at: 'out' }),
      sideOf(after, after.active, { files, at: 'in' }),
    ] as const;
    const seam = seamOf(sides[0], sides[1], limits);
    return { before, after, sides, seam, verdict: verdictOf(seam, after.link?.kind === 'cut') };
  });
  return useSharedParts(seams);
}

/** The measures of the clip selected for a shot, or why there are none. */
export function sideOf(
  { number }: Pick<ShotView, 'number'>,
  take: TakeView | undefined,
  { files, at }: { files: ReadonlyMap<string, MeasuredFile>; at: 'in' | 'out' },
): SeamSide {
  const clip = take?.clip;
  if (!clip) return { why: t`Make a take of shot ${number} to measure this link.` };
  const file = files.get(clip.sha256);
  if (clip.state !== 'local' || file?.state === 'missing')
    return { why: t`The take of shot ${number} is not on this disk.` };
  // Only a clip's own ends are measured.
  if (take.trim?.[`${at}Ms`] !== undefined) return { why: t`The take of shot ${number} is trimmed here.` };
  if (file?.state === 'measured') return { measures: file.measures };
  return { why: file?.state === 'failed' ? file.message : t`Shot ${number} is being measured.` };
}

/** The link that begins the selected shot; for the first shot, the one that ends it. */
export const seamOfShot = (seams: readonly SeamView[], { shot }: Pick<ShotView, 'shot'>): SeamView | undefined =>
  seams.find(({ after }) => after.shot.id === shot.id) ??
  seams.find(({ before }) => before.shot.id === shot.id) ??
  seams[0];
