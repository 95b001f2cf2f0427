import type { ErrorKind } from '../../../../shared/jobs/job.ts';
import { withoutEcho } from '../exchange/index.ts';
import { isObject, type Json } from '../json/index.ts';
import { type CodeRule, codeRulesIn } from './rules/codes.ts';
import { HTTP_STATUSES } from './rules/httpStatuses.ts';
import { kindBySentence, type Level, normalizeText, wordsInNames } from './rules/sentences.ts';
import { type ServiceError, serviceErrorOf } from './serviceError.ts';

/**
 * The kind of an error. Codes with one meaning decide first, then phrases with one meaning; then statuses; then the codes that services
 * use for everything (`invalid_request_error` also comes with an empty balance); then the rest. The kind decides what a person reads and
 * how long Dailies waits before a retry; `acceptance.ts` decides whether the request was accepted.
 */
export function errorKindOf(serviceError: ServiceError, status: number, hasRetryAfter = false): ErrorKind {
  const code = status >= 400 ? status : (serviceError.httpStatus ?? 0);
  const rules = codeRulesIn(serviceError, code);
  const texts = [serviceError.message, ...serviceError.codes];
  const sentences = texts.map(normalizeText);
  const specific = exactKind(rules) ?? spokenKind(texts, sentences, code, hasRetryAfter);
  const known = HTTP_STATUSES.get(code);
  const inner =
    serviceError.httpStatus === undefined || serviceError.httpStatus === status
      ? undefined
      : HTTP_STATUSES.get(serviceError.httpStatus);
  return (
    specific ??
    (known?.specific ? known.kind : undefined) ??
    (inner?.specific && code >= 500 ? inner.kind : undefined) ??
    rules.find((rule) => rule.kind !== 'server')?.kind ??
    firstKind(sentences, 'plain') ??
    rules[0]?.kind ??
    (known && known.kind !== 'timeout' && code < 500 ? known.kind : undefined) ??
    firstKind(sentences, 'timeout') ??
    firstKind(sentences, 'vague') ??
    kindOfStatus(code)
  );
}

const exactKind = (rules: readonly CodeRule[]): ErrorKind | undefined =>
  rules.find((rule) => rule.onlyStatus !== undefined || (SPECIFIC_KINDS.has(rule.kind) && !rule.weak))?.kind;

/** What a phrase with one meaning says. A limit and a quota are told in the same words, so there the status or the time decides. */
function spokenKind(
  texts: readonly string[],
  sentences: readonly string[],
  code: number,
  hasRetryAfter: boolean,
): ErrorKind | undefined {
  const spoken = firstKind(sentences, 'specific');
  // A quota that refills by itself is a rate limit: `RESOURCE_EXHAUSTED` with a delay.
  if (spoken === 'quota' && code === 429 && (hasRetryAfter || isPerTime(texts))) return 'rate_limit';
  // The limit of a plan (Apideck, "Request limit reached") stays until somebody pays.
  return spoken === 'rate_limit' && code === 402 ? undefined : spoken;
}

const SPECIFIC_KINDS: ReadonlySet<ErrorKind> = new Set(['auth', 'quota', 'rate_limit', 'moderation']);
/** Google's `…_requests_per_base_model` is the number of each minute (cloud.google.com/vertex-ai/docs/quotas). */
const PER_TIME = ['per second', 'per minute', 'per min', 'rpm', 'tpm', 'qps', 'requests per base model'];

/** Whether a quota is whole again in a moment. That of a day, by its code, is used up beside one of a minute, too. */
function isPerTime([message = '', ...codes]: readonly string[]): boolean {
  const named = codes.map(wordsInNames);
  const isOfDay = named.some((words) => words.includes(' per day '));
  return (
    !isOfDay && [wordsInNames(message), ...named].some((text) => PER_TIME.some((words) => text.includes(` ${words} `)))
  );
}

/** The kind of the first text that matches: the message comes before codes that no table knows. */
function firstKind(sentences: readonly string[], level: Level): ErrorKind | undefined {
  for (const sentence of sentences) {
    const found = kindBySentence(sentence, level);
    if (found) return found;
  }
  return undefined;
}

function kindOfStatus(status: number): ErrorKind {
  if (status >= 400 && status < 500) return HTTP_STATUSES.get(status)?.kind ?? 'invalid';
  return 'server';
}

/** Whether the error names the service itself as what failed; `server` is also the kind of an error that says nothing. */
export function blamesService({ message, codes }: ServiceError): boolean {
  return firstKind([message, ...codes].map(normalizeText), 'vague') === 'server';
}

const CLEAR = new Set(['auth', 'quota', 'rate_limit', 'invalid', 'moderation']);
const MESSAGE_ONLY_FIELDS =
  /^(message|msg|err(or)?_?(msg|message|code)?|detail|details|description|reason|code|type|title|status|request_?id|trace_?id|time(stamp)?|path|data|result|success)$/i;

/**
 * An answer with a good status that holds only a sentence, such as `{ "message": "Invalid token" }`. It is a failure if it is a known
 * code or clearly names what is wrong; any other sentence says nothing about the request.
 */
export function errorOnlyBody(body: Json | undefined, sent: readonly string[] = []): ServiceError | undefined {
  if (!isObject(body) || !Object.keys(body).every((name) => MESSAGE_ONLY_FIELDS.test(name))) return undefined;
  const serviceError = serviceErrorOf(body);
  const own = { ...serviceError, message: withoutEcho(serviceError.message, sent) };
  return serviceError.message !== '' && (codeRulesIn(own, 200).length > 0 || CLEAR.has(errorKindOf(own, 0)))
    ? serviceError
    : undefined;
}
