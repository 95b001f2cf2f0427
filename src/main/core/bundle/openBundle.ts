import type { Asset } from '../../../shared/asset.ts';
import type { Project } from '../../../shared/board.ts';
import type { BundleAsset, BundleJob } from '../../../shared/bundle/document.ts';
import { type RefNames, renamedFilm, renamedRequest, renamedShot } from '../../../shared/bundle/refs.ts';
import { formatBytes } from '../../../shared/bytes.ts';
import type { Job } from '../../../shared/job.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { t } from '../../../shared/texts.ts';
import type { ChatFiles } from '../chat/index.ts';
import type { JobCommands } from '../jobs/index.ts';
import { type BundledFiles, probeInProcess, type StoredFile, unsupportedMedia, writeStream } from '../library/index.ts';
import type { Clock, Ids } from '../ports.ts';
import type { Store, WriteDb } from '../store/index.ts';
import type { Storyboard } from '../storyboard/index.ts';
import { broken } from './bundleFault.ts';
import { type Held, heldOf } from './heldHere.ts';
import type { Bundle } from './readBundle.ts';
import { TempFolder } from './tempFiles.ts';
import type { ZipEntry, ZipFile } from './zipFile.ts';

export interface OpenDeps {
  store: Store;
  clock: Clock;
  ids: Ids;
  dataDir: string;
  files: BundledFiles;
  announceMedia(): void;
  jobs: Pick<JobCommands, 'writeElsewhere'>;
  getJob(id: string): Result<Job>;
  getAsset(id: string): Result<Asset>;
  storyboard: Pick<Storyboard, 'addProject' | 'announceProjects'>;
  chats: Pick<ChatFiles, 'add'>;
  /** Of the disks of the library and of the data folder, the fewer. */
  freeBytes(): number;
  isClosed(): boolean;
}

/**
 * Opens a bundle as a new project. Its media are unpacked into a folder of their own and compared with their hashes, then stored, and one
 * transaction writes all else: a kill leaves no project, and the next start removes what was stored for it.
 */
export async function openBundle(deps: OpenDeps, zip: ZipFile, bundle: Bundle): Promise<Result<Project>> {
  const held = heldOf(deps, bundle);
  const needed = [...bundle.media].filter(([sha256]) => !held.content.has(sha256));
  const largest = needed.reduce((most, [, { bytes }]) => Math.max(most, bytes), 0);
  const bytes = needed.reduce((sum, [, entry]) => sum + entry.bytes, largest);
  const free = deps.freeBytes();
  const temp = new TempFolder(deps.dataDir, deps.ids.id('open'));
  const stored = new Map(held.content);
  try {
    if (bytes > free)
      return fail(
        'disk_full',
        t`It needs ${formatBytes(bytes)}, and the disk has ${formatBytes(free)} free. Nothing was opened.`,
      );
    const unpacked = await unpackAll(deps, zip, { needed, temp });
    if (!unpacked.ok) return unpacked;
    temp.note(unpacked.data);
    for (const { sha256 } of unpacked.data) {
      if (deps.isClosed()) return closed;
      const one = await deps.files.storeHeld(temp.fileOf(sha256), sha256);
      if (!one.ok) return fail(one.error.code, t`${one.error.message} Nothing was opened.`);
      stored.set(sha256, one.data);
    }
    const project = deps.store.transaction((db) => writeAll(deps, db, bundle, { ...held, content: stored }));
    deps.announceMedia();
    deps.storyboard.announceProjects();
    return ok(project);
  } finally {
    // What the project names by now stays.
    for (const file of stored.values()) deps.files.letGo(file);
    await temp.remove();
  }
}

const closed = fail('wrong_state', t`Dailies was closed before the bundle was opened. Open it again.`);

async function unpackAll(
  deps: Pick<OpenDeps, 'isClosed'>,
  zip: ZipFile,
  { needed, temp }: { needed: readonly [string, ZipEntry][]; temp: TempFolder },
): Promise<Result<{ sha256: string; mime: string }[]>> {
  const unpacked: { sha256: string; mime: string }[] = [];
  for (const [sha256, entry] of needed) {
    if (deps.isClosed()) return closed;
    const file = temp.fileOf(sha256);
    let fault: unknown;
    const body = zip.read(entry);
    const watched = async function* () {
      try {
        yield* body;
      } catch (error) {
        fault = error;
        throw error;
      }
    };
    const written = await writeStream(file, watched(), { from: 0, cap: entry.bytes });
    if (fault) throw fault;
    if (!written.ok) return fail(written.error.code, t`${written.error.message} Nothing was opened.`);
    if (written.data.sha256 !== sha256) throw broken(entry.name, 'its bytes are not those that its hash names.');
    const probe = await probeInProcess(file);
    if (!probe) throw broken(entry.name, unsupportedMedia.ok ? '' : unsupportedMedia.error.message);
    unpacked.push({ sha256, mime: probe.mime });
  }
  return ok(unpacked);
}

interface Contents extends Held {
  content: ReadonlyMap<string, StoredFile>;
}

function writeAll(deps: OpenDeps, db: WriteDb, bundle: Bundle, held: Contents): Project {
  const names = newNames(deps, bundle, held);
  const { film, shots } = bundle;
  const { project } = deps.storyboard.addProject(
    db,
    bundle.manifest.title.trim().slice(0, 200),
    (projectId) => {
      for (const job of bundle.jobs) if (!held.jobs.has(job.id)) writeJob(deps, db, job, { projectId, names });
      writeAssets(deps, db, bundle.assets, { projectId, names, held });
      return shots.map((shot) => ({ ...renamedShot(shot, names), id: shot.id }));
    },
    renamedFilm(film, names),
  );
  for (const chat of bundle.chats) deps.chats.add(db, chat, project.id);
  return project;
}

/** What is here already keeps its name; all else gets one of this library's. */
function newNames({ ids }: OpenDeps, { jobs, assets }: Bundle, held: Held): RefNames {
  const jobNames = new Map(jobs.map(({ id }) => [id, held.jobs.has(id) ? id : ids.id('job')]));
  const assetNames = new Map(assets.map(({ id }) => [id, held.assets.get(id) ?? ids.id('as')]));
  return {
    job: (id) => jobNames.get(id),
    asset: (id) => assetNames.get(id),
    word: (text) => jobNames.get(text) ?? assetNames.get(text) ?? text,
  };
}

interface Here {
  projectId: string;
  names: RefNames;
}

function writeJob({ jobs, clock }: OpenDeps, db: WriteDb, job: BundleJob, { projectId, names }: Here): void {
  const now = clock.now();
  jobs.writeElsewhere(db, {
    ...job,
    id: names.job(job.id) ?? job.id,
    projectId,
    request: renamedRequest(job.request, names),
    createdAt: Math.min(job.createdAt, now),
    finishedAt: Math.min(job.finishedAt ?? job.createdAt, now),
  });
}

function writeAssets(
  { files, clock }: OpenDeps,
  db: WriteDb,
  assets: readonly BundleAsset[],
  { projectId, names, held }: Here & { held: Contents },
): void {
  const withFrame = new Set(
    assets.flatMap(({ role, parentId, sha256 }) => (role === 'frame' && sha256 ? (parentId ?? []) : [])),
  );
  for (const asset of assets) {
    if (held.assets.has(asset.id)) continue;
    const { jobId, parentId, sha256 } = asset;
    const file = sha256 === undefined ? undefined : held.content.get(sha256);
    const known = {
      jobId: jobId === undefined ? undefined : names.job(jobId),
      parentId: parentId === undefined ? undefined : names.asset(parentId),
    };
    const own = {
      ...asset,
      ...known,
      id: names.asset(asset.id) ?? asset.id,
      createdAt: Math.min(asset.createdAt, clock.now()),
      projectId,
      file,
    };
    files.record(db, own, withFrame.has(asset.id));
  }
}
