import type { CallParsed } from '../../../shared/contract/contract.ts';
import type { Result } from '../../../shared/contract/result.ts';
import { shownTitle } from '../../../shared/film/film.ts';
import {
  type FilmPlan,
  type FilmSegment,
  type FrameRate,
  MEDIA_NAME_PATTERN,
} from '../../../shared/film/filmExport.ts';
import type { FilmFormatChoice } from '../../../shared/film/filmFormat.ts';
import type { Job } from '../../../shared/jobs/job.ts';
import { sentSeedOf } from '../../../shared/jobs/resultWords.ts';
import type { Asset } from '../../../shared/library/asset.ts';
import { uniqueName } from '../../../shared/library/fileNames.ts';
import { extensionOf } from '../../../shared/library/mediaFormats.ts';
import { mediaNameOf } from '../../../shared/library/mediaName.ts';
import { type Provenance, provenanceOf } from '../../../shared/library/provenance.ts';
import { copyWithProvenance, type ExportSink } from '../exports/index.ts';
import type { MediaFile } from '../ports.ts';
import { type CheckedShot, isReady, type ReadyShot } from './filmShots.ts';
import { filmFormatOf, secondsOf } from './format.ts';
import { plannedSeconds } from './preflight.ts';

/** A picture that replaces a missing clip. */
export interface Still {
  asset: Asset;
  file: MediaFile;
}

export interface PlannedShot {
  segment: FilmSegment;
  of: CheckedShot;
  still?: Still;
}

export interface Planned {
  plan: FilmPlan;
  shots: PlannedShot[];
  /** Shots without a clip that were left out. */
  leftOut: CheckedShot[];
}

interface PlanOptions {
  projectId: string;
  name: string;
  /** The user's format choice; unset fields follow the shots. */
  format?: FilmFormatChoice | undefined;
  /** How shots without a clip are exported; `refuse` was answered before. */
  holes: 'still' | 'skip';
  gainOf(shot: ReadyShot): number;
  stillOf(shot: CheckedShot): Still | undefined;
}

/** Decides the film's format and each shot's place in whole frames. */
export function planOf(shots: readonly CheckedShot[], options: PlanOptions): Planned {
  const { rate, width, height } = filmFormatOf(shots, options.format);
  const shown = options.holes === 'skip' ? shots.filter(isReady) : shots;
  const planned = shown.map((one) => plannedShot(one, rate, options));
  return {
    plan: {
      projectId: options.projectId,
      name: options.name,
      fps: rate,
      width,
      height,
      segments: planned.map(({ segment }) => segment),
    },
    shots: planned,
    leftOut: shots.filter((one) => !shown.includes(one)),
  };
}

function plannedShot(one: CheckedShot, rate: FrameRate, { gainOf, stillOf }: PlanOptions): PlannedShot {
  const base = { shotId: one.shot.id, number: one.number, title: shownTitle(one.shot) };
  if (isReady(one)) {
    const { clip, jobId } = one.active;
    const { from, frames } = partOf(one, rate);
    const hasAudio = one.facts.audio !== undefined;
    const what = { assetId: clip.id, sha256: one.file.sha256, jobId };
    const length = { ...(from === undefined ? {} : { from }), frames, seconds: secondsOf(frames, rate) };
    return {
      of: one,
      segment: { ...base, kind: 'clip', ...what, ...length, hasAudio, gainDb: hasAudio ? gainOf(one) : 0 },
    };
  }
  const frames = Math.max(1, Math.round((plannedSeconds(one) * rate.num) / rate.den));
  const still = stillOf(one);
  const what = still
    ? { kind: 'still' as const, assetId: still.asset.id, sha256: still.file.sha256 }
    : { kind: 'gap' as const };
  const segment = { ...base, ...what, frames, seconds: secondsOf(frames, rate), hasAudio: false, gainDb: 0 };
  return { of: one, segment, ...(still ? { still } : {}) };
}

/**
 * The second at which the clip begins, and the whole frames of the film that its part fills, at least one: at the film's rate all of its
 * frames, otherwise those that end within it.
 */
function partOf(
  { facts: { video }, active: { trim } }: ReadyShot,
  rate: FrameRate,
): Pick<FilmSegment, 'from' | 'frames'> {
  const frameOf = (ms: number) => Math.round((ms * video.rate.num) / (video.rate.den * 1_000));
  const first = Math.min(video.frames - 1, frameOf(trim?.inMs ?? 0));
  const end = trim?.outMs === undefined ? video.frames : Math.min(video.frames, frameOf(trim.outMs));
  const own = Math.max(1, end - first);
  const isSame = video.rate.num * rate.den === rate.num * video.rate.den && video.constantRate;
  const whole = isSame ? own : Math.floor((own * video.rate.den * rate.num) / (video.rate.num * rate.den));
  return { ...(trim ? { from: secondsOf(first, video.rate) } : {}), frames: Math.max(1, whole) };
}

/** The folder of the takes, beside the timeline that names them. */
export const MEDIA_FOLDER = 'media';

/**
 * The file names by shot id: ASCII, unique regardless of case. The pattern's words are those of `MEDIA_NAME_PATTERN`; unknown words stay.
 */
export function mediaNames(
  shots: readonly PlannedShot[],
  project: string,
  pattern: string = MEDIA_NAME_PATTERN,
): Map<string, string> {
  const taken = new Set<string>();
  return new Map(
    shots.flatMap((one): [string, string][] => {
      const file = one.segment.kind === 'clip' ? one.of.file : one.still?.file;
      if (!file) return [];
      const name = filled(pattern, one, project);
      return [[one.segment.shotId, uniqueName(name, extensionOf(file.mime), taken)]];
    }),
  );
}

function filled(pattern: string, { segment, of }: PlannedShot, project: string): string {
  const job = of.active?.job;
  return mediaNameOf(pattern, {
    project,
    title: segment.title,
    model: job?.model ?? of.shot.model,
    seed: job && sentSeedOf(job),
    shot: segment.number,
    take: of.active?.number ?? 0,
  });
}

/** The file of a shot: its clip, or the picture that replaces it. */
export const fileOf = ({ segment, of, still }: PlannedShot): MediaFile | undefined =>
  segment.kind === 'clip' ? of.file : still?.file;

/** How the clip or picture was made. */
export function provenanceOfShot(
  { segment, of, still }: PlannedShot,
  getJob: (id: string) => Result<Job>,
): Provenance | undefined {
  const asset = segment.kind === 'clip' ? of.active?.clip : still?.asset;
  if (!asset) return undefined;
  const job = asset.jobId === undefined ? undefined : getJob(asset.jobId);
  return provenanceOf(asset, job?.ok ? job.data : undefined);
}

/** Fills the media folder in film order. Returns how many copies could not carry provenance. */
export async function writeMedia(
  sink: ExportSink,
  shots: readonly PlannedShot[],
  {
    names,
    asked: { media, provenance },
    getJob,
  }: {
    names: ReadonlyMap<string, string>;
    asked: Pick<CallParsed<'film.export'>, 'media' | 'provenance'>;
    getJob(id: string): Result<Job>;
  },
): Promise<number> {
  let unmarked = 0;
  for (const [index, one] of shots.entries()) {
    const file = fileOf(one);
    const name = names.get(one.segment.shotId);
    if (!file || name === undefined) continue;
    const ofShot = provenance === false ? undefined : provenanceOfShot(one, getJob);
    if (media === 'links') await sink.link(`${MEDIA_FOLDER}/${name}`, file);
    else {
      const withProvenance = await copyWithProvenance(file, ofShot);
      if (ofShot && !withProvenance) unmarked += 1;
      await sink.copy(`${MEDIA_FOLDER}/${name}`, file, withProvenance);
    }
    sink.progress((index + 1) / shots.length);
  }
  return unmarked;
}

/** Copies the track's file unchanged: it is the user's. */
export async function writeSound(
  sink: ExportSink,
  name: string,
  file: MediaFile,
  { media }: Pick<CallParsed<'film.export'>, 'media'>,
): Promise<void> {
  if (media === 'links') await sink.link(`${MEDIA_FOLDER}/${name}`, file);
  else await sink.copy(`${MEDIA_FOLDER}/${name}`, file);
}
