import type { PriceKind } from '../../../../shared/kinds/pricings.ts';
import { type Decimal, isNegative, parseDecimal, times } from '../../../../shared/money/decimal.ts';
import { t } from '../../../../shared/text/texts.ts';
import { field, isObject, type Json, type JsonObject, listOf, textOf } from '../json/index.ts';
import type { Quote } from './priceQuotes.ts';

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
