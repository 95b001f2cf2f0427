import { type Decimal, isNegative, isZero, minus, parseDecimal, toInteger } from '../../../../shared/money/decimal.ts';
import type { Nano } from '../../../../shared/money/money.ts';
import { field, textOf } from '../json/fields.ts';
import type { Json } from '../json/parse.ts';
import type { Service } from '../service.ts';
import { answerAt, answersAt, endpointsOf } from './freeAnswers.ts';

/** `unknown`: the balance is counted at this endpoint, but its value in dollars is not known now. No other endpoint is tried. */
type Left = Nano | 'unknown' | undefined;

/** As one-api and new-api, and OpenRouter, document them. */
const ENDPOINTS = { '/v1/dashboard/billing/subscription': subscription, '/v1/credits': creditsLeft } as const;
const PATHS = Object.keys(ENDPOINTS) as (keyof typeof ENDPOINTS)[];

/** Stored if no endpoint of this service has the balance, so that none is tried again. */
const NOWHERE = '';

/**
 * The balance of the account in nano-dollars; undefined if no free endpoint has it, or not now. The endpoints are tried once, in
 * sequence, and the one that answered is remembered. Nothing is billed, and the key stays on the profile's own origin.
 */
export async function accountBalance(service: Service): Promise<Nano | undefined> {
  const { balancePath } = service.memory();
  if (balancePath === NOWHERE) return undefined;
  let isNowhere = true;
  for await (const answer of answersAt(service, endpointsOf(service, PATHS, balancePath))) {
    const { url, body, failure, isSettled } = answer;
    const path = PATHS.find((known) => url.pathname.endsWith(known));
    const left = path && body !== undefined ? await ENDPOINTS[path](body, service, url) : undefined;
    if (failure || left === 'unknown' || (left === undefined && !isSettled && url.pathname === balancePath))
      return undefined;
    if (left !== undefined) {
      service.learn({ balancePath: url.pathname }, 'listed');
      return left;
    }
    isNowhere &&= isSettled;
  }
  if (isNowhere) service.learn({ balancePath: NOWHERE }, 'listed');
  return undefined;
}

const DAY_MS = 86_400_000;

/**
 * The limit of `subscription` less the `total_usage` of `usage`, which is in hundredths of the limit's unit. That is the dollar, unless
 * the service is a gateway that says otherwise of itself.
 */
async function subscription(body: Json, service: Service, url: URL): Promise<Left> {
  const limit = decimalAt(body, 'hardLimitUsd', 'systemHardLimitUsd');
  if (!limit) return undefined;
  const site = await shownPerDollar(service);
  if (site === 'unknown' || (site && isZero(minus(limit, WITHOUT_LIMIT)))) return 'unknown';
  const used = await usedOf(service, url);
  if (used === 'unknown') return 'unknown';
  return roundedDown(difference(limit, used), site ?? ONE) ?? (site && 'unknown');
}

/** The limit that one-api and related gateways send for a key without one, whether in dollars, yuan or units. */
const WITHOUT_LIMIT: Decimal = { units: 100_000_000n, scale: 0 };

/**
 * The used part of the limit, in the unit of the limit. A separate endpoint states it for at most a hundred days. `unknown` while that
 * endpoint gives no usable answer.
 */
async function usedOf(service: Service, url: URL): Promise<Decimal | 'unknown' | undefined> {
  const usage = new URL(url);
  usage.pathname = url.pathname.replace(/subscription$/, 'usage');
  const day = (time: number) => new Date(time).toISOString().slice(0, 10);
  usage.searchParams.set('start_date', day(service.now() - 99 * DAY_MS));
  usage.searchParams.set('end_date', day(service.now() + DAY_MS));
  const { body, isSettled } = await answerAt(service, usage);
  if (!isSettled) return 'unknown';
  const cents = decimalAt(body, 'totalUsage');
  return cents && { units: cents.units, scale: cents.scale + 2 };
}

const NANO = 1_000_000_000n;

/**
 * `{ data: { total_credits, total_usage } }` in dollars. With no credits and some usage the balance is unknown: OpenRouter counts only
 * bought credits, and no endpoint states its grants (gethouston/houston pull request 1305); a version of new-api has the remainder in place
 * of the usage (controller/billing.go), and its balance is at another endpoint.
 */
async function creditsLeft(body: Json, service: Service): Promise<Left> {
  const data = field(body, 'data') ?? body;
  const [bought, used] = [decimalAt(data, 'totalCredits'), decimalAt(data, 'totalUsage')];
  const isUnclear = bought && used && isZero(bought) && !isZero(used) && !isNegative(used);
  if (!isUnclear) return roundedDown(difference(bought, used), ONE);
  const site = await shownPerDollar(service);
  return site && site !== 'unknown' ? undefined : 'unknown';
}

function decimalAt(node: Json | undefined, ...names: string[]): Decimal | undefined {
  const text = textOf(field(node, ...names));
  return text === undefined ? undefined : parseDecimal(text.replace(/^\s*(US)?\$\s*/, ''));
}

/**
 * The unit that one-api and related gateways send as dollars, as an amount per dollar. They send what their site displays (dollars, yuan or
 * units), which /api/status names (one-api and new-api, controller/billing.go and GetStatus of controller/misc.go). Queried each time,
 * because an administrator can change it, and with the key: in this family it is public, but other services refuse every request without
 * one. Undefined if the service is not of this family; `unknown` while the answer is missing.
 */
async function shownPerDollar(service: Service): Promise<Decimal | 'unknown' | undefined> {
  let isElsewhere = true;
  for (const url of endpointsOf(service, ['/api/status'])) {
    const { body, failure, isSettled } = await answerAt(service, url);
    if (failure) return 'unknown';
    const shown = shownIn(field(body, 'data'));
    if (shown) return shown;
    isElsewhere &&= isSettled;
  }
  return isElsewhere ? undefined : 'unknown';
}

function shownIn(data: Json | undefined): Decimal | 'unknown' | undefined {
  const units = decimalAt(data, 'quotaPerUnit');
  const type = textOf(field(data, 'quotaDisplayType'));
  const inCurrency = field(data, 'displayInCurrency');
  if (!units && type === undefined && typeof inCurrency !== 'boolean') return undefined;
  const shown = type ?? (inCurrency === false ? 'TOKENS' : 'USD');
  // A custom currency is only shown on the site's pages; the API answers in dollars.
  if (shown === 'USD' || shown === 'CUSTOM') return ONE;
  const perDollar = shown === 'CNY' ? decimalAt(data, 'usdExchangeRate') : shown === 'TOKENS' ? units : undefined;
  return perDollar && !isNegative(perDollar) && !isZero(perDollar) ? perDollar : 'unknown';
}

const ONE: Decimal = { units: 1n, scale: 0 };

const difference = (from: Decimal | undefined, what: Decimal | undefined): Decimal | undefined =>
  from && what && minus(from, what);

/** A balance is rounded down, because less than a nano-dollar buys nothing. An amount larger than any account stands for "unlimited". */
function roundedDown(amount: Decimal | undefined, divisor: Decimal): Nano | undefined {
  const whole = amount && toInteger(amount, NANO * 10n ** BigInt(divisor.scale), divisor.units);
  return whole && (whole.exact || whole.value <= 0 ? whole.value : whole.value - 1);
}
