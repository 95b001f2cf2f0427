import { isErrorValue, type ServiceError, serviceErrorOf } from '../errors/serviceError.ts';
import { field, firstOf, isObject, listOf, textOf } from '../json/fields.ts';
import type { Json, JsonObject } from '../json/parse.ts';
import { pictureOfPart, picturesBeside } from './pictures.ts';

/** A field in which a service counts the prompt tokens that came from its cache, or that it wrote to the cache. */
interface CacheCount {
  of: 'cached' | 'cacheWrite';
  /** Below the usage. */
  path: readonly string[];
  /** In `chat-cached.jsonl`. */
  fixture: string;
}

const row = (of: CacheCount['of'], path: string, fixture: string): CacheCount => ({
  of,
  path: path.split('.'),
  fixture,
});

export const CACHE_COUNTS: readonly CacheCount[] = [
  row('cached', 'promptTokensDetails.cachedTokens', 'openai, cached'),
  row('cached', 'inputTokensDetails.cachedTokens', 'responses, cached'),
  row('cached', 'cacheReadInputTokens', 'anthropic, cached'),
  row('cached', 'promptCacheHitTokens', 'deepseek, cached'),
  row('cached', 'cachedContentTokenCount', 'gemini, cached'),
  row('cached', 'cachedTokens', 'kimi, cached'),
  row('cacheWrite', 'cacheCreationInputTokens', 'anthropic, written'),
  row('cacheWrite', 'cacheWriteInputTokens', 'bedrock, written'),
  row('cacheWrite', 'promptTokensDetails.cacheWriteTokens', 'openrouter, written'),
  row('cacheWrite', 'inputTokensDetails.cacheWriteTokens', 'responses, written'),
  row('cacheWrite', 'promptTokensDetails.cacheCreationTokens', 'litellm, written'),
  row('cacheWrite', 'promptTokensDetails.cacheCreationInputTokens', 'qwen, written'),
  row('cacheWrite', 'promptTokensDetails.cachedCreationTokens', 'new-api, written'),
];

/** The cache counts of a usage. If several fields state the same count, the highest is used: a zero is the default of an unfilled field. */
function cacheCountsOf(usage: Json): Partial<Record<CacheCount['of'], number>> {
  const counts: Partial<Record<CacheCount['of'], number>> = {};
  for (const { of, path } of CACHE_COUNTS) {
    const count = countOf(path.reduce<Json | undefined>((node, name) => field(node, name), usage));
    if (count !== undefined) counts[of] = Math.max(count, counts[of] ?? 0);
  }
  return counts;
}

export function countOf(value: Json | undefined): number | undefined {
  const count = Number(textOf(value) ?? Number.NaN);
  return Number.isSafeInteger(count) && count >= 0 ? count : undefined;
}

/** One chunk of a chat answer, in the same form whatever service sent it. */
export interface ChatChunk {
  text: string;
  reasoning: string;
  /** The reasoning came in the field `reasoning_content`. */
  isReasoningContent?: boolean;
  /** Tool calls or parts of them, in the form of `tool_calls`. */
  calls: Json[];
  /** Addresses of pictures. */
  pictures: string[];
  /** The chunk holds the message so far, which may repeat earlier chunks; otherwise only new text. */
  cumulative: boolean;
  id?: string;
  finish?: string;
  counts?: TokenCounts;
  serviceError?: ServiceError;
}

/** The token counts that the chunk has. */
export interface TokenCounts {
  prompt?: number;
  completion?: number;
  total?: number;
  /** Of the prompt: read from a cache, and written to one. */
  cached?: number;
  cacheWrite?: number;
}

/** Finds the choices of an answer: at the top or in a wrapper, which may be wrapped itself. */
export function choicesIn(body: Json | undefined, wraps = 3): { holder: JsonObject; choices: Json[] } | undefined {
  if (!isObject(body)) return undefined;
  if (Array.isArray(body.choices)) return { holder: body, choices: body.choices };
  if (wraps === 0) return undefined;
  return firstOf(['data', 'result', 'response', 'output'], (name) => choicesIn(field(body, name), wraps - 1));
}

/** A chunk in the usual form. */
export function parseChoice(holder: JsonObject, choice: Json | undefined): ChatChunk {
  const delta = field(choice, 'delta');
  const message = field(choice, 'message');
  const fromDelta = messageContent(delta);
  const delivers = hasContent(fromDelta);
  const chunk = delivers || message === undefined ? fromDelta : messageContent(message);
  const old = chunk.text === '' ? field(choice, 'text') : undefined;
  // Groq gives the reason for an early end beside the choices (groq-python: XGroq).
  const error = field(choice, 'error') ?? field(field(holder, 'xGroq'), 'error');
  const finish = finishOf(field(choice, 'finishReason') ?? field(delta, 'finishReason'));
  return {
    ...chunk,
    text: typeof old === 'string' ? old : chunk.text,
    cumulative: !delivers && message !== undefined,
    id: textOf(field(holder, 'id')),
    finish,
    counts: countsIn(holder, choice),
    serviceError: finish === 'error' ? serviceErrorOf(error ?? choice) : choiceError(error),
  };
}

function choiceError(error: Json | undefined): ServiceError | undefined {
  return error !== undefined && isErrorValue(error, false) ? serviceErrorOf({ error }) : undefined;
}

/** The choice to follow: the one with the index that was followed before, otherwise the lowest in this chunk. */
export function choiceToFollow(
  choices: readonly Json[],
  index: number | undefined,
): { choice: Json; index: number } | undefined {
  let found: { choice: Json; index: number } | undefined;
  for (const choice of choices) {
    if (!isObject(choice)) continue;
    const own = Number(field(choice, 'index') ?? 0);
    if (index === undefined ? found === undefined || own < found.index : own === index) found = { choice, index: own };
  }
  return found;
}

type MessageContent = Parts & Pick<ChatChunk, 'isReasoningContent'>;

export const hasContent = ({ text, reasoning, calls, pictures }: Parts): boolean =>
  text !== '' || reasoning !== '' || calls.length > 0 || pictures.length > 0;

/** The content of a message or a delta. */
export function messageContent(message: Json | undefined): MessageContent {
  if (!isObject(message)) return partsOf(typeof message === 'string' ? message : undefined);
  const parts = partsOf(field(message, 'content'));
  const text = parts.text === '' ? partsOf(field(message, 'refusal')).text : parts.text;
  const oldCall = field(message, 'functionCall');
  const given = field(message, 'toolCalls');
  // A single call without its list: text-generation-inference (#3086), some builds of LiteLLM.
  const calls = [...parts.calls, ...(isObject(given) && Object.keys(given).length > 0 ? [given] : listOf(given))];
  return {
    text,
    reasoning: reasoningOf(message) || parts.reasoning,
    isReasoningContent: typeof message.reasoning_content === 'string' && message.reasoning_content !== '',
    calls: oldCall === undefined ? calls : [...calls, { index: 0, function: oldCall }],
    pictures: [...parts.pictures, ...picturesBeside(message)],
  };
}

/** Some services write the word "null" for nothing. */
export function finishOf(value: Json | undefined): string | undefined {
  const reason = textOf(value);
  return reason === undefined || /^(null|none|undefined)$/i.test(reason) ? undefined : reason;
}

function countsIn(holder: JsonObject, choice: Json | undefined): TokenCounts | undefined {
  return (
    countsOf(field(holder, 'usage')) ??
    countsOf(field(choice, 'usage')) ??
    countsOf(field(field(holder, 'xGroq'), 'usage'))
  );
}

export function countsOf(usage: Json | undefined): TokenCounts | undefined {
  if (!isObject(usage)) return undefined;
  const inner = field(usage, 'tokens', 'text');
  if (isObject(inner)) {
    const counts = countsOf(inner);
    return counts && { ...counts, ...cacheCountsOf(usage) };
  }
  const answered = countOf(field(usage, 'completionTokens', 'outputTokens'));
  const completion = answered ?? countOf(field(usage, 'candidatesTokenCount'));
  const total = countOf(field(usage, 'totalTokens', 'totalTokenCount'));
  const { prompt, ...cache } = promptCountsOf(usage, { completion, total });
  if (prompt === undefined && completion === undefined) return undefined;
  // xAI, and Gemini in this form, count thinking only in the total, with and without details; it is billed as output. A cached prompt may
  // also be counted only in the total, but it is not output.
  const isSure = total !== undefined && prompt !== undefined && prompt > 0 && separateCount(usage) === 0;
  return {
    prompt,
    completion: isSure && answered !== undefined ? Math.max(answered, total - prompt) : completion,
    total,
    ...cache,
  };
}

/**
 * The size of the whole prompt, and how much of it came from a cache. A separate cache count adds to `input_tokens`. It adds to
 * `prompt_tokens` if the total has room for it, and is otherwise a part of them; without a total nothing shows which, and the prompt is
 * billed in full. A cache count that exceeds the prompt always adds to it (new-api passes on the `input_tokens` of Anthropic as
 * `prompt_tokens`).
 */
function promptCountsOf(
  usage: JsonObject,
  { completion, total }: Pick<TokenCounts, 'completion' | 'total'>,
): Pick<TokenCounts, 'prompt' | 'cached' | 'cacheWrite'> {
  const { cached, cacheWrite } = cacheCountsOf(usage);
  const separate = separateCount(usage);
  const prompt = countOf(field(usage, 'promptTokens', 'promptTokenCount'));
  if (prompt === undefined) {
    const input = countOf(field(usage, 'inputTokens'));
    return { prompt: input === undefined ? undefined : input + separate, cached, cacheWrite };
  }
  const ofCache = (cached ?? 0) + (cacheWrite ?? 0);
  if (prompt > 0 && ofCache > prompt) return { prompt: prompt + ofCache, cached, cacheWrite };
  if (separate > 0 && total === undefined) return { prompt, cacheWrite };
  const isBeside = total !== undefined && completion !== undefined && total - prompt - completion >= separate;
  return { prompt: isBeside ? prompt + separate : prompt, cached, cacheWrite };
}

const SEPARATE_COUNTS = ['cacheReadInputTokens', 'cacheCreationInputTokens', 'cacheWriteInputTokens'];
const separateCount = (usage: JsonObject): number =>
  SEPARATE_COUNTS.reduce((sum, name) => sum + (countOf(field(usage, name)) ?? 0), 0);

/** The content of a message: a text, one part, or a list of parts, in the spelling of any service. */
export type Parts = Pick<ChatChunk, 'text' | 'reasoning' | 'calls' | 'pictures'>;

const MAX_DEPTH = 8;
const TEXT_FIELDS = ['text', 'thinking', 'reasoning', 'content', 'summary', 'parts', 'refusal', 'value'];

export function partsOf(content: Json | undefined, depth = 0): Parts {
  const found: Parts = { text: typeof content === 'string' ? content : '', reasoning: '', calls: [], pictures: [] };
  if (depth > MAX_DEPTH) return found;
  for (const part of listOfParts(content)) addPart(found, part, depth);
  return found;
}

function listOfParts(content: Json | undefined): readonly Json[] {
  if (Array.isArray(content)) return content;
  return isObject(content) ? [content] : [];
}

function addPart(found: Parts, part: Json, depth: number): void {
  const call = callIn(part);
  if (call) {
    found.calls.push(call);
    return;
  }
  const type = textOf(field(part, 'type')) ?? '';
  const chunk = partsOf(typeof part === 'string' ? part : field(part, ...TEXT_FIELDS), depth + 1);
  if (field(part, 'thought') === true || /think|reason|summary/i.test(type)) {
    found.reasoning += chunk.reasoning + chunk.text;
  } else if (!/^tool|^function|_call_output/i.test(type)) {
    found.text += chunk.text;
    found.reasoning += chunk.reasoning;
    found.pictures.push(...pictureOfPart(part), ...chunk.pictures);
  }
  found.calls.push(...chunk.calls);
}

/** A tool call among the parts: `tool_use`, `function_call`, or an object named `functionCall`. */
function callIn(part: Json): Json | undefined {
  const type = textOf(field(part, 'type')) ?? '';
  const named = field(part, 'functionCall', 'toolCall');
  const call = isObject(named) ? named : /^(tool_?use|tool_?call|function_?call)$/i.test(type) ? part : undefined;
  if (call === undefined) return undefined;
  if (isObject(field(call, 'function'))) return call;
  const input = field(call, 'arguments', 'input', 'args', 'parameters') ?? '';
  return {
    id: field(call, 'callId', 'id') ?? null,
    function: { name: field(call, 'name') ?? '', arguments: input },
  };
}

const REASONING_FIELDS =
  'reasoningContent reasoning thinking reasoningText reasoningDetails thinkingBlocks thought'.split(' ');

/** The reasoning of a message. Several of these fields may hold the same text; the first that is not empty counts. */
function reasoningOf(message: Json | undefined): string {
  for (const name of REASONING_FIELDS) {
    const value = field(message, name);
    if (value === undefined) continue;
    const chunk = partsOf(value);
    if (chunk.text !== '' || chunk.reasoning !== '') return chunk.reasoning + chunk.text;
  }
  return '';
}
