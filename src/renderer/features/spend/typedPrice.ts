import { pricingOf } from '../../../shared/kinds/index.ts';
import { formatNano, MAX_REQUEST_NANO, type Nano, parseDollars } from '../../../shared/money/money.ts';
import {
  openInterpretations,
  type Price,
  type PriceInterpretation,
  perMillionTokens,
} from '../../../shared/money/price.ts';
import type { PriceUnit } from '../../../shared/money/quantity.ts';
import { t } from '../../../shared/text/texts.ts';
import { dollarsText } from './figures.ts';

/** A price as typed, in dollars. */

/** The model of a price, or `*` for every model of its kind without its own price. */
export type PriceName = Pick<Price, 'kind' | 'model'>;

export type PriceField = 'input' | 'output' | 'cached' | 'write' | 'request' | 'each';
export type PriceTexts = Partial<Record<PriceField, string>>;

export const PRICE_FIELDS: Record<PriceField, { label: string; hint?: string }> = {
  input: { label: t`Input`, hint: t`$ per million tokens` },
  output: { label: t`Output`, hint: t`$ per million tokens` },
  cached: { label: t`Cached input`, hint: t`Optional` },
  write: { label: t`Cache writes`, hint: t`Optional` },
  request: { label: t`Per request`, hint: t`Optional` },
  each: { label: t`Price` },
};

/** The fields of a price in this unit. */
export const fieldsOf = (unit: PriceUnit | undefined): readonly PriceField[] =>
  unit === 'token' ? ['input', 'output', 'cached', 'write', 'request'] : ['each'];

/** Without these fields, a price has no such part. */
const OPTIONAL: readonly PriceField[] = ['cached', 'write', 'request'];

/** The interpretation in the model's own entry of the price book, if only one is left. */
export function knownReading(prices: readonly Price[], { kind, model }: PriceName): PriceInterpretation | undefined {
  const own = prices.find((price) => price.kind === kind && price.model === model);
  const [reading, ...others] = own ? openInterpretations(own) : [];
  return reading && others.length === 0 && pricingOf(kind).units.includes(reading.unit) ? reading : undefined;
}

/** An interpretation as texts of its fields. */
export function textsOf(reading: PriceInterpretation | undefined): PriceTexts {
  if (!reading) return {};
  if (reading.unit !== 'token') return { each: dollarsText(reading.nano) };
  const { inputNano, outputNano, cachedNano, cacheWriteNano } = perMillionTokens(reading);
  const { requestNano } = reading;
  return {
    input: dollarsText(inputNano),
    output: dollarsText(outputNano),
    ...(cachedNano === undefined ? {} : { cached: dollarsText(cachedNano) }),
    ...(cacheWriteNano === undefined ? {} : { write: dollarsText(cacheWriteNano) }),
    ...(requestNano ? { request: dollarsText(requestNano) } : {}),
  };
}

/** The field with an error, and its rule. */
export interface PriceFault {
  field: PriceField | 'unit';
  error: string;
}

/** The typed price as an interpretation for the price book; or the field and the rule it breaks. */
export function typedReading(
  unit: PriceUnit | undefined,
  texts: PriceTexts,
): { reading: PriceInterpretation } | PriceFault {
  if (unit === undefined) return { field: 'unit', error: t`Choose a unit.` };
  const amounts: Amounts = {};
  for (const field of fieldsOf(unit)) {
    const text = (texts[field] ?? '').trim();
    if (text === '' && OPTIONAL.includes(field)) continue;
    const nano = parseDollars(text);
    const error = ruleBroken(field, nano);
    if (error !== undefined) return { field, error };
    amounts[field] = nano;
  }
  if (unit !== 'token') return { reading: { unit, nano: amounts.each ?? 0 } };
  return tokenFault(amounts) ?? { reading: tokenReading(amounts) };
}

type Amounts = Partial<Record<PriceField, Nano>>;

/** Reading from a cache cannot cost more than normal input, filling it not less. */
function tokenFault({ input = 0, cached = input, write = input }: Amounts): PriceFault | undefined {
  if (cached > input) return { field: 'cached', error: t`Cached input: must not be above Input.` };
  if (write < input) return { field: 'write', error: t`Cache writes: must not be below Input.` };
  return undefined;
}

function tokenReading({ input = 0, output = 0, cached, write, request = 0 }: Amounts): PriceInterpretation {
  return {
    unit: 'token',
    inputNano: input,
    outputNano: output,
    ...(cached === undefined ? {} : { cachedNano: cached }),
    ...(write === undefined ? {} : { cacheWriteNano: write }),
    perTokens: 1_000_000,
    ...(request === 0 ? {} : { requestNano: request }),
  };
}

function ruleBroken(field: PriceField, nano: Nano | undefined): string | undefined {
  const { label } = PRICE_FIELDS[field];
  if (nano === undefined) return t`${label}: must be an amount such as 2.50.`;
  if (nano > MAX_REQUEST_NANO) return t`${label}: must be at most ${formatNano(MAX_REQUEST_NANO)}.`;
  return undefined;
}
