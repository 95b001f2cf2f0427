import type { RestoredItem } from '../../../shared/contract/backupCalls.ts';
import { notUnfinishedInBackup, type ReadDb, type RestoreParticipant, sql } from '../store/index.ts';

/**
 * A restore keeps all files and their rows. Stars, tags and the bin become as they were, for files of that time; files that were deleted
 * for good stay deleted.
 */

const unknownAssets = sql(
  'assets.unknownOfBackup',
  `SELECT count(*) AS n FROM past.assets p WHERE NOT EXISTS (SELECT 1 FROM main.assets m WHERE m.seq = p.seq AND m.id = p.id)
     AND ${notUnfinishedInBackup('p.project_id')}`,
);
// The number of a row that was removed with its unfinished project may belong to another row now.
const BOTH = 'past.assets p JOIN main.assets m ON m.seq = p.seq AND m.id = p.id AND m.emptied = 0 AND p.emptied = 0';
const listed = (where: string) =>
  sql(
    'assets.binnedOfBackup',
    `SELECT m.id, m.name FROM ${BOTH} WHERE m.role <> 'thumbnail' AND ${where} ORDER BY m.seq DESC`,
  );
const goneAssets = listed('m.binned_at IS NULL AND p.binned_at IS NOT NULL');
const backAssets = listed('m.binned_at IS NOT NULL AND p.binned_at IS NULL');
const marks = sql(
  'assets.marksOfBackup',
  `UPDATE assets SET (starred, binned_at) = (SELECT p.starred, p.binned_at FROM past.assets p WHERE p.seq = assets.seq)
   WHERE seq IN (SELECT m.seq FROM ${BOTH} WHERE m.starred <> p.starred OR m.binned_at IS NOT p.binned_at)`,
);
const SAME = 'o.asset = t.asset AND o.fold = t.fold AND o.tag = t.tag';
const untag = sql(
  'assets.untagOfBackup',
  `DELETE FROM asset_tags AS t WHERE t.asset IN (SELECT m.seq FROM ${BOTH})
     AND NOT EXISTS (SELECT 1 FROM past.asset_tags o WHERE ${SAME})`,
);
const tag = sql(
  'assets.tagOfBackup',
  `INSERT OR REPLACE INTO asset_tags (asset, fold, tag) SELECT t.asset, t.fold, t.tag FROM past.asset_tags t
   WHERE t.asset IN (SELECT m.seq FROM ${BOTH}) AND NOT EXISTS (SELECT 1 FROM main.asset_tags o WHERE ${SAME})`,
);
/** Files that exist on both sides with a different star or different tags; thumbnails have neither. */
const otherMarks = sql(
  'assets.otherMarksThanBackup',
  `SELECT count(*) AS n FROM ${BOTH} WHERE m.starred <> p.starred
     OR EXISTS (SELECT 1 FROM main.asset_tags t WHERE t.asset = m.seq AND NOT EXISTS (SELECT 1 FROM past.asset_tags o WHERE ${SAME}))
     OR EXISTS (SELECT 1 FROM past.asset_tags t WHERE t.asset = m.seq AND NOT EXISTS (SELECT 1 FROM main.asset_tags o WHERE ${SAME}))`,
);
const newFiles = sql(
  'assets.filesSinceBackup',
  `SELECT count(*) AS n FROM main.assets WHERE seq > (SELECT coalesce(max(p.seq), 0) FROM past.assets p WHERE ${notUnfinishedInBackup('p.project_id')})
     AND role <> 'thumbnail' AND state = 'local' AND emptied = 0`,
);

const assetsIn = (db: ReadDb, statement: typeof goneAssets): RestoredItem[] =>
  db.all<{ id: string; name: string }>(statement).map(({ id, name }) => ({ type: 'asset', id, title: name }));

export const marksFromBackup: RestoreParticipant = {
  unknown: (db) => db.one<{ n: number }>(unknownAssets)?.n ?? 0,
  preview: (db) => ({
    gone: assetsIn(db, goneAssets),
    back: assetsIn(db, backAssets),
    changed: [{ type: 'asset', count: db.one<{ n: number }>(otherMarks)?.n ?? 0 }],
  }),
  restore(db) {
    db.run(marks);
    db.run(untag);
    db.run(tag);
    return undefined;
  },
};

/** Files on this machine that are newer than the backup; a restore keeps them. */
export const filesSince = (db: ReadDb): number => db.one<{ n: number }>(newFiles)?.n ?? 0;
