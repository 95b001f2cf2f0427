import type { LedgerEntry } from '../../../shared/money/ledger.ts';
import type { Nano } from '../../../shared/money/money.ts';
import { type ReadDb, sql, type WriteDb } from '../store/index.ts';
import type { EntryWithoutJob, Journal, Posting } from './journal.ts';
import type { MoneyRow } from './moneyRow.ts';
import { doubtsOf, IS_PRICE_SETTLED } from './prices/priceChanges.ts';

const lastSeq = sql('ledger.lastSeq', 'SELECT coalesce(max(seq), 0) AS seq FROM ledger_entries');
const idsAfter = sql('ledger.idsAfter', 'SELECT id FROM ledger_entries WHERE seq > $seq ORDER BY seq');
/** Counter-entries count where the original does: corrections by a price are summed separately, by their note. */
const PRICE_NOTE = `CASE WHEN ${IS_PRICE_SETTLED} THEN note END`;
const writtenAs = sql(
  'ledger.writtenAs',
  `SELECT type, counted_at AS countedAt, day, run_id AS runId, settled_nano AS settledNano, settled_low_nano AS settledLowNano,
     reserved_nano AS reservedNano, uncertain_nano AS uncertainNano, unpriced, unpriced_doubt AS unpricedDoubt,
     profile_id AS profileId, play, kind, model, ${PRICE_NOTE} AS priceNote
   FROM ledger_entries WHERE id = $id`,
);

/** Corrections by a price that was set or settled after the day of the request. */
const correctedLater = sql(
  'ledger.correctedLater',
  `SELECT counted_at AS countedAt, run_id AS runId, ${PRICE_NOTE} AS priceNote, sum(settled_nano) AS settledNano,
     sum(settled_low_nano) AS settledLowNano, sum(unpriced - unpriced_doubt) AS unpriced
   FROM ledger_entries WHERE job_id = $jobId AND type = 'correction' AND counted_at > $countedAt
   GROUP BY counted_at, run_id, priceNote HAVING settledNano <> 0 OR settledLowNano <> 0 OR sum(unpriced - unpriced_doubt) <> 0`,
);

type Later = Pick<Written, 'countedAt' | 'runId' | 'priceNote' | 'settledNano' | 'settledLowNano' | 'unpriced'>;

type Written = Required<
  Pick<Posting, 'countedAt' | 'settledNano' | 'settledLowNano' | 'reservedNano' | 'uncertainNano'>
> & {
  type: LedgerEntry['type'];
  day: string;
  runId: string | null;
  unpriced: number;
  unpricedDoubt: number;
  profileId: string;
  play: number;
  kind: string;
  model: string | null;
  priceNote: string | null;
};

/**
 * Ledger entries of a bill, besides unconfirmed costs (`LedgerWriter.settleDoubt`) and second entries of a job (`LedgerWriter.billOneMore`).
 * Each method runs inside the transaction that records the user's decision. Nothing is rewritten.
 */
export class BillWriter {
  private readonly journal: Journal;

  constructor(journal: Journal) {
    this.journal = journal;
  }

  /**
   * Corrects a charge to the billed amount, on the day of its request; corrections by prices on later days are taken back there. The billed
   * amount leaves no interpretation open and nothing above it unconfirmed; unconfirmed costs of earlier attempts remain. False if the
   * ledger's sums would no longer be exact; the transaction must then be rolled back.
   */
  chargeAsBilled(db: WriteDb, row: MoneyRow, billedNano: Nano, note: string): boolean {
    const period = { countedAt: this.journal.reservedAt(row), runId: row.money_run };
    const later = db.all<Later>(correctedLater, { jobId: row.id, countedAt: period.countedAt });
    for (const { countedAt, runId, priceNote, ...amounts } of later) {
      const back: Posting = { type: 'correction', countedAt, runId, ...negated(amounts), note: priceNote ?? note };
      if (!this.journal.post(db, row, back)) return false;
    }
    const rest = doubtsOf(db, row.id).find(
      ({ wasCharged, countedAt, runId }) => wasCharged && countedAt === period.countedAt && runId === period.runId,
    );
    const unpriced = rest?.unpriced ?? 0;
    return this.journal.post(db, row, {
      type: 'correction',
      ...period,
      settledNano: billedNano - row.charged_nano,
      settledLowNano: billedNano - row.charged_low_nano,
      uncertainNano: 0 - (rest?.nano ?? 0),
      // The charge itself, and its unconfirmed part.
      unpriced: row.unpriced_doubt - row.unpriced - unpriced,
      unpricedDoubt: 0 - unpriced,
      billedNano,
      note,
    });
  }

  /** Enters a line of a bill without a job of this machine, on its own day. False as for {@link chargeAsBilled}. */
  billElsewhere(
    db: WriteDb,
    of: EntryWithoutJob,
    { at, nano, note }: { at: number; nano: Nano; note: string },
  ): boolean {
    const settled = { settledNano: nano, settledLowNano: nano };
    return this.journal.postElsewhere(db, of, { type: 'bill', countedAt: at, ...settled, note });
  }

  /** Adds a counter-entry to each entry, on the same day and in the same run; `row`: their job, if any. */
  reverse(db: WriteDb, row: MoneyRow | undefined, entryIds: readonly string[], note: string): boolean {
    return entryIds.every((id) => {
      const entry = db.one<Written>(writtenAs, { id });
      if (!entry) return false;
      const { type, countedAt, day, runId, profileId, play, kind, model, priceNote, ...amounts } = entry;
      const posting: Posting = {
        type,
        countedAt,
        runId,
        ...negated(amounts),
        billedNano: null,
        note: priceNote ?? note,
      };
      return row
        ? this.journal.post(db, row, posting)
        : this.journal.postElsewhere(db, { profile_id: profileId, play, kind, model, day }, posting);
    });
  }

  /** Runs `work` and returns its result with the ids of the added entries, oldest first. */
  recorded<T>(db: WriteDb, work: () => T): { value: T; entryIds: string[] } {
    const before = lastEntry(db);
    const value = work();
    return { value, entryIds: entriesAfter(db, before) };
  }
}

/** The number of the newest entry: a change means that sums changed. */
export const lastEntry = (db: ReadDb): number => db.one<{ seq: number }>(lastSeq)?.seq ?? 0;

const negated = (amounts: Record<string, number>): Record<string, number> =>
  Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, 0 - amount]));

const entriesAfter = (db: ReadDb, seq: number): string[] =>
  db.all<{ id: string }>(idsAfter, { seq }).map(({ id }) => id);
