import { z } from 'zod';
import { priceKindSchema, pricingOf } from '../kinds/index.ts';
import type { PriceKind } from '../kinds/pricings.ts';
import { MAX_NANO, type Nano } from './money.ts';
import type { Quantity } from './quantity.ts';

/**
 * The price book (ARCHITECTURE "The way of one cent"). If the specification gives two prices, or a number without a unit (spec 8), an entry
 * has several interpretations: the highest is reserved and charged, the lowest kept beside it, until the user settles it.
 */

const nano = z.int().min(0).max(1e15);

export const priceInterpretationSchema = z.discriminatedUnion('unit', [
  z.strictObject({
    unit: z.literal('token'),
    inputNano: nano,
    outputNano: nano,
    /** Cached input; absent: costs as other input. */
    cachedNano: nano.optional(),
    /** Input written to the cache; absent: costs as other input. */
    cacheWriteNano: nano.optional(),
    /** The number of tokens that the figures are for; default 1. Many lists have prices finer than a nano-dollar per token. */
    perTokens: z.literal(1_000_000).optional(),
    /** Per request, besides the tokens. */
    requestNano: nano.optional(),
  }),
  z.strictObject({ unit: z.literal('second'), nano }),
  z.strictObject({ unit: z.literal('video'), nano }),
  z.strictObject({ unit: z.literal('image'), nano }),
]);
export type PriceInterpretation = z.infer<typeof priceInterpretationSchema>;

/** The source of a typed price. The text is stored, and therefore in one language. */
export const OWN_SOURCE = 'set by you';

export const priceSchema = z.strictObject({
  kind: priceKindSchema,
  /** A model id, or `*` for every model of the kind without an own entry. */
  model: z.string().min(1).max(200),
  readings: z.array(priceInterpretationSchema).min(1).max(4),
  /** The index of the valid interpretation; `null` while it is not settled. */
  settledReading: z.int().min(0).max(3).nullable().default(null),
  source: z.string().max(300).default(OWN_SOURCE),
});
export type Price = z.infer<typeof priceSchema>;

export const MAX_PRICES = 500;

/** Whether one interpretation is left. */
export const isSettled = (price: Price): boolean => price.settledReading !== null || price.readings.length === 1;

/** The interpretations that may still be valid. */
export function openInterpretations(price: Price): PriceInterpretation[] {
  const chosen = price.settledReading === null ? undefined : price.readings[price.settledReading];
  return chosen ? [chosen] : price.readings;
}

export interface Cost {
  /** Highest interpretation, in nano-dollars: it is reserved and charged. */
  nano: Nano;
  /** Lowest interpretation; equal to `nano` if the price is settled. */
  lowNano: Nano;
}

/** The cost under the open interpretations; {@link MAX_NANO} stands for anything larger. */
export function costOf(price: Price, quantity: Quantity): Cost {
  const costs = openInterpretations(price).map((reading) => costUnder(reading, quantity));
  return { nano: Math.max(...costs), lowNano: Math.min(...costs) };
}

function costUnder(reading: PriceInterpretation, quantity: Quantity): Nano {
  switch (reading.unit) {
    case 'token':
      return tokenCost(reading, quantity);
    case 'second':
      return countable(Math.ceil((quantity.seconds ?? 0) * reading.nano));
    case 'video':
      return countable((quantity.videos ?? 0) * reading.nano);
    case 'image':
      return countable((quantity.images ?? 0) * reading.nano);
  }
}

const countable = (nano: number): Nano => (Number.isSafeInteger(nano) ? Math.max(0, nano) : MAX_NANO);

type TokenReading = Extract<PriceInterpretation, { unit: 'token' }>;

/** Exact; a fraction of a nano-dollar is rounded up. */
function tokenCost(reading: TokenReading, quantity: Quantity): Nano {
  const { inputTokens, outputTokens, cachedTokens, cacheWriteTokens } = quantity;
  if (inputTokens === undefined && outputTokens === undefined) return 0;
  const { inputNano, outputNano, cachedNano = inputNano, cacheWriteNano = inputNano } = reading;
  const [input, fromCache, toCache] = [counted(inputTokens), counted(cachedTokens), counted(cacheWriteTokens)];
  // Earlier versions stored prompts without the cache tokens that a gateway counts separately.
  const [cached, written] = fromCache + toCache <= input ? [fromCache, toCache] : [0n, 0n];
  const whole =
    (input - cached - written) * BigInt(inputNano) +
    cached * BigInt(cachedNano) +
    written * BigInt(cacheWriteNano) +
    counted(outputTokens) * BigInt(outputNano);
  const per = BigInt(reading.perTokens ?? 1);
  return countable(Number((whole + per - 1n) / per) + (reading.requestNano ?? 0));
}

/** A gateway may count fractions; part of a token counts as one. */
const counted = (tokens = 0): bigint => BigInt(Number.isFinite(tokens) ? Math.max(0, Math.ceil(tokens)) : 0);

/** Token prices of an interpretation. */
export type TokenFigures = Pick<TokenReading, 'inputNano' | 'outputNano' | 'cachedNano' | 'cacheWriteNano'>;

export function mapFigures(figures: TokenFigures, change: (nano: Nano) => Nano): TokenFigures {
  const { inputNano, outputNano, cachedNano, cacheWriteNano } = figures;
  return {
    inputNano: change(inputNano),
    outputNano: change(outputNano),
    ...(cachedNano === undefined ? {} : { cachedNano: change(cachedNano) }),
    ...(cacheWriteNano === undefined ? {} : { cacheWriteNano: change(cacheWriteNano) }),
  };
}

/** The cost of a million tokens, in nano-dollars. */
export function perMillionTokens(reading: TokenReading): TokenFigures {
  const factor = 1_000_000 / (reading.perTokens ?? 1);
  return mapFigures(reading, (nano) => nano * factor);
}

const LANGUAGE_AS_LISTED = { unit: 'token', inputNano: 270, outputNano: 1_080 } as const;
const LANGUAGE: Price = {
  kind: 'chat',
  model: '*',
  readings: [LANGUAGE_AS_LISTED, { unit: 'token', inputNano: 220, outputNano: 350 }],
  settledReading: null,
  source: 'specification, section 8: two listings',
};

const perVideoOrSecond = (model: string, nanoEach: Nano): Price => ({
  kind: 'video',
  model,
  readings: [
    { unit: 'second', nano: nanoEach },
    { unit: 'video', nano: nanoEach },
  ],
  settledReading: null,
  source: 'specification, section 8: unit not stated',
});

export const STANDARD_VIDEO_NANO = 400_000_000;
export const PRO_VIDEO_NANO = 2_000_000_000;

/** The prices of spec 8, which has none for images: no price is set until the user sets it or a list has it. */
export const DEFAULT_PRICES: readonly Price[] = [
  LANGUAGE,
  perVideoOrSecond('video-standard', STANDARD_VIDEO_NANO),
  perVideoOrSecond('video-pro', PRO_VIDEO_NANO),
];

export const SANDBOX_IMAGE_NANO = 50_000_000;

const ofSandbox = (kind: PriceKind, model: string, reading: PriceInterpretation): Price => ({
  kind,
  model,
  readings: [reading],
  settledReading: 0,
  source: 'price list of the sandbox',
});

/** The prices of the built-in sandbox, which states its units: each is one exact figure. */
export const SANDBOX_PRICES: readonly Price[] = [
  ofSandbox('image', '*', { unit: 'image', nano: SANDBOX_IMAGE_NANO }),
  ofSandbox('chat', '*', LANGUAGE_AS_LISTED),
  ofSandbox('video', 'video-standard', { unit: 'second', nano: STANDARD_VIDEO_NANO }),
  ofSandbox('video', 'video-pro', { unit: 'second', nano: PRO_VIDEO_NANO }),
];

/** The price with its countable interpretations; undefined if the valid one, or each, cannot be counted. */
function countablePrice(price: Price | undefined): Price | undefined {
  if (!price) return undefined;
  const fits = ({ unit }: PriceInterpretation) => pricingOf(price.kind).units.includes(unit);
  if (price.readings.every(fits)) return price;
  const chosen = price.settledReading === null ? undefined : price.readings[price.settledReading];
  const readings = chosen ? [chosen].filter(fits) : price.readings.filter(fits);
  return readings.length === 0 ? undefined : { ...price, readings, settledReading: chosen ? 0 : null };
}

/**
 * The entry of a model: its own, else the kind's `*`, else that of the models it may be like. Undefined if no price is set, which does not
 * mean free. A model that may be either of two has interpretations that span both (spec 8).
 */
export function priceFor(book: readonly Price[], kind: PriceKind, model: string | undefined): Price | undefined {
  const entries = [...book, ...DEFAULT_PRICES].filter((price) => price.kind === kind);
  const own = (id: string | undefined) => entries.find((price) => price.model === id);
  return countablePrice(own(model) ?? own('*') ?? spanning(pricingOf(kind).alike?.(model ?? '') ?? [], own, model));
}

function spanning(
  models: readonly string[],
  own: (id: string) => Price | undefined,
  model: string | undefined,
): Price | undefined {
  const [first, ...others] = models.flatMap((id) => own(id) ?? []);
  if (!first || others.length === 0) return first;
  const readings = [first, ...others].flatMap(openInterpretations);
  return { ...first, model: model || '*', readings, settledReading: null };
}
