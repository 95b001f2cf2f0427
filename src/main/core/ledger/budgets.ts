import type { CapReading } from '../../../shared/jobs/night.ts';
import { type Budget, type BudgetInput, type MoneyTotals, NO_MONEY } from '../../../shared/money/ledger.ts';
import type { Nano } from '../../../shared/money/money.ts';
import type { Cost } from '../../../shared/money/price.ts';
import { type ReadDb, sql, type WriteDb } from '../store/index.ts';
import { dayOf, monthOf } from './moneyRow.ts';
import { totalsOf } from './reports.ts';

interface BudgetRow {
  play: number;
  scope: Budget['scope'];
  key: string;
  hard_nano: Nano | null;
  soft_nano: Nano | null;
  /** Which price counts against it; for runs only. */
  reading: CapReading;
}

/**
 * The budgets of one side. Of runs only the named one: ended runs limit nothing. A run's budget applies to each of its jobs and is compared
 * with the sums of test money and of real money separately.
 */
const allBudgets = sql(
  'budgets.all',
  `SELECT * FROM budgets
   WHERE ((scope <> 'run' AND play = $play) OR (scope = 'run' AND key = $runId)) AND (hard_nano IS NOT NULL OR soft_nano IS NOT NULL)
   ORDER BY scope, key`,
);
const saveBudget = sql(
  'budgets.save',
  `INSERT INTO budgets (play, scope, key, hard_nano, soft_nano, reading)
   VALUES ($play, $scope, $key, $hardNano, $softNano, $reading)
   ON CONFLICT DO UPDATE SET hard_nano = $hardNano, soft_nano = $softNano, reading = $reading`,
);
const setRunBudgetSide = sql('budgets.moveRun', `UPDATE budgets SET play = $play WHERE scope = 'run' AND key = $runId`);
const oneBudget = sql('budgets.one', 'SELECT * FROM budgets WHERE play = $play AND scope = $scope AND key = $key');
const SUMS = `settled_nano AS settledNano, settled_low_nano AS settledLowNano, reserved_nano AS reservedNano,
     uncertain_nano AS uncertainNano, unpriced`;
const spendOf = sql('spend.of', `SELECT ${SUMS} FROM spend WHERE play = $play AND scope = $scope AND key = $key`);

const reservedLowOf = sql(
  'spend.reservedLowOf',
  `SELECT reserved_low_nano AS nano FROM spend WHERE play = $play AND scope = 'run' AND key = $runId`,
);
const capOf = sql('budgets.ofRun', `SELECT * FROM budgets WHERE scope = 'run' AND key = $runId AND play = $play`);

/** The key of the sums that a budget limits now. */
const spendKey = (row: BudgetRow, now: number): string =>
  row.scope === 'day' ? dayOf(now) : row.scope === 'month' ? monthOf(now) : row.key;

const totalsUnder = (db: ReadDb, row: BudgetRow, play: boolean, now: number): MoneyTotals =>
  db.one<MoneyTotals>(spendOf, { play: play ? 1 : 0, scope: row.scope, key: spendKey(row, now) }) ?? NO_MONEY;

/** The amount that counts against a budget: charged at the highest price, reserved, and unconfirmed, since each may be billed. */
const committedNano = (used: MoneyTotals): Nano => used.settledNano + used.reservedNano + used.uncertainNano;

/** The amount that a run counts against its budget, by its price setting. Unconfirmed costs count in full. */
export function countedOfRun(db: ReadDb, play: boolean, runId: string, reading: CapReading): Nano {
  const used = spendOfRun(db, play, runId);
  if (reading === 'high') return committedNano(used);
  const reservedNano = db.one<{ nano: Nano }>(reservedLowOf, { play: play ? 1 : 0, runId })?.nano ?? 0;
  return used.settledLowNano + reservedNano + used.uncertainNano;
}

/** The budget of a run on one side, its reading, and what counts against it. */
export function capOfRun(
  db: ReadDb,
  play: boolean,
  runId: string,
): { hardNano: Nano; reading: CapReading; countedNano: Nano } | undefined {
  const row = db.one<BudgetRow>(capOf, { play: play ? 1 : 0, runId });
  if (!row || row.hard_nano === null) return undefined;
  const { hard_nano: hardNano, reading } = row;
  return { hardNano, reading, countedNano: countedOfRun(db, play, runId, reading) };
}

/** Which budgets: one side, the run `runId`, and, if gateways are named, only what those have used. */
export interface BudgetQuery {
  play?: boolean;
  runId?: string | null;
  profileIds?: readonly string[] | undefined;
}

/** The budgets of one side, each with its use. */
export function listBudgets(
  db: ReadDb,
  now: number,
  { play = false, runId = null, profileIds }: BudgetQuery = {},
): Budget[] {
  const used = (row: BudgetRow): MoneyTotals =>
    profileIds
      ? totalsOf(db, { scope: row.scope, key: spendKey(row, now) }, { play, profileIds })
      : totalsUnder(db, row, play, now);
  return db
    .all<BudgetRow>(allBudgets, { play: play ? 1 : 0, runId })
    .filter((row) => row.play === (play ? 1 : 0))
    .map((row) => ({
      ...ownerOf(row),
      ...(row.hard_nano === null ? {} : { hardNano: row.hard_nano }),
      ...(row.soft_nano === null ? {} : { softNano: row.soft_nano }),
      used: used(row),
      ...(row.reading === 'low' ? { countedNano: countedOfRun(db, play, row.key, row.reading) } : {}),
    }));
}

function ownerOf({ play, scope, key }: BudgetRow): Pick<Budget, 'scope' | 'projectId' | 'runId' | 'play'> {
  return {
    scope,
    play: play === 1,
    ...(scope === 'project' ? { projectId: key } : {}),
    ...(scope === 'run' ? { runId: key } : {}),
  };
}

/** Sets, changes or (with null) removes the budgets of a scope on one side; omitted limits and readings stay. `runId`: the run. */
export function setBudget(db: WriteDb, input: BudgetInput & { runId?: string; reading?: CapReading }): void {
  const key = input.projectId ?? input.runId ?? '';
  const play = input.play ? 1 : 0;
  const known = db.one<BudgetRow>(oneBudget, { play, scope: input.scope, key });
  const merged = (given: number | null | undefined, before: number | null | undefined) =>
    given === undefined ? (before ?? null) : given;
  db.run(saveBudget, {
    play,
    scope: input.scope,
    key,
    hardNano: merged(input.hardNano, known?.hard_nano),
    softNano: merged(input.softNano, known?.soft_nano),
    reading: input.reading ?? known?.reading ?? 'high',
  });
}

/** From now on the run's money and its budget count on this side. */
export const setRunCapSide = (db: WriteDb, runId: string, play: boolean): number =>
  db.run(setRunBudgetSide, { runId, play: play ? 1 : 0 });

export interface Spender {
  /** True for test money. */
  play: boolean;
  projectId: string | null;
  /** The run it is spent in. */
  runId: string | null;
  /** The amount that must remain under the budgets of day and month. */
  floorNano: Nano;
}

/** A hard budget, what must remain of it, its use, and what of that counts by its reading. */
export type ExceededCap = Omit<Budget, 'hardNano' | 'softNano'> & {
  hardNano: Nano;
  floorNano: Nano;
  reading: CapReading;
  countedNano: Nano;
};

/** The amount that counts by this reading. */
export const amountFor = (reading: CapReading, { nano, lowNano }: Cost): Nano => (reading === 'low' ? lowNano : nano);

/**
 * The first hard budget that this much more would exceed at that time; an unknown amount (`null`) exceeds every one. Read inside the
 * transaction that reserves or claims.
 */
export function exceededCap(db: ReadDb, spender: Spender, extra: Cost | null, at: number): ExceededCap | undefined {
  return capsFor(db, spender, at).find(
    (cap) => !fitsUnder(cap, cap.countedNano, extra && amountFor(cap.reading, extra)),
  );
}

/** The most that still fits under all applicable hard budgets that count this price, at this price; Infinity without any. */
export const headroomFor = (db: ReadDb, spender: Spender, at: number, reading: CapReading = 'high'): Nano =>
  Math.min(
    Infinity,
    ...capsFor(db, spender, at)
      .filter((cap) => cap.reading === reading)
      .map(({ hardNano, floorNano, countedNano }) => hardNano - floorNano - countedNano),
  );

/** The rule of hard budgets, for claims and dry runs; an unknown price (`null`) never fits. */
export const fitsUnder = (
  { hardNano, floorNano }: Pick<ExceededCap, 'hardNano' | 'floorNano'>,
  counted: Nano,
  extraNano: Nano | null,
): boolean => extraNano !== null && counted + extraNano <= hardNano - floorNano;

/** The applicable hard budgets with their use. */
function capsFor(db: ReadDb, { play, projectId, runId, floorNano }: Spender, at: number): ExceededCap[] {
  return db
    .all<BudgetRow>(allBudgets, { play: play ? 1 : 0, runId })
    .filter((row) => row.scope !== 'project' || row.key === projectId)
    .flatMap((row) => {
      if (row.hard_nano === null) return [];
      const used = totalsUnder(db, row, play, at);
      const cap = { ...ownerOf(row), hardNano: row.hard_nano, floorNano: isPeriod(row) ? floorNano : 0, used };
      const isRun = row.scope === 'run';
      const countedNano = isRun ? countedOfRun(db, play, row.key, row.reading) : committedNano(used);
      return [{ ...cap, reading: isRun ? row.reading : 'high', countedNano }];
    });
}

const isPeriod = (row: BudgetRow): boolean => row.scope === 'day' || row.scope === 'month';

/** The most that still fits under one side's hard budgets of day and month; Infinity without any. Projects and runs have their own. */
export function periodHeadroom(db: ReadDb, play: boolean, now: number): Nano {
  const headrooms = db
    .all<BudgetRow>(allBudgets, { play: play ? 1 : 0, runId: null })
    .flatMap((row) =>
      isPeriod(row) && row.hard_nano !== null ? [row.hard_nano - committedNano(totalsUnder(db, row, play, now))] : [],
    );
  return Math.min(Infinity, ...headrooms);
}

/** One side's hard budgets except those of runs, for dry runs. */
export function hardCaps(db: ReadDb, play: boolean): { scope: Budget['scope']; key: string; hardNano: Nano }[] {
  return db
    .all<BudgetRow>(allBudgets, { play: play ? 1 : 0, runId: null })
    .flatMap(({ scope, key, hard_nano }) => (hard_nano === null ? [] : [{ scope, key, hardNano: hard_nano }]));
}

/** The amount that counts against a budget of that scope; `key`: a day `2026-11-21`, a month `2026-11`, a project or a run. */
export const committedUnder = (db: ReadDb, play: boolean, scope: Budget['scope'], key: string): Nano =>
  committedNano(db.one<MoneyTotals>(spendOf, { play: play ? 1 : 0, scope, key }) ?? NO_MONEY);

/** Charged, reserved and unconfirmed in a run on one side, corrections included. */
export const spendOfRun = (db: ReadDb, play: boolean, runId: string): MoneyTotals =>
  db.one<MoneyTotals>(spendOf, { play: play ? 1 : 0, scope: 'run', key: runId }) ?? NO_MONEY;

/** Soft budgets that are exceeded now; they only warn. */
export const exceededSoftCaps = (db: ReadDb, of: Pick<BudgetQuery, 'play' | 'runId'>, now: number): Budget[] =>
  listBudgets(db, now, of).filter(({ softNano, used }) => softNano !== undefined && committedNano(used) > softNano);
