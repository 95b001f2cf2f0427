import { shownTitle } from '../../../../shared/film/film.ts';
import type { FrameRate } from '../../../../shared/film/filmExport.ts';
import { withBareAddresses } from '../../../../shared/gateway/bareAddress.ts';
import { sentSeedOf } from '../../../../shared/jobs/resultWords.ts';
import type { Verdict } from '../../../../shared/jobs/verdict.ts';
import { isRequestOf, KINDS } from '../../../../shared/kinds/index.ts';
import { shownName } from '../../../../shared/text/shownName.ts';
import { t } from '../../../../shared/text/texts.ts';
import type { ClipFacts } from '../../library/index.ts';
import { isReady } from '../filmShots.ts';
import type { Planned, PlannedShot } from '../plan.ts';
import { plannedSeconds } from '../preflight.ts';

/** A film as every timeline writes it. */
export interface Timeline {
  name: string;
  project: string;
  rate: FrameRate;
  /** Its timecode drops frames: most of its clips that have a timecode of their own do. */
  isDropFrame: boolean;
  width: number;
  height: number;
  items: TimelineItem[];
  /** In whole frames. */
  frames: number;
  /** Music or narration under the whole film. */
  track?: TimelineTrack;
  /** What the timeline does not hold, one sentence each. */
  leftOut: string[];
}

export interface TimelineItem {
  shotId: string;
  /** Counts from 1. */
  number: number;
  title: string;
  /** Its first frame in the film, and how many it fills. */
  at: number;
  frames: number;
  /** Absent for a gap. */
  media?: TimelineMedia;
  /** What its own sound is raised by: the loudness of the film and the level that was chosen for the shot. */
  gainDb: number;
  /** Its own sound is off. */
  isSilenced?: boolean;
  prompt: string;
  model: string;
  take?: number;
  seed?: number;
  verdict?: Verdict;
  isStale: boolean;
}

export interface TimelineMedia {
  /** The file's name alone; it is in the media folder. */
  name: string;
  kind: 'clip' | 'still';
  width: number;
  height: number;
  /** Of the file itself; of a still, the film's. */
  rate: FrameRate;
  /** Of the file itself, in its own frames; of a still, as many as it is held. */
  frames: number;
  /** Its first frame that plays, in its own frames: 0 unless the take is trimmed. */
  from: number;
  start: SourceStart;
  audio?: { channels: number; sampleRate: number };
}

/** A sound that begins with the film. */
export interface TimelineTrack {
  /** The file's name alone; it is in the media folder. */
  name: string;
  /** Hertz. */
  sampleRate: number;
  channels: number;
  /** Of the file: how long it is, and where it begins to play, in samples. */
  samples: number;
  from: number;
  /** How long it plays, and its fades within that, in frames of the film. */
  frames: number;
  fadeIn: number;
  fadeOut: number;
  /** Decibels. */
  level: number;
}

/** The timecode at a file's first frame, exactly: frames at a rate, which need not be that of its pictures. */
interface SourceStart {
  frame: number;
  rate: FrameRate;
  /** Absent where the file has no timecode; then its first frame is 0. */
  own?: TimecodeMode;
}

/** What is laid under the film, and what of it no timeline holds. */
export interface LaidSound {
  track?: TimelineTrack | undefined;
  leftOut: readonly string[];
}

/** Longer notes are cut: editing programs show them in one field. */
const MAX_NOTE = 4_000;

export function timelineOf(
  { plan, shots, leftOut }: Planned,
  { project, names, laid }: { project: string; names: ReadonlyMap<string, string>; laid?: LaidSound | undefined },
): Timeline {
  let at = 0;
  const items = shots.map((one) => {
    const item = itemOf(one, at, { rate: plan.fps, name: names.get(one.segment.shotId) });
    at += item.frames;
    return item;
  });
  return {
    name: safeText(plan.name),
    project: safeText(project),
    rate: plan.fps,
    isDropFrame: dropsFrames(items, plan.fps),
    width: plan.width,
    height: plan.height,
    items,
    frames: at,
    ...(laid?.track ? { track: laid.track } : {}),
    leftOut: [
      ...(laid?.leftOut ?? []),
      ...leftOut.map(
        (one) =>
          t`Shot ${one.number}, ${safeText(shownTitle(one.shot))}: it has no clip (planned ${plannedSeconds(one)} s).`,
      ),
      ...items.flatMap(({ number, media }) =>
        media ? [] : [t`Shot ${number} has no clip or picture, so the film has a gap.`],
      ),
    ],
  };
}

function itemOf(
  one: PlannedShot,
  at: number,
  { rate, name }: { rate: FrameRate; name: string | undefined },
): TimelineItem {
  const { segment, of } = one;
  const job = of.active?.job;
  const request = job && isRequestOf(KINDS.video, job.request) ? job.request : undefined;
  const seed = job && sentSeedOf(job);
  const media = name === undefined ? undefined : mediaOf(one, rate, name);
  return {
    shotId: segment.shotId,
    number: segment.number,
    title: safeText(segment.title),
    at,
    frames: segment.frames,
    ...soundOf(one),
    prompt: safeText(withBareAddresses(request?.prompt ?? of.shot.prompt).slice(0, MAX_NOTE)),
    model: safeText(request?.model ?? of.shot.model),
    isStale: of.staleSources.length > 0,
    ...(media ? { media } : {}),
    ...(of.active ? { take: of.active.number } : {}),
    ...(seed === undefined ? {} : { seed }),
    ...(job?.verdict ? { verdict: job.verdict } : {}),
  };
}

function soundOf({ segment, of }: PlannedShot): Pick<TimelineItem, 'gainDb' | 'isSilenced'> {
  const { isOff, level = 0 } = of.shot.ownSound ?? {};
  if (isOff) return { gainDb: 0, isSilenced: true };
  return { gainDb: segment.hasAudio ? segment.gainDb + level : 0 };
}

function mediaOf({ segment, of, still }: PlannedShot, rate: FrameRate, name: string): TimelineMedia | undefined {
  if (segment.kind === 'clip' && isReady(of)) {
    const { video, audio, timecode } = of.facts;
    const { width, height, rate: own, frames } = video;
    const start = startOf(timecode, own);
    return {
      name,
      kind: 'clip',
      width,
      height,
      rate: own,
      frames,
      from: framesIn(segment.from ?? 0, own),
      start,
      ...(audio ? { audio } : {}),
    };
  }
  if (!still) return undefined;
  const { width, height } = still.asset;
  return { name, kind: 'still', width, height, rate, frames: segment.frames, from: 0, start: { frame: 0, rate } };
}

const framesIn = (seconds: number, { num, den }: FrameRate): number => Math.round((seconds * num) / den);

/** A file that says no rate of its timecode is taken to count its pictures, slowed down as they are (29.97 is 30 × 1000/1001). */
export function startOf(timecode: ClipFacts['timecode'], pictures: FrameRate): SourceStart {
  if (!timecode) return { frame: 0, rate: pictures };
  const { frame, base, drop, rate: stated } = timecode;
  const isSlowed = pictures.den === 1_001;
  const rate = stated ?? (isSlowed ? { num: base * 1_000, den: 1_001 } : { num: base, den: 1 });
  return { frame, rate, own: { base, isDrop: drop && canDrop(rate) } };
}

function dropsFrames(items: readonly TimelineItem[], rate: FrameRate): boolean {
  const own = items.flatMap(({ media }) => media?.start.own ?? []);
  const dropping = own.filter(({ isDrop }) => isDrop).length;
  return canDrop(rate) && dropping > 0 && dropping * 2 >= own.length;
}

/** A text of a model or of a user as it may stand in a document: nothing invisible, nothing that turns what follows it, no address that opens. */
export const safeText = (text: string): string => shownName(withBareAddresses(text)).replace(/[\ufffe\uffff]/g, '');

/** Exact times: whole frames at a rate, never a float. */

/**
 * Frames as FCPXML writes time: `n/d s`, as whole seconds where that is exact (`4s`), with the rate's own denominator otherwise
 * (`1001/30000s` is one frame at 29.97).
 */
export function rationalTime(frames: number, { num, den }: FrameRate): string {
  const above = BigInt(frames) * BigInt(den);
  const below = BigInt(num);
  return above % below === 0n ? `${above / below}s` : `${above}/${below}s`;
}

/** The sum of two times, each of frames at a rate. */
export function rationalSum(
  [a, one]: [frames: number, rate: FrameRate],
  [b, other]: [frames: number, rate: FrameRate],
): string {
  if (b === 0 || (one.num === other.num && one.den === other.den)) return rationalTime(a + b, one);
  if (a === 0) return rationalTime(b, other);
  return rationalTime(a * one.den * other.num + b * other.den * one.num, { num: one.num * other.num, den: 1 });
}

/** Frames that a timecode counts in a second: 30 for 29.97. */
export const timecodeBase = ({ num, den }: FrameRate): number => Math.round(num / den);

/** How a timecode counts. */
export interface TimecodeMode {
  /** Frames in a second. */
  base: number;
  /** Skips numbers so that it keeps up with a clock; only with 30 or 60 frames in a second. */
  isDrop: boolean;
}

/** Of 29.97 and 59.94 alone: at a whole rate there is nothing to catch up with. */
export const canDrop = (rate: FrameRate): boolean => rate.den === 1_001 && timecodeBase(rate) % 30 === 0;

/** Two numbers at 30 frames a second, four at 60, at each minute but the tenth (SMPTE ST 12-1, drop-frame counting). */
const droppedOf = ({ base }: TimecodeMode): number => base / 15;

/** `01:00:00:00`, or `01:00:00;00` where frames are dropped; `frames` is what has passed since midnight. */
export function timecode(frames: number, mode: TimecodeMode): string {
  const { base, isDrop } = mode;
  const two = (value: number): string => String(value).padStart(2, '0');
  const label = labelOf(frames, mode);
  const seconds = Math.floor(label / base);
  const clock = [Math.floor(seconds / 3_600) % 24, Math.floor(seconds / 60) % 60, seconds % 60].map(two).join(':');
  return `${clock}${isDrop ? ';' : ':'}${two(label % base)}`;
}

/** The number that a frame has on a timecode, as if none had been skipped. */
export function labelOf(frames: number, mode: TimecodeMode): number {
  if (!mode.isDrop) return frames;
  const dropped = droppedOf(mode);
  const minute = 60 * mode.base - dropped;
  const tenMinutes = 10 * minute + dropped;
  const rest = frames % tenMinutes;
  const minutes = Math.max(0, Math.floor((rest - dropped) / minute));
  return frames + dropped * (9 * Math.floor(frames / tenMinutes) + minutes);
}

/** The frame that has a number; of one that is skipped, the next. */
export function frameOf(label: number, mode: TimecodeMode): number {
  if (!mode.isDrop) return label;
  const minutes = Math.floor(label / (60 * mode.base));
  const skipped = droppedOf(mode) * (minutes - Math.floor(minutes / 10));
  const isSkipped = minutes % 10 !== 0 && label % (60 * mode.base) < droppedOf(mode);
  return (isSkipped ? minutes * 60 * mode.base + droppedOf(mode) : label) - skipped;
}
