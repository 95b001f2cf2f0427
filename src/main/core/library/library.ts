import path from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import type { Handlers } from '../../../shared/contract/contract.ts';
import { fail, ok, type Result } from '../../../shared/contract/result.ts';
import type { MeasuredFile } from '../../../shared/film/measures.ts';
import type { Asset, AssetRole, MediaTask } from '../../../shared/library/asset.ts';
import { type MediaFacts, mediaTypeOf, type PictureSize } from '../../../shared/library/mediaRef.ts';
import type { FoundProvenance } from '../../../shared/library/provenance.ts';
import { en, t } from '../../../shared/text/texts.ts';
import type { RemoteOutput } from '../gateway/index.ts';
import type { MediaFile, MediaUpload } from '../ports.ts';
import { type ReadDb, readInThreadIf, type Store, unfinishedProject, type WriteDb } from '../store/index.ts';
import { type AssetRow, insertAsset, type NewAsset } from './assetColumns.ts';
import { countFacets, listAssets, walksManyAssets } from './assetList.ts';
import {
  assetById,
  assetRow,
  assetStats,
  assetsByIds,
  importedAsset,
  parentOf,
  restartDownload,
  sameChild,
} from './assetTable.ts';
import { Bin } from './bin/bin.ts';
import { figuresOfChosen } from './chosenAssets.ts';
import { clipFactsOf } from './clipFactsTable.ts';
import { ContentInUse, type StoredFile, sizeOf } from './content/contentStore.ts';
import { type LibraryDeps, LibraryDiskSpace } from './content/diskSpace.ts';
import type { LibraryLocation } from './content/location.ts';
import { type PreparedOutput, storeBody, storeInlineOutput } from './content/storeBody.ts';
import { bytesOf, userBytes } from './content/timedReads.ts';
import { cleanName, isObjectStorage, isUploadRole, UPLOAD_ROLE_LIST, uploadSize } from './content/uploadChecks.ts';
import { DownloadQueue, notLocal } from './downloads/downloadQueue.ts';
import type { ClipFacts } from './media/clipFacts.ts';
import { foundInProcess, maskFactsInProcess, uprightWebp } from './media/inspector.ts';
import { measuredFiles, taskById } from './mediaTasks.ts';
import { MediaWork } from './mediaWork.ts';
import { recordFetched } from './recordEvidence.ts';

/** The job that results belong to. */
export interface JobOrigin {
  id: string;
  profileId: string;
  projectId?: string;
  model?: string;
  /** The name of its results. */
  name: string;
}

/** How long a start and a close wait for the library's disk. */
const DISK_LIMIT_MS = 5_000;

/** The role of the file that a task uploads; measures are reported, not uploaded. */
const ROLE_OF_TASK: Partial<Record<MediaTask['kind'], AssetRole>> = { thumbnail: 'thumbnail', lastFrame: 'frame' };

/** Everything made or imported: files stored under their hash, and what is known about them. */
export class Library {
  private readonly deps: LibraryDeps;
  private readonly store: Store;
  private readonly downloads: DownloadQueue;
  /** Stored content without a row. */
  readonly inUse = new ContentInUse();
  readonly bin: Bin;
  readonly location: LibraryLocation;
  readonly room: LibraryDiskSpace;
  readonly mediaWork: MediaWork;

  constructor(deps: LibraryDeps) {
    this.deps = deps;
    this.store = deps.store;
    this.location = deps.location;
    this.room = new LibraryDiskSpace(deps);
    deps.store.onRevised('assets', (ids) => this.emitChanged(ids));
    this.mediaWork = new MediaWork({
      ...deps,
      isHere: async (row) => row.state === 'local' && !(await this.isGone(row)),
    });
    const bin = new Bin({ ...deps, inUse: this.inUse, onDeleted: (id) => this.downloads.forget(id) });
    this.bin = bin;
    this.downloads = new DownloadQueue({
      ...deps,
      inUse: this.inUse,
      atOnce: deps.downloadsAtOnce,
      freeBytes: () => this.room.freeBytes(),
      waits: () => this.waits(),
      notify: (level, text) => deps.emit({ type: 'notice', level, text, about: 'room for results' }),
      onLocal: (db, row, file) => void this.mediaWork.plan(db, { id: row.id, mime: file.mime, role: row.role }),
      onLate: (db) => bin.fileToRemove(db),
      onSettled: (jobId) => {
        deps.emit({ type: 'media.work' });
        if (jobId) deps.events.emit('output.settled', jobId);
      },
    });
  }

  handlers(): Pick<Handlers, `library.${'list' | 'facets' | 'chosen' | 'get' | 'import' | 'stats'}`> {
    const { store } = this;
    return {
      'library.list': (filter) => readInThreadIf(walksManyAssets(filter), store, (db) => ok(listAssets(db, filter))),
      'library.facets': (filter) => store.readInThread((db) => ok(countFacets(db, filter))),
      'library.chosen': (chosen) => store.readInThread((db) => ok(figuresOfChosen(db, chosen))),
      'library.get': ({ id }) => this.get(id),
      'library.import': ({ path }) => this.importFile(path),
      'library.stats': () => store.readInThread((db) => ok({ ...assetStats(db), freeBytes: this.room.freeBytes() })),
    };
  }

  /** Resolves once leftovers of a kill are settled, or after a few seconds if the disk does not answer. */
  settled(): Promise<unknown> {
    return this.inTime(this.downloads.settled);
  }

  /** Starts downloads that are due. */
  wakeDownloads(): void {
    this.downloads.wake();
  }

  async close(): Promise<void> {
    this.mediaWork.close();
    await this.inTime(Promise.all([this.bin.close(), this.downloads.close()]));
  }

  /** Gives up on a disk that does not answer. Unfinished work is left as by a kill, and a start settles it. */
  private inTime(work: Promise<unknown>): Promise<unknown> {
    return Promise.race([work, setTimeout(DISK_LIMIT_MS, undefined, { ref: false })]);
  }

  /** `PUT /media`: a file of the user's or, with a task, a file that the media page made from an asset. */
  async upload({ name, body, taskId, role = 'source', parentId }: MediaUpload): Promise<Result<Asset>> {
    if (!isUploadRole(role)) {
      body.destroy();
      return fail('invalid_input', `role: must be ${UPLOAD_ROLE_LIST}.`, { field: 'role' });
    }
    if (taskId !== undefined) return this.uploadForTask(taskId, body);
    if (parentId !== undefined) return this.uploadMadeFrom(parentId, { name, body, role });
    return this.storeUpload(body, importedAsset(this.deps, cleanName(name), role), { sound: role === 'source' });
  }

  /** A file that the user made from an asset here. It belongs to the same project and to no job. */
  private async uploadMadeFrom(parentId: string, { name, body, role }: MediaUpload & { role: AssetRole }) {
    const parent = parentOf(this.store.read, parentId);
    if (!parent.ok) body.destroy();
    if (!parent.ok) return parent;
    const { project_id } = parent.data;
    const made = (file: StoredFile): NewAsset => ({
      ...importedAsset(this.deps, cleanName(name), role)(file),
      parentId,
      ...(project_id ? { projectId: project_id } : {}),
    });
    return this.storeUpload(body, made, { parentId });
  }

  private async uploadForTask(taskId: string, body: Readable): Promise<Result<Asset>> {
    const task = this.store.transaction((db) => taskById(db, taskId));
    const parent = task && assetRow(this.store.read, task.asset_id);
    const role = task && ROLE_OF_TASK[task.kind];
    if (task?.state !== 'claimed' || !parent || !role) {
      body.destroy();
      return fail('not_found', 'task: there is no such open media task.');
    }
    const made = (file: StoredFile): NewAsset => ({
      ...importedAsset(this.deps, `${parent.name}, ${role === 'frame' ? 'last frame' : role}`, role)(file),
      parentId: parent.id,
      ...(task.out_ms === 0 ? {} : { outMs: task.out_ms }),
      ...(parent.job_id ? { jobId: parent.job_id } : {}),
      ...(parent.project_id ? { projectId: parent.project_id } : {}),
    });
    return this.storeUpload(body, made, { parentId: parent.id, isTask: true });
  }

  /** Imports a file of this machine; only pictures, videos and sounds pass the check of their content. */
  async importFile(file: string): Promise<Result<Asset>> {
    if (!path.isAbsolute(file)) return fail('invalid_input', 'path: must be an absolute path.', { field: 'path' });
    const bytes = await uploadSize(file);
    if (!bytes.ok) return bytes;
    return this.storeUpload(
      userBytes(file, { bytes: bytes.data }),
      importedAsset(this.deps, cleanName(path.basename(file))),
      { sound: true },
    );
  }

  /** Stores a file of the program's own, for {@link recordOutputs}. */
  storeFile(file: string): Promise<Result<StoredFile>> {
    const rules = { sound: false, inUse: this.inUse };
    return storeBody(this.deps.location, this.deps.ids.id('in'), bytesOf(file), rules);
  }

  open(id: string): Result<MediaFile> {
    const row = assetRow(this.store.read, id);
    if (!row) return noSuchAsset;
    if (row.state !== 'local') return notLocal(row);
    const away = this.deps.location.fault();
    if (away !== undefined) return fail('store_unavailable', away);
    const { mime, bytes, sha256, name } = row;
    const path = this.deps.location.pathOf(row);
    return ok({ path, mime, bytes, sha256, name, ...(mime === 'image/webp' && { upright: () => uprightWebp(path) }) });
  }

  /** Facts about the streams of a local clip; `null` if it is not here, or cannot be read. */
  async clipFacts(id: string): Promise<ClipFacts | null> {
    const file = this.open(id);
    return file.ok ? clipFactsOf(this.store, file.data.sha256, file.data.path) : null;
  }

  /** How a local file was made, according to its metadata, as untrusted text. */
  async found(id: string): Promise<Result<FoundProvenance>> {
    const file = this.open(id);
    if (!file.ok) return file;
    return ok((await foundInProcess(file.data.path, file.data.mime)) ?? { c2pa: false });
  }

  get(id: string): Result<Asset> {
    const asset = assetById(this.store.read, id);
    return asset ? ok(asset) : noSuchAsset;
  }

  list(filter: Parameters<typeof listAssets>[1], db: ReadDb = this.store.read) {
    return listAssets(db, filter);
  }

  facets(filter: Parameters<typeof countFacets>[1], db: ReadDb = this.store.read) {
    return countFacets(db, filter);
  }

  /** Why no work that makes files can begin now ({@link LibraryDiskSpace.storageProblem}). */
  waits(): Promise<string | undefined> {
    return this.room.storageProblem(this.deps.clock.now());
  }

  /**
   * Downloads a result now at the user's wish: a waiting one, an expired one whose address may still work, or one whose file is missing or
   * damaged here.
   */
  async download(id: string, isDamaged = false): Promise<Result<Asset>> {
    const row = assetRow(this.store.read, id);
    if (!row) return noSuchAsset;
    if (row.state === 'local' && !isDamaged && !(await this.isGone(row))) return this.get(id);
    if (row.emptied === 1) return fail('wrong_state', en`It was deleted from the bin and cannot be fetched again.`);
    if (row.remote_uri === null || isObjectStorage(row.remote_uri)) {
      return fail('wrong_state', row.fault ?? en`It has no address that can be downloaded.`);
    }
    this.store.transaction((db) => restartDownload(db, id));
    this.downloads.wantNow(row);
    return this.get(id);
  }

  /**
   * Writes results whose bytes came inside the answer to disk, before the answer is recorded; links stay links. Throws `ENOSPC` while the
   * disk is full: the bytes are nowhere else, so the caller must try again.
   */
  async storeInlineOutputs(outputs: RemoteOutput[]): Promise<PreparedOutput[]> {
    const prepared: PreparedOutput[] = [];
    for (const output of outputs)
      prepared.push(
        await storeInlineOutput(
          { location: this.deps.location, name: this.deps.ids.id('in'), inUse: this.inUse },
          output,
        ),
      );
    return prepared;
  }

  /**
   * Records a job's results in the transaction that completes it: the links are on disk before anything else happens. `first`: the number
   * of those that came before.
   */
  recordOutputs(db: WriteDb, job: JobOrigin, outputs: PreparedOutput[], first = 0): void {
    const { name, id: jobId, ...origin } = job;
    for (const [at, { output, file, thumbnail }] of outputs.entries()) {
      const id = this.deps.ids.id('as');
      const index = first + at;
      insertAsset(db, {
        ...origin,
        id,
        jobId,
        name: first + outputs.length > 1 ? `${name} ${index + 1}` : name,
        state: file ? 'local' : 'remote',
        role: output.role,
        outputIndex: index,
        createdAt: this.deps.clock.now(),
        fetchable: !isObjectStorage(output.uri),
        ...(file ? { file } : { remoteUri: output.uri }),
        ...(output.mime ? { mime: output.mime } : {}),
        ...(output.expiresAt ? { expiresAt: output.expiresAt } : {}),
      });
      if (!file) continue;
      if (thumbnail) {
        const made = importedAsset(this.deps, t`${name}, thumbnail`, 'thumbnail')(thumbnail);
        insertAsset(db, { ...made, ...origin, jobId, parentId: id });
        this.releaseOnceRecorded(thumbnail);
      }
      this.mediaWork.planAndAnnounce(db, {
        id,
        mime: file.mime,
        role: output.role,
        hasThumbnail: thumbnail !== undefined,
      });
      recordFetched(db, { job_id: jobId, output_index: index }, file);
      this.releaseOnceRecorded(file);
    }
  }

  /** Runs after the transaction's turn. If that was rolled back, the file stays registered for the next attempt. */
  private releaseOnceRecorded(file: StoredFile): void {
    setImmediate(() => this.bin.releaseNamed(file));
  }

  /** Known measures of files by hash; missing ones are planned for the media page. */
  measures(sha256s: readonly string[]): Record<string, MeasuredFile> {
    this.mediaWork.planMeasuring(sha256s);
    return measuredFiles(this.store.read, sha256s);
  }

  /** Facts about an asset for the request rules. A mask with the size of its base is examined pixel by pixel. */
  async mediaFacts(id: string, options: { asMask: boolean; base?: PictureSize }): Promise<MediaFacts> {
    const row = assetRow(this.store.read, id);
    if (!row) return { status: 'missing', type: 'unknown' };
    const facts: MediaFacts = {
      status: 'ready',
      type: mediaTypeOf(row.mime),
      ...(row.width > 0 ? { width: row.width, height: row.height } : {}),
      ...(row.mime === '' ? {} : { mime: row.mime }),
      bytes: row.bytes,
      ...(row.model === null ? {} : { model: row.model }),
      remoteUri: row.remote_uri !== null,
      ...((await this.isGone(row)) ? { isGone: true } : {}),
    };
    if (!options.asMask || row.state !== 'local' || row.mime !== 'image/png') return facts;
    const mask = await maskFactsInProcess(this.deps.location.pathOf(row), options.base);
    if (mask && 'width' in mask) return { ...facts, ...mask };
    return mask ? { ...facts, pureMask: mask.pure, whitePixels: mask.whitePixels } : { ...facts, pureMask: false };
  }

  /** A result that is still to be downloaded is not gone. */
  private async isGone(row: AssetRow): Promise<boolean> {
    // A file on a disconnected disk is not gone.
    if (row.state === 'local')
      return (
        (await this.deps.location.look()) === undefined && (await sizeOf(this.deps.location.pathOf(row))) === undefined
      );
    return row.state === 'expired' || row.fetchable === 0;
  }

  private emitChanged(ids: readonly string[]): void {
    const unfinished = unfinishedProject(this.store.read);
    for (const asset of assetsByIds(this.store.read, ids))
      if (unfinished === undefined || asset.projectId !== unfinished) this.deps.emit({ type: 'asset.changed', asset });
  }

  /**
   * Stores the bytes, then records the asset: it exists only once its file is complete. The result of a task may already be here, if its
   * page or the program ended before the answer and the task was given out again.
   */
  private async storeUpload(
    body: AsyncIterable<Uint8Array>,
    asset: (file: StoredFile) => NewAsset,
    { sound = false, parentId, isTask = false }: { sound?: boolean; parentId?: string; isTask?: boolean } = {},
  ): Promise<Result<Asset>> {
    const stored = await storeBody(this.deps.location, this.deps.ids.id('up'), body, { sound, inUse: this.inUse });
    if (!stored.ok) return stored;
    const fresh = asset(stored.data);
    const recorded = await this.bin.recorded(stored.data, () =>
      this.store.transaction((db) => {
        if (parentId !== undefined && assetRow(db, parentId)?.emptied === 1) return 'deleted';
        const known = isTask ? sameChild(db, fresh) : undefined;
        if (known !== undefined) return { id: known, planned: false };
        insertAsset(db, fresh);
        const planned = this.mediaWork.plan(db, { id: fresh.id, mime: stored.data.mime, role: fresh.role });
        return { id: fresh.id, planned };
      }),
    );
    if (recorded === 'deleted') {
      await this.bin.removeUnnamed(stored.data);
      return fail('not_found', en`The asset that it was made from was deleted from the bin.`);
    }
    if (recorded.planned) this.deps.emit({ type: 'media.work' });
    return this.get(recorded.id);
  }
}

const noSuchAsset = fail('not_found', 'There is no such asset.');
