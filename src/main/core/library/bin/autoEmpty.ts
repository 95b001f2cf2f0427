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

/**
 * The number of days in the settings, and the time since which it applies. Items that were already in the bin get all these days from then
 * on.
 */
const ruleSchema = z.object({ days: z.number(), since: z.number() });
const lastSchema = z.object({ at: z.number(), items: z.number(), files: z.number(), bytes: z.number() });

/**
 * Deletes items that have been in the bin for the number of days in the settings; items in use stay, as when the user empties it. Nobody
 * confirms this, so the days count only from when it was switched on or a backup was restored, and nothing is deleted in an hour in which
 * the clock jumped.
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
      // For example, the disk is full. The days start to count at the next check.
      this.deps.log.warn({ error: String(error) }, 'the bin could not be emptied by itself');
    }
  }

  /** Items that a restored backup puts back into the bin get all their days from the restore on. */
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

  /** The time before which nothing is deleted; undefined if nothing ever is, or if the days start to count at the next check. */
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
   * The days of the settings, with the time since which they apply. After a restored backup replaced the database, items in its bin get all
   * their days again, because they may have been used since. This happens once, because the restored queue may stay paused for as long as
   * the user likes.
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
