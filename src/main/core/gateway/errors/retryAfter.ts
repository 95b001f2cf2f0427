import { field, firstOf, isObject, listOf, textOf } from '../json/fields.ts';
import type { Json } from '../json/parse.ts';

/** The longest delay that is respected, in milliseconds. A service that asks for more is asked again after this time. */
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
  return (
    longest(exact.filter(Number.isFinite)) ??
    firstOf(['retry-after', 'x-retry-after', 'x-ratelimit-reset-after'], (name) => longestDelayIn(headers[name], clock))
  );
}

const longest = (waits: readonly number[]): number | undefined => (waits.length > 0 ? Math.max(...waits) : undefined);

const MAX_HEADER_LENGTH = 1_000;
const MAX_DURATION_LENGTH = 1_000;

/** The longest delay in a repeated header, because it satisfies all the others. A comma before a day is part of a date. */
const longestDelayIn = (value: string | undefined, clock: number): number | undefined =>
  longest(
    (value ?? '')
      .slice(0, MAX_HEADER_LENGTH)
      .split(/,(?! \d\d? [a-z]{3})/i)
      .flatMap((part) => parseDelay(part, clock) ?? []),
  );

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
  const found = field(body, 'error', 'errors', 'detail', 'data');
  const error = Array.isArray(found) ? found[0] : found;
  const metadata = field(error, 'metadata');
  const details = [...listOf(field(error, 'details')), ...listOf(field(body, 'details'))];
  const places = [error, body, metadata, field(error, 'extensions'), ...details];
  const delay = firstOf(places, (place) => delayInObject(place, clock));
  if (delay !== undefined) return delay;
  const headers = headersIn(metadata);
  const message = [field(error, 'message'), field(body, 'message', 'msg'), error].map(textOf).find(Boolean) ?? '';
  return delayInHeaders(headers, clock) ?? resetDelay(headers, clock) ?? delayInSentence(message);
}

/** `resets_in_seconds` comes from Codex, `estimated_time` from Hugging Face while a model is loading. */
const DELAY_FIELDS = ['retryDelay', 'retryAfter', 'retryAfterSeconds', 'retryIn', 'resetsInSeconds', 'estimatedTime'];

function delayInObject(place: Json | undefined, clock: number): number | undefined {
  const millis = Number(textOf(field(place, 'retryAfterMs', 'retryDelayMs')) ?? Number.NaN);
  if (Number.isFinite(millis)) return millis;
  const delay = field(place, ...DELAY_FIELDS);
  if (!isObject(delay)) return longestDelayIn(joined(delay), clock);
  const ms = Number(textOf(field(delay, 'seconds')) ?? 0) * 1000 + Number(textOf(field(delay, 'nanos')) ?? 0) / 1e6;
  return Number.isFinite(ms) ? ms : undefined;
}

/** A sentence about a delay is at the beginning of a message; an error that a gateway passes on as text has its details last. */
const MAX_SENTENCE_LENGTH = 5_000;
const MAX_ERROR_LENGTH = 20_000;

/**
 * "Please try again in 1m20s", "retry after 13 seconds", "请在 20 秒后重试"; or the delay of an error that a gateway passes on as text: as
 * JSON (new-api), or as the bytes that Python prints (LiteLLM).
 */
function delayInSentence(text: string): number | undefined {
  const message = text.slice(0, MAX_SENTENCE_LENGTH);
  const found = [
    /(?:again|retry|wait|available|reset\w*)\s+(?:in|after|for|about)?\s*((?:\d+(?:\.\d+)?\s*[a-z]+[\s,]*(?:and\s+)?){1,3})/i.exec(
      message,
    ),
    /(\d+(?:\.\d+)?\s*(?:毫秒|秒|分钟?|小时))\s*(?:之?后|内)/.exec(message),
    /retry_?delay[\\"'\s:]{2,12}(\d{1,9}(?:\.\d{1,9})?m?s)\b/i.exec(text.slice(0, MAX_ERROR_LENGTH)),
  ];
  return firstOf(found, (match) => parseDuration(match?.[1] ?? ''));
}

/** The time until a limit resets, of all limits that are exhausted or do not state what remains. */
function resetDelay(headers: Headers, clock: number): number | undefined {
  const resets = Object.keys(headers).filter(
    (name) => /rate-?limit/.test(name) && /reset/.test(name) && !name.endsWith('reset-after'),
  );
  const isUsedUp = (name: string): boolean => Number(headers[name.replace('reset', 'remaining')] ?? 0) <= 0;
  const waits = resets.filter(isUsedUp).flatMap((name) => parseDelay(headers[name], clock) ?? []);
  return longest(waits.filter((wait) => wait > 0));
}

/** The headers of the service behind a gateway, as OpenRouter passes them on. */
function headersIn(metadata: Json | undefined): Headers {
  const headers = field(metadata, 'headers');
  return Object.fromEntries(
    Object.entries(isObject(headers) ? headers : {}).map(([name, value]) => [name.toLowerCase(), joined(value)]),
  );
}

const joined = (value: Json | undefined): string =>
  (Array.isArray(value) ? value : [value]).flatMap((one) => textOf(one) ?? []).join(', ');
