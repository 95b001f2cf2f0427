import { type Decimal, isNegative, parseDecimal } from '../../../../shared/money/decimal.ts';
import { t } from '../../../../shared/text/texts.ts';
import { field, isObject, type Json, type JsonObject, listOf, textOf, wordsOf } from '../json/index.ts';

/** One figure of a model's listing, in dollars, with what it is for. */
export interface Quote {
  /** `cached`: of input that the service reads from its cache. `cacheWrite`: of input that it writes there. */
  side: 'input' | 'cached' | 'cacheWrite' | 'output' | 'each';
  amount: Decimal;
  unit: PriceUnit;
  /** The name of its field, for sentences. */
  name: string;
  /** Applies only above some length of the context. */
  long: boolean;
  /** Applies only to what a model thinks before it answers, which is counted as output. */
  thought: boolean;
  /** Which one it is of a list of prices by the length of a request. */
  tier?: number;
}

/** What a listed price is for: a number of tokens or seconds, or one thing. */
export interface PriceUnit {
  of: 'token' | 'second' | 'video' | 'image' | 'request';
  count: number;
}

/** Whether a figure is of input from a cache, or to one. */
export const isOfCache = (side: Quote['side']): boolean => side === 'cached' || side === 'cacheWrite';

/** What the name of a field says. */
type Known = Pick<Quote, 'side' | 'unit'> & Partial<Pick<Quote, 'thought'>>;

const TOKEN: PriceUnit = { of: 'token', count: 1 };
const each = (of: PriceUnit['of']): Known => ({ side: 'each', unit: { of, count: 1 } });

/** OpenRouter's fields of `pricing`, and those of a cache in LiteLLM's map. */
const FIELDS: Record<string, Known> = {
  prompt: { side: 'input', unit: TOKEN },
  completion: { side: 'output', unit: TOKEN },
  'internal reasoning': { side: 'output', unit: TOKEN, thought: true },
  'input cache read': { side: 'cached', unit: TOKEN },
  'input cache write': { side: 'cacheWrite', unit: TOKEN },
  image: each('image'),
  request: each('request'),
  video: each('video'),
  second: each('second'),
  'cache read input token cost': { side: 'cached', unit: TOKEN },
  'input cost per token cache hit': { side: 'cached', unit: TOKEN },
  'cache creation input token cost': { side: 'cacheWrite', unit: TOKEN },
};

/** Units in the names of LiteLLM's fields. */
const UNITS: Record<string, PriceUnit> = {
  token: TOKEN,
  'reasoning token': TOKEN,
  second: { of: 'second', count: 1 },
  'video per second': { of: 'second', count: 1 },
  video: { of: 'video', count: 1 },
  image: { of: 'image', count: 1 },
  request: { of: 'request', count: 1 },
};

/** Prices of things that Dailies never requests, or that make a request cheaper. */
const IRRELEVANT = /batch|audio|priority|flex|search|embed|pixel|character|dbu|training|hourly|discount|cache|1hr/;

/** Every figure of a listing that concerns a request. The first impossible figure, or a unit beside the names, refuses the listing. */
export function quotesOf(entry: JsonObject): { quotes: Quote[] } | { why: string } {
  const quotes: Quote[] = [];
  const holders = holdersOf(entry);
  const stated = (...names: string[]) => holders.map(({ holder }) => textOf(field(holder, ...names)));
  const currency = stated('currency', 'currencyCode').find(isForeign);
  // The documented forms have their units in the names of their fields: one that is stated may contradict them.
  const unit = stated('unit', 'priceUnit', 'billingUnit', 'pricingUnit', 'per').find((text) => text !== undefined);
  for (const { holder, ...place } of holders) {
    for (const [name, value] of Object.entries(holder)) {
      const found = quoteAt(name, value);
      if (!found) continue;
      if ('why' in found) return { why: `${name} ${found.why}` };
      if (currency !== undefined) return { why: t`is in ${currency.slice(0, 10)}, not in dollars` };
      if (unit !== undefined) return { why: t`has a unit that is not known: “${unit.slice(0, 40)}”` };
      quotes.push({ ...found, ...place });
    }
  }
  return { quotes };
}

/** Where a listing has its figures: in itself, in `pricing` or `model_info`, and in LiteLLM's list of tiers. */
function holdersOf(entry: JsonObject): { holder: JsonObject; tier?: number }[] {
  const holders = [entry, field(entry, 'pricing'), field(entry, 'modelInfo')].filter(isObject);
  const tiers = holders.flatMap((holder) => listOf(field(holder, 'tieredPricing'))).filter(isObject);
  return [...holders.map((holder) => ({ holder })), ...tiers.map((holder, tier) => ({ holder, tier }))];
}

const isForeign = (currency: string | undefined): boolean => currency !== undefined && !/^usd$/i.test(currency);

function quoteAt(name: string, value: Json): Quote | { why: string } | undefined {
  if (value === null || value === '' || typeof value === 'object' || typeof value === 'boolean') return undefined;
  const words = wordsOf(name);
  const known = knownField(words);
  if (!known || 'why' in known) return known;
  const text = textOf(value) ?? '';
  const amount = parseDecimal(text);
  if (!amount || isNegative(amount)) {
    // Without a price of its own, input from a cache or to one costs what other input does.
    if (isOfCache(known.side)) return undefined;
    return { why: amount ? t`is negative` : t`is no amount: “${text.slice(0, 40)}”` };
  }
  return { name, amount, long: words.includes('above'), thought: false, ...known };
}

/** `input_cost_per_token`, `output_cost_per_reasoning_token_above_200k_tokens`, `output_cost_per_video_per_second`. */
function knownField(words: readonly string[]): Known | { why: string } | undefined {
  // To keep a cache for an hour is never asked for.
  if (words.includes('1hr')) return undefined;
  const named = words.slice(0, words.includes('above') ? words.indexOf('above') : undefined).join(' ');
  const known = FIELDS[named];
  if (known) return known;
  const [, about = '', unitName = ''] = /^(?:(input|output) )?(?:cost|price) per (.{1,60})$/.exec(named) ?? [];
  if (unitName === '' || IRRELEVANT.test(named)) return undefined;
  const unit = UNITS[unitName];
  const side = about === 'input' || about === 'output' ? about : 'each';
  return unit ? { side, unit, thought: unitName === 'reasoning token' } : { why: t`has a unit that is not known` };
}
