import { kindOf } from '../../../shared/kinds/index.ts';
import type { MediaRef } from '../../../shared/mediaRef.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { WireMedia } from '../gateway/index.ts';
import { type AssetRow, assetRow, assetRowsOfJob, contentPath, extensionOf } from '../library/index.ts';
import type { ReadDb } from '../store/index.ts';
import type { EngineDeps } from './deps.ts';
import { rowById } from './records.ts';
import { lastFrameOf } from './waiting.ts';

/** Resolves the references of a request to an asset, an address, a file or a task. */

/** The asset of a reference, if it exists already. */
export function assetOf(db: ReadDb, ref: MediaRef): AssetRow | undefined {
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
  const jobId = 'jobId' in ref ? ref.jobId : assetOf(db, ref)?.job_id;
  const job = jobId ? rowById(db, jobId) : undefined;
  return job && kindOf(job).canBeEdited ? (job.remote_id ?? undefined) : undefined;
}

/** The service's address of a clip. */
export function clipUri(db: ReadDb, ref: MediaRef): string | undefined {
  if ('uri' in ref) return ref.uri;
  return assetOf(db, ref)?.remote_uri ?? undefined;
}

/** An image as an address or a file. */
export function wireMedia(
  deps: Pick<EngineDeps, 'store' | 'dataDir'>,
  field: string,
  ref: MediaRef,
): Result<WireMedia> {
  if ('uri' in ref) return ok({ uri: ref.uri });
  const asset = assetOf(deps.store.read, ref);
  if (asset?.state === 'local') return ok({ path: pathOf(deps.dataDir, asset), mime: asset.mime });
  if (asset?.remote_uri) return ok({ uri: asset.remote_uri });
  return fail('not_found', `${field}: the picture is not on this machine.`);
}

export const pathOf = (dataDir: string, asset: AssetRow): string =>
  contentPath(dataDir, asset.sha256, extensionOf(asset.mime));
