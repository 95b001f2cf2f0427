import { type Decimal, minus, parseDecimal, toInteger } from '../../../../shared/decimal.ts';
import type { Nano } from '../../../../shared/money.ts';
import { explicitError } from '../errors/index.ts';
import { urlAtOrigin } from '../http/index.ts';
import { field, type Json, listOf, textOf } from '../json/index.ts';
import type { Service } from '../service.ts';
import { type EndpointAnswer, endpointsOf, isConclusive, queryEndpoint } from './accountEndpoints.ts';

interface Endpoint {
  path: `/${string}`;
  left(body: Json | undefined, service: Service, url: URL): Nano | undefined | Promise<Nano | undefined>;
}

const ENDPOINTS: Endpoint[] = [
  { path: '/v1/dashboard/billing/credit_grants', left: grantsLeft },
  { path: '/v1/dashboard/billing/subscription', left: subscription },
  { path: '/v1/credits', left: creditsLeft },
  { path: '/user/balance', left: (body) => listedBalance(body) ?? plainBalance(body) },
  { path: '/api/usage/token', left: quotaLeft },
  { path: '/api/user/self', left: quotaLeft },
  { path: '/v1/user/info', left: plainBalance },
  { path: '/v1/balance', left: (body) => listedBalance(body) ?? plainBalance(body) },
];

/** No endpoint of this service has the balance: it is not looked for again. */
const NOWHERE = '';

/**
 * The balance of the account in nano-dollars; undefined if no free endpoint has it, or not now. The endpoints are tried once, in
 * sequence, and the one that answered is remembered. Nothing is billed, and the key stays on the profile's own origin.
 */
export async function accountBalance(service: Service): Promise<Nano | undefined> {
  const known = service.memory().balancePath;
  if (known === NOWHERE) return undefined;
  const remembered = known === undefined ? undefined : urlAtOrigin(service, known);
  if (remembered) {
    const endpoint = ENDPOINTS.find(({ path }) => remembered.pathname.endsWith(path));
    const { left, response } = await balanceAt(service, endpoint, remembered);
    if (left !== undefined || !isConclusive(response)) return left;
  }
  return findBalance(service);
}

async function findBalance(service: Service): Promise<Nano | undefined> {
  let definite = true;
  for (const endpoint of ENDPOINTS) {
    for (const url of endpointsOf(service, endpoint.path)) {
      const { left, response } = await balanceAt(service, endpoint, url);
      if (left !== undefined) {
        service.learn({ balancePath: url.pathname }, 'listed');
        return left;
      }
      if (response.failure) return undefined;
      definite &&= isConclusive(response);
    }
  }
  if (definite) service.learn({ balancePath: NOWHERE }, 'listed');
  return undefined;
}

async function balanceAt(
  service: Service,
  endpoint: Endpoint | undefined,
  url: URL,
): Promise<{ left?: Nano | undefined; response: EndpointAnswer }> {
  const response = await queryEndpoint(service, url);
  if (!endpoint || !response.answer || explicitError(response.answer.json)) return { response };
  return { response, left: await endpoint.left(response.answer.json, service, url) };
}

const DAY_MS = 86_400_000;

/** The limit is at one endpoint and what was used of it at another, for at most a hundred days. */
async function subscription(body: Json | undefined, service: Service, url: URL): Promise<Nano | undefined> {
  const usage = new URL(url);
  usage.pathname = url.pathname.replace(/subscription$/, 'usage');
  const day = (time: number) => new Date(time).toISOString().slice(0, 10);
  usage.searchParams.set('start_date', day(service.now() - 99 * DAY_MS));
  usage.searchParams.set('end_date', day(service.now() + DAY_MS));
  const response = await queryEndpoint(service, usage);
  return response.answer && subscriptionLeft(body, response.answer.json);
}

// The balance as each family of services reports it: undefined if an answer does not have it, or has it in another currency.

const NANO = 1_000_000_000n;
/** one-api and related gateways count in units of which 500,000 are a dollar. */
const QUOTA_PER_DOLLAR = 500_000n;

/** `{ total_granted, total_used, total_available }` in dollars. */
function grantsLeft(body: Json | undefined): Nano | undefined {
  const used = difference(decimalAt(body, 'totalGranted'), decimalAt(body, 'totalUsed'));
  return nanoOfDollars(decimalAt(body, 'totalAvailable') ?? used);
}

/** `{ data: { total_credits, total_usage } }` in dollars. */
function creditsLeft(body: Json | undefined): Nano | undefined {
  const data = field(body, 'data') ?? body;
  return nanoOfDollars(difference(decimalAt(data, 'totalCredits'), decimalAt(data, 'totalUsage')));
}

/** The limit of `subscription` in dollars less the `total_usage` of `usage`, which is in cents. */
function subscriptionLeft(subscription: Json | undefined, usage: Json | undefined): Nano | undefined {
  const cents = decimalAt(usage, 'totalUsage');
  const limit = decimalAt(subscription, 'hardLimitUsd', 'systemHardLimitUsd');
  return cents && nanoOfDollars(difference(limit, { units: cents.units, scale: cents.scale + 2 }));
}

/** `{ balance_infos: [{ currency, total_balance }] }`: the one in dollars. */
function listedBalance(body: Json | undefined): Nano | undefined {
  const infos = listOf(field(body, 'balanceInfos') ?? field(field(body, 'data'), 'balanceInfos'));
  const inDollars = infos.find((info) => /^usd$/i.test(textOf(field(info, 'currency')) ?? ''));
  return nanoOfDollars(decimalAt(inDollars, 'totalBalance', 'balance'));
}

/** `{ data: { quota } }`, or what a token may still use; an unlimited token does not show the account's balance. */
function quotaLeft(body: Json | undefined): Nano | undefined {
  const data = field(body, 'data') ?? body;
  if (field(data, 'unlimitedQuota') === true) return undefined;
  return roundedDown(decimalAt(data, 'totalAvailable', 'quota'), QUOTA_PER_DOLLAR);
}

/** `{ balance }` or `{ data: { balance } }`, in dollars unless it has another currency. */
function plainBalance(body: Json | undefined): Nano | undefined {
  const holder = [field(body, 'data'), body].find((node) => decimalAt(node, ...BALANCES) !== undefined);
  const currency = textOf(field(holder, 'currency'));
  if (currency !== undefined && !/^(usd|us\$|\$)$/i.test(currency)) return undefined;
  return nanoOfDollars(decimalAt(holder, ...BALANCES));
}

const BALANCES = ['totalBalance', 'availableBalance', 'balance', 'balanceUsd', 'creditBalance', 'remainingCredit'];

function decimalAt(node: Json | undefined, ...names: string[]): Decimal | undefined {
  const text = textOf(field(node, ...names));
  return text === undefined ? undefined : parseDecimal(text.replace(/^\s*(US)?\$\s*/, ''));
}

const difference = (from: Decimal | undefined, what: Decimal | undefined): Decimal | undefined =>
  from && what && minus(from, what);

const nanoOfDollars = (amount: Decimal | undefined): Nano | undefined => roundedDown(amount, 1n);

/** A balance is rounded down, because less than a nano-dollar buys nothing. An amount larger than any account stands for "unlimited". */
function roundedDown(amount: Decimal | undefined, divisor: bigint): Nano | undefined {
  const whole = amount && toInteger(amount, NANO, divisor);
  return whole && (whole.exact || whole.value <= 0 ? whole.value : whole.value - 1);
}
