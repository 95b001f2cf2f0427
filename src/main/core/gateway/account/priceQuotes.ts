import { type Decimal, isNegative, parseDecimal } from '../../../../shared/decimal.ts';
import { t } from '../../../../shared/texts.ts';
import { field, isObject, type Json, type JsonObject, listOf, textOf, wordsOf } from '../json/index.ts';

/** One figure of a model's listing, with what it is for as far as the listing says. */
export interface Quote {
  /** `cached`: of input that the service reads from its cache. `cacheWrite`: of input that it writes there. */
  side: 'input' | 'cached' | 'cacheWrite' | 'output' | 'each';
  amount: Decimal;
  unit?: PriceUnit;
  /** The name of its field, for sentences. */
  name: string;
  /** Applies only above some length of the context. */
  long: boolean;
  /** Applies only to what a model thinks before it answers, which is counted as output. */
  thought: boolean;
  /** Which one it is of a list of prices, by the length of a request or another rule, and of which list. */
  tier?: number;
  list?: number;
}

/** Whether a figure is of input from a cache, or to one. */
export const isOfCache = (side: Quote['side']): boolean => side === 'cached' || side === 'cacheWrite';

export type Quotes = { quotes: Quote[] } | { why: string };

const HOLDERS = [
  'pricing',
  'price',
  'prices',
  'cost',
  'costs',
  'rates',
  'billing',
  'modelInfo',
  'pricingInfo',
  'tieredPricing',
];

/** What the name of a field says. */
type Known = Pick<Quote, 'side' | 'unit'> & Partial<Pick<Quote, 'thought'>>;

/** Field names that imply a unit; a plain `input` is per million by custom, a `prompt` per token. */
const KNOWN_FIELDS: Record<string, Known> = {
  prompt: { side: 'input', unit: { of: 'token', count: 1 } },
  completion: { side: 'output', unit: { of: 'token', count: 1 } },
  'internal reasoning': { side: 'output', unit: { of: 'token', count: 1 }, thought: true },
  input: { side: 'input' },
  output: { side: 'output' },
  'input price': { side: 'input' },
  'output price': { side: 'output' },
  'input cost': { side: 'input' },
  'output cost': { side: 'output' },
  image: { side: 'each', unit: { of: 'image', count: 1 } },
  request: { side: 'each', unit: { of: 'request', count: 1 } },
  video: { side: 'each', unit: { of: 'video', count: 1 } },
  second: { side: 'each', unit: { of: 'second', count: 1 } },
  price: { side: 'each' },
  cost: { side: 'each' },
  amount: { side: 'each' },
  usd: { side: 'each' },
};

/** Fields with the price of input from a cache and to one: of OpenRouter and of LiteLLM. */
const CACHE_FIELDS: Record<string, 'cached' | 'cacheWrite'> = {
  'input cache read': 'cached',
  'cache read input token cost': 'cached',
  'input cost per token cache hit': 'cached',
  'input cache write': 'cacheWrite',
  'cache creation input token cost': 'cacheWrite',
};

/** Prices of things that Dailies never requests, or that make a request cheaper. */
const IRRELEVANT =
  /cach|batch|audio|reason|priority|flex|search|embed|pixel|character|dbu|creation|read|write|training|finetune|hourly|discount/;

/** Every figure of a listing that concerns a request. The first impossible figure or unknown unit refuses the listing. */
export function quotesOf(entry: JsonObject): Quotes {
  const quotes: Quote[] = [];
  const holders = holdersOf(entry);
  const foreign = holders.map(({ holder }) => textOf(field(holder, 'currency', 'currencyCode'))).find(isForeign);
  for (const { holder, place } of holders) {
    const unitText = textOf(field(holder, 'unit', 'priceUnit', 'billingUnit', 'per', 'pricingUnit'));
    const unit = unitText === undefined ? undefined : unitOf(unitText);
    const unclear = whyUnclear(foreign, { unit, unitText });
    for (const [name, value] of Object.entries(holder)) {
      const found = quoteAt(name, value, unit);
      if (!found) continue;
      if ('why' in found) return { why: `${name} ${found.why}` };
      if (unclear !== undefined) return { why: unclear };
      quotes.push({ ...found, ...place });
    }
  }
  return { quotes };
}

interface Holder {
  holder: JsonObject;
  place: Pick<Quote, 'tier' | 'list'>;
}

/** Where a listing may have its figures: in itself, in the objects under these names, and in lists of them. */
function holdersOf(entry: JsonObject): Holder[] {
  const named = [...HOLDERS.map((name) => field(entry, name)), field(field(entry, 'modelInfo'), 'tieredPricing')];
  const holders = [entry, ...new Set(named.filter(isObject))].map((holder): Holder => ({ holder, place: {} }));
  const listed = named.flatMap((node, list) =>
    listOf(node)
      .filter(isObject)
      .map((holder, tier): Holder => ({ holder, place: { tier, list } })),
  );
  return [...holders, ...listed];
}

/** Why the figures of a listing cannot be used. */
function whyUnclear(
  foreignCurrency: string | undefined,
  { unit, unitText }: { unit: PriceUnit | undefined; unitText: string | undefined },
): string | undefined {
  if (foreignCurrency !== undefined) return `is in ${foreignCurrency.slice(0, 10)}, not in dollars`;
  if (unit !== undefined || unitText === undefined) return undefined;
  return `has a unit that is not known: “${unitText.slice(0, 40)}”`;
}

const isForeign = (currency: string | undefined): boolean =>
  currency !== undefined && !/^(usd|us\$|\$|us dollars?)$/i.test(currency);

function quoteAt(name: string, value: Json, unit: PriceUnit | undefined): Quote | { why: string } | undefined {
  if (value === null || value === '' || typeof value === 'object' || typeof value === 'boolean') return undefined;
  const words = wordsOf(name);
  const known = KNOWN_FIELDS[words.join(' ')] ?? byName(words);
  if (!known) return undefined;
  if ('why' in known) return known;
  const amount = amountOf(value);
  // Without a price of its own, input from a cache or to one costs what other input does.
  if ('why' in amount) return isOfCache(known.side) ? undefined : amount;
  const holds = amount.unit ?? unit ?? known.unit;
  return {
    name,
    side: known.side,
    amount: amount.amount,
    long: words.includes('above'),
    thought: known.thought === true,
    ...(holds ? { unit: holds } : {}),
  };
}

/** `input_cost_per_token`, `output_cost_per_reasoning_token`, `output_cost_per_video_per_second`, `price_per_1m_output_tokens`. */
function byName(words: string[]): Known | { why: string } | undefined {
  const named = words.slice(0, words.includes('above') ? words.indexOf('above') : undefined);
  const ofCache = CACHE_FIELDS[named.join(' ')];
  // To keep a cache for an hour is never asked for.
  if (ofCache && !words.includes('1hr')) return { side: ofCache, unit: { of: 'token', count: 1 } };
  const isOutput = named.some((word) => word === 'output' || word === 'completion');
  const plain = isOutput ? named.filter((word) => word !== 'reasoning') : named;
  const per = plain.lastIndexOf('per');
  if (per < 0 || (!plain.some((word) => ['cost', 'price', 'usd', 'rate'].includes(word)) && per > 0)) return undefined;
  if (IRRELEVANT.test(plain.join(' '))) return undefined;
  const has = (...names: string[]) => plain.some((word) => names.includes(word));
  const side = has('input', 'prompt') ? 'input' : has('output', 'completion') ? 'output' : 'each';
  const unit = unitOf(plain.slice(per + 1).join(' '));
  return unit ? { side, unit, thought: plain.length < named.length } : { why: t`has a unit that is not known` };
}

/** What a listed price is for: a number of tokens or seconds, or one thing. */
export interface PriceUnit {
  of: 'token' | 'second' | 'video' | 'image' | 'request';
  count: number;
}

const UNITS: [RegExp, PriceUnit][] = [
  [
    /^(1 ?)?(m|mm|mil|million|1 ?000 ?000|1e6)( ?(input|output|prompt|completion))? ?(tokens?|toks?)$/i,
    { of: 'token', count: 1_000_000 },
  ],
  [/^mtok(en)?s?$/i, { of: 'token', count: 1_000_000 }],
  // A lower-case m alone may be a minute.
  [/^1? ?(M|million)$/, { of: 'token', count: 1_000_000 }],
  [/^(1 ?)?(k|thousand|1 ?000)( ?(input|output|prompt|completion))? ?(tokens?|toks?)$/i, { of: 'token', count: 1_000 }],
  [/^ktok(en)?s?$/i, { of: 'token', count: 1_000 }],
  [/^(1 )?((input|output|prompt|completion) )?(tokens?|toks?)$/i, { of: 'token', count: 1 }],
  [/^(1 )?((output|video|generated) )*(s|secs?|seconds?)$/i, { of: 'second', count: 1 }],
  [/^(1 )?((output|video|generated) )*(mins?|minutes?)$/i, { of: 'second', count: 60 }],
  [/^(1 )?(output )?(videos?|clips?)$/i, { of: 'video', count: 1 }],
  [/^(1 )?((output|input|generated) )?(images?|pictures?|imgs?)$/i, { of: 'image', count: 1 }],
  [/^(1 )?(api )?(requests?|calls?|runs?|generations?|tasks?|times?|use)$/i, { of: 'request', count: 1 }],
];

/** The unit that a text names, `per 1M tokens` or `USD/second`; undefined for an unknown one, which is never guessed. */
export function unitOf(text: string): PriceUnit | undefined {
  if (text.length > MAX_AMOUNT_LENGTH) return undefined;
  const plain = text
    .trim()
    .replace(/^(usd|us\$|\$|dollars?)/i, '')
    .replace(/[_-]+/g, ' ')
    .replace(/(\d),(?=\d{3})/g, '$1')
    .replace(/^\s*(\/|per\b)/i, '')
    .replace(/\bper\b/gi, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return UNITS.find(([pattern]) => pattern.test(plain))?.[1];
}

export type Amount = { amount: Decimal; unit?: PriceUnit } | { why: string };

const MAX_AMOUNT_LENGTH = 100;
/** The text before the figure, the figure, the text after it, and its unit. */
const AMOUNT = /^([^\d.,+-]*)([+-]?[\d.,]+(?:e[+-]?\d+)?)([^\d/]*?)(?:(?:\/|\bper\b)(.+))?$/iu;

const DOLLARS = /^(us\$?|usd|us dollars?|\$|dollars?)?$/i;

/**
 * Parses an amount: a number, `"0.0000015"`, `"$0.27"`, `"0.40 USD / second"`. Other currencies are refused, and so is anything that is
 * no amount.
 */
export function amountOf(value: Json): Amount {
  const text = textOf(value);
  if (text === undefined) return { why: t`is no amount` };
  const match = text.length > MAX_AMOUNT_LENGTH ? null : AMOUNT.exec(text.replace(/\s+/g, ' '));
  if (!match) return { why: t`is no amount: “${text.slice(0, 40)}”` };
  const [, before = '', digits = '', after = '', per] = match;
  if (!DOLLARS.test(before.trim()) || !DOLLARS.test(after.trim()))
    return { why: t`is not in dollars: “${text.slice(0, 40)}”` };
  const amount = parseDecimal(/^[+-]?\d{1,3}(,\d{3})+(\.\d+)?$/.test(digits) ? digits.replaceAll(',', '') : digits);
  if (!amount) return { why: t`is no amount: “${text.slice(0, 40)}”` };
  if (isNegative(amount)) return { why: t`is negative` };
  if (per === undefined) return { amount };
  const unit = unitOf(per);
  return unit ? { amount, unit } : { why: t`has a unit that is not known: “${per.trim().slice(0, 40)}”` };
}
