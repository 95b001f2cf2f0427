import { isTerminal, type Job, resultsOf } from '../../../../shared/jobs/job.ts';
import { isRequestOf, KINDS, kindOf } from '../../../../shared/kinds/index.ts';
import type { Asset } from '../../../../shared/library/asset.ts';
import type { MediaRef } from '../../../../shared/library/mediaRef.ts';

/** One entry of the strip: a made or imported picture, or a job without a picture yet. */
export type Picture = { job: Job; asset: Asset | undefined } | { job: undefined; asset: Asset };

/** Pictures newest first, including imported ones. Jobs that ended without a picture are shown in the queue only. */
export function picturesOf(
  jobs: readonly Job[],
  imported: readonly Asset[],
  assets: ReadonlyMap<string, Asset>,
): Picture[] {
  const fresh = imported.map((asset) => ({ job: undefined, asset: assets.get(asset.id) ?? asset }));
  const at = ({ job, asset }: Picture): number => job?.createdAt ?? asset?.createdAt ?? 0;
  return [...madeBy(jobs, assets), ...fresh].sort((one, other) => at(other) - at(one));
}

function madeBy(jobs: readonly Job[], assets: ReadonlyMap<string, Asset>): Picture[] {
  return jobs.flatMap((job): Picture[] => {
    const results = resultsOf(job).filter(({ mime }) => mime === '' || mime.startsWith('image/'));
    if (results.length > 0) {
      return results.map((asset) => ({ job, asset: assets.get(asset.id) ?? asset }));
    }
    return isTerminal(job.state) ? [] : [{ job, asset: undefined }];
  });
}

function assetIdOf(ref: MediaRef, jobs: ReadonlyMap<string, Job>): string | undefined {
  if ('assetId' in ref) return ref.assetId;
  if ('uri' in ref || 'frame' in ref) return undefined;
  const job = jobs.get(ref.jobId);
  return job && resultsOf(job)[ref.output ?? 0]?.id;
}

/** The label of one picture; an imported one has the same label. */
export const madeWord = (job: Job | undefined): string => kindOf(job ?? KINDS.imagine.name).words.made;

export interface EditFacts {
  job: Job;
  baseId: string;
  maskId: string;
}

export function editFacts(job: Job | undefined, jobs: ReadonlyMap<string, Job>): EditFacts | undefined {
  const request = job?.request;
  if (!job || !isRequestOf(KINDS.edit, request)) return undefined;
  const baseId = assetIdOf(request.base, jobs);
  const maskId = assetIdOf(request.mask, jobs);
  return baseId && maskId ? { job, baseId, maskId } : undefined;
}

/** A picture with its ancestors and descendants, so that all its versions are listed together. */
export function familyOf(
  assetId: string,
  jobs: ReadonlyMap<string, Job>,
  imported: readonly Asset[] = [],
): ReadonlySet<string> {
  const parents = new Map<string, string>();
  const siblings = new Map<string, string[]>();
  for (const { id, parentId } of imported) {
    if (parentId === undefined) continue;
    siblings.set(id, [id]);
    parents.set(id, parentId);
  }
  for (const job of jobs.values()) {
    const ids = resultsOf(job).map(({ id }) => id);
    const facts = editFacts(job, jobs);
    for (const id of ids) {
      siblings.set(id, ids);
      if (facts) parents.set(id, facts.baseId);
    }
  }
  const rootOf = (id: string, seen: ReadonlySet<string> = new Set()): string => {
    const parent = parents.get(id);
    return parent === undefined || seen.has(id) ? (siblings.get(id)?.[0] ?? id) : rootOf(parent, new Set(seen).add(id));
  };
  const root = rootOf(assetId);
  return new Set([assetId, ...[...siblings.keys()].filter((id) => rootOf(id) === root)]);
}

/** The edit to describe beside a picture: the one that made it, otherwise the newest one made from it. */
export function editBeside(asset: Asset, jobs: ReadonlyMap<string, Job>): EditFacts | undefined {
  const own = editFacts(asset.jobId ? jobs.get(asset.jobId) : undefined, jobs);
  if (own) return own;
  const edits = [...jobs.values()]
    .filter((job) => isRequestOf(KINDS.edit, job.request) && job.state === 'succeeded')
    .sort((a, b) => b.createdAt - a.createdAt);
  return edits.map((job) => editFacts(job, jobs)).find((facts) => facts?.baseId === asset.id);
}
