import type { Project } from '../../../shared/board/board.ts';
import type { BundleAsset, BundleJob } from '../../../shared/bundle/document.ts';
import { type RefNames, renamedFilm, renamedRequest, renamedShot } from '../../../shared/bundle/refs.ts';
import type { Result } from '../../../shared/contract/result.ts';
import type { Job } from '../../../shared/jobs/job.ts';
import type { Asset } from '../../../shared/library/asset.ts';
import { shortened } from '../../../shared/text/shortened.ts';
import type { ConversationFiles } from '../chat/index.ts';
import { type JobCommands, removeHiddenJobs } from '../jobs/index.ts';
import { type BundledFiles, contentHere, removeHiddenAssets, type StoredFile } from '../library/index.ts';
import type { Clock, Ids } from '../ports.ts';
import { removeUnfinishedProject, type Store, type WriteDb, writeHiddenProject } from '../store/index.ts';
import type { Storyboard } from '../storyboard/index.ts';
import { inTurns, slicesOf } from '../timeSlicing.ts';
import type { Bundle } from './readBundle.ts';

/** Jobs or assets in one transaction: each needs several writes, and turns must stay short. */
export const ROWS_PER_SLICE = 25;

export interface WriteDeps {
  store: Store;
  clock: Clock;
  ids: Ids;
  files: Pick<BundledFiles, 'record'>;
  jobs: Pick<JobCommands, 'writeImportedJob'>;
  storyboard: Pick<Storyboard, 'addProject'>;
  chats: Pick<ConversationFiles, 'add' | 'showOfProject' | 'removeUnseen'>;
  /** Aborted when the program closes: the rest is removed at the next start. */
  closing: AbortSignal;
}

type Step = (db: WriteDb) => void;

/** Writes a bundle as a project, a few rows a turn, all hidden until the end. Undefined if Dailies closes meanwhile. */
export async function writeProject(deps: WriteDeps, bundle: Bundle, held: Held): Promise<Project | undefined> {
  const { store } = deps;
  const id = deps.ids.id('prj');
  const here = { projectId: id, names: newNames(deps, bundle, held), held };
  const steps = stepsOf(deps, bundle, here);
  const show = (db: WriteDb) => completeProject(deps, db, bundle, here);
  const project = await writeHiddenProject(unseenIn(deps), { id, steps, show });
  if (project) noteNewest(store, bundle, here);
  return project;
}

/** Reports the newest rows of each list, which makes pages read it again; reporting all would take a long turn. */
function noteNewest(store: Store, { jobs, assets }: Bundle, { held, names }: { held: Held; names: RefNames }): void {
  const newest = (ids: (string | undefined)[]) => ids.slice(-ROWS_PER_SLICE).flatMap((id) => id ?? []);
  store.noteRevised('jobs', newest(jobs.filter(({ id }) => !held.jobs.has(id)).map(({ id }) => names.job(id))));
  store.noteRevised('assets', newest(assets.filter(({ id }) => !held.assets.has(id)).map(({ id }) => names.asset(id))));
}

/** After a crash or a full disk. */
export const removeUnfinished = (deps: TakeOutDeps): Promise<void> => removeUnfinishedProject(unseenIn(deps));

type TakeOutDeps = Pick<WriteDeps, 'store' | 'chats' | 'closing'>;

const unseenIn = ({ store, chats, closing }: TakeOutDeps) => ({
  store,
  closing,
  takeOutSome: (db: WriteDb, id: string) =>
    chats.removeUnseen(db, id, ROWS_PER_SLICE) ||
    removeHiddenAssets(db, id, ROWS_PER_SLICE) ||
    removeHiddenJobs(db, id, ROWS_PER_SLICE),
});

interface Here {
  projectId: string;
  names: RefNames;
}

function* stepsOf(deps: WriteDeps, bundle: Bundle, here: Here & { held: Held }): Generator<Step> {
  const { held, projectId } = here;
  const jobs = bundle.jobs.filter(({ id }) => !held.jobs.has(id));
  const assets = bundle.assets.filter(({ id }) => !held.assets.has(id));
  const withFrame = new Set(
    bundle.assets.flatMap(({ role, parentId, sha256, outMs }) =>
      role === 'frame' && sha256 && outMs === undefined ? (parentId ?? []) : [],
    ),
  );
  for (const slice of slicesOf(jobs, ROWS_PER_SLICE))
    yield (db) => {
      for (const job of slice) writeJob(deps, db, job, here);
    };
  for (const slice of slicesOf(assets, ROWS_PER_SLICE))
    yield (db) => {
      for (const asset of slice) writeAsset(deps, db, asset, { ...here, hasFrame: withFrame.has(asset.id) });
    };
  for (const chat of bundle.chats) yield* deps.chats.add(chat, projectId);
}

function completeProject(
  deps: WriteDeps,
  db: WriteDb,
  { manifest, film, shots }: Bundle,
  { projectId, names }: Here,
): Project {
  const { project } = deps.storyboard.addProject(
    db,
    shortened(manifest.title, 200),
    () => shots.map((shot) => ({ ...renamedShot(shot, names), id: shot.id })),
    { ...renamedFilm(film, names), id: projectId },
  );
  deps.chats.showOfProject(db, projectId, projectId);
  return project;
}

/** New ids; what is already here keeps its own. */
function newNames({ ids }: Pick<WriteDeps, 'ids'>, { jobs, assets }: Bundle, held: Held): RefNames {
  const jobNames = new Map(jobs.map(({ id }) => [id, held.jobs.has(id) ? id : ids.id('job')]));
  const assetNames = new Map(assets.map(({ id }) => [id, held.assets.get(id) ?? ids.id('as')]));
  return {
    job: (id) => jobNames.get(id),
    asset: (id) => assetNames.get(id),
    word: (text) => jobNames.get(text) ?? assetNames.get(text) ?? text,
  };
}

function writeJob({ jobs, clock }: WriteDeps, db: WriteDb, job: BundleJob, { projectId, names }: Here): void {
  const now = clock.now();
  jobs.writeImportedJob(db, {
    ...job,
    id: names.job(job.id) ?? job.id,
    projectId,
    request: renamedRequest(job.request, names),
    createdAt: Math.min(job.createdAt, now),
    finishedAt: Math.min(job.finishedAt ?? job.createdAt, now),
  });
}

function writeAsset(
  { files, clock }: WriteDeps,
  db: WriteDb,
  asset: BundleAsset,
  { projectId, names, held, hasFrame }: Here & { held: Held; hasFrame: boolean },
): void {
  const { jobId, parentId, sha256, made } = asset;
  const now = clock.now();
  const own = {
    ...asset,
    jobId: jobId === undefined ? undefined : names.job(jobId),
    parentId: parentId === undefined ? undefined : names.asset(parentId),
    id: names.asset(asset.id) ?? asset.id,
    // The library sorts by time of import; the job keeps the time of making.
    createdAt: now,
    made: jobId === undefined ? { ...made, madeAt: made?.madeAt ?? Math.min(asset.createdAt, now) } : made,
    projectId,
    file: sha256 === undefined ? undefined : held.content.get(sha256),
  };
  files.record(db, own, hasFrame);
}

/** Parts of a bundle that are already here, and are referenced instead of copied. */
interface Held {
  /** Jobs with the same id and byte-identical results. */
  jobs: ReadonlySet<string>;
  /** The id here, by the id in the bundle. */
  assets: ReadonlyMap<string, string>;
  /** Files of the library by hash, held until they are released. */
  content: ReadonlyMap<string, StoredFile>;
}

interface Deps {
  store: Store;
  files: Pick<BundledFiles, 'takeContent' | 'letGo'>;
  getJob(id: string): Result<Job>;
  getAsset(id: string): Result<Asset>;
}

/** Each file is in `content` as soon as it is held, so that the caller can release it in any case. */
export async function heldOf(deps: Deps, bundle: Bundle, content: Map<string, StoredFile>): Promise<Held> {
  for await (const [, [sha256, entry]] of inTurns(bundle.media)) {
    const file = await deps.files.takeContent(sha256);
    if (file?.bytes === entry.bytes) content.set(sha256, file);
    else if (file) await deps.files.letGo(file);
  }
  return { content, ...(await existingHere(deps, bundle)) };
}

/** The jobs and assets that are already here; holds no file. */
async function existingHere(deps: Deps, { jobs, assets }: Bundle): Promise<Pick<Held, 'jobs' | 'assets'>> {
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
    const here = existingAssetId(deps, asset, known);
    if (here !== undefined) names.set(asset.id, here);
  }
  return { jobs: known, assets: names };
}

const isResult = ({ role }: BundleAsset): boolean => role === 'output' || role === 'grid';

/** Ids can be forged; the bytes of all results cannot. */
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

function existingAssetId({ store, getAsset }: Deps, asset: BundleAsset, jobs: ReadonlySet<string>): string | undefined {
  const { id, sha256, jobId, parentId, role } = asset;
  if (sha256 === undefined) return undefined;
  if (jobId !== undefined && isResult(asset)) return jobs.has(jobId) ? id : undefined;
  const same = getAsset(id);
  if (same.ok && same.data.sha256 === sha256 && same.data.role === role && same.data.binnedAt === undefined) return id;
  // A derived asset belongs to its parent.
  return parentId === undefined ? contentHere(store.read, sha256)?.id : undefined;
}
