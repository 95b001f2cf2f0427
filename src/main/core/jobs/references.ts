import { fail, ok, type Result } from '../../../shared/contract/result.ts';
import type { Profile } from '../../../shared/gateway/profile.ts';
import { type JobInput, pictureOfTask } from '../../../shared/jobs/job.ts';
import { kindOf, mediaRefsOf, type StudioRequest } from '../../../shared/kinds/index.ts';
import { ASSUMED_LINK_LIFE_MS } from '../../../shared/library/asset.ts';
import type { MediaRef } from '../../../shared/library/mediaRef.ts';
import { en } from '../../../shared/text/texts.ts';
import type { WireMedia } from '../gateway/index.ts';
import { type AssetRow, assetRow, assetRowsOfJob, uprightInProcess } from '../library/index.ts';
import type { ReadDb } from '../store/index.ts';
import type { EngineDeps } from './deps.ts';
import { rowById } from './jobRepository.ts';
import { lastFrameOf } from './reevaluate.ts';

/** Resolves the references of a request to an asset, an address, a file or a task. */

/** The asset of a reference, if it exists already. */
export function assetOfRef(db: ReadDb, ref: MediaRef): AssetRow | undefined {
  if ('assetId' in ref) return assetRow(db, ref.assetId);
  if ('uri' in ref) return undefined;
  if ('frame' in ref) {
    const frame = lastFrameOf(db, ref);
    return frame === undefined ? undefined : assetRow(db, frame);
  }
  const outputs = assetRowsOfJob(db, ref.jobId).filter((asset) => asset.role === 'output');
  return outputs[ref.output ?? 0];
}

/** The task that made an image, which an edit has to name (spec 4.4). */
export function imageTaskOf(db: ReadDb, ref: MediaRef): string | undefined {
  const jobId = 'jobId' in ref ? ref.jobId : assetOfRef(db, ref)?.job_id;
  const job = jobId ? rowById(db, jobId) : undefined;
  return job && kindOf(job).canBeEdited ? (job.remote_id ?? undefined) : undefined;
}

/** Whether the picture is one of several results of its task. An edit cannot name such a picture. */
export function isOneOfSeveral(db: ReadDb, ref: MediaRef): boolean {
  const asset = assetOfRef(db, ref);
  return asset?.job_id != null && pictureOfTask(assetRowsOfJob(db, asset.job_id))?.id !== asset.id;
}

/** The service's address of a clip; only the gateway that made a clip is given its address. */
export function clipUri(db: ReadDb, ref: MediaRef, profileId: string): string | undefined {
  if ('uri' in ref) return ref.uri;
  const asset = assetOfRef(db, ref);
  return asset?.profile_id === profileId ? addressOf(asset) : undefined;
}

/**
 * An image as an address or a file (spec 2.2): a given address, or the service's own link while it is valid, together with the file for a
 * service that refuses links; otherwise only the file. A link is a secret of the gateway that made it, and no other gateway gets it.
 */
export function wireMedia(
  deps: Pick<EngineDeps, 'store' | 'clock'> & { library: Pick<EngineDeps['library'], 'location'> },
  field: string,
  ref: MediaRef,
  profile: Pick<Profile, 'id' | 'baseUrl' | 'pictures'>,
): Result<WireMedia> {
  if ('uri' in ref) return ok({ uri: ref.uri });
  const asset = assetOfRef(deps.store.read, ref);
  if (asset?.state === 'local') {
    const away = deps.library.location.fault();
    if (away !== undefined) return fail('store_unavailable', `${field}: ${away}`);
    const known = asset.sha256 === '' ? {} : { sha256: asset.sha256 };
    const [path, { mime }] = [deps.library.location.pathOf(asset), asset];
    const file = { path, mime, ...known, upright: () => uprightInProcess(path, mime) };
    const uri = profile.pictures === 'link' ? livingLink(asset, profile, deps.clock.now()) : undefined;
    return ok(uri === undefined ? file : { uri, file });
  }
  const uri = asset?.profile_id === profile.id ? addressOf(asset) : undefined;
  if (uri !== undefined) return ok({ uri });
  return fail('not_found', en`${field}: the picture is not on this machine.`);
}

/** Whether the service has the picture at an address that it accepts. */
export function isHeldByService(deps: Pick<EngineDeps, 'clock'>, asset: AssetRow, profile: Profile): boolean {
  if (asset.state === 'local')
    return profile.pictures === 'link' && livingLink(asset, profile, deps.clock.now()) !== undefined;
  const isAlive = asset.state === 'remote' || asset.expires_at === null || asset.expires_at > deps.clock.now();
  return isAlive && addressOf(asset) !== undefined && asset.profile_id === profile.id;
}

/** The address of the file at the service. An address that answered with a refusal has nothing to build on. */
const addressOf = ({ remote_uri: uri, refusal }: AssetRow): string | undefined =>
  refusal === null ? (uri ?? undefined) : undefined;

/** The service may fetch a picture some time after it has accepted the request. */
const FETCH_TIME_MS = 15 * 60_000;
const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];

/**
 * The address at which this service holds the picture, if it stays valid for a while. A link without an expiry is assumed to last a day. A
 * service on loopback that was restarted has another port, so its old links are dead.
 */
function livingLink(
  asset: AssetRow,
  { id, baseUrl }: Pick<Profile, 'id' | 'baseUrl'>,
  now: number,
): string | undefined {
  const uri = asset.remote_uri;
  if (uri === null || asset.profile_id !== id) return undefined;
  const url = URL.parse(uri);
  if (url === null) return undefined;
  if (STORAGE.includes(url.protocol)) return uri;
  if (!['https:', 'http:'].includes(url.protocol)) return undefined;
  if (LOOPBACK.includes(url.hostname) && url.origin !== URL.parse(baseUrl)?.origin) return undefined;
  const expiresAt = asset.expires_at ?? asset.created_at + ASSUMED_LINK_LIFE_MS;
  return expiresAt > now + FETCH_TIME_MS ? uri : undefined;
}

/** Addresses in object storage, which do not expire. */
const STORAGE = ['gs:', 's3:'];

/**
 * The media that a request uses now, in the sequence of its fields. Read in the transaction that claims the job, so that exactly these are
 * sent.
 */
export function inputsOf(db: ReadDb, request: StudioRequest): JobInput[] {
  return mediaRefsOf(request).map(({ field, ref }) => {
    if ('uri' in ref) return { field, uri: ref.uri };
    const asset = assetOfRef(db, ref);
    if (asset) return { field, ...inputOf(db, asset) };
    return 'jobId' in ref ? { field, jobId: ref.jobId } : { field, assetId: ref.assetId };
  });
}

function inputOf(db: ReadDb, asset: AssetRow): Omit<JobInput, 'field'> {
  // A last frame belongs to the output that it was taken from.
  const isTaken = asset.parent_id !== null && asset.role !== 'source';
  const output = (isTaken ? assetRow(db, asset.parent_id ?? '') : asset)?.output_index ?? undefined;
  return {
    assetId: asset.id,
    ...(asset.sha256 === '' ? {} : { sha256: asset.sha256 }),
    ...(asset.job_id === null ? {} : { jobId: asset.job_id }),
    ...(output === undefined ? {} : { output }),
    ...(asset.out_ms === null ? {} : { outMs: asset.out_ms }),
  };
}
