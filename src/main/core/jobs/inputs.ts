import type { JobInput } from '../../../shared/jobs/job.ts';
import { mediaRefsOf, type StudioRequest } from '../../../shared/kinds/index.ts';
import { type AssetRow, assetRow } from '../library/index.ts';
import type { ReadDb } from '../store/index.ts';
import { assetOf } from './references.ts';

/** The media that a request uses now, in the order of its fields. Read in the transaction that claims the job, so that it is what is sent. */
export function inputsOf(db: ReadDb, request: StudioRequest): JobInput[] {
  return mediaRefsOf(request).map(({ field, ref }) => {
    if ('uri' in ref) return { field, uri: ref.uri };
    const asset = assetOf(db, ref);
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
