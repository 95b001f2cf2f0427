import { setImmediate as turn } from 'node:timers/promises';
import { z } from 'zod';
import type { RestoredItem } from '../../../shared/contract/backupCalls.ts';
import { fail, ok, type Result } from '../../../shared/contract/result.ts';
import { en } from '../../../shared/text/texts.ts';
import type { Clock, Logger } from '../ports.ts';
import {
  deleteFlag,
  isDiskFault,
  ofWholePast,
  type ReadDb,
  type Restorable,
  readFlag,
  type Store,
  sql,
  type WriteDb,
  writeFlag,
} from '../store/index.ts';

/** What is done to assets; to do it twice is to do it once. */
const markSchema = z.discriminatedUnion('does', [
  z.object({ does: z.literal('star'), starred: z.boolean() }),
  z.object({ does: z.literal('tag'), add: z.array(z.string()), remove: z.array(z.string()) }),
  z.object({ does: z.literal('bin'), now: z.number() }),
  z.object({ does: z.literal('restore') }),
]);
export type Mark = z.infer<typeof markSchema>;
const unfinishedSchema = z.object({ ids: z.array(z.string()), mark: markSchema });

/** So many are marked in one turn of the event loop, and in one transaction: each is in a dozen indexes. */
const AT_ONCE = 25;

/** What was begun and is not done for all of its assets. */
const FLAG = 'library:unfinishedMark';

/** Whether some are marked of many that are to be, in this run of the program or since an earlier one. */
const areMarksUnfinished = (db: ReadDb): boolean => readFlag(db, FLAG) !== undefined;

export interface ManyMarksDeps {
  store: Store;
  clock: Pick<Clock, 'now'>;
  log: Pick<Logger, 'info' | 'warn'>;
  /** Marks these, in this transaction, and returns the bytes of what was moved. */
  apply(db: WriteDb, ids: readonly string[], mark: Mark): number;
}

/**
 * Marks any number of assets, a few in each turn of the event loop. With the first of many it is written down which are meant; a start
 * that finds that does it for all of them, so that a kill leaves no half.
 */
export class ManyMarks {
  private readonly deps: ManyMarksDeps;
  /** One after the other: what is undone at once is undone whole. */
  private last: Promise<unknown> = Promise.resolve();
  /** What a kill has interrupted, of which nobody was told, is still to be done: before the first try, or where the disk had no room. */
  private isOwed = true;

  constructor(deps: ManyMarksDeps) {
    this.deps = deps;
  }

  /** The bytes of what was moved. All are looked at before the first is changed. */
  run(
    ids: readonly string[],
    mark: Mark,
    check: (db: ReadDb) => Result<never> | undefined,
  ): Promise<Result<{ bytes: number }>> {
    return this.inTurn(async () => {
      await this.goOn();
      const refusal = this.deps.store.readTransaction(check);
      return refusal ?? ok({ bytes: await this.markAll(ids, mark) });
    });
  }

  /** Goes on with what a kill, or a fault, has interrupted. Rejects where the disk has no room for it: it may be called again. */
  async resume(): Promise<void> {
    try {
      await this.inTurn(() => this.goOn());
    } catch (error) {
      if (isDiskFault(error)) throw error;
      this.deps.log.warn({ error: String(error) }, 'what was interrupted could not be gone on with');
    }
  }

  private async goOn(): Promise<void> {
    const text = this.isOwed ? readFlag(this.deps.store.read, FLAG) : undefined;
    this.isOwed = false;
    if (text === undefined) return;
    const { ids, mark } = unfinishedSchema.parse(JSON.parse(text));
    try {
      // From then on, the bin would have kept them for a shorter time than it says, or for none.
      await this.markAll(ids, mark.does === 'bin' ? { ...mark, now: this.deps.clock.now() } : mark);
    } catch (error) {
      this.isOwed = isDiskFault(error);
      throw error;
    }
    this.deps.log.info({ does: mark.does, assets: ids.length }, 'what was interrupted is done for all of them');
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const run = this.last.then(work);
    this.last = run.catch(() => undefined);
    return run;
  }

  private async markAll(ids: readonly string[], mark: Mark): Promise<number> {
    const { store, apply } = this.deps;
    let bytes = 0;
    for (let from = 0; from === 0 || from < ids.length; from += AT_ONCE) {
      if (from > 0) await turn();
      bytes += store.transaction((db) => {
        if (from === 0 && ids.length > AT_ONCE) writeFlag(db, FLAG, JSON.stringify({ ids, mark }));
        // Also what an earlier call could not do: its caller was told so.
        if (from + AT_ONCE >= ids.length) deleteFlag(db, FLAG);
        return apply(db, ids.slice(from, from + AT_ONCE), mark);
      });
    }
    return bytes;
  }
}

/**
 * Files stay, whatever is restored, and so do their rows. Stars, tags and the bin are what they were, for what was there then; what was
 * deleted for ever stays so.
 */

const unknownAssets = sql(
  'assets.unknownOfBackup',
  `SELECT count(*) AS n FROM past.assets p WHERE NOT EXISTS (SELECT 1 FROM main.assets m WHERE m.seq = p.seq AND m.id = p.id)
     AND ${ofWholePast('p.project_id')}`,
);
// The number of a row that was taken out with its unfinished project is another one's by now.
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
/** Files of both sides whose star or tags differ; thumbnails have neither. */
const otherMarks = sql(
  'assets.otherMarksThanBackup',
  `SELECT count(*) AS n FROM ${BOTH} WHERE m.starred <> p.starred
     OR EXISTS (SELECT 1 FROM main.asset_tags t WHERE t.asset = m.seq AND NOT EXISTS (SELECT 1 FROM past.asset_tags o WHERE ${SAME}))
     OR EXISTS (SELECT 1 FROM past.asset_tags t WHERE t.asset = m.seq AND NOT EXISTS (SELECT 1 FROM main.asset_tags o WHERE ${SAME}))`,
);
const newFiles = sql(
  'assets.filesSinceBackup',
  `SELECT count(*) AS n FROM main.assets WHERE seq > (SELECT coalesce(max(p.seq), 0) FROM past.assets p WHERE ${ofWholePast('p.project_id')})
     AND role <> 'thumbnail' AND state = 'local' AND emptied = 0`,
);

const assetsIn = (db: ReadDb, statement: typeof goneAssets): RestoredItem[] =>
  db.all<{ id: string; name: string }>(statement).map(({ id, name }) => ({ type: 'asset', id, title: name }));

export const restorableMarks: Restorable = {
  busy: (db) => (areMarksUnfinished(db) ? whileMarking : undefined),
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

const whileMarking = fail(
  'wrong_state',
  en`Files are still being marked, or moved to or from the bin. Nothing was restored; try again when that is done, or after a new start.`,
);

/** Files on this machine that are newer than the backup; a restore keeps them. */
export const filesSince = (db: ReadDb): number => db.one<{ n: number }>(newFiles)?.n ?? 0;
