import { expectedMediaType, kindOf, mediaRefsOf, type StudioRequest } from '../../../../shared/kinds/index.ts';
import type { LookUpMedia, MediaFacts, MediaRef, PictureSize } from '../../../../shared/library/mediaRef.ts';
import type { AssetRow } from '../../library/index.ts';
import type { ReadDb } from '../../store/index.ts';
import type { EngineDeps } from '../deps.ts';
import { rowById } from '../jobRepository.ts';
import { hasEndedWithoutSuccess, resultsOfEnded } from '../reevaluate.ts';
import { assetOfRef, imageTaskOf, isHeldByService, isOneOfSeveral } from '../references.ts';
import type { JobRow } from '../row.ts';

/** Requests that will be written as jobs together with the one that is judged, by the ids that they will have. */
export type PlannedJobs = ReadonlyMap<string, StudioRequest>;

/** The facts about all media that a request refers to, gathered once, for {@link readiness}. */
export async function gatherFacts(
  deps: EngineDeps,
  request: StudioRequest,
  profileId: string,
  planned: PlannedJobs = new Map(),
): Promise<LookUpMedia> {
  const known = new Map<string, MediaFacts>();
  const inputs = mediaRefsOf(request);
  for (const { ref, maskOf } of inputs) {
    const key = JSON.stringify(ref);
    const coming = 'jobId' in ref ? planned.get(ref.jobId) : undefined;
    if (coming) known.set(key, factsOfPlanned(coming, 'frame' in ref));
    else if (!maskOf && !known.has(key)) known.set(key, await factsOf(deps, ref, { profileId, asMask: false }));
  }
  for (const { ref, maskOf } of inputs) {
    if (!maskOf) continue;
    const base = sizeOf(known.get(JSON.stringify(maskOf)));
    known.set(JSON.stringify(ref), await factsOf(deps, ref, { profileId, asMask: true, ...(base ? { base } : {}) }));
  }
  return (ref) => known.get(JSON.stringify(ref)) ?? { status: 'missing', type: 'unknown' };
}

const sizeOf = ({ width, height }: Partial<PictureSize> = {}): PictureSize | undefined =>
  width === undefined || height === undefined ? undefined : { width, height };

async function factsOf(
  deps: EngineDeps,
  ref: MediaRef,
  use: { profileId: string; asMask: boolean; base?: PictureSize },
): Promise<MediaFacts> {
  if ('uri' in ref) return { status: 'ready', type: 'unknown', imageTask: false, remoteUri: true };
  const { read } = deps.store;
  const job = 'jobId' in ref ? rowById(read, ref.jobId) : undefined;
  if ('jobId' in ref && !job) return { status: 'missing', type: 'unknown' };
  const asset = assetOfRef(read, ref);
  if (asset) {
    const { isGone, ...facts } = await deps.library.mediaFacts(asset.id, use);
    const sameProfile = asset.profile_id === use.profileId;
    const imageTask = sameProfile && imageTaskOf(read, ref) !== undefined;
    return {
      ...facts,
      ...(isGone && !isHeld(deps, asset, use.profileId) ? { isGone } : {}),
      imageTask,
      ...(imageTask && isOneOfSeveral(read, ref) ? { isOneOfSeveral: true } : {}),
      remoteUri: facts.remoteUri === true && sameProfile,
    };
  }
  if (!job) return { status: 'missing', type: 'unknown' };
  return {
    ...factsOfPending(read, job, ref, use.profileId),
    ...((await isClipGone(deps, ref)) ? { isGone: true } : {}),
  };
}

function isHeld(deps: EngineDeps, asset: AssetRow, profileId: string): boolean {
  const profile = deps.profiles.get(profileId);
  return profile !== undefined && isHeldByService(deps, asset, profile);
}

/** The assets of these whose bytes are neither here nor at the gateway, although nobody deleted them. */
export async function goneOf(deps: EngineDeps, ids: readonly string[], profileId: string): Promise<string[]> {
  const gone: string[] = [];
  const kept = ids.filter((id) => assetOfRef(deps.store.read, { assetId: id })?.emptied !== 1);
  for (const id of kept) if ((await factsOf(deps, { assetId: id }, { profileId, asMask: false })).isGone) gone.push(id);
  return gone;
}

/** No last frame can be taken of a clip that is not here any more. */
async function isClipGone({ store, library }: EngineDeps, ref: MediaRef): Promise<boolean> {
  if (!('frame' in ref)) return false;
  const clip = assetOfRef(store.read, { jobId: ref.jobId, output: ref.output });
  return clip !== undefined && (await library.mediaFacts(clip.id, { asMask: false })).isGone === true;
}

function factsOfPlanned(request: StudioRequest, isFrame: boolean): MediaFacts {
  const type = expectedMediaType(request, isFrame);
  return { status: 'pending', type, ...(type === 'video' && 'model' in request ? { model: request.model } : {}) };
}

/** Facts about a job without a result yet; its kind tells the type of the result. */
function factsOfPending(db: ReadDb, job: JobRow, ref: MediaRef, profileId: string): MediaFacts {
  if (hasEndedWithoutSuccess(job) && !('frame' in ref && resultsOfEnded(db, job) !== 'none'))
    return { status: 'dead', type: 'unknown' };
  if (job.state === 'succeeded' && !('frame' in ref)) return { status: 'missing', type: 'unknown' };
  const type = expectedMediaType(job, 'frame' in ref);
  return {
    status: 'pending',
    type,
    imageTask: kindOf(job).canBeEdited && job.profile_id === profileId,
    ...(type === 'video' && job.model ? { model: job.model } : {}),
    // The address of the future clip is sent only to the gateway that makes it.
    ...(type === 'video' && job.profile_id !== profileId ? { remoteUri: false } : {}),
  };
}
