import type { PriceKind } from '../../../../shared/kinds/pricings.ts';
import { isZero, toInteger } from '../../../../shared/money/decimal.ts';
import {
  mapFigures,
  type PriceInterpretation,
  perMillionTokens,
  type TokenFigures,
} from '../../../../shared/money/price.ts';
import { t } from '../../../../shared/text/texts.ts';
import { transportError } from '../errors/gatewayError.ts';
import { listedEntries } from '../families/spokenFormat.ts';
import { field, isObject, listOf, textOf } from '../json/fields.ts';
import type { Json, JsonObject } from '../json/parse.ts';
import type { Service } from '../service.ts';
import type { PricesOutcome } from '../types.ts';
import { answersAt, deniedError, endpointsOf } from './freeAnswers.ts';
import {
  endpointKind,
  type Groups,
  groupsIn,
  isOfCache,
  type PriceUnit,
  type Quote,
  quotesOf,
  ratioMaps,
  ratioQuotes,
  UnclearPrice,
} from './priceQuotes.ts';

const NANO = 1_000_000_000n;
const MILLION = 1_000_000;
const PER_MILLION = NANO * BigInt(MILLION);
/**
 * The highest plausible price in dollars for a million tokens, a second, a clip, a picture or a request. A higher figure must have another
 * unit than its name says.
 */
const MAX_DOLLARS = { token: 10_000, second: 1_000, video: 10_000, image: 1_000, request: 1_000 } as const;

/** The prices of a model of that kind by its listing. An ambiguous listing gives several interpretations; an unclear one gives none. */
function interpretationsOf(kind: PriceKind, quotes: readonly Quote[]): PriceInterpretation[] {
  if (kind === 'chat') return chatInterpretations(quotes);
  return kind === 'video' ? videoInterpretations(quotes) : imageInterpretations(quotes);
}

function chatInterpretations(quotes: readonly Quote[]): PriceInterpretation[] {
  const tokens = quotes.filter(isForTokens);
  const request = quotes.find(({ unit, side }) => side === 'each' && unit.of === 'request');
  const perRequest = request && !isZero(request.amount) ? { requestNano: nanoOf(request, 'request') } : undefined;
  if (tokens.length > 0)
    return tiersOf(tokens)
      .flatMap(tokenPricesOf)
      .map((price) => ({ ...price, ...perRequest }));
  if (!perRequest) throw new UnclearPrice(NO_PRICE);
  return [{ unit: 'token', inputNano: 0, outputNano: 0, ...perRequest }];
}

/** A zero for thinking or for a cache is the default of an unfilled field; the normal price of that side applies instead. */
const isForTokens = ({ side, unit, thought, amount }: Quote): boolean =>
  side !== 'each' && unit.of === 'token' && !((thought || isOfCache(side)) && isZero(amount));

/**
 * The figures of each tier that has a price for input and output, and those outside the tiers. Without complete tiers, all figures form one
 * price. Figures for long requests or thinking that stand outside the tiers apply to every tier without its own.
 */
function tiersOf(tokens: readonly Quote[]): (readonly Quote[])[] {
  const beside = tokens.filter(({ tier }) => tier === undefined);
  const inTiers = tokens.filter(({ tier }) => tier !== undefined);
  const tiers = [...Map.groupBy(inTiers, ({ tier }) => tier).values()];
  if (tiers.length === 0 || !tiers.every(isPriced)) return [tokens];
  const ofAll = beside.filter(({ long, thought }) => long || thought);
  return [...(isPriced(beside) ? [beside] : []), ...tiers.map((tier) => [...tier, ...ofAll])];
}

const isPriced = (tokens: readonly Quote[]): boolean =>
  tokens.some(({ side }) => side === 'input') && tokens.some(({ side }) => side === 'output');

/** The prices by length of the request and by answer or thinking, as far as the listing distinguishes them. */
function tokenPricesOf(tokens: readonly Quote[]): TokenInterpretation[] {
  const longs = tokens.some(({ long }) => long) ? [false, true] : [false];
  const thoughts = tokens.some(({ thought }) => thought) ? [false, true] : [false];
  return longs.flatMap((long) => thoughts.map((thought) => tokenPrice(tokens, { long, thought })));
}

/**
 * The price for one length of request, and for answering or thinking. Token counts do not tell these apart. Where a figure is missing, the
 * usual one applies.
 */
function tokenPrice(tokens: readonly Quote[], { long, thought }: Pick<Quote, 'long' | 'thought'>): TokenInterpretation {
  const side = (wanted: Quote['side']): number | undefined => {
    const own = tokens.filter((quote) => quote.side === wanted);
    const quote =
      own.find((one) => one.thought === thought && one.long === long) ??
      own.find((one) => one.thought === thought) ??
      own.find((one) => one.long === long) ??
      own[0];
    const nano = quote && within(toInteger(quote.amount, PER_MILLION, BigInt(quote.unit.count)), MAX_DOLLARS.token);
    // A cache whose own price is implausible costs the same as other input.
    if (quote && nano === undefined && !isOfCache(wanted)) throw tooDear();
    return nano;
  };
  const [inputNano, outputNano] = [side('input'), side('output')];
  if (inputNano === undefined || outputNano === undefined) throw new UnclearPrice(NO_PRICE);
  const [cachedNano = inputNano, cacheWriteNano = inputNano] = [side('cached'), side('cacheWrite')];
  // A cache price that is not below the input price, or a write price that is not above it, has another unit or no meaning. For cache
  // writes of Gemini, OpenRouter lists only the storage cost.
  return tokenInterpretation({
    inputNano,
    outputNano,
    ...(cachedNano < inputNano ? { cachedNano } : {}),
    ...(cacheWriteNano > inputNano ? { cacheWriteNano } : {}),
  });
}

type TokenInterpretation = Extract<PriceInterpretation, { unit: 'token' }>;

/** Priced for one token if that is a whole number of nano-dollars, otherwise for a million. */
function tokenInterpretation(figures: TokenFigures): TokenInterpretation {
  const isWhole = Object.values(figures).every((nano) => nano % MILLION === 0);
  if (!isWhole) return { unit: 'token', ...figures, perTokens: MILLION };
  return { unit: 'token', ...mapFigures(figures, (nano) => nano / MILLION) };
}

function videoInterpretations(quotes: readonly Quote[]): PriceInterpretation[] {
  const readings = quotes
    .filter(({ side, unit }) => side !== 'input' && !['token', 'image'].includes(unit.of))
    .map((quote): PriceInterpretation => {
      const unit = quote.unit.of === 'second' ? 'second' : 'video';
      return { unit, nano: nanoOf(quote, unit) };
    });
  if (readings.length === 0) throw new UnclearPrice(NO_PRICE);
  return fewReadings(readings);
}

function imageInterpretations(quotes: readonly Quote[]): PriceInterpretation[] {
  const readings = quotes
    .filter(({ unit }) => unit.of === 'image' || unit.of === 'request')
    .map((quote) => ({ unit: 'image' as const, nano: nanoOf(quote, 'image') }));
  const priced = readings.filter(({ nano }) => nano > 0);
  if (priced.length > 0) return fewReadings(priced);
  if (quotes.some(({ unit, amount }) => unit.of === 'token' && !isZero(amount)))
    throw new UnclearPrice(t`Priced by tokens, which pictures do not report`);
  if (readings.length === 0) throw new UnclearPrice(NO_PRICE);
  return fewReadings(readings);
}

function nanoOf(quote: Quote, unit: PriceUnit['of']): number {
  const nano = within(toInteger(quote.amount, NANO, BigInt(quote.unit.count)), MAX_DOLLARS[unit]);
  if (nano === undefined) throw tooDear();
  return nano;
}

const within = (whole: ReturnType<typeof toInteger>, mostDollars: number): number | undefined =>
  whole && whole.value <= mostDollars * 1e9 ? whole.value : undefined;

const NO_PRICE = t`No price`;

const tooDear = (): UnclearPrice => new UnclearPrice(t`This price looks too high. Check its unit.`);

/** Each interpretation once. If there are more than a price can hold, only the lowest and the highest of each unit. */
function fewReadings(readings: readonly PriceInterpretation[]): PriceInterpretation[] {
  const distinct = [...new Map(readings.map((reading) => [JSON.stringify(reading), reading])).values()];
  if (distinct.length <= 4) return distinct;
  return [...new Set(distinct.map(({ unit }) => unit))].flatMap((unit) =>
    cheapestAndDearest(distinct.filter((reading) => reading.unit === unit)),
  );
}

/** Which token price is the highest depends on the amounts of input and output, so the highest price of each side is included too. */
function cheapestAndDearest(readings: readonly PriceInterpretation[]): PriceInterpretation[] {
  const sorted = [...readings].sort((a, b) => exampleNano(a) - exampleNano(b));
  const tokens = sorted.filter((reading) => reading.unit === 'token');
  const dearest = (side: 'inputNano' | 'outputNano') =>
    [...tokens].sort((a, b) => perMillionTokens(a)[side] - perMillionTokens(b)[side]).at(-1);
  const kept = [sorted[0], dearest('inputNano'), dearest('outputNano'), sorted.at(-1)];
  return [...new Set(kept)].filter((reading) => reading !== undefined);
}

/** A sample cost for comparison: one second, video or picture; for tokens, a million of input, of output, from a cache and to a cache. */
function exampleNano(reading: PriceInterpretation): number {
  if (reading.unit !== 'token') return reading.nano;
  const { inputNano, outputNano, cachedNano = inputNano, cacheWriteNano = inputNano } = perMillionTokens(reading);
  return inputNano + cachedNano + cacheWriteNano + outputNano + (reading.requestNano ?? 0);
}

/** The prices of a service's list: the clear ones, and the names of the unclear ones with the reason. */
export type PriceList = Pick<Extract<PricesOutcome, { type: 'listed' }>, 'prices' | 'refused'>;

const MAX_MODELS = 10_000;

/**
 * Reads a list of models with prices: OpenRouter's `pricing`, the ratios of new-api, and LiteLLM's `model_info`. A model without a price in
 * one of these forms is left out; one whose price is negative, absurd, in another currency or in an unknown unit is refused by name. A name
 * that is listed several times, as LiteLLM lists each deployment of a model, has the readings of all. `ownKindOf` gives the kinds of the
 * profile's own models.
 */
export function readPriceList(body: Json | undefined, ownKindOf: (model: string) => PriceKind | undefined): PriceList {
  const groups = groupsIn(body);
  const prices = new Map<string, PriceList['prices'][number]>();
  const refused = new Map<string, string>();
  for (const { model, entry } of entriesOf(body).slice(0, MAX_MODELS)) {
    try {
      const found = entryPrice(entry, groups, ownKindOf(model));
      if (!found) continue;
      const key = `${found.kind} ${model}`;
      const known = prices.get(key);
      if (known) known.readings.push(...found.readings);
      else prices.set(key, { model, ...found });
    } catch (error) {
      if (!(error instanceof UnclearPrice)) throw error;
      if (!refused.has(model)) refused.set(model, error.message);
    }
  }
  return {
    prices: [...prices.values()]
      .filter(({ model }) => !refused.has(model))
      .map((price) => ({ ...price, readings: fewReadings(price.readings) })),
    refused: [...refused].map(([model, why]) => ({ model, why })),
  };
}

function entryPrice(
  entry: JsonObject,
  groups: Groups,
  own: PriceKind | undefined,
): { kind: PriceKind; readings: PriceInterpretation[] } | undefined {
  const purpose = own ?? purposeOf(entry);
  if (purpose === 'other') return undefined;
  const sets = ratioQuotes(entry, groups) ?? [quotesOf(entry)];
  const [first = []] = sets;
  if (first.length === 0) return undefined;
  const kind = purpose ?? kindByUnits(first);
  if (!kind) throw new UnclearPrice(t`The kind of model is not stated`);
  return { kind, readings: sets.flatMap((quotes) => interpretationsOf(kind, quotes)) };
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
  return (listedEntries(maps.length > 0 ? maps : body) ?? []).flatMap(({ id, entry }) =>
    isObject(entry) && id.length <= 200 ? [{ model: id, entry }] : [],
  );
}

/** The endpoints at which services of this kind publish their prices: beside the models, or in a separate list. */
const PATHS = ['/v1/models', '/api/pricing', '/api/ratio_config', '/v1/model/info'] as const;

/** Looks for a published price list. Sends nothing that is billed. */
export async function listPrices(service: Service): Promise<PricesOutcome> {
  const ownKindOf = (id: string) => service.profile.models.find((model) => model.id === id)?.kind;
  let hasDenied = false;
  let onlyRefused: PricesOutcome | undefined;
  for await (const answer of answersAt(service, endpointsOf(service, PATHS))) {
    const { url, body, failure, isDenied } = answer;
    if (failure) return { type: 'unreachable', error: transportError(service, failure) };
    hasDenied ||= isDenied === true;
    const list = readPriceList(body, ownKindOf);
    const listed: PricesOutcome = { type: 'listed', from: `${url.host}${url.pathname}`, ...list };
    if (list.prices.length > 0) return listed;
    if (list.refused.length > 0) onlyRefused ??= listed;
  }
  if (onlyRefused) return onlyRefused;
  if (!hasDenied) return { type: 'none' };
  return {
    type: 'unreachable',
    error: deniedError(service, t`The gateway does not show its prices for this key.`),
  };
}
