import { shownTitle } from '../../../../shared/film/film.ts';
import type { FrameRate } from '../../../../shared/film/filmExport.ts';
import { withBareAddresses } from '../../../../shared/gateway/bareAddress.ts';
import { sentSeedOf } from '../../../../shared/jobs/resultWords.ts';
import type { Verdict } from '../../../../shared/jobs/verdict.ts';
import { isRequestOf, KINDS } from '../../../../shared/kinds/index.ts';
import { safeName } from '../../../../shared/text/safeText.ts';
import { t } from '../../../../shared/text/texts.ts';
import type { ClipFacts } from '../../library/index.ts';
import { isReady } from '../filmShots.ts';
import type { Planned, PlannedShot } from '../plan.ts';
import { plannedSeconds } from '../preflight.ts';

/** A film as input of every timeline format. */
export interface Timeline {
  name: string;
  project: string;
  rate: FrameRate;
  /** Drop-frame timecode, if most of its clips with a timecode use it. */
  isDropFrame: boolean;
  width: number;
  height: number;
  items: TimelineItem[];
  frames: number;
  /** Music or narration under the whole film. */
  track?: TimelineTrack;
  /** Features that the timeline cannot express, one sentence each. */
  leftOut: string[];
}

export interface TimelineItem {
  shotId: string;
  number: number;
  title: string;
  /** Its first frame in the film, and its length. */
  at: number;
  frames: number;
  media?: TimelineMedia;
  /** The gain of its own sound: levelling and the level chosen for the shot. */
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
  /** Within the media folder. */
  name: string;
  kind: 'clip' | 'still';
  width: number;
  height: number;
  /** Of the file; for a still, the film's. */
  rate: FrameRate;
  /** Of the file, in its own frames; for a still, its duration. */
  frames: number;
  /** The first frame that plays, in its own frames: 0 unless trimmed. */
  from: number;
  start: SourceStart;
  audio?: { channels: number; sampleRate: number };
}

export interface TimelineTrack {
  /** Within the media folder. */
  name: string;
  sampleRate: number;
  channels: number;
  /** Of the file: its length and the start of the used part, in samples. */
  samples: number;
  from: number;
  /** Its length and fades, in frames of the film. */
  frames: number;
  fadeIn: number;
  fadeOut: number;
  level: number;
}

/** The exact timecode of a file's first frame: frames at a rate, which may differ from the pictures'. */
interface SourceStart {
  frame: number;
  rate: FrameRate;
  /** Absent without a timecode; the first frame is then 0. */
  own?: TimecodeMode;
}

/** The track, and what of it timelines cannot express. */
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

/** Without a stated rate, a timecode counts the pictures, at their slowed rate (29.97 is 30 × 1000/1001). */
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

/** A text of a model or user for a document: nothing invisible or bidirectional, bare addresses. */
export const safeText = (text: string): string => safeName(withBareAddresses(text)).replace(/[\ufffe\uffff]/g, '');

/** Exact times: whole frames at a rate, no floats. */

/** FCPXML time, `n/d s`: whole seconds if exact (`4s`), else with the rate's denominator (`1001/30000s` is one frame at 29.97). */
export function rationalTime(frames: number, { num, den }: FrameRate): string {
  const above = BigInt(frames) * BigInt(den);
  const below = BigInt(num);
  return above % below === 0n ? `${above / below}s` : `${above}/${below}s`;
}

/** The sum of two times, each in frames at a rate. */
export function rationalSum(
  [a, one]: [frames: number, rate: FrameRate],
  [b, other]: [frames: number, rate: FrameRate],
): string {
  if (b === 0 || (one.num === other.num && one.den === other.den)) return rationalTime(a + b, one);
  if (a === 0) return rationalTime(b, other);
  return rationalTime(a * one.den * other.num + b * other.den * one.num, { num: one.num * other.num, den: 1 });
}

/** Frames that a timecode counts per second: 30 for 29.97. */
export const timecodeBase = ({ num, den }: FrameRate): number => Math.round(num / den);

/** How a timecode counts. */
export interface TimecodeMode {
  base: number;
  /** Skips numbers to keep up with a clock; only with 30 or 60 frames a second. */
  isDrop: boolean;
}

/** Only 29.97 and 59.94 lag behind a clock. */
export const canDrop = (rate: FrameRate): boolean => rate.den === 1_001 && timecodeBase(rate) % 30 === 0;

/** Two numbers at 30 frames a second, four at 60, in each minute but the tenth (SMPTE ST 12-1, drop-frame counting). */
const droppedOf = ({ base }: TimecodeMode): number => base / 15;

/** `01:00:00:00`, or `01:00:00;00` for drop-frame; `frames` since midnight. */
export function timecode(frames: number, mode: TimecodeMode): string {
  const { base, isDrop } = mode;
  const two = (value: number): string => String(value).padStart(2, '0');
  const label = labelOf(frames, mode);
  const seconds = Math.floor(label / base);
  const clock = [Math.floor(seconds / 3_600) % 24, Math.floor(seconds / 60) % 60, seconds % 60].map(two).join(':');
  return `${clock}${isDrop ? ';' : ':'}${two(label % base)}`;
}

/** The number of a frame as if none had been skipped. */
export function labelOf(frames: number, mode: TimecodeMode): number {
  if (!mode.isDrop) return frames;
  const dropped = droppedOf(mode);
  const minute = 60 * mode.base - dropped;
  const tenMinutes = 10 * minute + dropped;
  const rest = frames % tenMinutes;
  const minutes = Math.max(0, Math.floor((rest - dropped) / minute));
  return frames + dropped * (9 * Math.floor(frames / tenMinutes) + minutes);
}

/** The frame with a number; for a skipped number, the next. */
export function frameOf(label: number, mode: TimecodeMode): number {
  if (!mode.isDrop) return label;
  const minutes = Math.floor(label / (60 * mode.base));
  const skipped = droppedOf(mode) * (minutes - Math.floor(minutes / 10));
  const isSkipped = minutes % 10 !== 0 && label % (60 * mode.base) < droppedOf(mode);
  return (isSkipped ? minutes * 60 * mode.base + droppedOf(mode) : label) - skipped;
}
