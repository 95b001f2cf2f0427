import type { BundleAsset } from '../../../shared/bundle/document.ts';
import type { Result } from '../../../shared/contract/result.ts';
import type { Job } from '../../../shared/jobs/job.ts';
import type { Asset } from '../../../shared/library/asset.ts';
import { type BundledFiles, heldContent, type StoredFile } from '../library/index.ts';
import type { Store } from '../store/index.ts';
import type { Bundle } from './readBundle.ts';
import { inTurns } from './turns.ts';

/** What of a bundle is here already: it is named, and not doubled. */
export interface Held {
  /** Ids of jobs that are these here: the same id, and results of the same bytes. */
  jobs: ReadonlySet<string>;
  /** The id here, by the id there. */
  assets: ReadonlyMap<string, string>;
  /** Files of the library, by hash. They are held until they are let go. */
  content: ReadonlyMap<string, StoredFile>;
}

interface Deps {
  store: Store;
  files: Pick<BundledFiles, 'holdContent' | 'letGo'>;
  getJob(id: string): Result<Job>;
  getAsset(id: string): Result<Asset>;
}

/** Each file is in `content` as soon as it is held, so that whoever calls can let go of it whatever follows. */
export async function heldOf(deps: Deps, bundle: Bundle, content: Map<string, StoredFile>): Promise<Held> {
  for await (const [, [sha256, entry]] of inTurns(bundle.media)) {
    const file = await deps.files.holdContent(sha256);
    if (file?.bytes === entry.bytes) content.set(sha256, file);
    else if (file) await deps.files.letGo(file);
  }
  return { content, ...(await namedHere(deps, bundle)) };
}

/** The jobs and assets that are these here; no file is held. */
async function namedHere(deps: Deps, { jobs, assets }: Bundle): Promise<Pick<Held, 'jobs' | 'assets'>> {
  const results = new Map<string, BundleAsset[]>();
  for (const asset of assets) {
    if (asset.jobId === undefined || !isResult(asset)) continue;
    const ofJob = results.get(asset.jobId);
    if (ofJob) ofJob.push(asset);
    else results.set(asset.jobId, [asset]);
  }
  const known = new Set<string>();
  for await (const [, { id }] of inTurns(jobs)) if (isSameJob(deps, id, results.get(id) ?? [])) known.add(id);
  const names = new Map<string, string>();
  for await (const [, asset] of inTurns(assets)) {
    const here = nameHere(deps, asset, known);
    if (here !== undefined) names.set(asset.id, here);
  }
  return { jobs: known, assets: names };
}

const isResult = ({ role }: BundleAsset): boolean => role === 'output' || role === 'grid';

/** An id is anybody's word; the bytes of all its results are not. */
function isSameJob({ getJob }: Deps, id: string, results: readonly BundleAsset[]): boolean {
  const job = results.length > 0 ? getJob(id) : undefined;
  if (!job?.ok || job.data.outputs.length !== results.length) return false;
  return job.data.outputs.every((output) =>
    results.some(
      ({ id: there, sha256 }) =>
        there === output.id && sha256 === output.sha256 && output.state === 'local' && output.binnedAt === undefined,
    ),
  );
}

function nameHere({ store, getAsset }: Deps, asset: BundleAsset, jobs: ReadonlySet<string>): string | undefined {
  const { id, sha256, jobId, parentId, role } = asset;
  if (sha256 === undefined) return undefined;
  if (jobId !== undefined && isResult(asset)) return jobs.has(jobId) ? id : undefined;
  const same = getAsset(id);
  if (same.ok && same.data.sha256 === sha256 && same.data.role === role && same.data.binnedAt === undefined) return id;
  // What was taken from another asset belongs to that one.
  return parentId === undefined ? heldContent(store.read, sha256)?.id : undefined;
}
