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

const allBudgets = sql('budgets.all', 'SELECT * FROM budgets ORDER BY scope, key');
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

export function listBudgets(db: ReadDb, now: number): Budget[] {
  return db.all<BudgetRow>(allBudgets).map((row) => ({
    scope: row.scope,
    ...(row.scope === 'project' ? { projectId: row.key } : {}),
    ...(row.hard_nano === null ? {} : { hardNano: row.hard_nano }),
    ...(row.soft_nano === null ? {} : { softNano: row.soft_nano }),
    used: usedBy(db, row, now),
  }));
}

/** Sets, changes or (with null) removes the caps of a scope; a cap that is not named stays. */
export function setBudget(db: WriteDb, input: BudgetInput): void {
  const key = input.projectId ?? '';
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

/** The hard cap that `extraNano` more would break, if any. Read inside the transaction that reserves or claims. */
export function brokenCap(db: ReadDb, projectId: string | null, extraNano: Nano, now: number): Budget | undefined {
  const rows = db.all<BudgetRow>(allBudgets).filter((row) => row.scope !== 'project' || row.key === projectId);
  for (const row of rows) {
    const used = usedBy(db, row, now);
    if (row.hard_nano !== null && countedNano(used) + extraNano > row.hard_nano) {
      return {
        scope: row.scope,
        hardNano: row.hard_nano,
        used,
        ...(row.scope === 'project' ? { projectId: row.key } : {}),
      };
    }
  }
  return undefined;
}

/** The most that still fits under the hard caps of the day and the month; projects have caps of their own. Infinity without caps. */
export function roomUnderCaps(db: ReadDb, now: number): Nano {
  const rooms = db
    .all<BudgetRow>(allBudgets)
    .flatMap((row) =>
      row.scope === 'project' || row.hard_nano === null ? [] : [row.hard_nano - countedNano(usedBy(db, row, now))],
    );
  return Math.min(Infinity, ...rooms);
}

/** Soft caps that are exceeded now; they warn, they never stop. */
export function exceededSoftCaps(db: ReadDb, projectId: string | null, now: number): Budget[] {
  return listBudgets(db, now).filter(
    (budget) =>
      budget.softNano !== undefined &&
      countedNano(budget.used) > budget.softNano &&
      (budget.scope !== 'project' || budget.projectId === projectId),
  );
}
