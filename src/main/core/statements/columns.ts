import {
  type AmountUnit,
  type AskedColumns,
  COLUMN_ROLES,
  type ColumnRole,
  type StatementColumn,
} from '../../../shared/money/statement/statement.ts';
import { plainCell } from '../../../shared/tables/csv.ts';

/**
 * Which column of a bill is what, by its name. The names are those of services and of spreadsheets (`test/fixtures/statements`), the ones
 * that say most first. A name is compared in lower case, with one `_` for everything that is no letter or digit.
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
    // Google rounds its cost to cents and states it once more as it is.
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

/** Amounts in what is no money; the rate is not in the table. */
const NO_MONEY = ['credit', 'point', 'ratio', 'quota'];
/** Yen and yuan have one sign. */
const SIGNS = /[€£¥￥₹₩₽₺₫₴元円원]/u;
const CURRENCIES = ['eur', 'gbp', 'jpy', 'cny', 'rmb', 'inr', 'chf', 'cad', 'aud'];

/** Long names that start alike are told apart by their beginning only. */
const MAX_NAME = 200;

/** The name as it is compared. */
export const nameKey = (cell: string): string =>
  plainCell(cell)
    .slice(0, MAX_NAME)
    .toLowerCase()
    .replace(/\((?:utc|gmt)[^)]{0,10}\)/, '')
    .replace(/[^\p{L}\p{N}$]+/gu, '_')
    .replace(/\$/g, 'usd')
    .replace(/usd_?usd/g, 'usd')
    .replace(/^_|_$/g, '');

/** What the amounts of a column with this name are counted in. */
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

/** The columns of a header, each role once. What is asked for comes before what its name says. */
export function findColumns(header: readonly string[], asked: AskedColumns = {}): FoundColumns {
  const names = header.map((cell) => plainCell(cell).trim().slice(0, MAX_NAME));
  const places = placesOf(header.map(nameKey));
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
    const index = bestOf(
      places,
      role === 'amount' ? amountNames(places) : NAMES[role],
      (at) => taken.has(at) || isOther(at),
    );
    if (index === undefined) continue;
    at[role] = index;
    taken.add(index);
  }
  const unit = unitOfAmount(places, { at, asked, taken });
  if (unit !== undefined) at.currency = unit;
  const columns = names.map((name, index): StatementColumn => {
    const role = COLUMN_ROLES.find((one) => at[one] === index);
    if (role === undefined) return { name };
    return role === 'amount' ? { name, role, unit: asked.unit ?? unitOfName(name) } : { name, role };
  });
  return { columns, at };
}

/** What an `amount` is counted in, such as dollars or seconds. */
const UNIT_OF_AMOUNT = ['amount_unit', 'unit'];

/**
 * The column that says what each cell of an `amount` is counted in, where nothing else does and the user has named neither: it is money where
 * that is dollars. Beside a quantity, a `unit` is that of the quantity.
 */
function unitOfAmount(
  places: ReadonlyMap<string, readonly number[]>,
  { at, asked, taken }: { at: FoundColumns['at']; asked: AskedColumns; taken: ReadonlySet<number> },
): number | undefined {
  const { amount, currency, units } = at;
  if (asked.amount !== undefined || asked.currency !== undefined || currency !== undefined) return undefined;
  if (amount === undefined || !places.get('amount')?.includes(amount)) return undefined;
  const names = units === undefined ? UNIT_OF_AMOUNT : ['amount_unit'];
  return bestOf(places, names, (index) => taken.has(index));
}

/**
 * An `amount` beside a unit is what was used, where another column has its cost; and one beside a price is what was used at it, where nothing
 * says that it is money: the user is asked then.
 */
function amountNames(places: ReadonlyMap<string, unknown>): readonly string[] {
  const hasAny = (names: readonly string[]): boolean => names.some((name) => places.has(name));
  const isMoney = !hasAny(['price', 'unit_price']) || hasAny(NAMES.currency) || hasAny(NAMES.units);
  if (!places.has('amount') || (isMoney && !hasAny(UNIT_OF_AMOUNT))) return NAMES.amount;
  const others = NAMES.amount.filter((name) => name !== 'amount' && name !== 'price');
  return isMoney ? [...others, 'amount'] : others;
}

function placesOf(keys: readonly string[]): ReadonlyMap<string, number[]> {
  const places = new Map<string, number[]>();
  for (const [at, key] of keys.entries()) {
    const known = places.get(key);
    if (known) known.push(at);
    else places.set(key, [at]);
  }
  return places;
}

function bestOf(
  places: ReadonlyMap<string, readonly number[]>,
  names: readonly string[],
  isNone: (index: number) => boolean,
): number | undefined {
  for (const name of names) {
    const index = places.get(name)?.find((at) => !isNone(at));
    if (index !== undefined) return index;
  }
  return undefined;
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
