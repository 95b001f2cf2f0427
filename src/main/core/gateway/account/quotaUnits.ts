import { type Decimal, isNegative, isZero, parseDecimal } from '../../../../shared/decimal.ts';
import { field, type Json, textOf } from '../json/index.ts';
import type { Service } from '../service.ts';
import { endpointsOf, isConclusive, queryEndpoint } from './accountEndpoints.ts';

/**
 * one-api and related gateways count in units. What they send as dollars is in whatever the site shows: dollars, yuan or units, as
 * /api/status says (one-api and new-api, controller/billing.go and GetStatus of controller/misc.go).
 */
interface QuotaUnits {
  /** How much of what the site shows is a dollar; undefined if the site does not say. */
  shownPerDollar: Decimal | undefined;
  unitsPerDollar: Decimal;
}

export const ONE: Decimal = { units: 1n, scale: 0 };
/** Where a gateway of this family does not say. */
export const UNITS_PER_DOLLAR: Decimal = { units: 500_000n, scale: 0 };

/**
 * Asked each time, because an administrator can change it, and with the key: it is public in this family, but other services refuse every
 * address to whoever has none. Undefined if the service is not of this family; `unknown` while nobody can tell.
 */
export async function quotaUnits(service: Service): Promise<QuotaUnits | 'unknown' | undefined> {
  let definite = true;
  for (const url of endpointsOf(service, '/api/status')) {
    const response = await queryEndpoint(service, url);
    if (response.failure) return 'unknown';
    const units = unitsIn(field(response.answer?.json, 'data'));
    if (units) return units;
    definite &&= isConclusive(response);
  }
  return definite ? undefined : 'unknown';
}

function unitsIn(data: Json | undefined): QuotaUnits | 'unknown' | undefined {
  const stated = amountAt(data, 'quotaPerUnit');
  const type = textOf(field(data, 'quotaDisplayType'));
  const inCurrency = field(data, 'displayInCurrency');
  if (!stated && type === undefined && typeof inCurrency !== 'boolean') return undefined;
  const unitsPerDollar = stated ? positive(stated) : UNITS_PER_DOLLAR;
  if (!unitsPerDollar) return 'unknown';
  switch (type ?? (inCurrency === false ? 'TOKENS' : 'USD')) {
    // A currency of its own is for the site's pages: what is sent is in dollars.
    case 'USD':
    case 'CUSTOM':
      return { unitsPerDollar, shownPerDollar: ONE };
    case 'CNY':
      return { unitsPerDollar, shownPerDollar: positive(amountAt(data, 'usdExchangeRate')) };
    case 'TOKENS':
      return { unitsPerDollar, shownPerDollar: stated && unitsPerDollar };
    default:
      return { unitsPerDollar, shownPerDollar: undefined };
  }
}

const amountAt = (data: Json | undefined, name: string): Decimal | undefined =>
  parseDecimal(textOf(field(data, name)) ?? '');

const positive = (amount: Decimal | undefined): Decimal | undefined =>
  amount && !isNegative(amount) && !isZero(amount) ? amount : undefined;
