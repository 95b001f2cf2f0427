import { ALLOWED_APART } from '../../../shared/ledger.ts';
import { formatNano, NANO_PER_DOLLAR, type Nano } from '../../../shared/money.ts';
import { costOf, openReadings, type Price, type PriceReading, type Quantity } from '../../../shared/price.ts';

/** What a stated cost is worth. */
export interface Believed {
  /** What is charged; absent where the price book decides. */
  chargeNano?: Nano;
  disbelief?: string;
}

/** Nobody's price is so many times the estimate, which is the most that the order can come to: a unit or a decimal point is another. */
const MOST_TIMES = 100;
/** Where the book has a small price or none, one order costs no more than this. */
const MOST_WITHOUT_PRICE = 10 * NANO_PER_DOLLAR;

/**
 * A stated cost is what is charged where its unit and currency are known. Nothing stated is not free, and neither is a stated zero: it
 * is the default of a field that nobody filled, or the gateway's share of an order that is billed elsewhere.
 */
export function believed({ nano, by }: { nano: Nano; by: string }, estimateNano: Nano): Believed {
  if (nano <= 0) return {};
  if (nano <= Math.max(MOST_WITHOUT_PRICE, MOST_TIMES * estimateNano)) return { chargeNano: nano };
  return {
    disbelief: `The answer states ${formatNano(nano)} (${by}), where ${formatNano(estimateNano > 0 ? estimateNano : MOST_WITHOUT_PRICE)} was the most that was expected. That is not believed: the price book decides.`,
  };
}

/** Whether a stated cost is apart from every reading of the book by more than they allow. */
export function isApart(statedNano: Nano, { nano, lowNano }: { nano: Nano; lowNano: Nano }): boolean {
  const allowed = (expected: Nano) => Math.max(ALLOWED_APART.nano, expected * ALLOWED_APART.share);
  return statedNano > nano + allowed(nano) || statedNano < lowNano - allowed(lowNano);
}

/**
 * The price by which this quantity costs what was stated. Each reading that is open keeps its unit, since one order cannot tell them
 * apart: $0.80 for 4 s is $0.20 a second or $0.80 a video. Undefined where nothing was counted that it could be the price of.
 */
export function adoptedPrice(
  price: Price,
  quantity: Quantity,
  stated: { nano: Nano; model: string; source: string },
): Price | undefined {
  const readings = openReadings(price).flatMap((reading) => scaled(price, reading, quantity, stated.nano) ?? []);
  const distinct = readings.filter(
    (one, at) => readings.findIndex((other) => JSON.stringify(other) === JSON.stringify(one)) === at,
  );
  if (distinct.length === 0) return undefined;
  const { model, source } = stated;
  return { kind: price.kind, model, readings: distinct, settledReading: null, source: source.slice(0, 300) };
}

function scaled(price: Price, reading: PriceReading, quantity: Quantity, nano: Nano): PriceReading | undefined {
  const each = (count: number | undefined): number | undefined => (count ? Math.ceil(nano / count) : undefined);
  switch (reading.unit) {
    case 'second':
      return withNano('second', each(quantity.seconds));
    case 'video':
      return withNano('video', each(quantity.videos));
    case 'image':
      return withNano('image', each(quantity.images));
    case 'token':
      return scaledTokens(price, reading, quantity, nano);
  }
}

const withNano = (unit: 'second' | 'video' | 'image', nano: number | undefined): PriceReading | undefined =>
  nano === undefined || nano > MOST_PRICE ? undefined : { unit, nano };

const MOST_PRICE = 1e15;
const MILLION = 1_000_000;

/** In and out in the proportion of the book, for a million tokens, so that little is lost by rounding. */
function scaledTokens(
  price: Price,
  reading: Extract<PriceReading, { unit: 'token' }>,
  quantity: Quantity,
  nano: Nano,
): PriceReading | undefined {
  const before = costOf({ ...price, readings: [reading], settledReading: null }, quantity).nano;
  if (before === 0) return undefined;
  const toMillion = MILLION / (reading.perTokens ?? 1);
  const times = (amount: number) => Math.ceil((amount * nano) / before);
  const inputNano = times(reading.inputNano * toMillion);
  const outputNano = times(reading.outputNano * toMillion);
  if (Math.max(inputNano, outputNano) > MOST_PRICE) return undefined;
  const request = reading.requestNano === undefined ? {} : { requestNano: times(reading.requestNano) };
  return { unit: 'token', inputNano, outputNano, perTokens: MILLION, ...request };
}
