import { type LibrarySpace, SPACE_PARTS, type SpacePart } from '../../../shared/library/libraryFolder.ts';
import { type ReadDb, sql } from '../store/index.ts';

/** What the library is made of. */

/** A file that several assets share counts once, with the first part that has it. */
const byPart = sql(
  'assets.space',
  `SELECT rank, count(*) AS files, sum(bytes) AS bytes FROM (
     SELECT min(CASE
       WHEN binned_at IS NOT NULL THEN 7
       WHEN role = 'thumbnail' THEN 6
       WHEN role IN ('frame', 'mask') THEN 5
       WHEN mime LIKE 'audio/%' THEN 4
       WHEN mime NOT LIKE 'video/%' THEN 3
       WHEN verdict = 'keep' THEN 0
       WHEN verdict = 'no' THEN 2
       ELSE 1 END) AS rank, max(bytes) AS bytes
     FROM assets WHERE state = 'local' GROUP BY sha256, mime)
   GROUP BY rank ORDER BY rank`,
);

/** Counts every row: to be read away from the main thread. */
export function spaceOf(db: ReadDb): LibrarySpace['parts'] {
  const rows = db.all<{ rank: number; files: number; bytes: number }>(byPart);
  return SPACE_PARTS.map((part: SpacePart, rank) => {
    const { files = 0, bytes = 0 } = rows.find((row) => row.rank === rank) ?? {};
    return { part, files, bytes };
  });
}

const byState = sql(
  'assets.countsByState',
  'SELECT state, count(*) AS n, coalesce(sum(bytes), 0) AS bytes FROM assets GROUP BY state ORDER BY state',
);

/** Likewise, by where the files are. */
export const assetCounts = (db: ReadDb): { state: string; n: number; bytes: number }[] => db.all(byState);
