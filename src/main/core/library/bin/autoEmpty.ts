import { z } from 'zod';
import { fail } from '../../../../shared/contract/result.ts';
import type { LibrarySettings } from '../../../../shared/contract/settings.ts';
import type { EmptiedByItself } from '../../../../shared/library/libraryFolder.ts';
import { en } from '../../../../shared/text/texts.ts';
import type { Clock, Logger } from '../../ports.ts';
import {
  isFreshlyRestored,
  noteRestored,
  type RestoreParticipant,
  readJsonFlag,
  type Store,
  type WriteDb,
  writeFlag,
} from '../../store/index.ts';
import type { Bin } from './bin.ts';

export interface BinKeeperDeps {
  store: Store;
  clock: Clock;
  log: Pick<Logger, 'info' | 'warn'>;
  bin: Pick<Bin, 'empty' | 'isEmptying'>;
  settings(): LibrarySettings;
  /** The bin was emptied. */
  emptied(): void;
}

const LOOK_EVERY_MS = 3_600_000;
const DAY_MS = 86_400_000;
const RULE = 'library:binDays';
const LAST = 'library:binEmptied';

/** Since when the days that the settings say are so many. What was in the bin then has all of them before it. */
const ruleSchema = z.object({ days: z.number(), since: z.number() });
const lastSchema = z.object({ at: z.number(), items: z.number(), files: z.number(), bytes: z.number() });

/**
 * Deletes what has been in the bin for so many days, where the settings say so; what something uses stays, as with the user's own press.
 * Nobody is asked, so it is careful with the time: it counts from the day on which it was switched on, or on which a backup was restored, and
 * does nothing in an hour in which the clock has jumped.
 */
export class AutoEmptyBin {
  private readonly deps: BinKeeperDeps;
  private cancelLook: () => void = () => undefined;
  private lookedAt = 0;
  private isClosed = false;

  constructor(deps: BinKeeperDeps) {
    this.deps = deps;
  }

  /** The first look is an hour later: the clock of a machine that has just started may still be wrong. */
  start(): void {
    if (this.isClosed) return;
    this.lookedAt = this.deps.clock.now();
    this.cancelLook();
    this.cancelLook = this.deps.clock.after(LOOK_EVERY_MS, () => void this.look());
    try {
      this.rule();
    } catch (error) {
      // Such as of a full disk. The next look begins to count the days.
      this.deps.log.warn({ error: String(error) }, 'the bin could not be emptied by itself');
    }
  }

  /** What a restored backup puts back into the bin has all its days before it, from the moment in which it is there. */
  restoreParticipant(): RestoreParticipant {
    return {
      busy: () => (this.deps.bin.isEmptying ? whileEmptying : undefined),
      preview: () => ({ gone: [], back: [] }),
      restore: (db) => {
        writeRule(db, this.ruleOfNow());
        return undefined;
      },
    };
  }

  /** How it was emptied by itself last. */
  last(): EmptiedByItself | undefined {
    return readJsonFlag(this.deps.store.read, LAST, lastSchema);
  }

  /** The moment before which nothing goes; undefined where nothing ever does, or where the days of the settings begin to count at a look. */
  emptiesFrom(): number | undefined {
    const { read } = this.deps.store;
    const known = readJsonFlag(read, RULE, ruleSchema);
    if (!known || known.days === 0 || known.days !== this.days() || isFreshlyRestored(read)) return undefined;
    return known.since + known.days * DAY_MS;
  }

  close(): void {
    this.isClosed = true;
    this.cancelLook();
  }

  private async look(): Promise<void> {
    const passed = this.deps.clock.now() - this.lookedAt;
    const isSteady = passed >= 0 && passed < 2 * LOOK_EVERY_MS;
    try {
      if (isSteady) await this.emptyOld();
    } catch (error) {
      if (!this.isClosed) this.deps.log.warn({ error: String(error) }, 'the bin could not be emptied by itself');
    }
    this.start();
  }

  private async emptyOld(): Promise<void> {
    const { days, since } = this.rule();
    const now = this.deps.clock.now();
    const before = now - days * DAY_MS;
    if (days === 0 || since > before) return;
    const done = await this.deps.bin.empty({ before });
    if (!done.ok || done.data.items === 0 || this.isClosed) return;
    const { items, files, bytes, kept } = done.data;
    this.deps.log.info({ days, items, files, bytes, kept }, 'the bin was emptied by itself');
    const last: EmptiedByItself = { at: now, items, files, bytes };
    this.deps.store.transaction((db) => writeFlag(db, LAST, JSON.stringify(last)));
    this.deps.emptied();
  }

  /**
   * The days of the settings, with the moment since when they are those. A backup that took the place of the database has things in its bin
   * that were out of it since, and those have all their days, too: but only once, as its queue may be held for as long as the user likes.
   */
  private rule(): z.infer<typeof ruleSchema> {
    const { store } = this.deps;
    const known = readJsonFlag(store.read, RULE, ruleSchema);
    const isFresh = isFreshlyRestored(store.read);
    const rule = this.ruleOfNow();
    if (known?.days === rule.days && !isFresh) return known;
    if (known || rule.days > 0 || isFresh)
      store.transaction((db) => {
        writeRule(db, rule);
        if (isFresh) noteRestored(db);
      });
    return rule;
  }

  private ruleOfNow(): z.infer<typeof ruleSchema> {
    return { days: this.days(), since: this.deps.clock.now() };
  }

  private days(): number {
    return this.deps.settings().binDays ?? 0;
  }
}

const whileEmptying = fail(
  'wrong_state',
  en`The bin is being emptied. Nothing was restored; try again when that is done.`,
);

function writeRule(db: WriteDb, rule: z.infer<typeof ruleSchema>): void {
  writeFlag(db, RULE, JSON.stringify(rule));
}
