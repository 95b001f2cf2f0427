import { lookup } from 'node:dns/promises';
import { type Answer, readAnswer } from '../decode/answer.ts';
import { onceEach } from '../decode/onceEach.ts';
import { readVideo } from '../decode/videoAnswer.ts';
import { failureError, gatewayError, originOf, refusalError, type Service } from '../service.ts';
import { allowedFrom, type Reach, reachOf, writtenReach } from '../transport/address.ts';
import type { Response } from '../transport/transport.ts';
import type { MediaOutcome } from '../types.ts';
import { bearer, type Headers, imageAuths, plainHeaders } from '../wire/headers.ts';
import { HEADER_MS } from './ask.ts';
import { dataMedia } from './dataMedia.ts';
import { type Opened, openMedia } from './mediaBody.ts';

export interface FetchOptions {
  from?: number;
  signal?: AbortSignal;
}

const MOST_HOPS = 5;
const NOTE_LIMIT = 1024 * 1024;

/**
 * Fetches a result. The key goes along on the profile's own origin only; every hop of a redirect is judged like the first address;
 * private addresses are refused unless the service itself lives on one.
 */
export async function fetchMedia(service: Service, uri: string, options: FetchOptions): Promise<MediaOutcome> {
  if (uri.startsWith('data:')) return dataMedia(service, uri, options.from ?? 0);
  await learnReach(service);
  let url = URL.parse(uri, `${originOf(service)}/`);
  let leftHome = false;
  for (let hop = 0; hop <= MOST_HOPS; hop += 1) {
    if (!url || !/^https?:$/.test(url.protocol)) return refusedScheme(service, url?.href ?? uri);
    const home = url.origin === originOf(service);
    leftHome ||= !home;
    const step = await stepTo(service, url, home ? 'free' : 'abroad', leftHome ? [{}] : homeKeys(service), options);
    if (step.type !== 'elsewhere') return step;
    url = step.url;
  }
  return unreachable(service, 'The address of the result leads in a circle.');
}

type Step = MediaOutcome | { type: 'elsewhere'; url: URL | null };

async function stepTo(
  service: Service,
  url: URL,
  way: 'free' | 'abroad',
  keys: Headers[],
  options: FetchOptions,
): Promise<Step> {
  let step: Step = unreachable(service, 'The result could not be fetched.');
  for (const key of keys) {
    const from = options.from ?? 0;
    const headers = { ...plainHeaders(), ...key, ...(from > 0 ? { range: `bytes=${from}-` } : {}) };
    const sent = await service.transport.send({
      method: 'GET',
      url,
      headers,
      way,
      headerMs: HEADER_MS.media,
      signal: options.signal,
    });
    if (!sent.ok) {
      const error = { ...failureError(service, sent.failure), accepted: 'yes' as const };
      return {
        type: sent.failure.forbidden ? 'refused' : 'unreachable',
        error: { ...error, retryable: !sent.failure.forbidden },
      };
    }
    const { status } = sent.response;
    if (status === 416 && from > 0) {
      sent.response.discard();
      return stepTo(service, url, way, keys, { ...options, from: 0 });
    }
    step = await judge(service, url, sent.response, from);
    if (status !== 401 && status !== 403) return step;
  }
  return step;
}

async function judge(service: Service, url: URL, response: Response, from: number): Promise<Step> {
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
  return noMedia(service, url, opened.answer);
}

/** A page or a note where a clip should be. A note may say where the clip really is. */
function noMedia(service: Service, url: URL, answer: Answer): Step {
  if (answer.json !== undefined) {
    const { outputs, stand } = readVideo(answer.json, { base: url.origin, isEcho: (uri) => uri === url.href });
    const next = stand.state === 'failed' ? undefined : outputs.find((output) => /^https?:/i.test(output.uri));
    if (next) return { type: 'elsewhere', url: URL.parse(next.uri) };
  }
  if (SAYS_EXPIRED.test(answer.text.slice(0, 20_000))) return gone(service, answer.status);
  const what = answer.form === 'page' ? 'a web page' : answer.form === 'empty' ? 'nothing' : 'a message';
  return unreachable(service, `The address of the result gives ${what} instead of a file.`);
}

const SAYS_EXPIRED = /expired|has passed|no longer (available|exists)|NoSuchKey/i;

function statusOutcome(service: Service, url: URL, answer: Answer): MediaOutcome {
  const { status } = answer;
  const lapsed =
    status === 403 && (SAYS_EXPIRED.test(answer.text) || (url.origin !== originOf(service) && hasSignature(url)));
  if (status === 404 || status === 410 || lapsed) return gone(service, status);
  const error =
    refusalError(service, answer) ??
    gatewayError(service, {
      kind: 'server',
      message: `The place of the result answered with status ${status}.`,
      accepted: 'yes',
    });
  return {
    type: 'unreachable',
    error: { ...error, accepted: 'yes', retryable: status < 300 || status >= 500 || status === 429 || status === 408 },
  };
}

function hasSignature(url: URL): boolean {
  return [...url.searchParams.keys()].some((name) =>
    /^(expires|se|exp|x-(amz|goog|oss|tos)-(expires|date)|signature|sig|token|auth_key)$/i.test(name),
  );
}

function gone(service: Service, status: number): MediaOutcome {
  const message = 'The link to this result has ended.';
  return {
    type: 'gone',
    error: gatewayError(service, { kind: 'invalid', message, accepted: 'yes', status, retryable: false }),
  };
}

function unreachable(service: Service, message: string): MediaOutcome {
  return { type: 'unreachable', error: gatewayError(service, { kind: 'server', message, accepted: 'yes' }) };
}

function refusedScheme(service: Service, uri: string): MediaOutcome {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(uri)?.[1] ?? '';
  const stored = /^(gs|s3|oss|tos|cos|r2|az|abfs)$/i.test(scheme);
  const message = stored
    ? `${uri} is in object storage: it can be extended, but not downloaded from here.`
    : `${scheme === '' ? 'This' : `A ${scheme}:`} address cannot be downloaded.`;
  return {
    type: 'refused',
    error: gatewayError(service, { kind: 'invalid', message, accepted: 'yes', retryable: false }),
  };
}

/** Ways to show the key at home: as for chat, as for images, and not at all, for links that carry their own permission. */
function homeKeys(service: Service): Headers[] {
  const spelled = [bearer(service), ...imageAuths(service).map((auth) => auth.headers), {}];
  return onceEach(spelled, (headers) => JSON.stringify(headers));
}

const known = new WeakMap<Service, Promise<void>>();

/** Results may live as far inside as the service does, and no further. */
function learnReach(service: Service): Promise<void> {
  const running =
    known.get(service) ??
    homeReach(new URL(service.profile.baseUrl).hostname).then((home) => service.transport.allow(allowedFrom(home)));
  known.set(service, running);
  return running;
}

async function homeReach(hostname: string): Promise<Reach> {
  const written = writtenReach(hostname);
  if (written !== undefined) return written;
  const found = await lookup(hostname, { all: true }).catch(() => []);
  const reaches = found.map(({ address }) => reachOf(address));
  return reaches.length > 0 && reaches.every((reach) => reach === 'private' || reach === 'loopback')
    ? (reaches[0] ?? 'public')
    : 'public';
}
