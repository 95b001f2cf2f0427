import type { ErrorKind } from '../../../../shared/jobs/job.ts';
import { t } from '../../../../shared/text/texts.ts';
import { withoutEnd } from '../../../../shared/text/trimmed.ts';
import { type Answer, requestIdOf } from '../exchange/answer.ts';
import { withoutEcho } from '../exchange/echo.ts';
import type { Failure } from '../http/failure.ts';
import { originOf } from '../http/origin.ts';
import { field, isObject, textOf } from '../json/fields.ts';
import type { Service } from '../service.ts';
import type { GatewayError } from '../types.ts';
import { type Acceptance, acceptanceOf, errorKindOf, hasNoCapacity } from './classify.ts';
import { hasRetryAfterHeader, retryAfterMs } from './retryAfter.ts';
import { HTTP_STATUSES, isDenied } from './rules/codes.ts';
import { type ServiceError, serviceErrorOf } from './serviceError.ts';

type ErrorFields = Partial<GatewayError> & { message: string; kind: ErrorKind; accepted: GatewayError['accepted'] };

const TRANSIENT: ReadonlySet<ErrorKind> = new Set(['rate_limit', 'server', 'timeout', 'network']);

/** An error as other modules see it: one short sentence that never holds the key, whatever the service sent. */
export function gatewayError(service: Service, fields: ErrorFields): GatewayError {
  const message = toSentence(service.scrub(beginningOf(fields.message))) || t`The gateway gave no reason.`;
  const { requestId } = fields;
  const error = { retryable: TRANSIENT.has(fields.kind), ...fields, message };
  return requestId === undefined ? error : { ...error, requestId: service.scrub(requestId) };
}

/** Longer than any message that is shown, markup included. */
const MAX_MESSAGE_LENGTH = 20_000;

/** No key is longer. */
const MAX_KEY_LENGTH = 4_096;

/** The beginning of a long message, cut at white space: half a key would not be recognized and removed. */
function beginningOf(text: string): string {
  if (text.length <= MAX_MESSAGE_LENGTH) return text;
  const beginning = text.slice(0, MAX_MESSAGE_LENGTH);
  const word = withoutEnd(beginning, (character) => /\S/.test(character));
  return beginning.length - word.length <= MAX_KEY_LENGTH ? word : beginning.slice(0, -MAX_KEY_LENGTH);
}

function toSentence(text: string): string {
  const plain = text
    .replace(/<[^<>]{1,300}>/g, ' ')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  return plain.length > 500 ? `${plain.slice(0, 499)}…` : plain;
}

/** The error of a request without an answer. */
export function transportError(service: Service, failure: Failure): GatewayError {
  const { kind, message, sent } = failure;
  return gatewayError(service, { kind, message, accepted: sent ? 'unknown' : 'no' });
}

/** The error of an answer with a bad status, a redirect or a web page. */
export function httpError(service: Service, answer: Answer): GatewayError | undefined {
  const { status, headers } = answer;
  const about = { status, requestId: requestIdOf(headers, answer.json) };
  // A proxy may have sent this answer, before the request reached the service or after.
  const acceptance = HTTP_STATUSES.get(status)?.accepted === 'no' ? 'no' : 'open';
  const notAGateway = (message: string): GatewayError =>
    gatewayError(service, {
      ...about,
      kind: 'invalid',
      wrongAddress: true,
      ...withAcceptance(answer, acceptance, message),
    });
  if (isSeeOther(service, answer))
    return gatewayError(service, { ...about, kind: 'server', message: SEE_OTHER, accepted: 'unknown' });
  if (status >= 300 && status < 400) return notAGateway(redirectMessage(service, answer));
  if (answer.form === 'page' && (status < 400 || [400, 404, 405, 410].includes(status))) return notAGateway(PAGE);
  return status >= 400 ? statusError(service, answer) : undefined;
}

const PAGE = t`The gateway answered with a web page. The base URL is probably wrong.`;

const SEE_OTHER = t`The gateway accepted the request and redirects to another address.`;

/** 303, and 302 within the service, which many programs send for 303 (RFC 9110 15.4.3). */
function isSeeOther(service: Service, { status, headers, sent }: Answer): boolean {
  if (sent === undefined || status === 303) return sent !== undefined;
  const location = headers.location === undefined ? null : URL.parse(headers.location, service.profile.baseUrl);
  return status === 302 && location?.origin === originOf(service);
}

function redirectMessage(service: Service, { headers }: Answer): string {
  const location = headers.location === undefined ? null : URL.parse(headers.location, service.profile.baseUrl);
  if (!location) return t`The gateway redirects. The base URL is probably wrong.`;
  const other = location.origin !== originOf(service);
  return t`The gateway redirects to ${other ? location.origin : location.pathname}. The base URL is probably wrong.`;
}

function statusError(service: Service, answer: Answer): GatewayError {
  const { status, headers } = answer;
  const serviceError: ServiceError =
    answer.form === 'page' ? { message: titleOf(answer.text), codes: [] } : serviceErrorOf(answer.json ?? answer.text);
  // A web page comes from a proxy, so only its status is about the request.
  const ownError = answer.form === 'page' ? NO_ERROR : withoutEchoedRequest(answer, serviceError);
  const delayMs = retryAfterMs(headers, answer.json, service.now(), status === 429, ownError.message);
  const hasRetryAfter = delayMs !== undefined;
  const kind = errorKindOf(ownError, status, hasRetryAfter);
  const acceptance = acceptanceOf(status, ownError, {
    kind,
    // A proxy may send `Retry-After` with any failure behind it, even after the request was passed on (Varnish, builtin.vcl).
    hasRetryAfterHeader: answer.form !== 'page' && hasRetryAfterHeader(headers, service.now()),
  });
  return gatewayError(service, {
    kind,
    status,
    retryable:
      TRANSIENT.has(kind) &&
      (kind === 'rate_limit' || hasRetryAfter || status !== 500 || hasNoCapacity(ownError, status)),
    ...withAcceptance(answer, acceptance, serviceError.message || sentenceFor(status)),
    ...waitOf(answer, { kind, delayMs, now: service.now() }),
    requestId: requestIdOf(headers, answer.json),
  });
}

/** Permanent error: retry only if a header says so. In its text, "available for 5 second clips" is not a delay. */
function waitOf(
  { headers }: Answer,
  { kind, delayMs, now }: { kind: ErrorKind; delayMs: number | undefined; now: number },
): Pick<GatewayError, 'retryAfterMs'> {
  const isOfOrder = kind === 'invalid' || kind === 'moderation';
  return delayMs === undefined || (isOfOrder && !hasRetryAfterHeader(headers, now)) ? {} : { retryAfterMs: delayMs };
}

/**
 * The fields that follow from the acceptance. If acceptance is open, the message says so and nothing is retried. A query submits nothing,
 * so its answer is always a definite no.
 */
function withAcceptance(
  { sent }: Answer,
  acceptance: Acceptance,
  message: string,
): Pick<GatewayError, 'message' | 'accepted' | 'answered'> & { retryable?: false } {
  if (acceptance === 'no' || sent === undefined) return { message, accepted: 'no' };
  if (acceptance === 'lost') return { message, accepted: 'unknown' };
  const end = /[.!?。！？]$/.test(message) ? '' : '.';
  return { message: `${message}${end} ${MAY_BE_BILLED}`, accepted: 'unknown', answered: true, retryable: false };
}

const MAY_BE_BILLED = t`The request was sent and may be billed.`;

const NO_ERROR: ServiceError = { message: '', codes: [] };

/** The error without the parts of our request that it repeats, so that the words of a prompt do not classify it. */
export function withoutEchoedRequest(answer: Answer, serviceError: ServiceError): ServiceError {
  return answer.sent ? { ...serviceError, message: withoutEcho(serviceError.message, answer.sent) } : serviceError;
}

function titleOf(page: string): string {
  const title = /<(title|h1)[^<>]{0,300}>([^<]{1,200})</i.exec(page)?.[2]?.trim() ?? '';
  return /[a-z]/i.test(title) ? title : '';
}

function sentenceFor(status: number): string {
  if (isDenied(status)) return t`The gateway does not accept the key (status ${status}).`;
  if (status === 404 || status === 405)
    return t`The gateway does not know this address (status ${status}). Check the base URL.`;
  if (status === 429) return t`The gateway asks to slow down (status 429).`;
  if (status === 413) return t`The request is too large for the gateway (status 413).`;
  return t`The gateway answered with status ${status}.`;
}

/** The error in the body of an answer with a good status. */
export function bodyError(
  service: Service,
  answer: Answer,
  serviceError: ServiceError,
  accepted: GatewayError['accepted'],
  kind?: ErrorKind,
): GatewayError {
  const ownError = withoutEchoedRequest(answer, serviceError);
  const { httpStatus = 0 } = serviceError;
  const delayMs = retryAfterMs(answer.headers, answer.json, service.now(), httpStatus === 429, ownError.message);
  const meant = kind ?? errorKindOf(ownError, httpStatus, delayMs !== undefined);
  return gatewayError(service, {
    kind: meant,
    message: messageOf(serviceError),
    accepted,
    status: answer.status,
    retryable: meant === 'rate_limit' || (TRANSIENT.has(meant) && hasNoCapacity(serviceError, answer.status)),
    ...waitOf(answer, { kind: meant, delayMs, now: service.now() }),
    requestId: requestIdOf(answer.headers, answer.json),
  });
}

const messageOf = ({ message, codes: [code] }: ServiceError): string =>
  message || (code === undefined ? t`The gateway gave no reason.` : t`The gateway says: ${code}.`);

/**
 * The error of a submit whose answer has a good status, reports a failure and names no task: its codes decide whether it was accepted, unless
 * its form does (`acceptance`).
 */
export function submitError(
  service: Service,
  answer: Answer,
  serviceError: ServiceError,
  kind?: ErrorKind,
  acceptance?: Acceptance,
): GatewayError {
  const error = bodyError(service, answer, serviceError, 'unknown', kind);
  const about = { kind: error.kind, hasRetryAfterHeader: false };
  const fields = withAcceptance(
    answer,
    acceptance ?? acceptanceOf(answer.status, withoutEchoedRequest(answer, serviceError), about),
    messageOf(serviceError),
  );
  return gatewayError(service, { ...error, ...fields });
}

/** The error of an answer with a good status that cannot be understood: the request may well have been accepted. */
export function unreadableError(service: Service, answer: Answer): GatewayError {
  const message =
    answer.truncatedBy?.message ??
    (answer.form === 'empty' ? t`The gateway’s answer is empty.` : t`The gateway’s answer cannot be understood.`);
  const kind = answer.truncatedBy?.kind ?? 'server';
  return gatewayError(service, {
    kind,
    message,
    accepted: 'unknown',
    status: answer.status,
    requestId: requestIdOf(answer.headers, answer.json),
  });
}

/** A file of a request cannot be put into its body: nothing was sent. */
export const unreadableFile = (service: Service, what: string): GatewayError =>
  gatewayError(service, {
    kind: 'invalid',
    message: t`${what} cannot be read from disk, or was changed there.`,
    accepted: 'no',
    retryable: false,
  });

/** As new-api and OpenAI write it, gin, Express and NestJS. A model's own 404 says nothing about the route. */
const WORDS = /^invalid url \((get|post) \/|^404 page not found$|(?:^|<pre>)cannot (get|post) \//i;

/** Whether a sentence says that there is no such route. */
export const saysNoRoute = (message: string): boolean => WORDS.test(message.trim());

/** Whether the answer says that the path does not exist, so that the request had no effect. */
export function isNoSuchRoute({ status, json, text }: Pick<Answer, 'status' | 'json' | 'text'>): boolean {
  if (status === 405) return true;
  if (status !== 404) return false;
  // Starlette and FastAPI say only this.
  if (isObject(json) && Object.keys(json).length === 1 && textOf(field(json, 'detail')) === 'Not Found') return true;
  return saysNoRoute(serviceErrorOf(json ?? text.trim()).message) || saysNoRoute(text.slice(0, 500));
}
