import type { BundleAsset } from '../../../shared/bundle/document.ts';
import type { Asset } from '../../../shared/library/asset.ts';
import { t } from '../../../shared/text/texts.ts';
import { type ReadDb, sql, type WriteDb } from '../store/index.ts';
import { type AssetRow, insertAsset } from './assetColumns.ts';
import { markAsSaid } from './assetMarks.ts';
import { giveUpDownload } from './assetTable.ts';
import type { StoredFile } from './contentStore.ts';

/** What of the library goes into a bundle, and comes out of one. */

const KEPT = "role <> 'thumbnail' AND emptied = 0";
const ofProject = sql(
  'assets.ofProject',
  `SELECT id FROM assets WHERE project_id = $projectId AND binned_at IS NULL AND ${KEPT} ORDER BY seq`,
);
const takenFrom = sql(
  'assets.bundledFrom',
  `SELECT id FROM assets WHERE parent_id = $id AND binned_at IS NULL AND ${KEPT} ORDER BY seq`,
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

/** A row whose bytes are these, as they are on this disk. */
export const rowOfContent = (db: ReadDb, sha256: string): AssetRow | undefined =>
  db.one<AssetRow>(contentOf, { sha256 });

/** An asset that another library made, under ids of this one. */
export interface AssetOfElsewhere extends Omit<BundleAsset, 'sha256' | 'bytes' | 'mime'> {
  mime: string;
  /** Its bytes, stored here; undefined where the bundle has none. */
  file: StoredFile | undefined;
  projectId: string;
}

const NOT_IN_BUNDLE = t`Its file was not on the machine that made the bundle.`;

/** Without a link: it cannot be downloaded, and no gateway is asked for it. */
export function insertElsewhere(db: WriteDb, asset: AssetOfElsewhere): void {
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
  if (asset.starred || asset.tags) markAsSaid(db, id, { starred: asset.starred, tags: asset.tags });
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

/** Takes out the newest assets of a project that never became whole; false once there are none. Those that came of others go first. */
export function removeUnseenAssets(db: WriteDb, projectId: string, limit: number): boolean {
  const rows = db.all<{ seq: number; id: string }>(newestOfProject, { projectId, limit });
  db.run(removeTasks, { ids: JSON.stringify(idsOf(rows)) });
  for (const { seq } of rows) db.run(removeRows, { seq });
  return rows.length > 0;
}

/** The last frame of a clip came with it, so that none has to be taken. */
export const frameIsThere = (db: WriteDb, id: Asset['id']): number => db.run(endFrameTask, { id });
