import { setImmediate as turn } from 'node:timers/promises';
import { z } from 'zod';
import { ok, type Result } from '../../../shared/contract/result.ts';
import type { Clock, Logger } from '../ports.ts';
import { deleteFlag, isDiskFault, type ReadDb, readFlag, type Store, type WriteDb, writeFlag } from '../store/index.ts';

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
export const areMarksUnfinished = (db: ReadDb): boolean => readFlag(db, FLAG) !== undefined;

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
  /** Whether the disk had no room for what a kill has interrupted, of which nobody was told; undefined until that is tried. */
  private isOwed: boolean | undefined;

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
      if (this.isOwed) await this.goOn();
      const refusal = this.deps.store.readTransaction(check);
      return refusal ?? ok({ bytes: await this.markAll(ids, mark) });
    });
  }

  /** Goes on with what a kill, or a fault, has interrupted. Rejects where the disk has no room for it: it may be called again. */
  async resume(): Promise<void> {
    try {
      await this.inTurn(async () => {
        if (this.isOwed !== false) await this.goOn();
      });
    } catch (error) {
      if (isDiskFault(error)) throw error;
      this.deps.log.warn({ error: String(error) }, 'what was interrupted could not be gone on with');
    }
  }

  private async goOn(): Promise<void> {
    const text = readFlag(this.deps.store.read, FLAG);
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
