import { parseInput, type Reason } from '../../../../shared/contract/result.ts';
import {
  type CapReading,
  type NightPlan,
  type NightRules,
  type NightRun,
  nightPlanSchema,
} from '../../../../shared/jobs/night.ts';
import { formatNano, type Nano, nanoFromDollars } from '../../../../shared/money/money.ts';
import { t } from '../../../../shared/text/texts.ts';
import { fieldText, reasonsOf, reasonText } from '../../../words/index.ts';

/** A plan as typed; an empty rule is off. */
export interface PlanForm {
  start: string;
  end: string;
  cap: string;
  /** Which price counts against the budget. */
  capReading: CapReading;
  failures: string;
  refusals: string;
  budgetFloor: string;
  balanceFloor: string;
  /** Gigabytes. */
  diskFloor: string;
  shotRefusals: string;
  /** Minutes. */
  outage: string;
  goOnInDoubt: boolean;
  notOnBattery: boolean;
  /** Days of the week, 0 is Sunday; empty runs only once. */
  days: number[];
  keepAwake: boolean;
  notify: boolean;
}

/** The fields of type text. */
export type PlanField = {
  [field in keyof PlanForm]: string extends PlanForm[field] ? field : never;
}[keyof PlanForm];

const FIRST_PLAN: PlanForm = {
  start: '23:00',
  end: '07:00',
  cap: '20',
  capReading: 'high',
  failures: '3',
  refusals: '',
  budgetFloor: '',
  balanceFloor: '',
  diskFloor: '20',
  shotRefusals: '2',
  outage: '30',
  goOnInDoubt: true,
  notOnBattery: false,
  days: [],
  keepAwake: true,
  notify: true,
};

const GB = 1_000_000_000;

/** Nano-dollars as `22.5`; empty without an amount. */
export const dollarsOf = (nano: Nano | null): string =>
  nano === null ? '' : formatNano(nano).slice(1).replaceAll(',', '');
const figureOf = (value: number | null): string => (value === null ? '' : String(value));

/** The plan of a run as a form, or sensible values for the first one. */
export function formOf(run: Omit<NightPlan, 'date'> | NightRun | null | undefined): PlanForm {
  if (!run) return FIRST_PLAN;
  const { failuresInRow, refusalsInRow, budgetFloorNano, balanceFloorNano, diskFloorBytes } = run.rules;
  const { shotRefusals, outageMinutes, goOnInDoubt, notOnBattery } = run.rules;
  return {
    start: run.start,
    end: run.end,
    cap: dollarsOf(run.capNano),
    capReading: run.capReading,
    failures: figureOf(failuresInRow),
    refusals: figureOf(refusalsInRow),
    budgetFloor: dollarsOf(budgetFloorNano),
    balanceFloor: dollarsOf(balanceFloorNano),
    diskFloor: diskFloorBytes === null ? '' : String(diskFloorBytes / GB),
    shotRefusals: figureOf(shotRefusals),
    outage: figureOf(outageMinutes),
    goOnInDoubt,
    notOnBattery,
    days: run.days,
    keepAwake: run.keepAwake,
    notify: run.notify,
  };
}

/** The form field for a path of the plan. */
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
  'rules.shotRefusals': 'shotRefusals',
  'rules.outageMinutes': 'outage',
};

export const LABELS: Record<PlanField, string> = {
  start: t`From`,
  end: t`To`,
  cap: t`Budget`,
  failures: t`Failures in a row`,
  refusals: t`Refusals in a row`,
  budgetFloor: t`Budget below`,
  balanceFloor: t`Balance below`,
  diskFloor: t`Free space below`,
  shotRefusals: t`Refusals per shot`,
  outage: t`Gateway down for`,
};

/** An error of the plan, and its field if it has one. */
export interface PlanFault {
  field?: PlanField;
  error: string;
}

/** A refusal of the studio, at its field: "To: must not be the start." */
export function faultAt(reason: Reason): PlanFault {
  const known = FIELDS[reason.field];
  return known ? { field: known, error: fieldText(LABELS[known], reason) } : { error: reasonText(reason) };
}

/** The plan as the studio takes it, or the field and the rule it breaks. */
export function planOf(form: PlanForm): { plan: NightPlan } | PlanFault {
  const amounts = { cap: form.cap, budgetFloor: form.budgetFloor, balanceFloor: form.balanceFloor };
  for (const field of ['cap', 'budgetFloor', 'balanceFloor'] as const) {
    const text = amounts[field].trim();
    if (text === '' ? field === 'cap' : !AMOUNT.test(text))
      return { field, error: t`${LABELS[field]}: must be an amount in dollars such as 20 or 12.50.` };
  }
  for (const field of ['failures', 'refusals', 'diskFloor', 'shotRefusals', 'outage'] as const) {
    if (form[field].trim() !== '' && !/^\d{1,6}$/.test(form[field].trim()))
      return { field, error: t`${LABELS[field]}: must be a whole number or empty.` };
  }
  const rules: NightRules = {
    failuresInRow: toInteger(form.failures),
    refusalsInRow: toInteger(form.refusals),
    budgetFloorNano: nanoOf(form.budgetFloor),
    balanceFloorNano: nanoOf(form.balanceFloor),
    diskFloorBytes: form.diskFloor.trim() === '' ? null : Number(form.diskFloor) * GB,
    shotRefusals: toInteger(form.shotRefusals),
    outageMinutes: toInteger(form.outage),
    goOnInDoubt: form.goOnInDoubt,
    notOnBattery: form.notOnBattery,
  };
  const { capReading, days, keepAwake, notify } = form;
  const hours = { start: form.start.trim(), end: form.end.trim() };
  const plan = { ...hours, capNano: nanoOf(form.cap) ?? 0, capReading, rules, days, keepAwake, notify };
  const parsed = parseInput(nightPlanSchema, plan);
  if (parsed.ok) return { plan: parsed.data };
  const [reason = { field: '', message: parsed.error.message }] = reasonsOf(parsed.error);
  return faultAt(reason);
}

const AMOUNT = /^\d{1,6}(?:\.\d{1,9})?$/;
const nanoOf = (text: string): Nano | null => (text.trim() === '' ? null : nanoFromDollars(text.trim()));
const toInteger = (text: string): number | null => (text.trim() === '' ? null : Number(text));

/** "3 failures in a row, or 2 refusals"; empty without such a rule. */
export function stopsAfter({ failuresInRow, refusalsInRow }: NightRules): string {
  return [
    failuresInRow === null ? '' : failuresInRow === 1 ? '1 failure' : t`${failuresInRow} failures in a row`,
    refusalsInRow === null ? '' : refusalsInRow === 1 ? '1 refusal' : t`${refusalsInRow} refusals in a row`,
  ]
    .filter(Boolean)
    .join(', or ');
}
