import { type Decimal, minus, parseDecimal, wholeOf } from '../../../../shared/decimal.ts';
import type { Nano } from '../../../../shared/money.ts';
import { field, type Json, listOf, textOf } from '../json/json.ts';

/** What is left of an account, as each family of services tells it. Undefined where an answer does not say, or says it in another currency. */

const NANO = 1_000_000_000n;
/** one-api and its relatives count in units of which 500,000 are a dollar. */
const QUOTA_PER_DOLLAR = 500_000n;

/** `{ total_granted, total_used, total_available }` in dollars. */
export const grantsLeft = (body: Json | undefined): Nano | undefined =>
  dollars(
    decimalAt(body, 'totalAvailable') ?? difference(decimalAt(body, 'totalGranted'), decimalAt(body, 'totalUsed')),
  );

/** `{ data: { total_credits, total_usage } }` in dollars. */
export const creditsLeft = (body: Json | undefined): Nano | undefined => {
  const data = field(body, 'data') ?? body;
  return dollars(difference(decimalAt(data, 'totalCredits'), decimalAt(data, 'totalUsage')));
};

/** The limit of `subscription` in dollars less the `total_usage` of `usage`, which is in cents. */
export function subscriptionLeft(subscription: Json | undefined, usage: Json | undefined): Nano | undefined {
  const cents = decimalAt(usage, 'totalUsage');
  const limit = decimalAt(subscription, 'hardLimitUsd', 'systemHardLimitUsd');
  return cents && dollars(difference(limit, { units: cents.units, scale: cents.scale + 2 }));
}

/** `{ balance_infos: [{ currency, total_balance }] }`: the dollars among them. */
export function listedBalance(body: Json | undefined): Nano | undefined {
  const infos = listOf(field(body, 'balanceInfos') ?? field(field(body, 'data'), 'balanceInfos'));
  const inDollars = infos.find((info) => /^usd$/i.test(textOf(field(info, 'currency')) ?? ''));
  return dollars(decimalAt(inDollars, 'totalBalance', 'balance'));
}

/** `{ data: { quota } }`, or what a token may still use; an unlimited one says nothing of the account. */
export function quotaLeft(body: Json | undefined): Nano | undefined {
  const data = field(body, 'data') ?? body;
  if (field(data, 'unlimitedQuota') === true) return undefined;
  return down(decimalAt(data, 'totalAvailable', 'quota'), QUOTA_PER_DOLLAR);
}

/** `{ balance }` or `{ data: { balance } }`, in dollars unless it says otherwise. */
export function plainBalance(body: Json | undefined): Nano | undefined {
  const holder = [field(body, 'data'), body].find((node) => decimalAt(node, ...BALANCES) !== undefined);
  const currency = textOf(field(holder, 'currency'));
  if (currency !== undefined && !/^(usd|us\$|\$)$/i.test(currency)) return undefined;
  return dollars(decimalAt(holder, ...BALANCES));
}

const BALANCES = ['totalBalance', 'availableBalance', 'balance', 'balanceUsd', 'creditBalance', 'remainingCredit'];

function decimalAt(node: Json | undefined, ...names: string[]): Decimal | undefined {
  const text = textOf(field(node, ...names));
  return text === undefined ? undefined : parseDecimal(text.replace(/^\s*(US)?\$\s*/, ''));
}

const difference = (from: Decimal | undefined, what: Decimal | undefined): Decimal | undefined =>
  from && what && minus(from, what);

const dollars = (amount: Decimal | undefined): Nano | undefined => down(amount, 1n);

/** What is left is rounded down: less than a nano-dollar buys nothing. An amount beyond every account stands for "unlimited". */
function down(amount: Decimal | undefined, divisor: bigint): Nano | undefined {
  const whole = amount && wholeOf(amount, NANO, divisor);
  return whole && (whole.exact || whole.value <= 0 ? whole.value : whole.value - 1);
}
