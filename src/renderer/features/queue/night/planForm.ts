import { formatNano, type Nano, nanoFromDollars } from '../../../../shared/money.ts';
import { type NightPlan, type NightRules, type NightRun, nightPlanSchema } from '../../../../shared/night.ts';
import type { Reason } from '../../../../shared/result.ts';
import { formatBytes } from '../../../ui/index.ts';
import { fieldText, reasonText } from '../../../words/index.ts';

/** A plan as it is typed; an empty rule is no rule. */
export interface PlanForm {
  start: string;
  end: string;
  cap: string;
  failures: string;
  refusals: string;
  budgetFloor: string;
  balanceFloor: string;
  /** Gigabytes. */
  diskFloor: string;
}

export type PlanField = keyof PlanForm;

const FIRST_PLAN: PlanForm = {
  start: '23:00',
  end: '07:00',
  cap: '20',
  failures: '3',
  refusals: '2',
  budgetFloor: '',
  balanceFloor: '',
  diskFloor: '20',
};

const GB = 1_000_000_000;

const dollarsOf = (nano: Nano | null): string => (nano === null ? '' : formatNano(nano).slice(1).replaceAll(',', ''));
const figureOf = (value: number | null): string => (value === null ? '' : String(value));

/** The night that is planned, or like the last one, or what is sensible for a first. */
export function formOf(run: NightRun | null | undefined): PlanForm {
  if (!run) return FIRST_PLAN;
  const { failuresInRow, refusalsInRow, budgetFloorNano, balanceFloorNano, diskFloorBytes } = run.rules;
  return {
    start: run.start,
    end: run.end,
    cap: dollarsOf(run.capNano),
    failures: figureOf(failuresInRow),
    refusals: figureOf(refusalsInRow),
    budgetFloor: dollarsOf(budgetFloorNano),
    balanceFloor: dollarsOf(balanceFloorNano),
    diskFloor: diskFloorBytes === null ? '' : String(diskFloorBytes / GB),
  };
}

/** Which field a path of the plan stands in. */
const FIELDS: Record<string, PlanField> = {
  start: 'start',
  end: 'end',
  date: 'start',
  capNano: 'cap',
  'rules.failuresInRow': 'failures',
  'rules.refusalsInRow': 'refusals',
  'rules.budgetFloorNano': 'budgetFloor',
  'rules.balanceFloorNano': 'balanceFloor',
  'rules.diskFloorBytes': 'diskFloor',
};

export const LABELS: Record<PlanField, string> = {
  start: 'Opens',
  end: 'Closes',
  cap: 'Hard cap',
  failures: 'Failures in a row',
  refusals: 'Refusals in a row',
  budgetFloor: 'Left of the budgets',
  balanceFloor: 'Left on the account',
  diskFloor: 'Free on the disk',
};

/** A refusal of the studio, at its field: "Closes: must not be the start." */
export function faultAt(reason: Reason): { field?: PlanField; error: string } {
  const known = FIELDS[reason.field];
  return known ? { field: known, error: fieldText(LABELS[known], reason) } : { error: reasonText(reason) };
}

/** What is typed as the studio takes it, or the field and the rule it breaks. */
export function planOf(form: PlanForm): { plan: NightPlan } | { field?: PlanField; error: string } {
  const amounts = { cap: form.cap, budgetFloor: form.budgetFloor, balanceFloor: form.balanceFloor };
  for (const field of ['cap', 'budgetFloor', 'balanceFloor'] as const) {
    const text = amounts[field].trim();
    if (text === '' ? field === 'cap' : !AMOUNT.test(text))
      return { field, error: `${LABELS[field]}: must be an amount in dollars such as 20 or 12.50.` };
  }
  for (const field of ['failures', 'refusals', 'diskFloor'] as const) {
    if (form[field].trim() !== '' && !/^\d{1,6}$/.test(form[field].trim()))
      return { field, error: `${LABELS[field]}: must be a whole number, or empty for no such rule.` };
  }
  const rules: NightRules = {
    failuresInRow: toInteger(form.failures),
    refusalsInRow: toInteger(form.refusals),
    budgetFloorNano: nanoOf(form.budgetFloor),
    balanceFloorNano: nanoOf(form.balanceFloor),
    diskFloorBytes: form.diskFloor.trim() === '' ? null : Number(form.diskFloor) * GB,
  };
  const plan = { start: form.start.trim(), end: form.end.trim(), capNano: nanoOf(form.cap) ?? 0, rules };
  const parsed = nightPlanSchema.safeParse(plan);
  if (parsed.success) return { plan: parsed.data };
  const [issue] = parsed.error.issues;
  return faultAt({ field: issue?.path.join('.') ?? '', message: issue?.message ?? 'is not valid' });
}

const AMOUNT = /^\d{1,6}(?:\.\d{1,9})?$/;
const nanoOf = (text: string): Nano | null => (text.trim() === '' ? null : nanoFromDollars(text.trim()));
const toInteger = (text: string): number | null => (text.trim() === '' ? null : Number(text));

/** "3 failures in a row, or 2 refusals", or that it has no such rule. */
export function stopsAfter({ failuresInRow, refusalsInRow }: NightRules): string {
  const rules = [
    failuresInRow === null ? '' : failuresInRow === 1 ? '1 failure' : `${failuresInRow} failures in a row`,
    refusalsInRow === null ? '' : refusalsInRow === 1 ? '1 refusal' : `${refusalsInRow} refusals in a row`,
  ].filter(Boolean);
  return rules.length === 0 ? 'no failure or refusal' : rules.join(', or ');
}

/** Each floor that is set, with its name. */
export function floorsOf(rules: NightRules): { name: string; value: string }[] {
  const { budgetFloorNano, balanceFloorNano, diskFloorBytes } = rules;
  return [
    ...(diskFloorBytes === null ? [] : [{ name: 'Disk floor', value: formatBytes(diskFloorBytes) }]),
    ...(budgetFloorNano === null ? [] : [{ name: 'Budget floor', value: formatNano(budgetFloorNano) }]),
    ...(balanceFloorNano === null ? [] : [{ name: 'Balance floor', value: formatNano(balanceFloorNano) }]),
  ];
}
