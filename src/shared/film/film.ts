import { type Shot, shotTitle } from '../board/board.ts';
import { withBareAddresses } from '../gateway/bareAddress.ts';
import { type Job, resultsOf } from '../jobs/job.ts';
import type { Asset } from '../library/asset.ts';
import { displayedAs } from '../library/mediaFormats.ts';
import type { MediaRef } from '../library/mediaRef.ts';
import { shownBeginning } from '../text/safeText.ts';
import { type ClipPart, playedPart, type TrimPoints, trimOf } from './trim.ts';

/** The shots of a board with their takes, and the takes that the film shows. */

/** A take: its job, if known, and its clips. */
export interface FilmTake {
  jobId: string;
  /** Counts from 1, oldest first. */
  number: number;
  job: Job | undefined;
  clips: Asset[];
  /** The chosen variation and its index. */
  clip: Asset | undefined;
  clipIndex: number;
  /** The part of the clip that the film shows; absent: all of it. */
  trim?: TrimPoints | undefined;
}

export interface FilmShot {
  shot: Shot;
  takes: FilmTake[];
  /** The selected take. */
  active: FilmTake | undefined;
}

/** The known jobs and assets by id. */
export interface FilmFacts {
  jobs: ReadonlyMap<string, Job>;
  assets: ReadonlyMap<string, Asset>;
}

/**
 * The shots with the takes that the film shows now: the chosen ones, or the earlier ones while those are being made or after they failed.
 */
export function filmOf(shots: readonly Shot[], facts: FilmFacts): FilmShot[] {
  return shots.map((shot) => {
    const takes = shot.takes.map((jobId, index) => takeOf(shot, index, facts, outputOf(shot, jobId)));
    return { shot, takes, active: activeOf(shot, takes) };
  });
}

/** The same shots with the takes that the film shows once all chosen takes are made. */
export const filmToCome = (film: readonly FilmShot[]): FilmShot[] =>
  film.map((each) => {
    const chosen = each.takes.find(({ jobId }) => jobId === each.shot.activeTake);
    return chosen && !isDead(chosen.job) ? { ...each, active: chosen } : each;
  });

function outputOf({ activeTake, activeOutput, meanwhile }: Shot, jobId: string): number {
  if (jobId === activeTake) return activeOutput ?? 0;
  return (jobId === meanwhile?.take && meanwhile.output) || 0;
}

function takeOf({ takes, trims }: Shot, index: number, { jobs, assets }: FilmFacts, output: number): FilmTake {
  const jobId = takes[index] ?? '';
  const job = jobs.get(jobId);
  const clips = job ? resultsOf(job).map((asset) => assets.get(asset.id) ?? asset) : [];
  const clipIndex = Math.min(output, Math.max(0, clips.length - 1));
  const clip = clips[clipIndex];
  const trim = trimOf(trims, { take: jobId, output: clipIndex }, clip?.seconds);
  return { jobId, number: index + 1, job, clips, clip, clipIndex, trim };
}

/** The part of the clip that the film shows; undefined while its length is unknown. */
export const playedOf = (take: Pick<FilmTake, 'clip' | 'trim'> | undefined): ClipPart | undefined =>
  take?.clip?.seconds === undefined ? undefined : playedPart(take.trim, take.clip.seconds);

/** The id of the clip's last frame, or of the last before an out point; undefined until it is extracted. */
export const lastFrameId = (clip: Asset | undefined, outMs: number | undefined): string | undefined =>
  outMs === undefined ? clip?.lastFrameId : clip?.outFrames?.[outMs];

/** The last frame of a take; that of the whole clip if the one before its out point was never extracted. */
export const takeEnd = (take: Pick<FilmTake, 'clip' | 'trim'> | undefined): string | undefined =>
  lastFrameId(take?.clip, take?.trim?.outMs) ?? take?.clip?.lastFrameId;

/** The chosen take; while it is being made or after it failed, the one shown before, else the newest finished one. */
function activeOf(shot: Shot, takes: readonly FilmTake[]): FilmTake | undefined {
  const named = (id: string | undefined) => takes.find(({ jobId }) => jobId === id);
  const plays = (take: FilmTake | undefined) => take && (!take.job || take.job.state === 'succeeded');
  const chosen = named(shot.activeTake);
  if (plays(chosen)) return chosen;
  const before = named(shot.meanwhile?.take);
  if (plays(before)) return before;
  return takes.findLast(({ job }) => job?.state === 'succeeded') ?? chosen;
}

/** Failed or canceled: the film never shows it, even if the gateway finished it. */
export const isDead = (job: Job | undefined): boolean => job?.state === 'failed' || job?.state === 'canceled';

/** The picture of a reference: an asset, a result of a job, or the last frame of its clip. */
export function pictureOf(ref: MediaRef | undefined, known: FilmFacts): Asset | undefined {
  if (!ref || 'uri' in ref) return undefined;
  if ('assetId' in ref) return known.assets.get(ref.assetId);
  const job = known.jobs.get(ref.jobId);
  const output = job && resultsOf(job)[ref.output ?? 0];
  const fresh = output && (known.assets.get(output.id) ?? output);
  if (!('frame' in ref)) return fresh;
  return known.assets.get(lastFrameId(fresh, ref.outMs) ?? '') ?? fresh;
}

/** Whether it is a clip on this disk that can be displayed. */
export const isPlayable = (asset: Asset | undefined): asset is Asset =>
  asset?.state === 'local' && displayedAs(asset.mime) === 'video';

const MOST_TITLE = 200;

/** The shot's name in files and on slates. */
export const shownTitle = (shot: Shot): string => shownBeginning(withBareAddresses(shotTitle(shot)), MOST_TITLE);
