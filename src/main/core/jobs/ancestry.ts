import type { JobInput } from '../../../shared/jobs/job.ts';
import {
  type Ancestry,
  type AncestryStep,
  MAX_ANCESTRY_DEPTH,
  MAX_ANCESTRY_STEPS,
} from '../../../shared/library/ancestry.ts';
import type { Asset } from '../../../shared/library/asset.ts';
import { assetById, assetsOfJobs, framesOf } from '../library/index.ts';
import { type ReadDb, sql } from '../store/index.ts';
import { inputsOf } from './inputs.ts';
import { rowById } from './records.ts';
import { requestOf } from './row.ts';

const madeWith = sql(
  'jobInputs.ofAsset',
  'SELECT job_id AS jobId, field FROM job_inputs WHERE asset_id = $id ORDER BY job_id, field LIMIT $limit',
);

type Found = Pick<AncestryStep, 'field' | 'asset' | 'assetId' | 'jobId' | 'uri'>;

/** What an asset was made from and what was made from it, over as many steps as there are; undefined if there is no such asset. */
export function ancestryOf(db: ReadDb, id: string): Ancestry | undefined {
  const asset = assetById(db, id);
  if (!asset) return undefined;
  const from = walk(asset, (one) => originsOf(db, one));
  const made = walk(asset, (one) => madeFrom(db, one));
  const cut = [...(from.isCut ? (['from'] as const) : []), ...(made.isCut ? (['made'] as const) : [])];
  return { from: from.steps, made: made.steps, ...(cut.length > 0 ? { truncated: true, cut } : {}) };
}

/** Nearest first. An asset that is reached twice is listed once. */
function walk(start: Asset, next: (asset: Asset) => Found[]): { steps: AncestryStep[]; isCut: boolean } {
  const seen = new Set([start.id]);
  const steps: AncestryStep[] = [];
  const open = [{ asset: start, depth: 0 }];
  for (const { asset: of, depth: before } of open) {
    const depth = before + 1;
    for (const found of next(of).filter(({ asset }) => !asset || !seen.has(asset.id))) {
      if (steps.length === MAX_ANCESTRY_STEPS || depth > MAX_ANCESTRY_DEPTH) return { steps, isCut: true };
      steps.push({ ...found, of: of.id, depth });
      // Used in two fields, it has two lines and one walk.
      if (!found.asset || seen.has(found.asset.id)) continue;
      seen.add(found.asset.id);
      open.push({ asset: found.asset, depth });
    }
  }
  return { steps, isCut: false };
}

/** Of a frame its clip, of an edit that was put right that edit; what these were made from stands with them. */
const parentField = ({ role }: Asset): string => (role === 'source' ? 'putBack' : 'parent');

function originsOf(db: ReadDb, asset: Asset): Found[] {
  if (asset.parentId !== undefined) return [{ field: parentField(asset), ...assetOrId(db, asset.parentId) }];
  const row = asset.jobId === undefined ? undefined : rowById(db, asset.jobId);
  if (!row) return [];
  // Jobs of the first versions did not keep what they had sent.
  const inputs = row.inputs === null ? inputsOf(db, requestOf(row)) : (JSON.parse(row.inputs) as JobInput[]);
  return inputs.map(({ field, assetId, jobId, uri }) => {
    if (assetId !== undefined) return { field, ...assetOrId(db, assetId) };
    return { field, ...(jobId === undefined ? {} : { jobId }), ...(uri === undefined ? {} : { uri }) };
  });
}

function assetOrId(db: ReadDb, assetId: string): Pick<Found, 'asset' | 'assetId'> {
  const asset = assetById(db, assetId);
  return asset ? { asset } : { assetId };
}

function madeFrom(db: ReadDb, { id }: Asset): Found[] {
  const most = MAX_ANCESTRY_STEPS + 1;
  const frames = framesOf(db, id, most).map((asset) => ({ field: parentField(asset), asset }));
  const jobs = db.all<{ jobId: string; field: string }>(madeWith, { id, limit: most });
  const results = assetsOfJobs(db, JSON.stringify(jobs.map(({ jobId }) => jobId)));
  const outputs = jobs.flatMap(({ jobId, field }) => (results.get(jobId) ?? []).map((asset) => ({ field, asset })));
  return [...frames, ...outputs];
}
