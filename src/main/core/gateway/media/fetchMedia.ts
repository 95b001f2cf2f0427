import { lookup } from 'node:dns/promises';
import { uniqueBy } from '../../../../shared/contract/values.ts';
import type { ErrorKind } from '../../../../shared/jobs/job.ts';
import { t } from '../../../../shared/text/texts.ts';
import { type Headers, plainHeaders } from '../../../../shared/wire/headers.ts';
import { errorKindOf, errorOnlyBody } from '../errors/classify.ts';
import { bodyError, gatewayError, httpError, transportError } from '../errors/gatewayError.ts';
import { codeRulesIn, isDenied } from '../errors/rules/codes.ts';
import { normalizeText, wordsInNames } from '../errors/rules/sentences.ts';
import { explicitError, type ServiceError } from '../errors/serviceError.ts';
import { type Answer, readAnswer } from '../exchange/answer.ts';
import { HEADER_MS } from '../exchange/request.ts';
import { allowedNear, literalAddress, literalScope, originOf } from '../http/origin.ts';
import type { Response } from '../http/transport.ts';
import { isObject } from '../json/fields.ts';
import { bearer, imageAuths, type Service } from '../service.ts';
import { failureReasonOf, isNotReady, isTaskAway, saysNotReady } from '../tasks/taskErrors.ts';
import { parseVideo } from '../tasks/video/parsedVideo.ts';
import type { FetchOptions, GatewayError, MediaOutcome } from '../types.ts';
import { keylessAddress } from '../withoutSecrets.ts';
import { dataMedia, type Opened, openMedia } from './mediaBody.ts';

const MAX_HOPS = 5;
const NOTE_LIMIT = 1024 * 1024;

/**
 * Fetches a result. The key is sent to the profile's own origin only, every hop of a redirect is checked like the first address, and
 * private addresses are refused unless the service itself is on that network.
 */
export async function fetchMedia(service: Service, uri: string, options: FetchOptions): Promise<MediaOutcome> {
  if (uri.startsWith('data:')) return dataMedia(service, uri);
  if (!(await learnAllowedAddresses(service))) return unreachable(service, t`The gateway did not answer in time.`);
  return followHops(service, uri, options);
}

async function followHops(service: Service, uri: string, options: FetchOptions): Promise<MediaOutcome> {
  let url = URL.parse(uri, `${originOf(service)}/`);
  let leftOrigin = false;
  for (let hop = 0; hop <= MAX_HOPS; hop += 1) {
    if (!url || !/^https?:$/.test(url.protocol)) return refusedScheme(service, url?.href ?? uri);
    const isAtOrigin = url.origin === originOf(service);
    leftOrigin ||= !isAtOrigin;
    // A redirect may repeat the secrets of the address before it.
    if (!isAtOrigin) url = new URL(keylessAddress(url.href, service.secrets));
    const step = await requestHop(
      service,
      url,
      isAtOrigin ? 'free' : 'thirdParty',
      leftOrigin ? [{}] : keyHeaders(service),
      options,
    );
    if (step.type !== 'elsewhere') return endOfHop(service, step, hop);
    url = step.url;
  }
  return notFile('noFile', service, t`The result could not be fetched.`);
}

/** The target of a redirect may have expired while the address itself still works: it may redirect elsewhere next time. */
const endOfHop = (service: Service, step: MediaOutcome, hop: number): MediaOutcome =>
  step.type === 'gone' && hop > 0 ? notFile('wrong', service, t`The link has ended.`, step.error.status) : step;

type Hop = MediaOutcome | { type: 'elsewhere'; url: URL | null };

async function requestHop(
  service: Service,
  url: URL,
  route: 'free' | 'thirdParty',
  keys: Headers[],
  options: FetchOptions,
): Promise<Hop> {
  let step: Hop = unreachable(service, t`The result could not be fetched.`);
  for (const key of keys) {
    const from = options.from ?? 0;
    const headers = { ...plainHeaders(), ...key, ...rangeHeaders(options) };
    const { signal } = options;
    const sent = await service.transport.send({
      method: 'GET',
      url,
      headers,
      route,
      headerMs: HEADER_MS.media,
      signal,
    });
    if (!sent.ok) return notSent(service, url, sent.failure);
    const { status } = sent.response;
    if (status === 416 && from > 0) {
      sent.response.discard();
      return requestHop(service, url, route, keys, { signal });
    }
    step = await outcomeOfResponse(service, url, sent.response, from);
    if (!isDenied(status)) return step;
  }
  return step;
}

/** Requests bytes without compression: a range of a compressed answer could not be resumed. */
function rangeHeaders({ from = 0, ifRange }: FetchOptions): Headers {
  const coding = { 'accept-encoding': 'identity' };
  if (from === 0) return coding;
  return { ...coding, range: `bytes=${from}-`, ...(ifRange === undefined ? {} : { 'if-range': ifRange }) };
}

/** An address that is literally private is refused for good; a name may lead elsewhere on another network. */
function notSent(service: Service, url: URL, failure: Parameters<typeof transportError>[1]): MediaOutcome {
  const error = { ...transportError(service, failure), accepted: 'yes' as const };
  if (!failure.forbidden) return { type: 'unreachable', error };
  const type = literalScope(url.hostname) === undefined ? 'wrong' : 'refused';
  return { type, error: { ...error, kind: 'invalid', retryable: type === 'wrong' } };
}

async function outcomeOfResponse(service: Service, url: URL, response: Response, from: number): Promise<Hop> {
  const { status, headers } = response;
  if (status >= 300 && status < 400 && headers.location !== undefined) {
    response.discard();
    return { type: 'elsewhere', url: URL.parse(headers.location, url.href) };
  }
  if (status !== 200 && status !== 206 && status !== 203)
    return statusOutcome(service, url, await readAnswer(response, { limit: NOTE_LIMIT }));
  const opened: Opened = await openMedia(response, status === 206 ? from : 0);
  if (opened.type === 'media') return { type: 'ok', media: opened.media };
  if (opened.type === 'broken') return unreachable(service, opened.message);
  return outcomeWithoutMedia(service, url, opened.answer);
}

/** The outcome of an answer without media. A JSON or text answer may name the clip's real address, or say that the clip is not ready. */
function outcomeWithoutMedia(service: Service, url: URL, answer: Answer): Hop {
  if (answer.json !== undefined) {
    const { outputs, taskStatus } = parseVideo(answer.json, { base: url.origin, isEcho: (uri) => uri === url.href });
    const next = taskStatus.state === 'failed' ? undefined : outputs.find((output) => /^https?:/i.test(output.uri));
    if (next) return { type: 'elsewhere', url: URL.parse(next.uri) };
  }
  if (saysExpired(answer) && !isAboutKey(service, url, answer)) return gone(service, answer.status);
  if (answer.truncatedBy) return unreachable(service, answer.truncatedBy.message);
  if (isNotReadyYet(url, answer)) return pending(service, answer.status);
  const refused = contentRefusal(service, url, answer) ?? accessRefusal(service, url, answer);
  if (refused) return refused;
  const what = answer.form === 'page' ? 'a web page' : answer.form === 'empty' ? 'nothing' : 'a message';
  return otherThanFile(service, what, answer.status);
}

/** Supabase answers this if the token in a signed address has expired. */
const EXPIRED_TOKEN = /InvalidJWT/;
const saysExpired = ({ text }: Answer): boolean => !IS_HTML.test(text) && ENDED.test(wordsInNames(text));
/** How object storage and content networks say that a link has expired, or that the file no longer exists. */
const ENDED =
  /\b(expired|no such key|not valid in the specified time frame|invalid jwt|no longer available|has passed)\b|\bno longer exist/;
/** The text names the link as expired; otherwise it could be the key. */
const LINK_ENDED = /\b(request|link|url|signature) ((is|has) )?expired\b/;
/** Phrases for a file that is not ready. About a task they would mean less. */
const EARLY = /\b(in progress|inprogress|not available yet|not yet available|try again later)\b/;
/** The form of object storage's own errors. */
const STORAGE_ERROR = /^(<\?xml[^>]*\?>\s*)?<Error>/;
/** A page for people: a sign-in, a portal, an error. Its text is not about this link. */
const IS_HTML = /^<(!doctype html|html|head|body)/i;
/** Conflict, locked, too early; and 202, which only accepts the request. */
const NOT_READY_STATUSES: ReadonlySet<number> = new Set([202, 409, 423, 425]);

/** The field names of the answer say nothing, but the words of its reason do. */
function saysEarly({ text, json }: Answer): boolean {
  const reason = isObject(json) ? failureReasonOf(json) : { message: '', codes: [] };
  const sentences = [normalizeText(text), ...[reason.message, ...reason.codes].map(wordsInNames)];
  return isNotReady(reason) || sentences.some((sentence) => EARLY.test(sentence));
}

/** Whether a program answers that the media are not ready. A page is for people and may say anything. */
function isNotReadyYet(url: URL, answer: Answer): boolean {
  const { status, form, json, text } = answer;
  if (form === 'page') return false;
  if (NOT_READY_STATUSES.has(status) || saysNotReady(text) || saysEarly(answer)) return true;
  if (url.pathname.endsWith('/content') && isTaskAway(answer)) return true;
  return (
    json !== undefined && parseVideo(json, { base: url.origin, isEcho: () => true }).taskStatus.state === 'running'
  );
}

function statusOutcome(service: Service, url: URL, answer: Answer): MediaOutcome {
  const { status } = answer;
  if (isGone(service, url, answer)) return gone(service, status);
  const denied = isDenied(status);
  // With these statuses, data means that the media are not ready. A page only means that the query was not processed.
  const isTooEarly = NOT_READY_STATUSES.has(status) && answer.form === 'page';
  const isTransient = status >= 500 || status === 429 || status === 408 || isTooEarly;
  if (!isTransient && !denied && isNotReadyYet(url, answer)) return pending(service, status);
  const refused = contentRefusal(service, url, answer);
  if (refused) return refused;
  // A page shows a web server whose program is not running, which knows no path. Storage answers a missing file with XML or with nothing.
  if (status === 404 && IS_HTML.test(answer.text)) return otherThanFile(service, 'a web page', status);
  if (status === 404) {
    const message = t`The result was not found (status 404).`;
    return without(service, 'missing', { kind: 'server', message, retryable: false, status });
  }
  const message = t`The result could not be fetched (status ${status}).`;
  const error =
    httpError(service, answer) ?? gatewayError(service, { kind: 'server', message, accepted: 'yes', status });
  const isAtOrigin = url.origin === originOf(service);
  const isAccessRefused = isAtOrigin && (denied || (isObject(answer.json) && ACCESS_KINDS.has(error.kind)));
  const type = isTransient || isAccessRefused ? 'unreachable' : 'wrong';
  return { type, error: { ...error, accepted: 'yes', retryable: isTransient } };
}

/**
 * Whether the link has ended, in the words of the host of the result. A refusal without a reason proves nothing: storage may refuse what is
 * not there yet (AWS, GetObject: 403 instead of 404 without the right to list), and a proxy what it blocks.
 */
function isGone(service: Service, url: URL, answer: Answer): boolean {
  const { status, text } = answer;
  if (status === 410) return true;
  if (isDenied(status)) return !isAboutKey(service, url, answer) && saysExpired(answer);
  const isStorageError = status === 404 || (status === 400 && (STORAGE_ERROR.test(text) || EXPIRED_TOKEN.test(text)));
  return isStorageError && saysExpired(answer);
}

const REFUSAL_STATUSES: ReadonlySet<number> = new Set([400, 422, 451]);
const CONTENT_KINDS: ReadonlySet<ErrorKind> = new Set(['moderation', 'invalid']);
const isRefusalStatus = (status: number, { message }: ServiceError): boolean =>
  REFUSAL_STATUSES.has(status) && message !== '';
/** Errors of the key, the account or the rate: they refuse the download and say nothing about the result. */
const ACCESS_KINDS: ReadonlySet<ErrorKind> = new Set(['auth', 'quota', 'rate_limit']);

/**
 * An answer in place of a result by which the service says that there is no result, and why: the outcome of the request, not of the
 * download. A moderation, a known code about the request or a failed state is final; other text about the request may be temporary. A bad
 * status may be the status of the download itself, so there an error of the key or the account counts first.
 */
function contentRefusal(service: Service, url: URL, answer: Answer): MediaOutcome | undefined {
  const { status, json } = answer;
  if (!isObject(json)) return undefined;
  const serviceError = failureReasonOf(json);
  const failed = parseVideo(json, { base: url.origin, isEcho: () => true }).taskStatus.state === 'failed';
  const kind = errorKindOf(serviceError, status);
  const rows = codeRulesIn(serviceError, status);
  const isKnown = rows.some((row) => CONTENT_KINDS.has(row.kind));
  const isAboutContent = CONTENT_KINDS.has(kind) && (isKnown || rows.length === 0);
  if (!isAboutContent && (!failed || (status >= 300 && ACCESS_KINDS.has(kind)))) return undefined;
  const isFinal = failed || kind === 'moderation' || isKnown;
  const isRefusal =
    status < 300
      ? failed || (isFinal && explicitError(json) !== undefined)
      : isRefusalStatus(status, serviceError) || (status === 403 && isFinal);
  if (!isRefusal) return undefined;
  return { type: 'failed', error: { ...bodyError(service, answer, serviceError, 'yes', kind), retryable: !isFinal } };
}

/** An error with a good status about the key, the account or the rate, at the service itself. */
function accessRefusal(service: Service, url: URL, answer: Answer): MediaOutcome | undefined {
  if (url.origin !== originOf(service) || !isObject(answer.json)) return undefined;
  const serviceError = explicitError(answer.json) ?? errorOnlyBody(answer.json);
  if (serviceError === undefined) return undefined;
  const error = bodyError(service, answer, serviceError, 'yes', errorKindOf(serviceError, answer.status));
  return ACCESS_KINDS.has(error.kind) ? { type: 'unreachable', error } : undefined;
}

/** Whether our key at the service has expired, and not the link: the clip can be fetched with another key. */
function isAboutKey(service: Service, url: URL, { status, json, text }: Answer): boolean {
  if (url.origin !== originOf(service) || hasSignature(url) || LINK_ENDED.test(wordsInNames(text))) return false;
  return status === 401 || (isObject(json) && errorKindOf(failureReasonOf(json), 0) === 'auth');
}

function hasSignature(url: URL): boolean {
  return [...url.searchParams.keys()].some((name) =>
    /^(expires|se|exp|x-(amz|goog|oss|tos)-(expires|date)|signature|sig|token|auth_key)$/i.test(name),
  );
}

/** The outcome without bytes, with defaults for its error. */
const without = (
  service: Service,
  type: Exclude<MediaOutcome['type'], 'ok'>,
  about: Pick<GatewayError, 'message'> & Partial<GatewayError>,
): MediaOutcome => ({ type, error: gatewayError(service, { kind: 'invalid', accepted: 'yes', ...about }) });

const gone = (service: Service, status: number): MediaOutcome =>
  without(service, 'gone', { message: t`The link has ended.`, status });

const unreachable = (service: Service, message: string): MediaOutcome =>
  without(service, 'unreachable', { kind: 'server', message });

const notFile = (type: 'noFile' | 'wrong', service: Service, message: string, status?: number): MediaOutcome =>
  without(service, type, { message, retryable: true, status });

const otherThanFile = (service: Service, what: string, status: number): MediaOutcome =>
  notFile('noFile', service, t`The result’s address returns ${what}, not a file.`, status);

const pending = (service: Service, status: number): MediaOutcome =>
  without(service, 'pending', {
    kind: 'server',
    message: t`The result is not ready yet.`,
    status,
  });

function refusedScheme(service: Service, uri: string): MediaOutcome {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(uri)?.[1] ?? '';
  const stored = /^(gs|s3|oss|tos|cos|r2|az|abfs)$/i.test(scheme);
  const message = stored
    ? t`${uri} can be extended, but not downloaded.`
    : t`This address cannot be downloaded: ${scheme}`;
  return without(service, stored ? 'stored' : 'refused', { message });
}

/** The key headers to try at the profile's origin: as for chat, as for images, and none, for links that need no key. */
function keyHeaders(service: Service): Headers[] {
  const spelled = [bearer(service), ...imageAuths(service).map((auth) => auth.headers), {}];
  return uniqueBy(spelled, (headers) => JSON.stringify(headers));
}

const checkedServices = new WeakSet<Service>();

/**
 * Allows addresses on the service's own network, and no further inside. False while the service's name cannot be looked up, because then
 * nothing is known.
 */
async function learnAllowedAddresses(service: Service): Promise<boolean> {
  if (checkedServices.has(service)) return true;
  const addresses = await addressesOfService(service);
  if (!addresses) return false;
  service.transport.allow(allowedNear(addresses));
  checkedServices.add(service);
  return true;
}

/** A service that only the proxy can look up counts as public. */
async function addressesOfService(service: Service): Promise<string[] | undefined> {
  const url = new URL(service.profile.baseUrl);
  const { hostname } = url;
  const written = literalAddress(hostname);
  if (written !== undefined) return [written];
  const found = await lookup(hostname, { all: true }).catch(() => undefined);
  return (
    found?.map(({ address }) => address) ?? ((await service.transport.proxyOf(url)) === undefined ? undefined : [])
  );
}
