import { type Budget, type BudgetInput, type MoneyTotals, NO_MONEY } from '../../../shared/ledger.ts';
import type { Nano } from '../../../shared/money.ts';
import { type ReadDb, sql, type WriteDb } from '../store/index.ts';
import { dayOf, monthOf } from './calendar.ts';
import { totalsOf } from './reports.ts';

interface BudgetRow {
  play: number;
  scope: Budget['scope'];
  key: string;
  hard_nano: Nano | null;
  soft_nano: Nano | null;
}

/**
 * Of one side: play money or real money. Of nights only the one asked about: those that are over limit nothing any more. The cap of a
 * night concerns each of its jobs, on whichever side: it is held against either side's sum apart.
 */
const allBudgets = sql(
  'budgets.all',
  `SELECT * FROM budgets WHERE (scope <> 'run' AND play = $play) OR (scope = 'run' AND key = $runId) ORDER BY scope, key`,
);
const saveBudget = sql(
  'budgets.save',
  `INSERT INTO budgets (play, scope, key, hard_nano, soft_nano) VALUES ($play, $scope, $key, $hardNano, $softNano)
   ON CONFLICT DO UPDATE SET hard_nano = $hardNano, soft_nano = $softNano`,
);
const moveRunBudget = sql('budgets.moveRun', `UPDATE budgets SET play = $play WHERE scope = 'run' AND key = $runId`);
const oneBudget = sql('budgets.one', 'SELECT * FROM budgets WHERE play = $play AND scope = $scope AND key = $key');
const SUMS = `settled_nano AS settledNano, settled_low_nano AS settledLowNano, reserved_nano AS reservedNano,
     uncertain_nano AS uncertainNano, unpriced`;
const spendOf = sql('spend.of', `SELECT ${SUMS} FROM spend WHERE play = $play AND scope = $scope AND key = $key`);

/** The row of sums that a budget is held against now. */
const spendKey = (row: BudgetRow, now: number): string =>
  row.scope === 'day' ? dayOf(now) : row.scope === 'month' ? monthOf(now) : row.key;

const usedBy = (db: ReadDb, row: BudgetRow, play: boolean, now: number): MoneyTotals =>
  db.one<MoneyTotals>(spendOf, { play: play ? 1 : 0, scope: row.scope, key: spendKey(row, now) }) ?? NO_MONEY;

/** What counts against a cap: settled at the dearer reading, reserved, and in doubt, since each of them may be on the bill. */
const countedNano = (used: MoneyTotals): Nano => used.settledNano + used.reservedNano + used.uncertainNano;

/** What is asked about: one side, of the nights that of `runId`, and only what these gateways have used where some are named. */
export interface BudgetQuery {
  play?: boolean;
  runId?: string | null;
  profileIds?: readonly string[] | undefined;
}

/** The budgets of one side, each with what counts against it. */
export function listBudgets(
  db: ReadDb,
  now: number,
  { play = false, runId = null, profileIds }: BudgetQuery = {},
): Budget[] {
  const used = (row: BudgetRow): MoneyTotals =>
    profileIds
      ? totalsOf(db, { scope: row.scope, key: spendKey(row, now) }, { play, profileIds })
      : usedBy(db, row, play, now);
  return db
    .all<BudgetRow>(allBudgets, { play: play ? 1 : 0, runId })
    .filter((row) => row.play === (play ? 1 : 0))
    .map((row) => ({
      ...ownerOf(row),
      ...(row.hard_nano === null ? {} : { hardNano: row.hard_nano }),
      ...(row.soft_nano === null ? {} : { softNano: row.soft_nano }),
      used: used(row),
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

/** Sets, changes or (with null) removes the caps of a scope on one side; a cap that is not named stays. `runId` says which night. */
export function setBudget(db: WriteDb, input: BudgetInput & { runId?: string }): void {
  const key = input.projectId ?? input.runId ?? '';
  const play = input.play ? 1 : 0;
  const known = db.one<BudgetRow>(oneBudget, { play, scope: input.scope, key });
  const kept = (given: number | null | undefined, before: number | null | undefined) =>
    given === undefined ? (before ?? null) : given;
  db.run(saveBudget, {
    play,
    scope: input.scope,
    key,
    hardNano: kept(input.hardNano, known?.hard_nano),
    softNano: kept(input.softNano, known?.soft_nano),
  });
}

/** The night's money is counted on this side from now on, and its cap stands there. */
export const moveRunCap = (db: WriteDb, runId: string, play: boolean): number =>
  db.run(moveRunBudget, { runId, play: play ? 1 : 0 });

/** Whose money it is: what a hard cap is looked up for. */
export interface Spender {
  /** On which side it is spent. */
  play: boolean;
  projectId: string | null;
  /** The night it is spent in. */
  runId: string | null;
  /** What has to be left of the caps of the day and the month. */
  floorNano: Nano;
}

/** A hard cap, what has to be left of it, and what counts against it. */
export type BrokenCap = Omit<Budget, 'hardNano' | 'softNano'> & { hardNano: Nano; floorNano: Nano };

/**
 * The hard cap that `extraNano` more would break at that time, if any; where nobody knows how much more it is (`null`), every hard cap
 * is broken. Read inside the transaction that reserves or claims.
 */
export function brokenCap(db: ReadDb, spender: Spender, extraNano: Nano | null, at: number): BrokenCap | undefined {
  return capsOver(db, spender, at).find((cap) => !fitsUnder(cap, countedNano(cap.used), extraNano));
}

/** The most that still fits under every hard cap that concerns it at that time; Infinity where there is none. */
export const roomFor = (db: ReadDb, spender: Spender, at: number): Nano =>
  Math.min(
    Infinity,
    ...capsOver(db, spender, at).map(({ hardNano, floorNano, used }) => hardNano - floorNano - countedNano(used)),
  );

/** The rule of a hard cap, for the claim as for what is worked out beforehand; what has no known price (`null`) fits under none. */
export const fitsUnder = (
  { hardNano, floorNano }: Pick<BrokenCap, 'hardNano' | 'floorNano'>,
  counted: Nano,
  extraNano: Nano | null,
): boolean => extraNano !== null && counted + extraNano <= hardNano - floorNano;

/** The hard caps that concern it, with what counts against each. */
function capsOver(db: ReadDb, { play, projectId, runId, floorNano }: Spender, at: number): BrokenCap[] {
  return db
    .all<BudgetRow>(allBudgets, { play: play ? 1 : 0, runId })
    .filter((row) => row.scope !== 'project' || row.key === projectId)
    .flatMap((row) =>
      row.hard_nano === null
        ? []
        : [
            {
              ...ownerOf(row),
              hardNano: row.hard_nano,
              floorNano: isPeriod(row) ? floorNano : 0,
              used: usedBy(db, row, play, at),
            },
          ],
    );
}

const isPeriod = (row: BudgetRow): boolean => row.scope === 'day' || row.scope === 'month';

/** The most that still fits under one side's hard caps of the day and the month; projects and nights have caps of their own. Infinity without caps. */
export function roomUnderCaps(db: ReadDb, play: boolean, now: number): Nano {
  const rooms = db
    .all<BudgetRow>(allBudgets, { play: play ? 1 : 0, runId: null })
    .flatMap((row) =>
      isPeriod(row) && row.hard_nano !== null ? [row.hard_nano - countedNano(usedBy(db, row, play, now))] : [],
    );
  return Math.min(Infinity, ...rooms);
}

/** One side's hard caps but for those of nights, for working out beforehand what fits. */
export function hardCaps(db: ReadDb, play: boolean): { scope: Budget['scope']; key: string; hardNano: Nano }[] {
  return db
    .all<BudgetRow>(allBudgets, { play: play ? 1 : 0, runId: null })
    .flatMap(({ scope, key, hard_nano }) => (hard_nano === null ? [] : [{ scope, key, hardNano: hard_nano }]));
}

/** What counts against a cap of that scope: of a day `2026-11-21`, a month `2026-11`, a project or a night. */
export const countedIn = (db: ReadDb, play: boolean, scope: Budget['scope'], key: string): Nano =>
  countedNano(db.one<MoneyTotals>(spendOf, { play: play ? 1 : 0, scope, key }) ?? NO_MONEY);

/** What a night has settled, reserved and in doubt on one side, corrections included. */
export const spendOfRun = (db: ReadDb, play: boolean, runId: string): MoneyTotals =>
  db.one<MoneyTotals>(spendOf, { play: play ? 1 : 0, scope: 'run', key: runId }) ?? NO_MONEY;

/** Soft caps that are exceeded now; they warn, they never stop. */
export function exceededSoftCaps(db: ReadDb, spender: Omit<Spender, 'floorNano'>, now: number): Budget[] {
  return listBudgets(db, now, spender).filter(
    (budget) =>
      budget.softNano !== undefined &&
      countedNano(budget.used) > budget.softNano &&
      (budget.scope !== 'project' || budget.projectId === spender.projectId),
  );
}
