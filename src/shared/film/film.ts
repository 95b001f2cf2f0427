import { type Shot, shotTitle } from '../board/board.ts';
import { withBareAddresses } from '../gateway/bareAddress.ts';
import { type Job, resultsOf } from '../jobs/job.ts';
import type { Asset } from '../library/asset.ts';
import { displayedAs } from '../library/mediaFormats.ts';
import type { MediaRef } from '../library/mediaRef.ts';
import { shownBeginning } from '../text/shownName.ts';
import { type ClipPart, playedPart, type TrimPoints, trimOf } from './trim.ts';

/** A board's shots with the takes that were made of them, and the one that plays. */

/** A take: its job, where that is known, and the clips it made. */
export interface FilmTake {
  jobId: string;
  /** Counts from 1, oldest first. */
  number: number;
  job: Job | undefined;
  clips: Asset[];
  /** The variation that was chosen, and its place among them. */
  clip: Asset | undefined;
  clipIndex: number;
  /** What of that clip plays; absent where all of it does. */
  trim?: TrimPoints | undefined;
}

export interface FilmShot {
  shot: Shot;
  takes: FilmTake[];
  /** The take that plays for the shot. */
  active: FilmTake | undefined;
}

/** The jobs and assets that are known, by id. */
export interface FilmFacts {
  jobs: ReadonlyMap<string, Job>;
  assets: ReadonlyMap<string, Asset>;
}

/** The shots with what plays now: the chosen takes; while they are being made, and where they failed, what played before them. */
export function filmOf(shots: readonly Shot[], facts: FilmFacts): FilmShot[] {
  return shots.map((shot) => {
    const takes = shot.takes.map((jobId, index) => takeOf(shot, index, facts, outputOf(shot, jobId)));
    return { shot, takes, active: activeOf(shot, takes) };
  });
}

/** The same shots with what will play once the chosen takes that are still being made are there. */
export const filmToCome = (film: readonly FilmShot[]): FilmShot[] =>
  film.map((each) => {
    const chosen = each.takes.find(({ jobId }) => jobId === each.shot.activeTake);
    return chosen && !isDead(chosen.job) ? { ...each, active: chosen } : each;
  });

/** The candidate of a take that was chosen to play. */
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

/** The part of its clip that plays; undefined while its length is not known. */
export const playedOf = (take: Pick<FilmTake, 'clip' | 'trim'> | undefined): ClipPart | undefined =>
  take?.clip?.seconds === undefined ? undefined : playedPart(take.trim, take.clip.seconds);

/** The picture of a clip's last frame, or of the last one before an out point, by its id; undefined until it was taken. */
export const lastFrameId = (clip: Asset | undefined, outMs: number | undefined): string | undefined =>
  outMs === undefined ? clip?.lastFrameId : clip?.outFrames?.[outMs];

/** The picture that a take ends with; that of its clip where the one before its out point was never needed. */
export const takeEnd = (take: Pick<FilmTake, 'clip' | 'trim'> | undefined): string | undefined =>
  lastFrameId(take?.clip, take?.trim?.outMs) ?? take?.clip?.lastFrameId;

/** The take that was chosen; while that one is being made, or if it was not made, what played before it, else the newest that is done. */
function activeOf(shot: Shot, takes: readonly FilmTake[]): FilmTake | undefined {
  const named = (id: string | undefined) => takes.find(({ jobId }) => jobId === id);
  const plays = (take: FilmTake | undefined) => take && (!take.job || take.job.state === 'succeeded');
  const chosen = named(shot.activeTake);
  if (plays(chosen)) return chosen;
  const before = named(shot.meanwhile?.take);
  if (plays(before)) return before;
  return takes.findLast(({ job }) => job?.state === 'succeeded') ?? chosen;
}

/** Failed or canceled: it never plays, also where the service finished it all the same. */
export const isDead = (job: Job | undefined): boolean => job?.state === 'failed' || job?.state === 'canceled';

/** The picture that stands for a reference in a slot: of an asset, of a job's result, or of the last frame of its clip. */
export function pictureOf(ref: MediaRef | undefined, known: FilmFacts): Asset | undefined {
  if (!ref || 'uri' in ref) return undefined;
  if ('assetId' in ref) return known.assets.get(ref.assetId);
  const job = known.jobs.get(ref.jobId);
  const output = job && resultsOf(job)[ref.output ?? 0];
  const fresh = output && (known.assets.get(output.id) ?? output);
  if (!('frame' in ref)) return fresh;
  return known.assets.get(lastFrameId(fresh, ref.outMs) ?? '') ?? fresh;
}

/** A clip on this disk that can be displayed. */
export const isPlayable = (asset: Asset | undefined): asset is Asset =>
  asset?.state === 'local' && displayedAs(asset.mime) === 'video';

const MOST_TITLE = 200;

/** A shot's name as a person may read it, in a file or on a slate. */
export const shownTitle = (shot: Shot): string => shownBeginning(withBareAddresses(shotTitle(shot)), MOST_TITLE);
