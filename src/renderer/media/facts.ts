import { isTerminal, isWithoutResult, type Job, pictureOfTask, resultsOf } from '../../shared/jobs/job.ts';
import { expectedMediaType, kindOf } from '../../shared/kinds/index.ts';
import type { Asset } from '../../shared/library/asset.ts';
import type { MediaFacts, MediaRef } from '../../shared/library/mediaRef.ts';
import { mediaTypeOf } from '../../shared/library/mediaRef.ts';

/** The cached jobs and assets from which a page judges a media reference. */
export interface KnownMedia {
  jobs: ReadonlyMap<string, Job>;
  assets: ReadonlyMap<string, Asset>;
  /** Ids that do not exist, according to the studio. */
  gone: ReadonlySet<string>;
  /** The profile of new jobs. */
  profileId: string | undefined;
  now: number;
}

/** The facts for `readiness`. Unknown ones are `unknown`, which disables no button: the studio checks again. */
export function factsOf(ref: MediaRef, known: KnownMedia): MediaFacts {
  if ('uri' in ref) return { status: 'ready', type: 'unknown' };
  if ('assetId' in ref) {
    if (known.gone.has(ref.assetId)) return { status: 'missing', type: 'unknown' };
    const asset = known.assets.get(ref.assetId);
    return asset ? factsOfAsset(asset, known) : { status: 'ready', type: 'unknown' };
  }
  if (known.gone.has(ref.jobId)) return { status: 'missing', type: 'unknown' };
  return factsOfResult(ref, known);
}

/** The facts of a job's result, or of its last frame. */
function factsOfResult(ref: Extract<MediaRef, { jobId: string }>, known: KnownMedia): MediaFacts {
  const job = known.jobs.get(ref.jobId);
  const isFrame = 'frame' in ref;
  if (!job) return { status: 'ready', type: isFrame ? 'image' : 'unknown' };
  if (isWithoutResult(job)) return { status: 'dead', type: 'unknown' };
  if (!isTerminal(job.state)) return { status: 'pending', type: expectedMediaType(job, isFrame), model: job.model };
  const output = resultsOf(job)[ref.output ?? 0];
  if (!output) return { status: 'dead', type: 'unknown' };
  return isFrame ? { status: 'ready', type: 'image' } : factsOfAsset(output, known);
}

function factsOfAsset(asset: Asset, known: KnownMedia): MediaFacts {
  const job = asset.jobId === undefined ? undefined : known.jobs.get(asset.jobId);
  return {
    status: 'ready',
    type: mediaTypeOf(asset.mime),
    mime: asset.mime,
    bytes: asset.bytes,
    ...(asset.width > 0 ? { width: asset.width, height: asset.height } : {}),
    ...(asset.model === undefined ? {} : { model: asset.model }),
    ...(asset.jobId === undefined || job ? { imageTask: isImageTask(job, known) } : {}),
    ...(job && pictureOfTask(job.outputs)?.id !== asset.id ? { isOneOfSeveral: true } : {}),
    ...(isStillHeld(asset, known) ? {} : { remoteUri: false }),
  };
}

/** Whether the picture is a task of the same gateway, since an edit names the task (spec 4.4). */
const isImageTask = (job: Job | undefined, known: KnownMedia): boolean =>
  job !== undefined && kindOf(job).canBeEdited && job.profileId === known.profileId;

/** Whether the gateway still has the clip: not if it is from this machine or its link has ended. */
const isStillHeld = (asset: Asset, known: KnownMedia): boolean =>
  asset.jobId !== undefined &&
  asset.state !== 'expired' &&
  (asset.expiresAt === undefined || asset.expiresAt > known.now);
