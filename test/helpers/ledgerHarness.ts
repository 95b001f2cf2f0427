import { afterEach } from 'vitest';
import { entries, LedgerWriter, totals } from '../../src/main/core/ledger/index.ts';
import type { MoneyRow } from '../../src/main/core/ledger/moneyRow.ts';
import { type Store, sql, type WriteDb } from '../../src/main/core/store/index.ts';
import type { LedgerEntry, MoneyTotals } from '../../src/shared/money/ledger.ts';
import type { Price } from '../../src/shared/money/price.ts';
import { openTestStore } from './emptyDatabase.ts';
import { countingIds, TestClock, tempDir } from './testPorts.ts';

/** The ledger on a real database, with jobs that exist only for their money. */
export interface LedgerHarness {
  clock: TestClock;
  store: Store;
  ledger: LedgerWriter;
  /** A queued job at a price; by default its estimate is that of 4 seconds. Returns its id. */
  job(fields?: JobFields): string;
  row(id: string): MoneyRow;
  /** Applies one step of the ledger to the job's current row. */
  does<Name extends keyof Steps>(id: string, name: Name, ...rest: Parameters<Steps[Name]>): ReturnType<Steps[Name]>;
  /** Runs one transaction on the job's current row. */
  write<T>(id: string, work: (db: WriteDb, row: MoneyRow) => T): T;
  /** Sums of real money by day. */
  days(): Record<string, Money>;
  sum(): MoneyTotals;
  /** Oldest first. */
  entriesOf(id: string): LedgerEntry[];
}

type StepOf<Method> = Method extends (db: WriteDb, row: MoneyRow, ...rest: infer Rest) => infer Answer
  ? (...rest: Rest) => Answer
  : never;
type Steps = {
  [Name in
    | 'reserve'
    | 'release'
    | 'releaseAttempt'
    | 'charge'
    | 'correctCharge'
    | 'reverseCharge'
    | 'setUncertain'
    | 'settleDoubt'
    | 'clearDoubt'
    | 'billOneMore'
    | 'adjust']: StepOf<LedgerWriter[Name]>;
};

/** Charged, reserved and unconfirmed. */
type Money = [settledNano: number, reservedNano: number, uncertainNano: number];

export interface JobFields {
  price?: Price | null;
  estimateNano?: number;
  estimateLowNano?: number;
  projectId?: string;
  runId?: string;
  play?: boolean;
  profileId?: string;
  model?: string;
  kind?: string;
}

export const DOLLAR = 1_000_000_000;

/** A price a second, whose other interpretation is a price a video. */
export const perSecondOrVideo = (dollars: number): Price => ({
  kind: 'video',
  model: 'video-standard',
  readings: [
    { unit: 'second', nano: dollars * DOLLAR },
    { unit: 'video', nano: dollars * DOLLAR },
  ],
  settledReading: null,
  source: 'a list',
});

const insertJob = sql(
  'test.insertJob',
  `INSERT INTO jobs (id, kind, state, request, profile_id, project_id, run_id, model, lane, idempotency_key, hook_secret, price,
     estimate_nano, estimate_low_nano, position, play, created_at)
   VALUES ($id, $kind, 'queued', '{}', $profileId, $projectId, $runId, $model, 'lane', $id, '', $price,
     $estimateNano, $estimateLowNano, 0, $play, 0)`,
);
const jobById = sql('test.jobById', 'SELECT * FROM jobs WHERE id = $id');

function openLedger(clock: TestClock): LedgerHarness {
  const store = openTestStore({ dataDir: tempDir('ledger'), clock });
  const ids = countingIds();
  const row = (id: string): MoneyRow => {
    const found = store.read.one<MoneyRow>(jobById, { id });
    if (!found) throw new Error(`no job ${id}`);
    return found;
  };
  const ledger = new LedgerWriter({ clock, ids });
  return {
    clock,
    store,
    ledger,
    does: (id, name, ...rest) =>
      store.transaction((db) => (ledger[name] as (...all: unknown[]) => never).call(ledger, db, row(id), ...rest)),
    job: (fields = {}) => {
      const id = ids.id('job');
      const { price = perSecondOrVideo(0.4), estimateNano = 1.6 * DOLLAR, estimateLowNano = 0.4 * DOLLAR } = fields;
      store.transaction((db) =>
        db.run(insertJob, {
          id,
          kind: fields.kind ?? 'video',
          profileId: fields.profileId ?? 'p',
          projectId: fields.projectId ?? null,
          runId: fields.runId ?? null,
          model: fields.model ?? 'video-standard',
          price: JSON.stringify(price),
          estimateNano,
          estimateLowNano,
          play: fields.play ? 1 : 0,
        }),
      );
      return id;
    },
    row,
    write: (id, work) => store.transaction((db) => work(db, row(id))),
    days: () =>
      Object.fromEntries(
        totals(store.read, 'day', {}).rows.map(({ key, settledNano, reservedNano, uncertainNano }) => [
          key,
          [settledNano, reservedNano, uncertainNano],
        ]),
      ),
    sum: () => totals(store.read, 'kind', {}).sum,
    entriesOf: (id) => entries(store.read, { limit: 100, jobId: id }).entries.reverse(),
  };
}

/** Opens ledgers for the tests of one file, and closes after each test what it opened. */
export function ledgersOfThisFile(): (clock?: TestClock) => LedgerHarness {
  const opened: LedgerHarness[] = [];
  afterEach(() => {
    for (const { store } of opened.splice(0)) store.close();
  });
  return (clock = new TestClock()) => {
    const harness = openLedger(clock);
    opened.push(harness);
    return harness;
  };
}
