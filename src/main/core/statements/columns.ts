import { fail, ok, type Result } from '../../../shared/contract/result.ts';
import {
  type AmountUnit,
  type AskedColumns,
  COLUMN_ROLES,
  type ColumnRole,
  type StatementColumn,
} from '../../../shared/money/statement/statement.ts';
import { type CsvRow, csvRows, plainCell, separatorsOf } from '../../../shared/tables/csv.ts';
import { en } from '../../../shared/text/texts.ts';

/**
 * Column names by role, as services and spreadsheets use them (`test/fixtures/statements`), the most specific first. Names are compared in
 * lower case, with one `_` for any run of characters that are no letters or digits.
 */
const NAMES: Record<ColumnRole, readonly string[]> = {
  at: words(`started_at start_time usage_start_time usage_start_date start_time_iso starttime period_start created_at created timestamp
    request_time requested_at submitted_at billed_at charged_at time datetime date_time utc_date usage_date completed_at finished_at ended_at
    end_time date at day zeit datum zeitpunkt`),
  end: words('end_time end_time_iso ended_at usage_end_time usage_end_date period_end end_date endtime end to'),
  remoteId:
    words(`operation operation_id operation_name task_id taskid remote_id job_id jobid generation_id prediction_id completion_id
    response_id video_id image_id order_id id line_id uuid vorgang`),
  requestKey:
    words(`idempotency_key client_request_id request_key request_id requestid client_id custom_id external_id trace_id
    correlation_id client_reference reference`),
  model: words('model model_id model_name model_permaslug modell sku_description sku service endpoint product'),
  amount:
    // Google rounds one cost column to cents and has the exact cost in another.
    words(`unrounded_cost_usd unrounded_cost unrounded_subtotal_usd unrounded_subtotal
    amount_usd cost_usd total_usd price_usd charge_usd usd amount cost total_cost cost_total amount_value charge charged billed
    billed_amount total price usage_cost spend net_amount amount_due subtotal betrag kosten preis
    cost_in_usd amount_in_usd amount_cents cost_cents price_cents total_cents cents amount_in_cents cost_in_cents amount_micros cost_micros
    price_micros amount_microusd micros micro_usd amount_nano cost_nano price_nano nano nano_usd amount_nanos cost_nanos nanos nano_dollars`),
  units:
    words(`qty quantity units billable_units usage_amount seconds duration duration_seconds video_seconds length count menge
    total_tokens tokens images`),
  currency: words('currency currency_code amount_currency billing_currency waehrung währung'),
};

function words(text: string): string[] {
  return text.split(/\s+/);
}

/** Units that are not money; their rate is not in the table. */
const NO_MONEY = ['credit', 'point', 'ratio', 'quota'];
/** Yen and yuan have one sign. */
const SIGNS = /[€£¥￥₹₩₽₺₫₴元円원]/u;
const CURRENCIES = ['eur', 'gbp', 'jpy', 'cny', 'rmb', 'inr', 'chf', 'cad', 'aud'];

/** Longer names are compared only by their beginning. */
const MAX_NAME = 200;

/** A column name in the form in which names are compared. */
export const nameKey = (cell: string): string =>
  plainCell(cell)
    .slice(0, MAX_NAME)
    .toLowerCase()
    .replace(/\((?:utc|gmt)[^)]{0,10}\)/, '')
    .replace(/[^\p{L}\p{N}$]+/gu, '_')
    .replace(/\$/g, 'usd')
    .replace(/usd_?usd/g, 'usd')
    .replace(/^_|_$/g, '');

/** The unit of the amounts in a column with this name. */
export function unitOfName(name: string): AmountUnit {
  const key = nameKey(name);
  if (/nano/.test(key)) return 'nano';
  if (/micro/.test(key)) return 'micro';
  return key.split('_').some((part) => part === 'cent' || /(?<!per)cents$/.test(part)) ? 'cent' : 'dollar';
}

export interface FoundColumns {
  columns: StatementColumn[];
  /** The position of each column that is used. */
  at: Partial<Record<ColumnRole, number>>;
}

/** The columns of a header, each role once. The user's choice comes before the column's name. */
export function findColumns(header: readonly string[], asked: AskedColumns = {}): FoundColumns {
  const names = header.map((cell) => plainCell(cell).trim().slice(0, MAX_NAME));
  const places = Map.groupBy(header.keys(), (at) => nameKey(header[at] ?? ''));
  const at: FoundColumns['at'] = {};
  const taken = new Set<number>();
  for (const role of COLUMN_ROLES) {
    const name = asked[role];
    if (name === undefined || name === null) continue;
    const index = names.indexOf(name.trim().slice(0, MAX_NAME));
    if (index < 0) continue;
    at[role] = index;
    taken.add(index);
  }
  for (const role of COLUMN_ROLES) {
    if (asked[role] !== undefined) continue;
    const isOther = (index: number): boolean => role === 'amount' && noDollars(names[index] ?? '') !== undefined;
    const known = role === 'amount' ? amountNames(places) : NAMES[role];
    const index = known.flatMap((name) => places.get(name) ?? []).find((at) => !taken.has(at) && !isOther(at));
    if (index === undefined) continue;
    at[role] = index;
    taken.add(index);
  }
  const columns = names.map((name, index): StatementColumn => {
    const role = COLUMN_ROLES.find((one) => at[one] === index);
    if (role === undefined) return { name };
    return role === 'amount' ? { name, role, unit: asked.unit ?? unitOfName(name) } : { name, role };
  });
  return { columns, at };
}

/**
 * An `amount` with a unit is a quantity, not money. So is one beside a price or a unit, unless a quantity or currency column shows that it
 * is money. In these cases the user is asked, unless another column has the cost.
 */
function amountNames(places: ReadonlyMap<string, unknown>): readonly string[] {
  const hasAny = (...names: readonly string[]): boolean => names.some((name) => places.has(name));
  const isMoney = !hasAny('price', 'unit_price', 'unit') || hasAny(...NAMES.currency, ...NAMES.units);
  if (!hasAny('amount') || (isMoney && !hasAny('amount_unit'))) return NAMES.amount;
  return NAMES.amount.filter((name) => name !== 'amount' && name !== 'price');
}

/** Why the amounts of a column with this name cannot be compared: a sentence, if its name says so. */
export function noDollars(name: string): string | undefined {
  const parts = nameKey(name).split('_');
  const other = parts.find((part) => NO_MONEY.some((word) => part === word || part === `${word}s`));
  if (other) return `counts ${other}, and only dollars can be compared.`;
  const sign = SIGNS.exec(name.slice(0, MAX_NAME))?.[0];
  const currency = sign ?? parts.find((part) => CURRENCIES.includes(part));
  return currency && `is in ${currency.toUpperCase()}, and only dollars can be compared.`;
}

/** The header of a bill: its row, its separator, and the role of each column. */

/** Lines that may stand above the header. */
const MAX_ABOVE = 30;
/** The header is searched within this many characters; a row that is cut there is not a header. */
const MAX_HEAD = 500_000;
const MAX_COLUMNS = 500;

export interface Header extends FoundColumns {
  separator: string;
  line: number;
}

/** Of the first rows, the one with the most known columns, with the separator that finds the most. */
export function* headerOf(text: string, asked: AskedColumns): Generator<void, Result<Header>> {
  let best: Header | undefined;
  let isWide = false;
  for (const row of rowsAbove(text)) {
    yield;
    isWide ||= row.cells.length > MAX_COLUMNS;
    if (row.cells.length > MAX_COLUMNS) continue;
    const header = { ...findColumns(row.cells, asked), separator: row.separator, line: row.line };
    if (!best || scoreOf(header) > scoreOf(best)) best = header;
  }
  const isFound = best?.at.at !== undefined && best.at.amount !== undefined;
  if (isWide && !isFound)
    return fail('invalid_input', en`text: has more than ${MAX_COLUMNS} columns; leave out those that are not needed.`, {
      field: 'text',
    });
  if (!best) return fail('invalid_input', en`text: has no line.`, { field: 'text' });
  return misnamed(best, asked) ?? missing(best) ?? ok(best);
}

/** Every possible header row, read with each separator, from the beginning of the text only. */
function* rowsAbove(text: string): Generator<CsvRow & { separator: string }> {
  const head = text.slice(0, MAX_HEAD);
  for (const separator of separatorsOf(head)) {
    let count = 0;
    for (const row of csvRows(head, separator)) {
      count += 1;
      if (count > MAX_ABOVE) break;
      yield { ...row, separator };
    }
  }
}

/** Roles that every bill has count more than optional ones, and a row with more cells more than a title. */
const scoreOf = ({ at, columns }: Header): number =>
  Object.keys(at).length +
  (at.amount === undefined ? 0 : 10) +
  (at.at === undefined ? 0 : 10) +
  columns.length / (MAX_COLUMNS + 1);

export const namesOf = ({ columns }: Header): string[] => columns.map(({ name }) => name);
const listed = (names: readonly string[]): string => names.slice(0, 20).join(', ').slice(0, 400);

function misnamed(header: Header, asked: AskedColumns): Result<never> | undefined {
  for (const [role, name] of Object.entries(asked)) {
    if (role === 'unit' || typeof name !== 'string' || header.at[role as ColumnRole] !== undefined) continue;
    const field = `columns.${role}`;
    const message = en`${field}: there is no column of that name; the columns are ${listed(namesOf(header))}.`;
    return fail('invalid_input', message, { field, columns: namesOf(header) });
  }
  return undefined;
}

const NEEDED = { at: 'a time', amount: 'an amount' } as const;

function missing(header: Header): Result<never> | undefined {
  const role = (['amount', 'at'] as const).find((one) => header.at[one] === undefined);
  if (!role) return undefined;
  const names = namesOf(header);
  const data = { field: `columns.${role}`, columns: names };
  const other = role === 'amount' ? names.find((name) => noDollars(name)) : undefined;
  const message = other
    ? `columns.amount: column ${other} ${noDollars(other)}`
    : `columns.${role}: no column has the name of ${NEEDED[role]}; say which one it is. The columns are ${listed(names)}.`;
  return fail('invalid_input', message, data);
}
