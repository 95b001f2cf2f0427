import { withBareAddresses } from '../../../shared/gateway/bareAddress.ts';
import { pricingOf } from '../../../shared/kinds/index.ts';
import { type MoneyTotals, NO_MONEY, type TotalsRow } from '../../../shared/money/ledger.ts';
import { NANO_PER_DOLLAR, type Nano } from '../../../shared/money/money.ts';
import type { Price } from '../../../shared/money/price.ts';
import { csvCell } from '../../../shared/tables/csv.ts';
import { t } from '../../../shared/text/texts.ts';

export const GROUPS = ['model', 'project', 'day', 'gateway'] as const;
export type GroupBy = (typeof GROUPS)[number];

/** The local day as used in the ledger's keys: `2026-11-21`. */
export function dayKey(at: number): string {
  const date = new Date(at);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** One row for every day of the period, including days without spending, so that the chart is to scale. */
export function everyDay(rows: readonly TotalsRow[], from: number, to: number): TotalsRow[] {
  const known = new Map(rows.map((row) => [row.key, row]));
  const days: TotalsRow[] = [];
  for (
    let day = new Date(from);
    day.getTime() <= to;
    day = new Date(day.getFullYear(), day.getMonth(), day.getDate() + 1)
  ) {
    const key = dayKey(day.getTime());
    days.push(known.get(key) ?? { key, jobs: 0, ...NO_MONEY });
  }
  return days;
}

/** More bars could not be told apart. */
const MOST_DAYS = 62;

/** Days, or whole months if there are too many days. Jobs are not counted, since one may be in several days. */
export function barsOf(days: readonly TotalsRow[]): TotalsRow[] {
  if (days.length <= MOST_DAYS) return [...days];
  const months = Map.groupBy(days, ({ key }) => key.slice(0, '2026-11'.length));
  return [...months].map(([key, rows]) => {
    const sum = (field: keyof MoneyTotals) => rows.reduce((total, row) => total + row[field], 0);
    return {
      key,
      jobs: 0,
      settledNano: sum('settledNano'),
      settledLowNano: sum('settledLowNano'),
      reservedNano: sum('reservedNano'),
      uncertainNano: sum('uncertainNano'),
      unpriced: sum('unpriced'),
    };
  });
}

/** Nano-dollars as the initial text of a field. */
export function dollarsText(nano: Nano | undefined): string {
  if (nano === undefined) return '';
  const fraction = String(nano % NANO_PER_DOLLAR)
    .padStart(9, '0')
    .replace(/0{1,7}$/, '');
  return `${Math.floor(nano / NANO_PER_DOLLAR)}.${fraction}`;
}

/** The table for a spreadsheet: dollars with nine decimals, the three amounts in separate columns. */
export function csvOf(rows: readonly TotalsRow[], head: string): string {
  const lines = rows.map((row) => {
    // With only unpriced jobs an amount is empty, not 0.
    const dollars = (nano: Nano) => (nano === 0 && row.unpriced > 0 ? '' : (nano / NANO_PER_DOLLAR).toFixed(9));
    return [
      csvCell(withBareAddresses(row.key)),
      row.jobs,
      dollars(row.settledNano),
      dollars(row.settledLowNano),
      dollars(row.reservedNano),
      dollars(row.uncertainNano),
      row.unpriced,
    ].join(',');
  });
  return [`${head},jobs,settled,settled_at_least,reserved,in_doubt,unpriced`, ...lines].join('\r\n');
}

/** `Every model (Chat)`, or the model's id. */
export const nameOf = ({ kind, model }: Pick<Price, 'kind' | 'model'>): string =>
  model === '*' ? t`Every model (${pricingOf(kind).title})` : model;
