import type { BundleAsset } from '../../../../shared/bundle/document.ts';
import type { Result } from '../../../../shared/contract/result.ts';
import type { Asset } from '../../../../shared/library/asset.ts';
import { extensionOf } from '../../../../shared/library/mediaFormats.ts';
import { t } from '../../../../shared/text/texts.ts';
import { type ReadDb, sql, type WriteDb } from '../../store/index.ts';
import { type AssetRow, insertAsset } from '../assetColumns.ts';
import { applySidecarMarks } from '../assetMarks.ts';
import { giveUpDownload } from '../assetTable.ts';
import type { Bin } from '../bin/bin.ts';
import { planTasks } from '../mediaTasks.ts';
import { type ContentInUse, isStored, type StoredFile } from './contentStore.ts';
import type { LibraryDeps } from './diskSpace.ts';
import { storeBody } from './storeBody.ts';
import { bytesOf } from './timedReads.ts';
import type { Verifier } from './verifier.ts';

interface BundledFilesDeps extends Pick<LibraryDeps, 'store' | 'ids' | 'location'> {
  inUse: ContentInUse;
  bin: Pick<Bin, 'removeUnnamed'>;
  /** Files that the last check found damaged are imported again. */
  verifier: Pick<Verifier, 'isContentDamaged' | 'storedAnew'>;
}

/** Files that come in a bundle. Each is held from when it is stored, or found here, until it is let go. */
export class BundledFiles {
  private readonly deps: BundledFilesDeps;

  constructor(deps: BundledFilesDeps) {
    this.deps = deps;
  }

  /** Copies a file that was verified before. If aborted, nothing remains of it. */
  async storeInUse(file: string, sha256: string, signal?: AbortSignal): Promise<Result<StoredFile>> {
    const { location, ids, inUse, verifier } = this.deps;
    const body = bytesOf(file, signal ? { signal } : {});
    const stored = await storeBody(location, ids.id('in'), body, { sound: true, unreadable: true, sha256, inUse });
    if (stored.ok) verifier.storedAnew(sha256);
    return stored;
  }

  takeContent(sha256: string): Promise<StoredFile | undefined> {
    const { inUse } = this.deps;
    return inUse.inTurn(async () => {
      const file = await this.storedContent(sha256);
      if (file) inUse.add(file);
      return file;
    });
  }

  /** The stored file with this hash, unless the last check found it damaged. */
  async storedContent(sha256: string): Promise<StoredFile | undefined> {
    const { store, location, verifier } = this.deps;
    const row = rowOfContent(store.read, sha256);
    if (!row || location.fault() !== undefined) return undefined;
    const { mime, width, height, bytes, seconds, audio } = row;
    const file = {
      ...{ sha256, bytes, mime, width, height, extension: extensionOf(mime) },
      ...(seconds === null ? {} : { seconds }),
      ...(audio === null ? {} : { audio: audio === 1 }),
    };
    return (await isStored(location.home, file)) && !verifier.isContentDamaged(sha256) ? file : undefined;
  }

  /** Records an asset of the project that is being written. */
  record(db: WriteDb, asset: AssetOfElsewhere, hasFrame: boolean): void {
    insertElsewhere(db, asset);
    const { id, file, role } = asset;
    if (file) planTasks(db, { id, mime: file.mime, role }, () => this.deps.ids.id('mt'));
    if (hasFrame) frameIsThere(db, id);
  }

  /** Ends the hold of a file; one that no row names is removed. */
  letGo(file: StoredFile): Promise<void> {
    this.deps.inUse.release(file);
    return this.removeUnnamed(file);
  }

  removeUnnamed(file: Pick<StoredFile, 'sha256' | 'mime'>): Promise<void> {
    return this.deps.bin.removeUnnamed(file);
  }
}

/** The assets of a bundle, on the way out and in. */

const WITH_CONTENT = "role <> 'thumbnail' AND emptied = 0";
const ofProject = sql(
  'assets.ofProject',
  `SELECT id FROM assets WHERE project_id = $projectId AND binned_at IS NULL AND ${WITH_CONTENT} ORDER BY seq`,
);
const takenFrom = sql(
  'assets.bundledFrom',
  `SELECT id FROM assets WHERE parent_id = $id AND binned_at IS NULL AND ${WITH_CONTENT} ORDER BY seq`,
);
const contentOf = sql(
  'assets.contentOf',
  `SELECT * FROM assets WHERE sha256 = $sha256 AND state = 'local' AND emptied = 0 LIMIT 1`,
);
const endFrameTask = sql(
  'media.frameIsThere',
  `UPDATE media_tasks SET state = 'done' WHERE asset_id = $id AND kind = 'lastFrame' AND out_ms = 0 AND state = 'waiting'`,
);

const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id);

/** The ids of the assets of a project, oldest first, without thumbnails and what is in the bin. */
export const assetsOfProject = (db: ReadDb, projectId: string): string[] =>
  idsOf(db.all<{ id: string }>(ofProject, { projectId }));

/** The ids of the frames and pictures that were made from an asset. */
export const assetsMadeFrom = (db: ReadDb, id: string): string[] => idsOf(db.all<{ id: string }>(takenFrom, { id }));

/** An asset with this content on this disk. */
const rowOfContent = (db: ReadDb, sha256: string): AssetRow | undefined => db.one<AssetRow>(contentOf, { sha256 });

/** An asset from another library, with ids of this one. */
interface AssetOfElsewhere extends Omit<BundleAsset, 'sha256' | 'bytes' | 'mime'> {
  mime: string;
  /** The stored bytes; undefined if the bundle has none. */
  file: StoredFile | undefined;
  projectId: string;
}

const NOT_IN_BUNDLE = t`Its file was missing when the bundle was made.`;

/** Without a link: it cannot be downloaded, and no gateway is asked for it. */
function insertElsewhere(db: WriteDb, asset: AssetOfElsewhere): void {
  const { id, role, name, createdAt, file, projectId, mime, made } = asset;
  insertAsset(db, {
    id,
    role,
    name,
    createdAt,
    projectId,
    mime,
    state: file ? 'local' : 'expired',
    fetchable: false,
    ...(file ? { file } : {}),
    ...(asset.jobId === undefined ? {} : { jobId: asset.jobId }),
    ...(asset.outputIndex === undefined ? {} : { outputIndex: asset.outputIndex }),
    ...(asset.parentId === undefined ? {} : { parentId: asset.parentId }),
    ...(asset.outMs === undefined ? {} : { outMs: asset.outMs }),
    ...(asset.model === undefined ? {} : { model: asset.model }),
    ...(asset.verdict === undefined ? {} : { verdict: asset.verdict }),
    ...(made ? { elsewhere: JSON.parse(JSON.stringify(made)) } : {}),
  });
  if (!file) giveUpDownload(db, id, NOT_IN_BUNDLE);
  if (asset.starred || asset.tags) applySidecarMarks(db, id, { starred: asset.starred, tags: asset.tags });
}

const newestOfProject = sql(
  'assets.newestOfProject',
  'SELECT seq, id FROM assets WHERE +project_id = $projectId ORDER BY seq DESC LIMIT $limit',
);
const removeTasks = sql(
  'media.removeOf',
  'DELETE FROM media_tasks WHERE asset_id IN (SELECT value FROM json_each($ids))',
);
const removeRows = sql('assets.removeUnseen', 'DELETE FROM assets WHERE seq = $seq');

/** Removes the newest assets of a project that was never completed; false once there are none. Derived assets are removed first. */
export function removeHiddenAssets(db: WriteDb, projectId: string, limit: number): boolean {
  const rows = db.all<{ seq: number; id: string }>(newestOfProject, { projectId, limit });
  db.run(removeTasks, { ids: JSON.stringify(idsOf(rows)) });
  for (const { seq } of rows) db.run(removeRows, { seq });
  return rows.length > 0;
}

/** The last frame of a clip came with the bundle, so it need not be taken. */
const frameIsThere = (db: WriteDb, id: Asset['id']): number => db.run(endFrameTask, { id });
