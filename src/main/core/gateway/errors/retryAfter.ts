import { field, isObject, type Json, listOf, textOf } from '../json/index.ts';

/** The longest waiting time that is respected, in milliseconds; a service that asks for more is asked again then. */
export const MAX_RETRY_AFTER_MS = 5 * 60_000;

type Headers = Readonly<Record<string, string>>;

/**
 * How long the service asks to wait, in milliseconds, from `Retry-After` and similar headers; capped at five minutes. Good answers carry
 * headers about the reset of a limit too, so these count only if the limit was the reason (`limited`). `message`: the sentence of the error,
 * wherever in the answer it was found.
 */
export function retryAfterMs(
  headers: Headers,
  body: Json | undefined,
  now: number,
  limited = false,
  message = '',
): number | undefined {
  // A time is relative to the service's own clock, which may differ from ours.
  const served = Date.parse(headers.date ?? '');
  const clock = Number.isNaN(served) ? now : served;
  const delay =
    delayInHeaders(headers, clock) ??
    delayInBody(body, clock) ??
    delayInSentence(message) ??
    (limited ? resetDelay(headers, clock) : undefined);
  return delay === undefined ? undefined : Math.min(MAX_RETRY_AFTER_MS, Math.max(0, Math.round(delay)));
}

/** Whether a header says when to retry. A sentence that says so proves nothing. */
export const hasRetryAfterHeader = (headers: Headers, now: number): boolean =>
  delayInHeaders(headers, now) !== undefined;

function delayInHeaders(headers: Headers, clock: number): number | undefined {
  const exact = (headers['retry-after-ms'] ?? headers['x-ms-retry-after-ms'] ?? '').split(',').map(Number.parseFloat);
  const known = exact.filter(Number.isFinite);
  if (known.length > 0) return Math.max(...known);
  return ['retry-after', 'x-retry-after', 'x-ratelimit-reset-after']
    .map((name) => longestDelayIn(headers[name], clock))
    .find((wait) => wait !== undefined);
}

/** A repeated header is a list; the longest delay in it satisfies all of them. */
function longestDelayIn(value: string | undefined, clock: number): number | undefined {
  const waits = partsOf((value ?? '').slice(0, MAX_HEADER_LENGTH)).flatMap((part) => parseDelay(part, clock) ?? []);
  return waits.length > 0 ? Math.max(...waits) : undefined;
}

const MAX_HEADER_LENGTH = 1_000;
const DAY = /^(mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6}$/i;

/** The parts between commas; the comma behind the name of a day is part of a date. */
function partsOf(list: string): string[] {
  const parts: string[] = [];
  for (const piece of list.split(',')) {
    const last = parts.at(-1);
    if (last !== undefined && DAY.test(last.trim())) parts[parts.length - 1] = `${last},${piece}`;
    else parts.push(piece);
  }
  return parts;
}

/** Seconds from now, a duration such as `1m30.5s`, a date, or seconds or milliseconds since 1970. */
function parseDelay(value: string | undefined, clock: number): number | undefined {
  const text = value?.trim() ?? '';
  if (text === '') return undefined;
  if (/^\d+(\.\d+)?$/.test(text)) return delayOfNumber(Number.parseFloat(text), clock);
  const at = /[a-z]{3}|\d-\d/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? parseDuration(text) : at - clock;
}

/** No delay is this many seconds: a larger number is a time since 1970. */
const SINCE_1970 = 1e9;

function delayOfNumber(number: number, clock: number): number {
  if (number <= SINCE_1970) return number * 1000;
  return (number > SINCE_1970 * 1000 ? number : number * 1000) - clock;
}

const UNITS: readonly (readonly [RegExp, number])[] = [
  [/^(ms|milli|毫秒)/i, 1],
  [/^(s|秒)/i, 1000],
  [/^(m|分)/i, 60_000],
  [/^(h|小时)/i, 3_600_000],
];
const DURATION =
  /(\d+(?:\.\d+)?)\s*(ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|毫秒|秒|分钟?|小时)(?![a-z])/gi;

const MAX_DURATION_LENGTH = 1_000;

/** The sum of its parts: `6m0s`, `250ms`, `1h 2m`. */
function parseDuration(text: string): number | undefined {
  let sum: number | undefined;
  for (const [, count, unit = ''] of text.slice(0, MAX_DURATION_LENGTH).matchAll(DURATION)) {
    const factor = UNITS.find(([pattern]) => pattern.test(unit))?.[1] ?? 0;
    sum = (sum ?? 0) + Number(count) * factor;
  }
  return sum;
}

/** `RetryInfo` and similar objects, wherever an error keeps its details; last, what the message says. */
function delayInBody(body: Json | undefined, clock: number): number | undefined {
  if (Array.isArray(body)) return delayInBody(body[0], clock);
  if (!isObject(body)) return undefined;
  const found = field(body, 'error', 'errors', 'detail', 'data');
  const error = Array.isArray(found) ? found[0] : found;
  const [metadata, extensions] = [field(error, 'metadata'), field(error, 'extensions')];
  const details = [...listOf(field(error, 'details')), ...listOf(field(body, 'details'))];
  const places = [error, body, metadata, extensions, ...details];
  for (const place of places) {
    const found = delayInObject(place, clock);
    if (found !== undefined) return found;
  }
  const headers = field(metadata, 'headers');
  const listed = isObject(headers)
    ? (delayInHeaders(lowered(headers), clock) ?? resetDelay(lowered(headers), clock))
    : undefined;
  const message = [field(error, 'message'), field(body, 'message', 'msg'), error].map(textOf).find(Boolean) ?? '';
  return listed ?? delayInSentence(message) ?? delayOfError(message);
}

/** The delay of an error that a gateway passes on as text: as JSON (new-api), or as the bytes that Python prints (LiteLLM). */
function delayOfError(message: string): number | undefined {
  const delay = /retry_?delay[\\"'\s:]{2,12}(\d{1,9}(?:\.\d{1,9})?m?s)\b/i.exec(
    message.slice(0, MAX_ERROR_LENGTH),
  )?.[1];
  return delay === undefined ? undefined : parseDuration(delay);
}

/** The details are the last part of such an error. */
const MAX_ERROR_LENGTH = 20_000;

/** `resets_in_seconds` is of Codex, `estimated_time` of a model that Hugging Face is loading. */
const DELAY_FIELDS = ['retryDelay', 'retryAfter', 'retryAfterSeconds', 'retryIn', 'resetsInSeconds', 'estimatedTime'];

function delayInObject(place: Json | undefined, clock: number): number | undefined {
  const millis = Number(textOf(field(place, 'retryAfterMs', 'retryDelayMs')) ?? Number.NaN);
  if (Number.isFinite(millis)) return millis;
  const delay = field(place, ...DELAY_FIELDS);
  if (Array.isArray(delay)) return longestDelayIn(delay.flatMap((one) => textOf(one) ?? []).join(','), clock);
  if (!isObject(delay)) return longestDelayIn(textOf(delay), clock);
  const ms = Number(textOf(field(delay, 'seconds')) ?? 0) * 1000 + Number(textOf(field(delay, 'nanos')) ?? 0) / 1e6;
  return Number.isFinite(ms) ? ms : undefined;
}

/** A sentence about a delay is at the beginning of a message. */
const MAX_SENTENCE_LENGTH = 5_000;

/** "Please try again in 1m20s", "retry after 13 seconds", "请在 20 秒后重试". */
function delayInSentence(text: string): number | undefined {
  const message = text.slice(0, MAX_SENTENCE_LENGTH);
  const match =
    /(?:again|retry|wait|available|reset\w*)\s+(?:in|after|for|about)?\s*((?:\d+(?:\.\d+)?\s*[a-z]+[\s,]*(?:and\s+)?){1,3})/i.exec(
      message,
    ) ?? /(\d+(?:\.\d+)?\s*(?:毫秒|秒|分钟?|小时))\s*(?:之?后|内)/.exec(message);
  return match?.[1] === undefined ? undefined : parseDuration(match[1]);
}

/**
 * When the exhausted limits reset; if no header says what remains, the latest reset of all. Where none is used up, one may be too small for this
 * request; its reset within a second is none to wait for.
 */
function resetDelay(headers: Headers, clock: number): number | undefined {
  const resets = Object.keys(headers).filter(
    (name) => /rate-?limit/.test(name) && /reset/.test(name) && !name.endsWith('reset-after'),
  );
  const left = (name: string) => headers[name.replace('reset', 'remaining')];
  const usedUp = resets.filter((name) => left(name) !== undefined && Number(left(name)) <= 0);
  const isKnown = resets.some((name) => left(name) !== undefined);
  const least = usedUp.length === 0 && isKnown ? 1_000 : 0;
  const waits = (usedUp.length > 0 ? usedUp : resets)
    .flatMap((name) => parseDelay(headers[name], clock) ?? [])
    .filter((wait) => wait >= least);
  waits.push(...policyResets(headers.ratelimit));
  return waits.length > 0 ? Math.max(...waits) : undefined;
}

/** `limit=100, remaining=0, reset=50`, and in later drafts of the IETF `"default";r=0;t=50`, for each of several policies. */
function policyResets(policies = ''): number[] {
  const resets = policies.slice(0, MAX_HEADER_LENGTH).matchAll(/\b(?:reset|t)=(\d{1,9})\b/gi);
  return [...resets].map(([, seconds]) => Number(seconds) * 1000);
}

function lowered(headers: { [name: string]: Json }): Headers {
  const joined = (value: Json): string =>
    (Array.isArray(value) ? value : [value]).flatMap((one) => textOf(one) ?? []).join(', ');
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), joined(value)]));
}
