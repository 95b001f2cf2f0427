import type { PriceKind } from '../../../../shared/kinds/pricings.ts';
import { type Decimal, isNegative, parseDecimal, times } from '../../../../shared/money/decimal.ts';
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

/**
 * Prices as one-api and related gateways publish them: a ratio of 1 is 0.002 dollars for a thousand tokens, the output is
 * `completion_ratio` times the input, what is cached of that is `cache_ratio` times it, what is written to a cache `create_cache_ratio`
 * times (new-api: model/pricing.go), and the user's group multiplies all. With `quota_type` 1 the price is in dollars for one request.
 */

const DOLLARS_PER_MILLION: Decimal = { units: 2n, scale: 0 };
const ONE: Decimal = { units: 1n, scale: 0 };

/** The user's group is not known, so there is one set of quotes for each ratio that may apply. */
export function ratioQuotes(entry: JsonObject, groups: Groups): { sets: Quote[][] } | { why: string } | undefined {
  const model = ratio(entry, 'modelRatio');
  const price = ratio(entry, 'modelPrice');
  if (model === undefined && price === undefined) return undefined;
  if (!isByRatio(entry)) return { why: t`is priced by a rule that Dailies does not read` };
  const ratios = groups.of(
    listOf(field(entry, 'enableGroups', 'enableGroup', 'groups')).flatMap((name) => textOf(name) ?? []),
  );
  const quotaType = textOf(field(entry, 'quotaType'));
  const byRequest =
    quotaType === undefined ? price !== undefined && price !== 'bad' && price.units > 0n : quotaType === '1';
  if (!byRequest && quotaType !== undefined && quotaType !== '0')
    return { why: t`has a quota type that is not known: ${quotaType.slice(0, 10)}` };
  if (byRequest) {
    if (price === undefined || price === 'bad') return { why: t`modelPrice is no amount` };
    return { sets: ratios.map((group) => [quote('each', 'modelPrice', times(price, group), 'request')]) };
  }
  const completion = ratio(entry, 'completionRatio');
  if (model === undefined || model === 'bad') return { why: t`modelRatio is no number` };
  if (completion === 'bad') return { why: t`completionRatio is no number` };
  if (completion === undefined) return { why: t`has no ratio for its output` };
  const input = times(model, DOLLARS_PER_MILLION);
  const ofCache = (side: Quote['side'], name: string, group: Decimal) => {
    const cache = ratio(entry, name);
    return cache === undefined || cache === 'bad'
      ? []
      : [quote(side, name, times(times(input, cache), group), 'token')];
  };
  return {
    sets: ratios.map((group) => [
      quote('input', 'modelRatio', times(input, group), 'token'),
      ...ofCache('cached', 'cacheRatio', group),
      ...ofCache('cacheWrite', 'createCacheRatio', group),
      quote('output', 'completionRatio', times(times(input, completion), group), 'token'),
    ]),
  };
}

/** new-api lists what an expression prices with a ratio that no bill uses: 37.5 where none is set (its model/pricing.go). */
const isByRatio = (entry: JsonObject): boolean => (textOf(field(entry, 'billingMode')) ?? 'ratio') === 'ratio';

const quote = (side: Quote['side'], name: string, amount: Decimal, of: 'token' | 'request'): Quote => ({
  side,
  name,
  amount,
  unit: { of, count: of === 'token' ? 1_000_000 : 1 },
  long: false,
  thought: false,
});

function ratio(entry: JsonObject, name: string): Decimal | 'bad' | undefined {
  const value = field(entry, name);
  if (value === undefined) return undefined;
  const parsed = parseDecimal(textOf(value) ?? '');
  return parsed && !isNegative(parsed) ? parsed : 'bad';
}

export type Groups = ReturnType<typeof groupsOf>;

export function groupsOf(body: Json | undefined) {
  const ratios = field(body, 'groupRatio') ?? field(field(body, 'data'), 'groupRatio');
  const usable = field(body, 'usableGroup', 'usableGroups') ?? field(field(body, 'data'), 'usableGroup');
  const known = isObject(ratios) ? Object.entries(ratios) : [];
  return {
    /** The distinct ratios of the groups that may apply: the model's groups that the user can use. */
    of(enabled: readonly string[]): Decimal[] {
      const allowed = known
        .filter(([name]) => !isObject(usable) || Object.hasOwn(usable, name))
        .filter(([name]) => enabled.length === 0 || enabled.includes('all') || enabled.includes(name))
        .flatMap(([, value]) => parseDecimal(textOf(value) ?? '') ?? [])
        .filter((value) => !isNegative(value));
      const distinct = new Map(allowed.map((value) => [Number(value.units) / 10 ** value.scale, value]));
      const sorted = [...distinct.entries()].sort(([a], [b]) => a - b).map(([, value]) => value);
      if (sorted.length === 0) return [ONE];
      return sorted.length <= 4 ? sorted : [sorted[0], sorted.at(-1)].flatMap((value) => value ?? []);
    },
  };
}

/** The maps beside those of prices, which say how the price of a model is meant. */
const BESIDE = ['completionRatio', 'cacheRatio', 'createCacheRatio', 'billingMode'];

/** `{ model_ratio: { … }, completion_ratio: { … }, model_price: { … }, billing_mode: { … } }` as one entry for each priced model. */
export function ratioMaps(body: Json | undefined): JsonObject[] {
  const holder = [body, field(body, 'data')].find(
    (node) => isObject(field(node, 'modelRatio')) || isObject(field(node, 'modelPrice')),
  );
  if (!holder) return [];
  const maps = ['modelRatio', 'modelPrice', ...BESIDE].map((name) => [name, field(holder, name)] as const);
  const models = new Set(
    maps.flatMap(([name, map]) => (isObject(map) && !BESIDE.includes(name) ? Object.keys(map) : [])),
  );
  return [...models].map((model) => ({
    model,
    ...Object.fromEntries(
      maps.flatMap(([name, map]) => (isObject(map) && Object.hasOwn(map, model) ? [[name, map[model] ?? null]] : [])),
    ),
  }));
}

/** The kind by `supported_endpoint_types`, which newer versions send. */
export function endpointKind(entry: JsonObject): PriceKind | undefined {
  const types = listOf(field(entry, 'supportedEndpointTypes')).flatMap((type) => textOf(type) ?? []);
  if (types.some((type) => /video/i.test(type))) return 'video';
  if (types.some((type) => /image/i.test(type))) return 'image';
  return types.length > 0 ? 'chat' : undefined;
}
