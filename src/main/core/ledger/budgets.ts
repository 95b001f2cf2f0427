import type { Budget, BudgetInput, MoneyTotals } from '../../../shared/ledger.ts';
import type { Nano } from '../../../shared/money.ts';
import { type ReadDb, sql, type WriteDb } from '../store/index.ts';
import { dayOf, monthOf } from './calendar.ts';

interface BudgetRow {
  scope: Budget['scope'];
  key: string;
  hard_nano: Nano | null;
  soft_nano: Nano | null;
}

/** Of nights only the one asked about: those that are over limit nothing any more. */
const allBudgets = sql('budgets.all', `SELECT * FROM budgets WHERE scope <> 'run' OR key = $runId ORDER BY scope, key`);
const saveBudget = sql(
  'budgets.save',
  `INSERT INTO budgets (scope, key, hard_nano, soft_nano) VALUES ($scope, $key, $hardNano, $softNano)
   ON CONFLICT DO UPDATE SET hard_nano = $hardNano, soft_nano = $softNano`,
);
const oneBudget = sql('budgets.one', 'SELECT * FROM budgets WHERE scope = $scope AND key = $key');
const spendOf = sql(
  'spend.of',
  `SELECT settled_nano AS settledNano, settled_low_nano AS settledLowNano, reserved_nano AS reservedNano,
     uncertain_nano AS uncertainNano FROM spend WHERE scope = $scope AND key = $key`,
);

const NOTHING: MoneyTotals = { settledNano: 0, settledLowNano: 0, reservedNano: 0, uncertainNano: 0 };

/** The row of sums that a budget is held against now. */
const spendKey = (row: BudgetRow, now: number): string =>
  row.scope === 'day' ? dayOf(now) : row.scope === 'month' ? monthOf(now) : row.key;

const usedBy = (db: ReadDb, row: BudgetRow, now: number): MoneyTotals =>
  db.one<MoneyTotals>(spendOf, { scope: row.scope, key: spendKey(row, now) }) ?? NOTHING;

/** What counts against a cap: settled at the dearer reading, reserved, and in doubt, since each of them may be on the bill. */
const countedNano = (used: MoneyTotals): Nano => used.settledNano + used.reservedNano + used.uncertainNano;

/** Every budget with what counts against it; of the nights, that of `runId`. */
export function listBudgets(db: ReadDb, now: number, runId: string | null = null): Budget[] {
  return db.all<BudgetRow>(allBudgets, { runId }).map((row) => ({
    ...ownerOf(row),
    ...(row.hard_nano === null ? {} : { hardNano: row.hard_nano }),
    ...(row.soft_nano === null ? {} : { softNano: row.soft_nano }),
    used: usedBy(db, row, now),
  }));
}

function ownerOf({ scope, key }: BudgetRow): Pick<Budget, 'scope' | 'projectId' | 'runId'> {
  return { scope, ...(scope === 'project' ? { projectId: key } : {}), ...(scope === 'run' ? { runId: key } : {}) };
}

/** Sets, changes or (with null) removes the caps of a scope; a cap that is not named stays. `runId` says which night. */
export function setBudget(db: WriteDb, input: BudgetInput & { runId?: string }): void {
  const key = input.projectId ?? input.runId ?? '';
  const known = db.one<BudgetRow>(oneBudget, { scope: input.scope, key });
  const kept = (given: number | null | undefined, before: number | null | undefined) =>
    given === undefined ? (before ?? null) : given;
  db.run(saveBudget, {
    scope: input.scope,
    key,
    hardNano: kept(input.hardNano, known?.hard_nano),
    softNano: kept(input.softNano, known?.soft_nano),
  });
}

/** Whose money it is: what a hard cap is looked up for. */
export interface Spender {
  projectId: string | null;
  /** The night it is spent in. */
  runId: string | null;
  /** What has to be left of the caps of the day and the month. */
  floorNano: Nano;
}

/** A hard cap that is in the way, and what it lets through at most. */
export type BrokenCap = Omit<Budget, 'hardNano' | 'softNano'> & { hardNano: Nano; floorNano: Nano };

/** The hard cap that `extraNano` more would break at that time, if any. Read inside the transaction that reserves or claims. */
export function brokenCap(db: ReadDb, spender: Spender, extraNano: Nano, at: number): BrokenCap | undefined {
  const rows = db
    .all<BudgetRow>(allBudgets, { runId: spender.runId })
    .filter((row) => row.scope !== 'project' || row.key === spender.projectId);
  for (const row of rows) {
    if (row.hard_nano === null) continue;
    const floorNano = isPeriod(row) ? spender.floorNano : 0;
    const used = usedBy(db, row, at);
    if (countedNano(used) + extraNano > row.hard_nano - floorNano)
      return { ...ownerOf(row), hardNano: row.hard_nano, floorNano, used };
  }
  return undefined;
}

const isPeriod = (row: BudgetRow): boolean => row.scope === 'day' || row.scope === 'month';

/** The most that still fits under the hard caps of the day and the month; projects and nights have caps of their own. Infinity without caps. */
export function roomUnderCaps(db: ReadDb, now: number): Nano {
  const rooms = db
    .all<BudgetRow>(allBudgets, { runId: null })
    .flatMap((row) =>
      isPeriod(row) && row.hard_nano !== null ? [row.hard_nano - countedNano(usedBy(db, row, now))] : [],
    );
  return Math.min(Infinity, ...rooms);
}

/** The hard caps that concern one night, for working out beforehand what fits. */
export function hardCaps(db: ReadDb, runId: string): { scope: Budget['scope']; key: string; hardNano: Nano }[] {
  return db
    .all<BudgetRow>(allBudgets, { runId })
    .flatMap(({ scope, key, hard_nano }) => (hard_nano === null ? [] : [{ scope, key, hardNano: hard_nano }]));
}

/** What counts against a cap of that scope: of a day `2026-11-21`, a month `2026-11`, a project or a night. */
export const countedIn = (db: ReadDb, scope: Budget['scope'], key: string): Nano =>
  countedNano(db.one<MoneyTotals>(spendOf, { scope, key }) ?? NOTHING);

/** What a night has settled, reserved and in doubt, corrections included. */
export const spendOfRun = (db: ReadDb, runId: string): MoneyTotals =>
  db.one<MoneyTotals>(spendOf, { scope: 'run', key: runId }) ?? NOTHING;

/** Soft caps that are exceeded now; they warn, they never stop. */
export function exceededSoftCaps(db: ReadDb, spender: Omit<Spender, 'floorNano'>, now: number): Budget[] {
  return listBudgets(db, now, spender.runId).filter(
    (budget) =>
      budget.softNano !== undefined &&
      countedNano(budget.used) > budget.softNano &&
      (budget.scope !== 'project' || budget.projectId === spender.projectId),
  );
}
