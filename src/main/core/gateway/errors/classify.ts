import type { ErrorKind } from '../../../../shared/jobs/job.ts';
import { withoutEcho } from '../exchange/echo.ts';
import { firstOf, isObject } from '../json/fields.ts';
import type { Json } from '../json/parse.ts';
import { type CodeRule, codeRulesIn, HTTP_STATUSES } from './rules/codes.ts';
import { kindBySentence, type Level, normalizeText, wordsInNames } from './rules/sentences.ts';
import { type ServiceError, serviceErrorOf } from './serviceError.ts';

/**
 * Whether an error answer to a paid request is a definite no. Automatic resend and a cost of 0 depend on this, so statuses and exact codes
 * decide it, never a sentence, which can make the outcome less certain but never more:
 *
 * | answer                                                                          | result  |
 * | ------------------------------------------------------------------------------- | ------- |
 * | a status, of the answer or in its error, after which the answer is lost         | `lost`  |
 * | a code that says that work may have begun (a timeout, a request known already)  | `open`  |
 * | a 4xx with a known meaning                                                      | `no`    |
 * | a code of the table that says that no work began, in any status                 | `no`    |
 * | but not missing capacity around a connection that broke                         |         |
 * | a 5xx that says that nothing behind it was reached; 503 with `Retry-After`,     | `no`    |
 * | unless its text names a timeout or a connection that broke                      |         |
 * | a 5xx with a known 4xx in a field for the status of the service behind it       | `no`    |
 * | a good status around the code of a known 4xx                                    | `no`    |
 * | anything else                                                                   | `open`  |
 *
 * `lost`: nobody knows, and a task may be looked up. `open`: the service answered that the request failed, but not whether it is billed. In
 * a `GatewayError`, `no` is `accepted: 'no'`, `lost` is `accepted: 'unknown'`, and `open` is that with `answered: true`.
 */
export type Acceptance = 'no' | 'open' | 'lost';

export interface AnswerFacts {
  kind: ErrorKind;
  /** The answer has a `Retry-After` header. */
  hasRetryAfterHeader: boolean;
}

export function acceptanceOf(
  status: number,
  serviceError: ServiceError,
  { kind, hasRetryAfterHeader }: AnswerFacts,
): Acceptance {
  const own = HTTP_STATUSES.get(status);
  const inner = serviceError.httpStatus === undefined ? undefined : HTTP_STATUSES.get(serviceError.httpStatus);
  if (own?.accepted === 'lost' || inner?.accepted === 'lost') return 'lost';
  const byCode = acceptanceByCode(status, serviceError);
  if (byCode === 'lost' || byCode === 'open') return byCode;
  if (byCode === 'no' || own?.accepted === 'no') return 'no';
  // Around a timeout further behind, the work may have begun.
  if (status === 503 && hasRetryAfterHeader && kind !== 'timeout' && !isBroken(serviceError)) return 'no';
  if (status >= 500) return wasRefusedBehind(serviceError) ? 'no' : openOrLost(kind);
  if (status >= 400) return 'open';
  // With a good status, the answer does not say what the failure cost. Its text may make the outcome less certain, never more.
  return inner ? acceptanceInBody(inner.accepted, serviceError) : openOrLost(kind);
}

/** In a body, some of these numbers are not HTTP statuses: a 501 there is a generation that failed. */
const acceptanceInBody = (accepted: Acceptance, { httpStatus = 0 }: ServiceError): Acceptance =>
  accepted === 'no' && httpStatus < 500 ? 'no' : 'open';

/** After a timeout a task may exist anyway, so it is looked up. */
const openOrLost = (kind: ErrorKind): Acceptance => (kind === 'timeout' ? 'lost' : 'open');

/** The acceptance that all codes of an error state together; undefined if no code is known. */
function acceptanceByCode(status: number, serviceError: ServiceError): Acceptance | undefined {
  const rules = codeRulesIn(serviceError, status >= 400 ? status : (serviceError.httpStatus ?? status));
  const isClientError = status >= 400 && status < 500;
  // A gateway that reports missing capacity after a broken connection may have passed the request on before.
  const isDoubted = !isClientError && isBroken(serviceError);
  // A 4xx that filters content means that nothing was generated.
  const unclear = rules.find((rule) => rule.accepted === 'open' && !(isClientError && rule.kind === 'moderation'));
  if (unclear) return openOrLost(unclear.kind);
  return rules.some((rule) => rule.kind !== 'server' || !isDoubted) ? 'no' : undefined;
}

/** A call whose connection broke also ends with UNAVAILABLE (google/rpc/code.proto, grpc doc/statuscodes.md). */
const isBroken = ({ message, codes }: ServiceError): boolean =>
  [message, ...codes].map(normalizeText).some((sentence) => BROKEN.test(sentence));

/** As Envoy, gRPC, QUIC, Go, Node, Python, Java, Rust and Winsock call a connection that ended. */
const BROKEN =
  /\b(disconnect reset|reset before headers|reset by peer|transport is closing|goaway|broken pipe|eof|socket hang up|econnreset|other side closed|closing transport|server disconnected)\b|\bclosed\b.{0,60} connection\b|\bconnection\b.{0,60} (lost\b|closed\b|reset\b|terminat|abort)/;

/**
 * A gateway names the status with which the service behind it refused the request. Any other number in a 5xx may belong to a later step,
 * such as a poll, so it does not prove that the request was refused.
 */
const wasRefusedBehind = ({ upstreamStatus = 0 }: ServiceError): boolean =>
  upstreamStatus < 500 && HTTP_STATUSES.get(upstreamStatus)?.accepted === 'no';

/** The code says that the service had no capacity, so the same request may succeed later. */
export function hasNoCapacity(serviceError: ServiceError, status: number): boolean {
  const rules = codeRulesIn(serviceError, status);
  return (
    rules.length > 0 && rules.every((rule) => rule.accepted === 'no') && rules.some((rule) => rule.kind === 'server')
  );
}

/**
 * The kind of an error. Codes with one meaning decide first, then phrases with one meaning; then statuses; then the codes that services
 * use for everything (`invalid_request_error` also comes with an empty balance); then the rest. The kind decides what a person reads and
 * how long Dailies waits before a retry; {@link acceptanceOf} decides whether the request was accepted.
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

/**
 * The kind that a phrase with one meaning states. Services use the same phrases for a rate limit and a quota, so there the status or the
 * time decides.
 */
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

/** Whether the quota refills within a short time. A daily quota that a code names does not, even if a quota per minute is used up too. */
function isPerTime([message = '', ...codes]: readonly string[]): boolean {
  const named = codes.map(wordsInNames);
  const isOfDay = named.some((words) => words.includes(' per day '));
  return (
    !isOfDay && [wordsInNames(message), ...named].some((text) => PER_TIME.some((words) => text.includes(` ${words} `)))
  );
}

/** The kind of the first text that matches: the message comes before codes that no table knows. */
const firstKind = (sentences: readonly string[], level: Level): ErrorKind | undefined =>
  firstOf(sentences, (sentence) => kindBySentence(sentence, level));

function kindOfStatus(status: number): ErrorKind {
  if (status >= 400 && status < 500) return HTTP_STATUSES.get(status)?.kind ?? 'invalid';
  return 'server';
}

/**
 * Whether the error says that the service itself failed. The kind `server` does not show this, because an error without a reason has it
 * too.
 */
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
