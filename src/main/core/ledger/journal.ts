import type { Json } from '../../../shared/evidence/record.ts';
import type { LedgerEntry } from '../../../shared/money/ledger.ts';
import { MAX_NANO, type Nano } from '../../../shared/money/money.ts';
import { addRecord } from '../evidence/index.ts';
import type { Clock, Ids } from '../ports.ts';
import { type ReadDb, type RestoreParticipant, sql, type WriteDb } from '../store/index.ts';
import { dayOf, type MoneyChange, type MoneyRow, monthOfDay } from './moneyRow.ts';

export interface Posting extends MoneyChange {
  type: LedgerEntry['type'];
  /** The time whose day it counts to: a release counts on the day of its reservation, so that no day falls below zero. */
  countedAt: number;
  /** The run it counts to, if not that of the last reservation. */
  runId?: string | null;
  price?: string;
  /** The charged quantity as JSON; saved with the job. */
  quantity?: string;
  /** The total that a bill states for the job, for its record; null takes that back. */
  billedNano?: Nano | null;
  note?: string;
}

const insertEntry = sql(
  'ledger.insert',
  `INSERT INTO ledger_entries (id, job_id, at, counted_at, day, type, settled_nano, settled_low_nano, reserved_nano, uncertain_nano,
     unpriced, unpriced_doubt, model, kind, project_id, run_id, play, profile_id, price, note)
   VALUES ($id, $jobId, $at, $countedAt, $day, $type, $settledNano, $settledLowNano, $reservedNano, $uncertainNano,
     $unpriced, $unpricedDoubt, $model, $kind, $projectId, $runId, $play, $profileId, $price, $note)`,
);
const addSpend = sql(
  'ledger.addSpend',
  `INSERT INTO spend (play, scope, key, settled_nano, settled_low_nano, reserved_nano, uncertain_nano, unpriced)
   VALUES ($play, $scope, $key, $settledNano, $settledLowNano, $reservedNano, $uncertainNano, $unpriced)
   ON CONFLICT DO UPDATE SET settled_nano = settled_nano + $settledNano, settled_low_nano = settled_low_nano + $settledLowNano,
     reserved_nano = reserved_nano + $reservedNano, uncertain_nano = uncertain_nano + $uncertainNano, unpriced = unpriced + $unpriced`,
);
const addToJob = sql(
  'ledger.addToJob',
  `UPDATE jobs SET charged_nano = charged_nano + $settledNano, charged_low_nano = charged_low_nano + $settledLowNano,
     reserved_nano = reserved_nano + $reservedNano, uncertain_nano = uncertain_nano + $uncertainNano,
     unpriced = unpriced + $unpriced, unpriced_doubt = unpriced_doubt + $unpricedDoubt, reserved_at = $reservedAt, money_run = $moneyRun, quantity = coalesce($quantity, quantity)
   WHERE id = $id`,
);
const saveReservedLow = sql('ledger.saveReservedLow', 'UPDATE jobs SET reserved_low_nano = $lowNano WHERE id = $id');
const addReservedLow = sql(
  'ledger.addReservedLow',
  `UPDATE spend SET reserved_low_nano = reserved_low_nano + $moreNano WHERE play = $play AND scope = 'run' AND key = $runId`,
);
/** The day that an earlier entry of the job at this time counted to, in the time zone of then. */
const dayOfEarlier = sql(
  'ledger.dayOfEarlier',
  // `+` avoids the index by time: all entries of a run count to the moment it opens.
  'SELECT day FROM ledger_entries WHERE job_id = $jobId AND +counted_at = $countedAt LIMIT 1',
);
/** As a float, since an integer overflow would throw. */
const spendOfAllTime = sql(
  'ledger.everything',
  `SELECT total(abs(settled_nano) + abs(reserved_nano) + abs(uncertain_nano)) AS nano FROM spend WHERE scope = 'month'`,
);
/** Appends entries to the ledger; none is ever rewritten. */
export class Journal {
  private readonly deps: { clock: Pick<Clock, 'now'>; ids: Pick<Ids, 'id'> };

  constructor(deps: { clock: Pick<Clock, 'now'>; ids: Pick<Ids, 'id'> }) {
    this.deps = deps;
  }

  now(): number {
    return this.deps.clock.now();
  }

  /** The time that the reservation counts to. */
  reservedAt(row: MoneyRow): number {
    return row.reserved_at ?? this.now();
  }

  /**
   * Writes one entry and updates the job's figures and the sums of its day, month, project and run. False, with nothing written, if an
   * amount is not a whole number of nano-dollars or a sum would no longer be exact.
   */
  post(db: WriteDb, row: MoneyRow, posting: Posting): boolean {
    if (!staysExact(db, posting)) return false;
    const { unpricedDoubt, ...change } = amountsOf(posting);
    const day = dayCountedTo(db, row, posting.countedAt);
    const runId = posting.runId === undefined ? row.money_run : posting.runId;
    this.append(db, { ...row, jobId: row.id, model: row.model ?? row.kind, runId, day }, posting);
    const moneyRun = posting.type === 'reserve' ? runId : row.money_run;
    const reservedAt = posting.type === 'reserve' ? posting.countedAt : row.reserved_at;
    const quantity = posting.quantity ?? null;
    db.run(addToJob, { id: row.id, ...change, unpricedDoubt, reservedAt, moneyRun, quantity });
    row.charged_nano += change.settledNano;
    row.charged_low_nano += change.settledLowNano;
    row.reserved_nano += change.reservedNano;
    row.uncertain_nano += change.uncertainNano;
    row.unpriced += change.unpriced;
    row.unpriced_doubt += unpricedDoubt;
    row.quantity = quantity ?? row.quantity;
    row.reserved_at = reservedAt;
    row.money_run = moneyRun;
    countReservedLow(db, row);
    addToJournal(db, row, posting);
    return true;
  }

  /** Writes one entry of a gateway without a job of this machine. False as for {@link post}. */
  postElsewhere(db: WriteDb, of: EntryWithoutJob, posting: Posting): boolean {
    if (!staysExact(db, posting)) return false;
    const none = { jobId: null, project_id: null, runId: null };
    this.append(db, { ...of, ...none, day: of.day ?? dayOf(posting.countedAt) }, posting);
    return true;
  }

  /** Writes the entry and updates the sums of its day, month, project and run. */
  private append(db: WriteDb, of: CountedFor, posting: Posting): void {
    const { play, day, runId } = of;
    const { unpricedDoubt, ...change } = amountsOf(posting);
    db.run(insertEntry, {
      id: this.deps.ids.id('le'),
      jobId: of.jobId,
      at: this.now(),
      countedAt: posting.countedAt,
      day,
      type: posting.type,
      ...change,
      unpricedDoubt,
      play,
      profileId: of.profile_id,
      model: of.model,
      kind: of.kind,
      projectId: of.project_id,
      runId,
      price: posting.price ?? null,
      note: posting.note ?? null,
    });
    const add = (scope: string, key: string) => db.run(addSpend, { play, scope, key, ...change });
    add('day', day);
    add('month', monthOfDay(day));
    if (of.project_id) add('project', of.project_id);
    if (runId !== null) add('run', runId);
  }
}

/** The owner of an entry without a job. */
export interface EntryWithoutJob {
  profile_id: string;
  /** 1 for test money. */
  play: number;
  /** Empty if unknown. */
  kind: string;
  model: string | null;
  /** The day it counts to, if not that of its time. */
  day?: string;
}

interface CountedFor extends Omit<EntryWithoutJob, 'day'> {
  jobId: string | null;
  project_id: string | null;
  runId: string | null;
  day: string;
}

/** Reservations are left out: the records of request and claim state them. */
const RECORDED = {
  charge: 'charged',
  doubt: 'doubt',
  resolve: 'released',
  release: 'released',
  correction: 'corrected',
  bill: 'billed',
} as const;

/** Entries of a job that was never sent, such as a reservation released at midnight, are no evidence. */
function addToJournal(db: WriteDb, row: MoneyRow, posting: Posting): void {
  if (posting.type === 'reserve' || (posting.type === 'release' && row.sent_at === null)) return;
  const { settledNano, settledLowNano, uncertainNano, reservedNano, quantity, billedNano } = posting;
  addRecord(db, {
    jobId: row.id,
    what: RECORDED[posting.type],
    facts: {
      settledNano,
      settledLowNano,
      uncertainNano,
      reservedNano,
      billedNano,
      ...(quantity === undefined ? {} : { quantity: JSON.parse(quantity) as Json }),
    },
  });
}

/** Stores a run's reservation at the lower price, with the job and in the sum of its run: after every posting and every change of price. */
export function countReservedLow(db: WriteDb, row: MoneyRow): void {
  const lowNano = row.money_run === null ? 0 : Math.min(row.reserved_nano, row.estimate_low_nano);
  const moreNano = lowNano - row.reserved_low_nano;
  if (moreNano === 0) return;
  db.run(saveReservedLow, { id: row.id, lowNano });
  db.run(addReservedLow, { play: row.play, runId: row.money_run, moreNano });
  row.reserved_low_nano = lowNano;
}

/** A release counts to the day of its reservation even if the time zone has changed since, so that no day falls below zero. */
const dayCountedTo = (db: ReadDb, row: MoneyRow, countedAt: number): string =>
  db.one<{ day: string }>(dayOfEarlier, { jobId: row.id, countedAt })?.day ?? dayOf(countedAt);

const amountsOf = (change: MoneyChange): Required<MoneyChange> => ({
  settledNano: change.settledNano ?? 0,
  settledLowNano: change.settledLowNano ?? 0,
  reservedNano: change.reservedNano ?? 0,
  uncertainNano: change.uncertainNano ?? 0,
  unpriced: change.unpriced ?? 0,
  unpricedDoubt: change.unpricedDoubt ?? 0,
});

/** Whether the ledger's sums remain exact with this change. */
export function staysExact(db: ReadDb, change: MoneyChange): boolean {
  const { settledNano = 0, settledLowNano = 0, reservedNano = 0, uncertainNano = 0 } = change;
  if (![settledNano, settledLowNano, reservedNano, uncertainNano].every(Number.isSafeInteger)) return false;
  const more = settledNano + reservedNano + uncertainNano;
  return more <= ledgerHeadroom(db);
}

/** How much more the ledger can hold exactly. Amounts that move between figures, or are released, always fit. */
export function ledgerHeadroom(db: ReadDb): Nano {
  const held = db.one<{ nano: number }>(spendOfAllTime)?.nano ?? 0;
  // A ledger over the limit must not refuse everything for ever.
  return held > MAX_NANO ? MAX_NANO : MAX_NANO - held;
}

/** The ledger is only appended to: a backup contains its beginning, and a restore keeps all of it. */

const unknownEntries = sql(
  'ledger.unknownEntries',
  `SELECT count(*) AS n FROM past.ledger_entries p
   WHERE NOT EXISTS (SELECT 1 FROM main.ledger_entries m WHERE m.seq = p.seq AND m.id = p.id)`,
);
const newer = sql(
  'ledger.newerEntries',
  'SELECT count(*) AS n FROM main.ledger_entries WHERE seq > (SELECT coalesce(max(seq), 0) FROM past.ledger_entries)',
);

const count = (db: ReadDb, statement: typeof newer): number => db.one<{ n: number }>(statement)?.n ?? 0;

export const ledgerFromBackup: RestoreParticipant = {
  unknown: (db) => count(db, unknownEntries),
  preview: () => ({ gone: [], back: [] }),
  restore: () => undefined,
};

/** Entries since the backup. */
export const entriesSince = (db: ReadDb): number => count(db, newer);
