import { type FactName, type ModelFacts, type StatedModel, validFact } from '../../../../shared/gateway/modelFacts.ts';
import { t } from '../../../../shared/text/texts.ts';
import { transportError } from '../errors/gatewayError.ts';
import { listedEntries } from '../families/spokenFormat.ts';
import { field, fold, isObject, listOf, textOf } from '../json/fields.ts';
import type { Json, JsonObject } from '../json/parse.ts';
import type { Service } from '../service.ts';
import type { ModelsOutcome } from '../types.ts';
import { answersAt, deniedError, endpointsOf, type FreeAnswer } from './freeAnswers.ts';

/** One field of a model's entry that states a fact. */
export interface FactRule {
  fact: FactName;
  /** Names in camelCase, from the entry inwards; any spelling is found. */
  path: readonly [string, ...string[]];
  /** The fact that its value states; undefined where the value states nothing that can be used. */
  read(value: Json): unknown;
  /** The case of `test/fixtures/answers/model-lists.jsonl` that needs it. */
  fixture: string;
}

const rule = (fact: FactName, path: string, read: FactRule['read'], fixture: string): FactRule => ({
  fact,
  path: path.split('.') as [string, ...string[]],
  read,
  fixture,
});

/** As OpenAI, OpenRouter, LiteLLM, Google and vLLM document them. For each fact the first rule that states it counts. */
export const FACT_RULES: FactRule[] = [
  rule('endsAt', 'shutdownDate', dayOf, 'shutdown_date'),
  rule('endsAt', 'expirationDate', dayOf, 'expiration_date'),
  rule('endsAt', 'deprecationDate', dayOf, 'deprecation_date'),
  rule('contextTokens', 'contextLength', count, 'context_length'),
  rule('contextTokens', 'contextWindow', count, 'context_window'),
  rule('contextTokens', 'maxModelLen', count, 'max_model_len'),
  rule('contextTokens', 'maxInputTokens', count, 'max_input_tokens'),
  rule('contextTokens', 'inputTokenLimit', count, 'inputTokenLimit'),
  rule('outputTokens', 'topProvider.maxCompletionTokens', count, 'top_provider'),
  rule('outputTokens', 'maxCompletionTokens', count, 'max_completion_tokens'),
  rule('outputTokens', 'maxOutputTokens', count, 'max_output_tokens'),
  rule('outputTokens', 'outputTokenLimit', count, 'outputTokenLimit'),
  rule('tools', 'supportedParameters', named('tools'), 'parameters'),
  rule('tools', 'supportsFunctionCalling', flag, 'supports_function_calling'),
  rule('pictures', 'architecture.inputModalities', named('image'), 'input_modalities with pictures'),
  rule('pictures', 'supportsVision', flag, 'supports_vision'),
  rule('first', 'supportedFrameImages', named('first_frame'), 'frame images'),
  rule('last', 'supportedFrameImages', named('last_frame'), 'frame images'),
  rule('references', 'architecture.inputModalities', noPictures, 'input_modalities'),
  rule('sound', 'generateAudio', flag, 'generate_audio'),
  rule('seconds', 'supportedDurations', figures, 'durations'),
  rule('sizes', 'supportedResolutions', texts, 'resolutions'),
  rule('sizes', 'supportedSizes', texts, 'sizes'),
];

/** The facts in an entry, within bounds; a value out of bounds states nothing. Linear in the entry. */
function statedFacts(entry: JsonObject): { facts: ModelFacts; by: Partial<Record<FactName, string>> } {
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
  const inner = fieldNamed(outer.value, second);
  return inner && { value: inner.value, name: `${outer.name}.${inner.name}`.slice(0, MAX_NAME) };
}

function fieldNamed(node: Json, name: string): { value: Json; name: string } | undefined {
  if (!isObject(node)) return undefined;
  const value = field(node, name);
  const wanted = fold(name);
  const key = Object.hasOwn(node, name) ? name : Object.keys(node).find((candidate) => fold(candidate) === wanted);
  return key === undefined ? undefined : { value: value ?? node[key] ?? null, name: key.slice(0, MAX_NAME) };
}

/** `2026-12-01`, or the same with a time; null says that no end is planned. A day begins at midnight, UTC. */
function dayOf(value: Json): number | null | undefined {
  if (value === null) return null;
  if (typeof value !== 'string' || value.length > 40) return undefined;
  const day = value.slice(0, 10);
  const time = Date.parse(value);
  // The parser may turn a date such as 30 February into a day of March.
  const isReal = /^\d{4}-\d{2}-\d{2}$/.test(day) && new Date(`${day}T00:00:00Z`).getUTCDate() === Number(day.slice(8));
  return isReal && !Number.isNaN(time) ? time : undefined;
}

/** A whole number, also as a text of digits. */
function count(value: Json): number | undefined {
  const text = textOf(value);
  return text !== undefined && /^\d{1,10}$/.test(text) ? Number(text) : undefined;
}

function flag(value: Json): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}

/** A non-empty list is complete, so a word that is missing from it is not supported. An empty list states nothing. */
function named(word: string): (value: Json) => boolean | undefined {
  return (value) => {
    const words = listOf(value)
      .slice(0, 200)
      .flatMap((one) => textOf(one) ?? []);
    return words.length === 0 ? undefined : words.includes(word);
  };
}

/** A model without picture input takes 0 reference images. The list does not say how many any other model takes. */
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

/** Paths of model lists at services of this kind. Later ones have further facts about the same models. */
const PATHS = ['/v1/models', '/v1/videos/models', '/v1/model/info'] as const;
const MAX_MODELS = 10_000;

/** Reads the facts that the service publishes about its models. Only lists are requested, and nothing is billed. */
export async function readModels(service: Service): Promise<ModelsOutcome> {
  const models = new Map<string, StatedModel>();
  let from: string | undefined;
  let isRefused = false;
  for (const path of PATHS) {
    const list = await listAt(service, path);
    // If the first endpoint does not answer, the others would only wait for the same timeout.
    if (list.failure && path === PATHS[0]) return { type: 'unreachable', error: transportError(service, list.failure) };
    isRefused ||= list.isDenied === true;
    from ??= list.from;
    addTo(models, list.models ?? new Map());
  }
  if (from !== undefined)
    return { type: 'listed', from, models: [...models].map(([id, stated]) => ({ id, ...stated })) };
  if (!isRefused) return { type: 'none' };
  return {
    type: 'unreachable',
    error: deniedError(service, t`The gateway does not list its models for this key.`),
  };
}

/** The list at a path, or why there is none: below the base URL, or at the root of the host. */
async function listAt(
  service: Service,
  path: (typeof PATHS)[number],
): Promise<Pick<FreeAnswer, 'failure' | 'isDenied'> & { models?: Map<string, StatedModel>; from?: string }> {
  let isDenied = false;
  for await (const { url, body, failure, ...answer } of answersAt(service, endpointsOf(service, [path]))) {
    const models = modelsIn(body);
    isDenied ||= answer.isDenied === true;
    if (models) return { models, from: `${url.host}${url.pathname}`, isDenied };
    if (failure) return { failure, isDenied };
  }
  return { isDenied };
}

/** The facts that a list states about each model; undefined if the answer is no list of models. */
export function modelsIn(body: Json | undefined): Map<string, StatedModel> | undefined {
  const list = listedEntries(body);
  if (!list) return undefined;
  const models = new Map<string, StatedModel>();
  for (const { id, entry } of list.slice(0, MAX_MODELS)) {
    if (id.length > 200 || models.has(id)) continue;
    const inner = isObject(entry) ? entry.model_info : undefined;
    const states = [entry, inner].filter(isObject).map(statedFacts);
    const facts = Object.assign({}, ...states.map((each) => each.facts));
    models.set(id, { facts, by: Object.assign({}, ...states.map((each) => each.by)) });
  }
  return models;
}

/** Adds the facts of a further list; known facts are never replaced. */
function addTo(models: Map<string, StatedModel>, found: ReadonlyMap<string, StatedModel>): void {
  for (const [id, more] of found) {
    const known = models.get(id);
    models.set(id, known ? { facts: { ...more.facts, ...known.facts }, by: { ...more.by, ...known.by } } : more);
  }
}
