import { shownTitle } from '../../../../shared/film.ts';
import type { FrameRate } from '../../../../shared/filmExport.ts';
import { isRequestOf, KINDS } from '../../../../shared/kinds/index.ts';
import { shownName } from '../../../../shared/shownName.ts';
import type { Verdict } from '../../../../shared/verdict.ts';
import { isReady } from '../filmShots.ts';
import type { Planned, PlannedShot } from '../plan.ts';
import { plannedSeconds } from '../preflight.ts';

/** A film as every timeline writes it. */
export interface Timeline {
  name: string;
  project: string;
  rate: FrameRate;
  width: number;
  height: number;
  items: TimelineItem[];
  /** In whole frames. */
  frames: number;
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
  /** The file's own timecode at its first frame, in its own frames. */
  start: number;
  isDropFrame: boolean;
  audio?: { channels: number; sampleRate: number };
}

/** Longer notes are cut: editing programs show them in one field. */
const MAX_NOTE = 4_000;

export function timelineOf(
  { plan, shots, leftOut }: Planned,
  { project, names }: { project: string; names: ReadonlyMap<string, string> },
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
    width: plan.width,
    height: plan.height,
    items,
    frames: at,
    leftOut: [
      ...leftOut.map(
        (one) =>
          `Shot ${one.number}, ${safeText(shownTitle(one.shot))}: it has no clip (planned ${plannedSeconds(one)} s).`,
      ),
      ...items.flatMap(({ number, media }) =>
        media ? [] : [`Shot ${number}: a gap stands for it; it has no clip, and no picture that could stand for one.`],
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
  const seed = request?.config?.seed;
  const media = name === undefined ? undefined : mediaOf(one, rate, name);
  return {
    shotId: segment.shotId,
    number: segment.number,
    title: safeText(segment.title),
    at,
    frames: segment.frames,
    ...soundOf(one),
    prompt: safeText((request?.prompt ?? of.shot.prompt).slice(0, MAX_NOTE)),
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
    const start = { start: timecode?.frame ?? 0, isDropFrame: timecode?.drop ?? false };
    return { name, kind: 'clip', width, height, rate: own, frames, ...start, ...(audio ? { audio } : {}) };
  }
  if (!still) return undefined;
  const { width, height } = still.asset;
  return { name, kind: 'still', width, height, rate, frames: segment.frames, start: 0, isDropFrame: false };
}

/** A text of a model or of a user as it may stand in a document: nothing invisible, nothing that turns what follows it. */
export const safeText = (text: string): string => shownName(text).replace(/[\ufffe\uffff]/g, '');
