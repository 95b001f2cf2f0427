import type { PriceKind } from '../../../../shared/kinds/pricings.ts';
import { type Decimal, isNegative, isZero, parseDecimal, times } from '../../../../shared/money/decimal.ts';
import { t } from '../../../../shared/text/texts.ts';
import { field, isObject, listOf, textOf, wordsOf } from '../json/fields.ts';
import type { Json, JsonObject } from '../json/parse.ts';

/** One figure of a model's listing, in dollars, with its purpose. */
export interface Quote {
  /** `cached`: of input that the service reads from its cache. `cacheWrite`: of input that it writes there. */
  side: 'input' | 'cached' | 'cacheWrite' | 'output' | 'each';
  amount: Decimal;
  unit: PriceUnit;
  /** The name of its field, for sentences. */
  name: string;
  /** Applies only above some length of the context. */
  long: boolean;
  /** Applies only to the thinking of a model before its answer, which is counted as output. */
  thought: boolean;
  /** The number of the tier in a list of prices by request length. */
  tier?: number;
}

/** A listing whose price is refused, with the reason. */
export class UnclearPrice extends Error {}

const UNREAD = t`Dailies cannot read this pricing rule`;

/** The unit of a listed price: a number of tokens or seconds, or one item. */
export interface PriceUnit {
  of: 'token' | 'second' | 'video' | 'image' | 'request';
  count: number;
}

/** Whether the figure is for input that is read from a cache or written to one. */
export const isOfCache = (side: Quote['side']): boolean => side === 'cached' || side === 'cacheWrite';

/** The side and the unit that a field name states. */
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

/** Every figure of a listing that concerns a request. An impossible figure, or a unit in a field of its own, refuses the whole listing. */
export function quotesOf(entry: JsonObject): Quote[] {
  const quotes: Quote[] = [];
  const holders = holdersOf(entry);
  const stated = (...names: string[]) => holders.map(({ holder }) => textOf(field(holder, ...names)));
  const currency = stated('currency', 'currencyCode').find(isForeign);
  // The documented forms state the unit in the field name; a separate unit field may contradict it.
  const unit = stated('unit', 'priceUnit', 'billingUnit', 'pricingUnit', 'per').find((text) => text !== undefined);
  for (const { holder, ...place } of holders) {
    for (const [name, value] of Object.entries(holder)) {
      const found = quoteAt(name, value);
      if (!found) continue;
      if (currency !== undefined) throw new UnclearPrice(t`Not in dollars: ${currency.slice(0, 10)}`);
      if (unit !== undefined) throw new UnclearPrice(t`Unknown price unit: ${unit.slice(0, 40)}`);
      quotes.push({ ...found, ...place });
    }
  }
  return quotes;
}

/** The places for figures in a listing: the entry itself, `pricing` or `model_info`, and LiteLLM's list of tiers. */
function holdersOf(entry: JsonObject): { holder: JsonObject; tier?: number }[] {
  const holders = [entry, field(entry, 'pricing'), field(entry, 'modelInfo')].filter(isObject);
  const tiers = holders.flatMap((holder) => listOf(field(holder, 'tieredPricing'))).filter(isObject);
  return [...holders.map((holder) => ({ holder })), ...tiers.map((holder, tier) => ({ holder, tier }))];
}

const isForeign = (currency: string | undefined): boolean => currency !== undefined && !/^usd$/i.test(currency);

function quoteAt(name: string, value: Json): Quote | undefined {
  if (value === null || value === '' || typeof value === 'object' || typeof value === 'boolean') return undefined;
  const words = wordsOf(name);
  const known = knownField(name, words);
  if (!known) return undefined;
  const text = textOf(value) ?? '';
  const amount = parseDecimal(text);
  if (!amount || isNegative(amount)) {
    // A cache without a price of its own costs the same as other input.
    if (isOfCache(known.side)) return undefined;
    throw new UnclearPrice(t`Not a price: ${name} ${text.slice(0, 40)}`);
  }
  return { name, amount, long: words.includes('above'), thought: false, ...known };
}

/** `input_cost_per_token`, `output_cost_per_reasoning_token_above_200k_tokens`, `output_cost_per_video_per_second`. */
function knownField(name: string, words: readonly string[]): Known | undefined {
  // Dailies never asks for a cache that lasts an hour.
  if (words.includes('1hr')) return undefined;
  const named = words.slice(0, words.includes('above') ? words.indexOf('above') : undefined).join(' ');
  const known = FIELDS[named];
  if (known) return known;
  const [, about = '', unitName = ''] = /^(?:(input|output) )?(?:cost|price) per (.{1,60})$/.exec(named) ?? [];
  if (unitName === '' || IRRELEVANT.test(named)) return undefined;
  const unit = UNITS[unitName];
  const side = about === 'input' || about === 'output' ? about : 'each';
  if (!unit) throw new UnclearPrice(t`Unknown price unit: ${name}`);
  return { side, unit, thought: unitName === 'reasoning token' };
}

/**
 * Prices as one-api and related gateways publish them. A ratio of 1 is 0.002 dollars for a thousand tokens. Output costs `completion_ratio`
 * times the input, cached input `cache_ratio` times, and cache writes `create_cache_ratio` times (new-api: model/pricing.go). The ratio of
 * the user's group multiplies all. With `quota_type` 1 the price is in dollars for one request.
 */

const DOLLARS_PER_MILLION: Decimal = { units: 2n, scale: 0 };
const ONE: Decimal = { units: 1n, scale: 0 };

/** The user's group is not known, so there is one set of quotes for each ratio that may apply. */
export function ratioQuotes(entry: JsonObject, groupsOf: Groups): Quote[][] | undefined {
  if (field(entry, 'modelRatio', 'modelPrice') === undefined) return undefined;
  if (!isByRatio(entry)) throw new UnclearPrice(UNREAD);
  const groups = groupsOf(wordsIn(field(entry, 'enableGroups', 'enableGroup', 'groups')));
  const [model, price, completion] = [
    ratio(entry, 'modelRatio'),
    ratio(entry, 'modelPrice'),
    ratio(entry, 'completionRatio'),
  ];
  const quotaType = textOf(field(entry, 'quotaType')) ?? (price && !isZero(price) ? '1' : '0');
  if (quotaType === '1') {
    if (!price) throw new UnclearPrice(UNREAD);
    return groups.map((group) => [quote('each', 'modelPrice', times(price, group), 'request')]);
  }
  if (quotaType !== '0') throw new UnclearPrice(UNREAD);
  if (!model) throw new UnclearPrice(UNREAD);
  if (!completion) throw new UnclearPrice(UNREAD);
  const input = times(model, DOLLARS_PER_MILLION);
  const ofInput = (side: Quote['side'], name: string, share: Decimal | undefined, group: Decimal) =>
    share ? [quote(side, name, times(times(input, share), group), 'token')] : [];
  return groups.map((group) => [
    ...ofInput('input', 'modelRatio', ONE, group),
    ...ofInput('cached', 'cacheRatio', ratio(entry, 'cacheRatio'), group),
    ...ofInput('cacheWrite', 'createCacheRatio', ratio(entry, 'createCacheRatio'), group),
    ...ofInput('output', 'completionRatio', completion, group),
  ]);
}

const wordsIn = (value: Json | undefined): string[] => listOf(value).flatMap((word) => textOf(word) ?? []);

/** For a model that is priced by an expression, new-api lists a ratio that no bill uses: 37.5 if none is set (its model/pricing.go). */
const isByRatio = (entry: JsonObject): boolean => (textOf(field(entry, 'billingMode')) ?? 'ratio') === 'ratio';

const quote = (side: Quote['side'], name: string, amount: Decimal, of: 'token' | 'request'): Quote => ({
  side,
  name,
  amount,
  unit: { of, count: of === 'token' ? 1_000_000 : 1 },
  long: false,
  thought: false,
});

function ratio(entry: JsonObject, name: string): Decimal | undefined {
  const parsed = parseDecimal(textOf(field(entry, name)) ?? '');
  return parsed && !isNegative(parsed) ? parsed : undefined;
}

/** The distinct ratios of the groups that may apply: the model's groups that the user can use. */
export type Groups = (enabled: readonly string[]) => Decimal[];

export function groupsIn(body: Json | undefined): Groups {
  const ratios = field(body, 'groupRatio') ?? field(field(body, 'data'), 'groupRatio');
  const usable = field(body, 'usableGroup', 'usableGroups') ?? field(field(body, 'data'), 'usableGroup');
  const known = Object.entries(isObject(ratios) ? ratios : {}).flatMap(([name, value]) => {
    const amount = parseDecimal(textOf(value) ?? '');
    const isUsable = !isObject(usable) || Object.hasOwn(usable, name);
    return amount && !isNegative(amount) && isUsable ? [{ name, amount }] : [];
  });
  return (enabled) => {
    const isOpen = enabled.length === 0 || enabled.includes('all');
    const allowed = known.filter(({ name }) => isOpen || enabled.includes(name));
    const distinct = new Map(allowed.map(({ amount }) => [Number(amount.units) / 10 ** amount.scale, amount]));
    const sorted = [...distinct].sort(([a], [b]) => a - b).map(([, amount]) => amount);
    if (sorted.length === 0) return [ONE];
    return sorted.length <= 4 ? sorted : [...sorted.slice(0, 1), ...sorted.slice(-1)];
  };
}

/** new-api's `/api/ratio_config`, `{ model_ratio: { a: 1 }, model_price: { b: 0.1 }, … }`, as one entry for each priced model. */
export function ratioMaps(body: Json | undefined): JsonObject[] {
  const data = field(body, 'data');
  const maps = Object.entries(isObject(data) ? data : {});
  const priced = [field(data, 'modelRatio'), field(data, 'modelPrice')].filter(isObject).flatMap(Object.keys);
  const valuesOf = (model: string) =>
    maps.flatMap(([name, map]) => (isObject(map) && Object.hasOwn(map, model) ? [[name, map[model] ?? null]] : []));
  return [...new Set(priced)].map((model) => ({ ...Object.fromEntries(valuesOf(model)), model }));
}

/** The kind by `supported_endpoint_types`, which newer versions send. */
export function endpointKind(entry: JsonObject): PriceKind | undefined {
  const types = wordsIn(field(entry, 'supportedEndpointTypes'));
  if (types.some((type) => /video/i.test(type))) return 'video';
  if (types.some((type) => /image/i.test(type))) return 'image';
  return types.length > 0 ? 'chat' : undefined;
}
