import { type FactName, type ModelFacts, validFact } from '../../../../shared/modelFacts.ts';
import { field, fold, isObject, type Json, type JsonObject, listOf, textOf } from '../json/index.ts';

/** Who documents the fields of a list of models. */
export const FACT_SOURCES = {
  openai: 'developers.openai.com/api/docs/deprecations: shutdown_date of GET /v1/models, YYYY-MM-DD or null',
  openrouter: 'openrouter.ai/docs/api-reference/list-available-models, and .../video-generation/list-videos-models',
  mistral: 'docs.mistral.ai/api: GET /v1/models, BaseModelCard',
  litellm: 'docs.litellm.ai/docs/proxy/model_management: /model/info; model_prices_and_context_window.json',
  merge: 'docs.merge.dev/merge-gateway/management-api/lookups/get-model: expiration_date, max_output_tokens',
  fireworks: 'docs.fireworks.ai/api-reference/get-model: deprecationDate as google.type.Date',
  groq: 'console.groq.com/docs/api-reference: GET /openai/v1/models',
  google: 'ai.google.dev/api/models: inputTokenLimit, outputTokenLimit',
  vllm: 'github.com/vllm-project/vllm: vllm/entrypoints/openai/protocol.py, ModelCard.max_model_len',
  cloudflare: 'developers.cloudflare.com/workers-ai/models: properties, planned_deprecation_date, context_window',
} as const;

/** One field of a model's entry that states a fact. */
export interface FactRule {
  fact: FactName;
  /** Names in camelCase, from the entry inwards; any spelling is found. */
  path: readonly [string, ...string[]];
  /** The fact that its value states; undefined where the value states nothing that can be used. */
  read(value: Json): unknown;
  source: keyof typeof FACT_SOURCES;
  /** The case of `test/fixtures/answers/model-lists.jsonl` that needs it. */
  fixture: string;
}

/** For each fact the first rule that states it counts. A rule without a source is a guess, and is not here. */
export const FACT_RULES: FactRule[] = [
  { fact: 'endsAt', path: ['shutdownDate'], read: dayOf, source: 'openai', fixture: 'shutdown_date' },
  { fact: 'endsAt', path: ['expirationDate'], read: dayOf, source: 'openrouter', fixture: 'expiration_date' },
  { fact: 'endsAt', path: ['deprecation'], read: dayOf, source: 'mistral', fixture: 'deprecation' },
  { fact: 'endsAt', path: ['deprecationDate'], read: dayOf, source: 'litellm', fixture: 'deprecation_date' },
  {
    fact: 'endsAt',
    path: ['deprecationDate'],
    read: dateObject,
    source: 'fireworks',
    fixture: 'deprecationDate parts',
  },
  {
    fact: 'endsAt',
    path: ['properties', 'planned_deprecation_date'],
    read: dayOf,
    source: 'cloudflare',
    fixture: 'planned_deprecation_date',
  },
  { fact: 'contextTokens', path: ['contextLength'], read: count, source: 'openrouter', fixture: 'context_length' },
  { fact: 'contextTokens', path: ['contextWindow'], read: count, source: 'groq', fixture: 'context_window' },
  { fact: 'contextTokens', path: ['maxContextLength'], read: count, source: 'mistral', fixture: 'max_context_length' },
  { fact: 'contextTokens', path: ['maxModelLen'], read: count, source: 'vllm', fixture: 'max_model_len' },
  { fact: 'contextTokens', path: ['maxInputTokens'], read: count, source: 'litellm', fixture: 'max_input_tokens' },
  { fact: 'contextTokens', path: ['inputTokenLimit'], read: count, source: 'google', fixture: 'inputTokenLimit' },
  {
    fact: 'contextTokens',
    path: ['properties', 'context_window'],
    read: count,
    source: 'cloudflare',
    fixture: 'context_window property',
  },
  {
    fact: 'outputTokens',
    path: ['topProvider', 'maxCompletionTokens'],
    read: count,
    source: 'openrouter',
    fixture: 'top_provider',
  },
  {
    fact: 'outputTokens',
    path: ['maxCompletionTokens'],
    read: count,
    source: 'groq',
    fixture: 'max_completion_tokens',
  },
  { fact: 'outputTokens', path: ['maxOutputTokens'], read: count, source: 'merge', fixture: 'max_output_tokens' },
  { fact: 'outputTokens', path: ['outputTokenLimit'], read: count, source: 'google', fixture: 'outputTokenLimit' },
  { fact: 'tools', path: ['supportedParameters'], read: named('tools'), source: 'openrouter', fixture: 'parameters' },
  { fact: 'tools', path: ['capabilities', 'functionCalling'], read: flag, source: 'mistral', fixture: 'capabilities' },
  {
    fact: 'tools',
    path: ['supportsFunctionCalling'],
    read: flag,
    source: 'litellm',
    fixture: 'supports_function_calling',
  },
  {
    fact: 'pictures',
    path: ['architecture', 'inputModalities'],
    read: named('image'),
    source: 'openrouter',
    fixture: 'input_modalities with pictures',
  },
  { fact: 'pictures', path: ['capabilities', 'vision'], read: flag, source: 'mistral', fixture: 'capabilities' },
  { fact: 'pictures', path: ['supportsVision'], read: flag, source: 'litellm', fixture: 'supports_vision' },
  {
    fact: 'first',
    path: ['supportedFrameImages'],
    read: named('first_frame'),
    source: 'openrouter',
    fixture: 'frame images',
  },
  {
    fact: 'last',
    path: ['supportedFrameImages'],
    read: named('last_frame'),
    source: 'openrouter',
    fixture: 'frame images',
  },
  {
    fact: 'references',
    path: ['architecture', 'inputModalities'],
    read: noPictures,
    source: 'openrouter',
    fixture: 'input_modalities',
  },
  { fact: 'sound', path: ['generateAudio'], read: flag, source: 'openrouter', fixture: 'generate_audio' },
  { fact: 'seconds', path: ['supportedDurations'], read: figures, source: 'openrouter', fixture: 'durations' },
  { fact: 'sizes', path: ['supportedResolutions'], read: texts, source: 'openrouter', fixture: 'resolutions' },
  { fact: 'sizes', path: ['supportedSizes'], read: texts, source: 'openrouter', fixture: 'sizes' },
];

/** What an entry states, within bounds; a value that is out of them states nothing. Linear in the entry. */
export function statedFacts(entry: JsonObject): { facts: ModelFacts; by: Partial<Record<FactName, string>> } {
  const facts: Record<string, unknown> = {};
  const by: Partial<Record<FactName, string>> = {};
  for (const { fact, path, read } of FACT_RULES) {
    if (Object.hasOwn(facts, fact)) continue;
    const found = at(entry, path);
    if (!found) continue;
    const value = validFact(fact, read(found.value));
    if (value === undefined) continue;
    facts[fact] = value;
    by[fact] = found.name;
  }
  return { facts: facts as ModelFacts, by };
}

const MAX_NAME = 60;

/** The value at a path, which may be null, and its names as they are spelled there. */
function at(entry: JsonObject, path: readonly string[]): { value: Json; name: string } | undefined {
  const [first = '', second] = path;
  const outer = fieldNamed(entry, first);
  if (!outer || second === undefined) return outer;
  const inner = Array.isArray(outer.value) ? propertyOf(outer.value, second) : fieldNamed(outer.value, second);
  return inner && { value: inner.value, name: `${outer.name}.${inner.name}`.slice(0, MAX_NAME) };
}

function fieldNamed(node: Json, name: string): { value: Json; name: string } | undefined {
  if (!isObject(node)) return undefined;
  const value = field(node, name);
  const wanted = fold(name);
  const key = Object.hasOwn(node, name) ? name : Object.keys(node).find((candidate) => fold(candidate) === wanted);
  return key === undefined ? undefined : { value: value ?? node[key] ?? null, name: key.slice(0, MAX_NAME) };
}

/** Of a list of `{ property_id, value }`. */
function propertyOf(list: readonly Json[], id: string): { value: Json; name: string } | undefined {
  const one = list.slice(0, 100).find((property) => textOf(field(property, 'propertyId')) === id);
  const value = field(one, 'value');
  return value === undefined ? undefined : { value, name: id };
}

/** `2026-12-01`, or the same with a time; null says that no end is planned. A day begins at midnight, UTC. */
function dayOf(value: Json): number | null | undefined {
  if (value === null) return null;
  if (typeof value !== 'string' || value.length > 40 || !/^\d{4}-\d{2}-\d{2}$/.test(value.slice(0, 10)))
    return undefined;
  const time = Date.parse(value);
  // A day that the calendar does not have is rolled over by the parser of some forms.
  return Number.isNaN(time) || !isRealDay(value) ? undefined : time;
}

function isRealDay(text: string): boolean {
  const [year = 0, month = 0, day = 0] = text.slice(0, 10).split('-').map(Number);
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/** Of a date whose day or month is not stated, both stand there as 0. */
function dateObject(value: Json): number | undefined {
  const [year, month, day] = ['year', 'month', 'day'].map((name) => count(field(value, name) ?? null));
  if (year === undefined || month === undefined || day === undefined) return undefined;
  const text = [year, month, day].map((part, at) => String(part).padStart(at === 0 ? 4 : 2, '0')).join('-');
  const time = dayOf(text);
  return time ?? undefined;
}

/** A whole number, also as a text of digits. */
function count(value: Json): number | undefined {
  const text = textOf(value);
  return text !== undefined && /^\d{1,10}$/.test(text) ? Number(text) : undefined;
}

function flag(value: Json): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}

/** A list of words has all that there is: what is not in it is not taken. An empty one says nothing. */
function named(word: string): (value: Json) => boolean | undefined {
  return (value) => {
    const words = listOf(value)
      .slice(0, 200)
      .flatMap((one) => textOf(one) ?? []);
    return words.length === 0 ? undefined : words.includes(word);
  };
}

/** A model that takes no picture takes no references; how many another takes is not said. */
function noPictures(value: Json): number | undefined {
  return named('image')(value) === false ? 0 : undefined;
}

function figures(value: Json): number[] | undefined {
  const all = listOf(value);
  return all.length > 0 && all.every((one) => typeof one === 'number') ? (all as number[]) : undefined;
}

function texts(value: Json): string[] | undefined {
  const all = listOf(value);
  return all.length > 0 && all.every((one) => typeof one === 'string') ? (all as string[]) : undefined;
}
