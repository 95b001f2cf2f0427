import { isTerminal, isWithoutResult, type Job, pictureOfTask, resultsOf } from '../../shared/jobs/job.ts';
import { kindOf, typeToCome } from '../../shared/kinds/index.ts';
import type { Asset } from '../../shared/library/asset.ts';
import type { MediaFacts, MediaRef } from '../../shared/library/mediaRef.ts';
import { mediaTypeOf } from '../../shared/library/mediaRef.ts';

/** What a page has at hand to judge a media reference by: the jobs and assets that its cache holds. */
export interface KnownMedia {
  jobs: ReadonlyMap<string, Job>;
  assets: ReadonlyMap<string, Asset>;
  /** Ids that the studio has said do not exist. */
  gone: ReadonlySet<string>;
  /** The profile that a new job would go to. */
  profileId: string | undefined;
  now: number;
}

/** The facts `readiness` asks for. What is not known yet is `unknown`: it keeps no button off, the studio judges again. */
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

/** Those of a job's result, or of the last frame of it. */
function factsOfResult(ref: Extract<MediaRef, { jobId: string }>, known: KnownMedia): MediaFacts {
  const job = known.jobs.get(ref.jobId);
  const isFrame = 'frame' in ref;
  if (!job) return { status: 'ready', type: isFrame ? 'image' : 'unknown' };
  if (isWithoutResult(job)) return { status: 'dead', type: 'unknown' };
  if (!isTerminal(job.state)) return { status: 'pending', type: typeToCome(job, isFrame), model: job.model };
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

/** An edit names the picture's task (spec 4.4), so it must be one of the same gateway. */
const isImageTask = (job: Job | undefined, known: KnownMedia): boolean =>
  job !== undefined && kindOf(job).canBeEdited && job.profileId === known.profileId;

/** A clip of this machine was never at the service; a link that has ended is not there any more. */
const isStillHeld = (asset: Asset, known: KnownMedia): boolean =>
  asset.jobId !== undefined &&
  asset.state !== 'expired' &&
  (asset.expiresAt === undefined || asset.expiresAt > known.now);
