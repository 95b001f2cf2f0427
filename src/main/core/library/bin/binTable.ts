import type { Emptied, KeptReason } from '../../../../shared/library/assetMarks.ts';
import { extensionOf } from '../../../../shared/library/mediaFormats.ts';
import { t } from '../../../../shared/text/texts.ts';
import { type ReadDb, type Store, sql, type WriteDb } from '../../store/index.ts';
import type { AssetRow } from '../assetColumns.ts';
import type { StoredFile } from '../content/contentStore.ts';

/** Assets in the bin, and those that were deleted from it. One whose file is still to be removed keeps its hash until that is done. */

export const DELETED = t`Deleted from the bin.`;

export type BinnedRow = Pick<
  AssetRow,
  'seq' | 'id' | 'job_id' | 'parent_id' | 'sha256' | 'mime' | 'bytes' | 'state' | 'role'
> & {
  /** 1 for a frame that went into the bin with its clip: it is not listed as an item of its own. */
  is_along: 0 | 1;
};
const COLUMNS = `a.seq, a.id, a.job_id, a.parent_id, a.sha256, a.mime, a.bytes, a.state, a.role,
  a.role = 'frame' AND a.binned_at IS NOT NULL AND a.binned_at IS (SELECT p.binned_at FROM assets p WHERE p.id = a.parent_id) AS is_along`;

const nextInBin = sql(
  'assets.nextInBin',
  `SELECT ${COLUMNS} FROM assets a INDEXED BY assets_binned
   WHERE role <> 'thumbnail' AND binned_at IS NOT NULL AND emptied = 0 AND seq > $after AND seq <= $last
     AND binned_at <= $before ORDER BY seq LIMIT $limit`,
);
const lastInBin = sql(
  'assets.lastInBin',
  `SELECT coalesce(max(seq), 0) AS seq, coalesce(max(binned_at), 0) AS at FROM assets INDEXED BY assets_binned WHERE role <> 'thumbnail' AND binned_at IS NOT NULL AND emptied = 0`,
);
/** With what went into the bin together with them, as it comes out of it. */
const chosenInBin = sql(
  'assets.chosenInBin',
  `SELECT ${COLUMNS} FROM assets a WHERE role <> 'thumbnail' AND binned_at IS NOT NULL AND emptied = 0
     AND (id IN (SELECT value FROM json_each($ids)) OR parent_id IN (SELECT value FROM json_each($ids)) AND role <> 'source'
       AND binned_at = (SELECT p.binned_at FROM assets p WHERE p.id = a.parent_id)) ORDER BY seq`,
);
const notInBin = sql(
  'assets.notInBin',
  `SELECT given.key AS position FROM json_each($ids) given WHERE NOT EXISTS (SELECT 1 FROM assets a
     WHERE a.id = given.value AND a.role <> 'thumbnail' AND a.binned_at IS NOT NULL AND a.emptied = 0) LIMIT 1`,
);
const thumbnailsOf = sql(
  'assets.thumbnailsOf',
  `SELECT ${COLUMNS} FROM assets a WHERE parent_id IN (SELECT value FROM json_each($ids)) AND role = 'thumbnail' AND emptied = 0`,
);
const empty = sql(
  'assets.empty',
  `UPDATE assets SET state = 'expired', emptied = 1, remote_uri = NULL, expires_at = NULL, next_at = NULL, refusal = NULL, fault = '${DELETED}',
     binned_at = coalesce(binned_at, $now) WHERE seq IN (SELECT value FROM json_each($seqs)) AND emptied = 0`,
);
const endTasks = sql(
  'media.endDeleted',
  `UPDATE media_tasks SET state = 'failed', error = '${DELETED}'
   WHERE asset_id IN (SELECT id FROM assets WHERE seq IN (SELECT value FROM json_each($seqs))) AND state IN ('waiting', 'claimed')`,
);
const toRemove = sql(
  'assets.filesToRemove',
  // Deleted assets have no expiry, so this index lists them by number.
  `SELECT ${COLUMNS} FROM assets a INDEXED BY assets_by_state
   WHERE state = 'expired' AND expires_at IS NULL AND emptied = 1 AND sha256 <> '' AND seq > $after ORDER BY seq LIMIT $limit`,
);
const removed = sql(
  'assets.filesRemoved',
  `UPDATE assets SET sha256 = '' WHERE seq IN (SELECT value FROM json_each($seqs)) AND emptied = 1`,
);
const namedAs = sql(
  'assets.contentNamedAs',
  `SELECT 1 AS known FROM assets WHERE sha256 = $sha256 AND state = 'local' AND mime = $mime LIMIT 1`,
);
const namesOf = sql(
  'assets.namesOfContent',
  `SELECT DISTINCT mime FROM assets WHERE sha256 = $sha256 AND state = 'local'`,
);
const holdersOf = sql(
  'assets.holdersOfContent',
  `SELECT sha256, count(*) AS n FROM assets
   WHERE sha256 IN (SELECT value FROM json_each($hashes)) AND state = 'local' GROUP BY sha256`,
);
const arriveLate = sql(
  'assets.arriveLate',
  'UPDATE assets SET sha256 = $sha256, mime = $mime, bytes = $bytes WHERE id = $id AND emptied = 1',
);

const listOf = (values: readonly (string | number)[]): string => JSON.stringify(values);

/** `before`: only what was put there by then, milliseconds since 1970. */
export const binnedAfter = (
  db: ReadDb,
  page: { after: number; last: number; limit: number; before: number },
): BinnedRow[] => db.all<BinnedRow>(nextInBin, page);
/** The greatest number in the bin, and when the last of it was put there. */
export const lastBinned = (db: ReadDb): { seq: number; at: number } =>
  db.one<{ seq: number; at: number }>(lastInBin) ?? { seq: 0, at: 0 };
export const chosenBinned = (db: ReadDb, ids: readonly string[]): BinnedRow[] =>
  db.all<BinnedRow>(chosenInBin, { ids: listOf(ids) });
/** The position of the first id that is not in the bin. */
export const positionNotInBin = (db: ReadDb, ids: readonly string[]): number | undefined =>
  db.one<{ position: number }>(notInBin, { ids: listOf(ids) })?.position;
export const thumbnailsOfAssets = (db: ReadDb, rows: readonly BinnedRow[]): BinnedRow[] =>
  db.all<BinnedRow>(thumbnailsOf, { ids: listOf(rows.map(({ id }) => id)) });

/** Marks assets as deleted. Their rows stay, because payments and requests refer to them; the addresses of their files are removed. */
export function emptyAssets(db: WriteDb, rows: readonly BinnedRow[], now: number): void {
  const seqs = listOf(rows.map(({ seq }) => seq));
  db.run(empty, { seqs, now });
  db.run(endTasks, { seqs });
}

export const filesToRemove = (db: ReadDb, page: { after: number; limit: number }): BinnedRow[] =>
  db.all<BinnedRow>(toRemove, page);
export const setFilesRemoved = (db: WriteDb, seqs: readonly number[]): number =>
  db.run(removed, { seqs: listOf(seqs) });

/** Whether an asset on this disk has this content in a file of this name. */
export function isContentNamed(db: ReadDb, { sha256, mime }: Pick<BinnedRow, 'sha256' | 'mime'>): boolean {
  // The first match is enough, because thousands of assets may have this content.
  if (db.one(namedAs, { sha256, mime })) return true;
  const types = db.all<{ mime: string }>(namesOf, { sha256 });
  return types.some((one) => extensionOf(one.mime) === extensionOf(mime));
}
/** How many assets have each of these contents on this disk. */
export const holdersOfContent = (db: ReadDb, hashes: readonly string[]): { sha256: string; n: number }[] =>
  db.all<{ sha256: string; n: number }>(holdersOf, { hashes: listOf(hashes) });

/** The file of a deleted asset arrived late and must be removed again. False if the asset is not deleted. */
export const arrivedLate = (db: WriteDb, id: string, { sha256, mime, bytes }: StoredFile): boolean =>
  db.run(arriveLate, { id, sha256, mime, bytes }) > 0;

/** A module whose documents refer to assets and jobs. These stay, even if they are in the bin. */
export interface NamingModule {
  reason: KeptReason;
  /** The ids of assets and jobs in its documents; with `changed`, only in those with these ids. */
  namedIn?(db: ReadDb, changed?: readonly string[]): string[];
  /** The table whose rows are those documents. */
  documents?: 'boards' | 'conversations' | 'jobs';
  /** Ids that are named in memory alone. */
  namedInMemory?(): Iterable<string>;
  /** Hashes of library files that are used in place. */
  filesInUse?(): Iterable<string>;
  /** The same for files that have to be looked up on the disk. */
  filesLinked?(): Promise<readonly string[]>;
}

/** Documents that are read again in one turn. */
const CHANGED_AT_ONCE = 50;

/** Everything that modules refer to. A thread reads all of it; later changes are added before each use, so that nothing is missed. */
export class ReferenceIndex {
  private readonly store: Store;
  private readonly modules: readonly NamingModule[];
  private readonly changed = new Map<NamingModule, Set<string>>();
  private readonly ids = new Map<NamingModule, Set<string>>();
  private readonly hashes = new Map<NamingModule, Set<string>>();

  constructor(store: Store, modules: readonly NamingModule[]) {
    this.store = store;
    this.modules = modules;
    for (const module of modules) {
      if (!module.documents) continue;
      store.onRevised(module.documents, (ids) => {
        const changed = this.changed.get(module);
        for (const id of ids) changed?.add(id);
      });
    }
  }

  /** Reads everything again; {@link end} must follow. */
  async begin(): Promise<void> {
    for (const module of this.modules) {
      this.changed.set(module, new Set());
      const { namedIn } = module;
      this.ids.set(module, new Set(namedIn ? await this.store.readInThread((db) => namedIn(db)) : []));
      this.hashes.set(module, new Set((await module.filesLinked?.()) ?? []));
    }
  }

  end(): void {
    for (const known of [this.changed, this.ids, this.hashes]) known.clear();
  }

  /** Adds recent changes; true while more are left for another turn. Decisions are valid only in a turn in which this returned false. */
  catchUp(): boolean {
    let isMore = false;
    for (const [module, changed] of this.changed) {
      const some = [...changed].slice(0, CHANGED_AT_ONCE);
      for (const id of some) changed.delete(id);
      const ids = this.ids.get(module);
      for (const id of some.length > 0 ? (module.namedIn?.(this.store.read, some) ?? []) : []) ids?.add(id);
      for (const id of module.namedInMemory?.() ?? []) ids?.add(id);
      for (const hash of module.filesInUse?.() ?? []) this.hashes.get(module)?.add(hash);
      isMore ||= changed.size > 0;
    }
    return isMore;
  }

  /** Why an asset stays; undefined if nothing refers to it, to its job, or to the asset that it was taken from. */
  reasonOf({ id, job_id, parent_id, role, sha256 }: BinnedRow): KeptReason | undefined {
    return this.modules.find((module) => {
      const ids = this.ids.get(module);
      const takenFrom = role === 'source' ? null : parent_id;
      if ([id, job_id, takenFrom].some((one) => one !== null && ids?.has(one))) return true;
      return sha256 !== '' && this.hashes.get(module)?.has(sha256);
    })?.reason;
  }
}

/**
 * Counts deleted and remaining items as the bin lists them: a frame that went into the bin with its clip is not counted if it has the same
 * outcome. Rows come by number, a clip before its frame.
 */
export class BinCounts {
  /** How many go. */
  items = 0;
  private readonly reasons = new Map<KeptReason, number>();
  private readonly seen = new Set<string>();
  private readonly kept = new Set<string>();

  /** Whether an asset is deleted. Counts each asset once: a frame may be chosen by itself and with its clip. */
  willBeDeleted(row: BinnedRow, named: ReferenceIndex): boolean {
    if (this.seen.has(row.id)) return false;
    const reason = named.reasonOf(row);
    const clip = row.is_along === 1 ? row.parent_id : null;
    const isWith = (some: ReadonlySet<string>) => clip !== null && some.has(clip);
    if (reason === undefined) this.items += isWith(this.seen) ? 0 : 1;
    else if (!isWith(this.kept)) this.reasons.set(reason, (this.reasons.get(reason) ?? 0) + 1);
    this.seen.add(row.id);
    if (reason !== undefined) this.kept.add(row.id);
    return reason === undefined;
  }

  keptItems(): Emptied['kept'] {
    return [...this.reasons].map(([reason, count]) => ({ reason, count }));
  }
}
