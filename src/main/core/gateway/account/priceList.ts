import type { PriceKind } from '../../../../shared/kinds/pricings.ts';
import type { PriceInterpretation } from '../../../../shared/money/price.ts';
import { t } from '../../../../shared/text/texts.ts';
import { explicitError, gatewayError, isDenied, transportError } from '../errors/index.ts';
import { urlAtOrigin } from '../http/index.ts';
import { field, isObject, type Json, type JsonObject, listOf, textOf } from '../json/index.ts';
import type { Service } from '../service.ts';
import type { PricesOutcome } from '../types.ts';
import { endpointsOf, queryEndpoint } from './accountEndpoints.ts';
import { fewReadings, interpretationsOf } from './priceInterpretations.ts';
import { endpointKind, type Groups, groupsOf, type Quote, quotesOf, ratioMaps, ratioQuotes } from './priceQuotes.ts';

/** The prices of a service's list: the clear ones, and the names of the unclear ones with the reason. */
export interface PriceList {
  prices: { model: string; kind: PriceKind; readings: PriceInterpretation[] }[];
  refused: { model: string; why: string }[];
}

const MAX_MODELS = 10_000;

/**
 * Reads a list of models with prices: OpenRouter's `pricing`, the ratios of one-api and new-api, LiteLLM's map and `model_info`. A model
 * without a price in one of these forms is left out; one whose price is negative, absurd, in another currency or in an unknown unit is
 * refused by name. A name that is listed several times, as LiteLLM lists each deployment of a model, has the readings of all. `ownKindOf` gives the kinds of the profile's own models.
 */
export function readPriceList(body: Json | undefined, ownKindOf: (model: string) => PriceKind | undefined): PriceList {
  const groups = groupsOf(body);
  const prices = new Map<string, PriceList['prices'][number]>();
  const refused = new Map<string, string>();
  for (const { model, entry } of entriesOf(body).slice(0, MAX_MODELS)) {
    const found = entryPrice(entry, groups, ownKindOf(model));
    if (!found) continue;
    if ('why' in found) {
      if (!refused.has(model)) refused.set(model, found.why);
      continue;
    }
    const key = `${found.kind} ${model}`;
    const known = prices.get(key);
    if (known) known.readings.push(...found.readings);
    else prices.set(key, { model, ...found });
  }
  return {
    prices: [...prices.values()]
      .filter(({ model }) => !refused.has(model))
      .map((price) => ({ ...price, readings: fewReadings(price.readings) })),
    refused: [...refused].map(([model, why]) => ({ model, why })),
  };
}

type Found = { kind: PriceKind; readings: PriceInterpretation[] } | { why: string } | undefined;

function entryPrice(entry: JsonObject, groups: Groups, own: PriceKind | undefined): Found {
  const purpose = own ?? purposeOf(entry);
  if (purpose === 'other') return undefined;
  const ratios = ratioQuotes(entry, groups);
  if (ratios && 'why' in ratios) return ratios;
  const plain = ratios ? undefined : quotesOf(entry);
  if (plain && 'why' in plain) return plain;
  const sets = ratios?.sets ?? [plain?.quotes ?? []];
  const [first = []] = sets;
  if (first.length === 0) return undefined;
  const kind = purpose ?? kindByUnits(first);
  if (!kind) return { why: t`nothing says whether it is for chat, video or pictures` };
  const readings: PriceInterpretation[] = [];
  for (const quotes of sets) {
    const found = interpretationsOf(kind, quotes);
    if ('why' in found) return found;
    readings.push(...found.readings);
  }
  return { kind, readings };
}

function purposeOf(entry: JsonObject): PriceKind | 'other' | undefined {
  const info = field(entry, 'modelInfo');
  const outputs = listOf(field(field(entry, 'architecture'), 'outputModalities') ?? field(entry, 'outputModalities'))
    .flatMap((word) => textOf(word) ?? [])
    .join(' ');
  if (outputs !== '') return kindOfWord(/text/i.test(outputs) ? 'chat' : outputs) ?? 'other';
  const word = textOf(field(entry, 'mode', 'type', 'modelType', 'category', 'task') ?? field(info, 'mode'));
  return (word === undefined ? undefined : kindOfWord(word)) ?? endpointKind(entry);
}

function kindOfWord(word: string): PriceKind | 'other' | undefined {
  if (/video/i.test(word)) return 'video';
  if (/image|picture/i.test(word)) return 'image';
  if (/embed|rerank|audio|speech|moderation|transcri|tts|ocr/i.test(word)) return 'other';
  return /chat|completion|responses|text|language|llm/i.test(word) ? 'chat' : undefined;
}

function kindByUnits(quotes: readonly Quote[]): PriceKind | undefined {
  const has = (of: string) => quotes.some(({ unit }) => unit.of === of);
  if (has('second') || has('video')) return 'video';
  if (has('token') || quotes.some(({ side }) => side !== 'each')) return 'chat';
  return has('image') ? 'image' : undefined;
}

function entriesOf(body: Json | undefined): { model: string; entry: JsonObject }[] {
  const maps = ratioMaps(body);
  const lists = [body, field(body, 'data', 'models'), field(field(body, 'data'), 'data', 'models')];
  const listed =
    maps.length > 0 ? maps : (lists.find((node) => Array.isArray(node) && node.some(isObject)) as Json[] | undefined);
  if (listed) return listed.filter(isObject).flatMap((entry) => named(entry));
  const map = lists.find((node) => isObject(node) && Object.values(node).some(isObject));
  return isObject(map)
    ? Object.entries(map).flatMap(([model, entry]) =>
        isObject(entry) && model !== 'sample_spec' ? [{ model, entry }] : [],
      )
    : [];
}

function named(entry: JsonObject): { model: string; entry: JsonObject }[] {
  const model = textOf(field(entry, 'id', 'modelName', 'model', 'modelId', 'slug', 'name'));
  return model === undefined || model.length > 200 ? [] : [{ model, entry }];
}

/** The endpoints at which services of this kind publish their prices: beside the models, or in a separate list. */
const PATHS = ['/v1/models', '/api/pricing', '/api/ratio_config', '/v1/model/info', '/model/info'] as const;

/** Looks for a published price list, first at the endpoint that had one before. Sends nothing that is billed. */
export async function listPrices(service: Service): Promise<PricesOutcome> {
  const ownKindOf = (id: string) => service.profile.models.find((model) => model.id === id)?.kind;
  let denied = false;
  let onlyRefused: PricesOutcome | undefined;
  for (const url of priceListUrls(service)) {
    const response = await queryEndpoint(service, url);
    if (response.failure) return { type: 'unreachable', error: transportError(service, response.failure) };
    denied ||= isDenied(response.status);
    if (!response.answer || explicitError(response.answer.json)) continue;
    const list = readPriceList(response.answer.json, ownKindOf);
    const listed: PricesOutcome = { type: 'listed', from: `${url.host}${url.pathname}`, ...list };
    if (list.prices.length > 0) {
      service.learn({ pricesPath: url.pathname }, 'listed');
      return listed;
    }
    if (list.refused.length > 0) onlyRefused ??= listed;
  }
  if (onlyRefused) return onlyRefused;
  if (!denied) return { type: 'none' };
  const message = t`The gateway shows its prices to nobody with this key.`;
  return { type: 'unreachable', error: gatewayError(service, { kind: 'auth', message, accepted: 'no' }) };
}

/** Each address once; the one that had a list before comes first. */
function priceListUrls(service: Service): URL[] {
  const known = service.memory().pricesPath;
  const remembered = known === undefined ? undefined : urlAtOrigin(service, known);
  const urls = [...(remembered ? [remembered] : []), ...PATHS.flatMap((path) => endpointsOf(service, path))];
  return [...new Map(urls.map((url) => [url.href, url])).values()];
}
