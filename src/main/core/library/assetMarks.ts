import type { Handlers } from '../../../shared/contract/contract.ts';
import { fail, ok, type Result } from '../../../shared/contract/result.ts';
import { type AssetMarkCall, foldOfTag, MAX_TAGS, tagSchema } from '../../../shared/library/assetMarks.ts';
import type { KeptMask, MaskDraftCall } from '../../../shared/library/maskDraft.ts';
import type { Sidecar } from '../../../shared/library/sidecar.ts';
import { en } from '../../../shared/text/texts.ts';
import type { Clock } from '../ports.ts';
import { type ReadDb, type Store, sql, type WriteDb } from '../store/index.ts';
import { assetById } from './assetTable.ts';
import type { Bin } from './bin/bin.ts';

/** Stars, tags, the bin, and the masks that are being painted. */

const NAMED = 'id IN (SELECT value FROM json_each($ids))';

const missing = sql(
  'assets.missing',
  `SELECT given.key AS position FROM json_each($ids) given
   WHERE NOT EXISTS (SELECT 1 FROM assets a WHERE a.id = given.value AND a.role <> 'thumbnail' AND a.emptied = 0) LIMIT 1`,
);
const star = sql('assets.star', `UPDATE assets SET starred = $starred WHERE ${NAMED} AND starred <> $starred`);
const bytesOf = (chosen: string) => `SELECT coalesce(sum(bytes), 0) AS bytes FROM assets WHERE ${chosen}`;

/** Thumbnails and frames of these assets go with them. Files that the user made from them stay. */
const TAKEN = "parent_id IN (SELECT value FROM json_each($ids)) AND role <> 'source'";
const TO_BIN = `(${NAMED} OR ${TAKEN}) AND binned_at IS NULL`;
const bytesToBin = sql('assets.bytesToBin', bytesOf(TO_BIN));
const bin = sql('assets.bin', `UPDATE assets SET binned_at = $now WHERE ${TO_BIN}`);

/** Includes everything that went into the bin together with these assets. */
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

/** A call marks all of its assets in one transaction: the most that it can name, 1,000 with their thumbnails, take 40 ms. */
export class AssetMarks {
  private readonly store: Store;
  private readonly clock: Pick<Clock, 'now'>;
  private readonly binned: Bin;

  constructor({ store, clock, bin }: { store: Store; clock: Pick<Clock, 'now'>; bin: Bin }) {
    this.store = store;
    this.clock = clock;
    this.binned = bin;
  }

  handlers(): Pick<Handlers, AssetMarkCall | MaskDraftCall> {
    return {
      'library.star': ({ ids, starred }) =>
        this.marked(ids, (db) => {
          starAssets(db, ids, starred);
          return ok(null);
        }),
      'library.tag': ({ ids, ...tags }) => this.marked(ids, (db) => tagAssets(db, ids, tags)),
      'library.bin': ({ ids }) => this.marked(ids, (db) => ok({ bytes: binAssets(db, ids, this.clock.now()) })),
      'library.restore': ({ ids }) => this.marked(ids, (db) => ok({ bytes: restoreAssets(db, ids) })),
      'library.emptyBin': (chosen) => this.binned.empty(chosen),
      'library.binFigures': (chosen) => this.binned.figures(chosen),
      ...maskDraftHandlers(this.store),
    };
  }

  private marked<T>(ids: readonly string[], mark: (db: WriteDb) => Result<T>): Result<T> {
    return this.store.transaction((db) => unknownAmong(db, ids) ?? mark(db));
  }
}

/** The error if one of these is no asset. */
function unknownAmong(db: ReadDb, ids: readonly string[]): Result<never> | undefined {
  const found = db.one<{ position: number }>(missing, { ids: JSON.stringify(ids) });
  if (!found) return undefined;
  const field = `ids.${found.position}`;
  return fail('not_found', `${field}: there is no such asset.`, { field });
}

export function starAssets(db: WriteDb, ids: readonly string[], starred: boolean): void {
  db.run(star, { ids: JSON.stringify(ids), starred: starred ? 1 : 0 });
}

interface TagChange {
  add: readonly string[];
  remove: readonly string[];
}

/** Tags in their folded form; of two that are equal, the first is used. */
const foldsOf = ({ add, remove }: TagChange) => ({
  added: new Map(add.toReversed().map((one) => [foldOfTag(one), one])),
  removed: remove.map(foldOfTag),
});

/** The error if any of these assets would have too many tags. */
function fullAmong(db: ReadDb, ids: readonly string[], change: TagChange): Result<never> | undefined {
  const { added, removed } = foldsOf(change);
  if (added.size === 0) return undefined;
  const folds = JSON.stringify([...added.keys(), ...removed]);
  const full = db.one<{ position: number }>(tooManyTags, { ids: JSON.stringify(ids), added: added.size, folds });
  if (!full) return undefined;
  const field = `ids.${full.position}`;
  return fail('invalid_input', en`${field}: would have more than ${MAX_TAGS} tags.`, { field });
}

export function tagAssets(db: WriteDb, ids: readonly string[], change: TagChange): Result<null> {
  const refusal = fullAmong(db, ids, change);
  if (refusal) return refusal;
  const named = JSON.stringify(ids);
  const { added, removed } = foldsOf(change);
  const gone = removed.filter((fold) => !added.has(fold));
  if (gone.length > 0) db.run(untag, { ids: named, folds: JSON.stringify(gone) });
  for (const [fold, name] of added) db.run(tag, { ids: named, fold, tag: name });
  return ok(null);
}

/** Sets the star and tags of a sidecar. Invalid tags, and those beyond the limit, are left out. */
export function applySidecarMarks(
  db: WriteDb,
  id: string,
  { starred, tags = [] }: Pick<Sidecar, 'starred' | 'tags'>,
): void {
  if (starred) starAssets(db, [id], true);
  const had = assetById(db, id)?.tags ?? [];
  const known = new Set(had.map(foldOfTag));
  const said = tags.flatMap((given) => tagSchema.safeParse(given).data ?? []);
  const fresh = said.filter((one) => !known.has(foldOfTag(one)));
  tagAssets(db, [id], { add: fresh.slice(0, MAX_TAGS - had.length), remove: [] });
}

/** Returns the bytes of what went into the bin. */
export function binAssets(db: WriteDb, ids: readonly string[], now: number): number {
  const named = JSON.stringify(ids);
  const { bytes = 0 } = db.one<{ bytes: number }>(bytesToBin, { ids: named }) ?? {};
  db.run(bin, { ids: named, now });
  return bytes;
}

/** Returns the bytes of what came back. */
export function restoreAssets(db: WriteDb, ids: readonly string[]): number {
  const named = JSON.stringify(ids);
  const { bytes = 0 } = db.one<{ bytes: number }>(bytesToRestore, { ids: named }) ?? {};
  db.run(restore, { ids: named });
  return bytes;
}

/** Masks that are being painted, one for each picture. */

/** All together, in characters; the ones beyond it that were kept longest ago go. */
const MAX_DRAFTS_TEXT = 20_000_000;

const read = sql(
  'maskDrafts.read',
  'SELECT draft, turn FROM mask_drafts WHERE asset = (SELECT seq FROM assets WHERE id = $id)',
);
const remove = sql(
  'maskDrafts.remove',
  'DELETE FROM mask_drafts WHERE asset = (SELECT seq FROM assets WHERE id = $id)',
);
const write = sql(
  'maskDrafts.write',
  `INSERT INTO mask_drafts (asset, size, draft) SELECT seq, length($draft), $draft FROM assets WHERE id = $id AND emptied = 0`,
);
const trim = sql(
  'maskDrafts.trim',
  `DELETE FROM mask_drafts WHERE turn IN (SELECT turn FROM
     (SELECT turn, sum(size) OVER (ORDER BY turn DESC) AS total FROM mask_drafts) WHERE total > $most)`,
);

const savedDraft = (db: ReadDb, id: string): KeptMask => db.one<KeptMask>(read, { id }) ?? { turn: 0 };

const paintedElsewhere = fail('conflict', en`after: the mask of this picture was painted on elsewhere.`, {
  field: 'after',
});

function maskDraftHandlers(store: Store): Pick<Handlers, MaskDraftCall> {
  const missing = fail('not_found', 'id: there is no such asset.', { field: 'id' });
  return {
    'library.maskDraft': ({ id }) => {
      if (!assetById(store.read, id)) return missing;
      return ok(savedDraft(store.read, id));
    },
    'library.keepMaskDraft': ({ id, draft, after }) =>
      store.transaction((db) => {
        if (!assetById(db, id)) return missing;
        if (after !== undefined && after !== savedDraft(db, id).turn) return paintedElsewhere;
        saveDraft(db, id, draft);
        return ok({ turn: savedDraft(db, id).turn });
      }),
  };
}

export function saveDraft(db: WriteDb, id: string, draft: string | undefined, most = MAX_DRAFTS_TEXT): void {
  db.run(remove, { id });
  if (draft === undefined) return;
  db.run(write, { id, draft });
  db.run(trim, { most });
}
