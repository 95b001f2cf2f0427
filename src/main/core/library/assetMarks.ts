import { type AssetMarkCall, foldOfTag, MAX_TAGS, tagSchema } from '../../../shared/assetMarks.ts';
import type { Handlers } from '../../../shared/contract.ts';
import type { MaskDraftCall } from '../../../shared/maskDraft.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { Sidecar } from '../../../shared/sidecar.ts';
import type { Clock } from '../ports.ts';
import { type ReadDb, type Store, sql, type WriteDb } from '../store/index.ts';
import { assetById } from './assetTable.ts';
import type { Bin } from './bin.ts';
import { maskDraftHandlers } from './maskDrafts.ts';

/** Stars, tags, the bin, and the masks that are being painted. */

const NAMED = 'id IN (SELECT value FROM json_each($ids))';

const missing = sql(
  'assets.missing',
  `SELECT given.key AS position FROM json_each($ids) given
   WHERE NOT EXISTS (SELECT 1 FROM assets a WHERE a.id = given.value AND a.role <> 'thumbnail' AND a.emptied = 0) LIMIT 1`,
);
const star = sql('assets.star', `UPDATE assets SET starred = $starred WHERE ${NAMED} AND starred <> $starred`);
const bytesOf = (chosen: string) => `SELECT coalesce(sum(bytes), 0) AS bytes FROM assets WHERE ${chosen}`;

/** With what was taken from them: thumbnails and frames. What the user made of them stays. */
const TAKEN = "parent_id IN (SELECT value FROM json_each($ids)) AND role <> 'source'";
const TO_BIN = `(${NAMED} OR ${TAKEN}) AND binned_at IS NULL`;
const bytesToBin = sql('assets.bytesToBin', bytesOf(TO_BIN));
const bin = sql('assets.bin', `UPDATE assets SET binned_at = $now WHERE ${TO_BIN}`);

/** With what went into the bin together with them. */
const TO_RESTORE = `emptied = 0 AND binned_at IS NOT NULL AND (${NAMED} OR ${TAKEN}
  AND binned_at = (SELECT p.binned_at FROM assets p WHERE p.id = assets.parent_id))`;
const bytesToRestore = sql('assets.bytesToRestore', bytesOf(TO_RESTORE));
const restore = sql(
  'assets.restore',
  `UPDATE assets SET binned_at = NULL WHERE seq IN (SELECT seq FROM assets WHERE ${TO_RESTORE})`,
);

const tooManyTags = sql(
  'assets.tooManyTags',
  `SELECT given.key AS position FROM json_each($ids) given JOIN assets a ON a.id = given.value
   WHERE $added + (SELECT count(*) FROM asset_tags t WHERE t.asset = a.seq
     AND t.fold NOT IN (SELECT value FROM json_each($folds))) > ${MAX_TAGS} LIMIT 1`,
);
const untag = sql(
  'assets.untag',
  `DELETE FROM asset_tags WHERE asset IN (SELECT seq FROM assets WHERE ${NAMED})
     AND fold IN (SELECT value FROM json_each($folds))`,
);
const tag = sql(
  'assets.tag',
  `INSERT OR IGNORE INTO asset_tags (asset, fold, tag)
   SELECT a.seq, $fold, coalesce((SELECT t.tag FROM asset_tags t WHERE t.fold = $fold LIMIT 1), $tag) FROM assets a WHERE ${NAMED}`,
);

export class AssetMarks {
  private readonly store: Store;
  private readonly clock: Clock;
  private readonly binned: Bin;

  constructor({ store, clock, bin }: { store: Store; clock: Clock; bin: Bin }) {
    this.store = store;
    this.clock = clock;
    this.binned = bin;
  }

  handlers(): Pick<Handlers, AssetMarkCall | MaskDraftCall> {
    const all = <T>(ids: readonly string[], work: (db: WriteDb) => Result<T>): Result<T> =>
      this.store.transaction((db) => unknownAmong(db, ids) ?? work(db));
    return {
      'library.star': ({ ids, starred }) => all(ids, (db) => starAssets(db, ids, starred)),
      'library.tag': ({ ids, ...tags }) => all(ids, (db) => tagAssets(db, ids, tags)),
      'library.bin': ({ ids }) => all(ids, (db) => binAssets(db, ids, this.clock.now())),
      'library.restore': ({ ids }) => all(ids, (db) => restoreAssets(db, ids)),
      'library.emptyBin': (chosen) => this.binned.empty(chosen),
      'library.binFigures': (chosen) => this.binned.figures(chosen),
      ...maskDraftHandlers(this.store),
    };
  }
}

/** The error if one of these is no asset. */
function unknownAmong(db: ReadDb, ids: readonly string[]): Result<never> | undefined {
  const found = db.one<{ position: number }>(missing, { ids: JSON.stringify(ids) });
  if (!found) return undefined;
  const field = `ids.${found.position}`;
  return fail('not_found', `${field}: there is no such asset.`, { field });
}

export function starAssets(db: WriteDb, ids: readonly string[], starred: boolean): Result<null> {
  db.run(star, { ids: JSON.stringify(ids), starred: starred ? 1 : 0 });
  return ok(null);
}

export function tagAssets(
  db: WriteDb,
  ids: readonly string[],
  { add, remove }: { add: readonly string[]; remove: readonly string[] },
): Result<null> {
  const named = JSON.stringify(ids);
  // Of two that are one, the first.
  const added = new Map(add.toReversed().map((one) => [foldOfTag(one), one]));
  const removed = remove.map(foldOfTag);
  const folds = JSON.stringify([...added.keys(), ...removed]);
  const full = db.one<{ position: number }>(tooManyTags, { ids: named, added: added.size, folds });
  if (full && added.size > 0) {
    const field = `ids.${full.position}`;
    return fail('invalid_input', `${field}: would have more than ${MAX_TAGS} tags.`, { field });
  }
  const gone = removed.filter((fold) => !added.has(fold));
  if (gone.length > 0) db.run(untag, { ids: named, folds: JSON.stringify(gone) });
  for (const [fold, name] of added) db.run(tag, { ids: named, fold, tag: name });
  return ok(null);
}

/** The star and the tags that a sidecar tells of; a tag that could not be given here, or that is one too many, is left out. */
export function markAsSaid(db: WriteDb, id: string, { starred, tags = [] }: Pick<Sidecar, 'starred' | 'tags'>): void {
  if (starred) starAssets(db, [id], true);
  const had = assetById(db, id)?.tags ?? [];
  const known = new Set(had.map(foldOfTag));
  const said = tags.flatMap((given) => tagSchema.safeParse(given).data ?? []);
  const fresh = said.filter((one) => !known.has(foldOfTag(one)));
  tagAssets(db, [id], { add: fresh.slice(0, MAX_TAGS - had.length), remove: [] });
}

export function binAssets(db: WriteDb, ids: readonly string[], now: number): Result<{ bytes: number }> {
  const named = JSON.stringify(ids);
  const { bytes = 0 } = db.one<{ bytes: number }>(bytesToBin, { ids: named }) ?? {};
  db.run(bin, { ids: named, now });
  return ok({ bytes });
}

export function restoreAssets(db: WriteDb, ids: readonly string[]): Result<{ bytes: number }> {
  const named = JSON.stringify(ids);
  const { bytes = 0 } = db.one<{ bytes: number }>(bytesToRestore, { ids: named }) ?? {};
  db.run(restore, { ids: named });
  return ok({ bytes });
}
