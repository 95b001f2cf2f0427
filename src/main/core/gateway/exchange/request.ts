import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { t } from '../../../../shared/text/texts.ts';
import type { FormPart } from '../../../../shared/wire/families/index.ts';
import { type Headers, IDEMPOTENCY_HEADER, jsonHeaders, plainHeaders } from '../../../../shared/wire/headers.ts';
import { MIN_GUARDED_LENGTH } from '../../secrets/index.ts';
import type { Failure } from '../http/failure.ts';
import { originOf, urlAtOrigin, urlOf } from '../http/origin.ts';
import type { Response } from '../http/transport.ts';
import { MAX_LIST_VALUES } from '../json/parse.ts';
import { bearer, type Service } from '../service.ts';
import type { SendOptions, SentRequest, WireFile, WireMedia } from '../types.ts';
import { type Answer, type ReadOptions, readAnswer } from './answer.ts';
import { textsIn } from './echo.ts';

/** The address of a picture on the wire: its link, or its bytes as a `data:` address (spec 2.2). Throws as {@link wireBase64}. */
export async function wireUri(media: WireMedia, isByLink: boolean): Promise<string> {
  const file = 'uri' in media ? media.file : media;
  if ('uri' in media && (isByLink || !file)) return media.uri;
  return file ? `data:${file.mime};base64,${await wireBase64(file)}` : '';
}

/**
 * The bytes of a picture, turned upright and without the orientation tag, because services treat that tag differently. Throws if the file
 * cannot be read, or if another program has changed it: only the picture that the user chose may be paid for.
 */
export async function wireBase64({ path, sha256, upright }: Omit<WireFile, 'mime'>): Promise<string> {
  const bytes = await readFile(path);
  if (sha256 !== undefined) {
    const digest = Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex');
    if (digest !== sha256) throw new Error('The file is not what it was.');
  }
  const turned = EXIF_NAMES.some((name) => bytes.includes(name)) ? await upright?.() : undefined;
  return turned ?? bytes.toString('base64');
}

/** How JPEG, PNG and WebP mark metadata. A picture without any of these has no orientation. */
const EXIF_NAMES = ['Exif', 'eXIf', 'EXIF'];

/** A form as bytes (RFC 7578). The same parts and the same seed, which is the job's key, give the same bytes. */
function formBody(parts: readonly FormPart[], seed: string): { body: Buffer; type: string } {
  const boundary = `dailies-${createHash('sha256').update(seed).digest('hex').slice(0, 32)}`;
  const pieces = parts.flatMap(({ name, value }) => {
    const isFile = typeof value !== 'string';
    const head = [
      `--${boundary}`,
      `content-disposition: form-data; name="${name}"${isFile ? `; filename="${value.filename}"` : ''}`,
      ...(isFile ? [`content-type: ${value.mime}`] : []),
    ];
    return [
      Buffer.from(`${head.join('\r\n')}\r\n\r\n`),
      Buffer.from(isFile ? value.bytes : value),
      Buffer.from('\r\n'),
    ];
  });
  const body = Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]);
  return { body, type: `multipart/form-data; boundary=${boundary}` };
}

/** The answer to a request, or the reason why there is none. */
export type Exchange = { answer: Answer; failure?: undefined } | { failure: Failure; answer?: undefined };

/** How long each kind of request may take until its answer begins, in milliseconds. */
export const HEADER_MS = {
  /** Some services make the clip before they answer. */
  video: 65 * 60_000,
  chat: 15 * 60_000,
  /** A stream that has not begun by then is idle. */
  stream: 170_000,
  image: 5 * 60_000,
  poll: 60_000,
  media: 120_000,
  test: 15_000,
} as const;

export interface SubmitRequest {
  /** Under the profile's base URL. */
  path: `/${string}`;
  /** The headers that carry secrets, where that is not the key alone. */
  auth?: Headers;
  /** JSON, or the parts of a form. */
  body: Readonly<Record<string, unknown>> | readonly FormPart[];
  send: SendOptions;
  headerMs: number;
  read?: Partial<ReadOptions>;
  /** How to repeat the request. Without this, the request is not given to {@link SendOptions.keep}. */
  kept?: Pick<SentRequest, 'form' | 'authHeader' | 'omitted'> & {
    /** False: its bytes are not kept. */ bytes?: boolean;
  };
  /** The request was sent before, and its bytes are sent again. */
  repeat?: Repeat;
}

/** A request that is sent once more. */
export interface Repeat {
  request: SentRequest & { body: string };
  /** Given the headers of the answer. */
  onAnswer(headers: Response['headers']): void;
}

/** Sends a paid request, once, on a connection of its own. A redirect is an answer here, never followed. */
export async function submitRequest(service: Service, request: SubmitRequest): Promise<Exchange> {
  const { headerMs, send, repeat } = request;
  const wire = repeat ? repeat.request : wireForm(service, request);
  if (!repeat && request.kept) {
    const { bytes = true, ...about } = request.kept;
    const body = bytes && typeof wire.body === 'string' ? withoutSecret(service, wire.body) : undefined;
    const isWanted = await send.keep?.({ ...wire, ...about, body });
    if (isWanted === false) return { failure: UNWANTED };
  }
  send.witness?.sent({
    bytes: Buffer.byteLength(wire.body),
    sha256: createHash('sha256').update(wire.body).digest('hex'),
    key: wire.key,
    path: wire.path,
  });
  const sent = await service.transport.send({
    method: 'POST',
    url: (repeat && urlAtOrigin(service, wire.path)) ?? urlOf(service, request.path),
    headers: { ...wire.headers, ...(request.auth ?? bearer(service)), [IDEMPOTENCY_HEADER]: wire.key },
    body: wire.body,
    route: 'paid',
    headerMs,
    signal: send.signal,
  });
  if (!sent.ok) return { failure: sent.failure };
  send.witness?.answered(sent.response.status);
  repeat?.onAnswer(sent.response.headers);
  const answer = await readAnswer(sent.response, { limit: ANSWER_LIMIT, ...request.read });
  return { answer: { ...answer, sent: sentTexts(request.body) } };
}

const UNWANTED: Failure = {
  kind: 'network',
  message: t`Canceled before it was sent.`,
  sent: false,
  stopped: true,
};

/** The texts of a request that its answer may repeat. Files of a form are left out. */
export const sentTexts = (body: SubmitRequest['body']): string[] =>
  textsIn(isForm(body) ? body.map(({ value }) => (typeof value === 'string' ? value : '')) : body);

const isForm = (body: SubmitRequest['body']): body is readonly FormPart[] => Array.isArray(body);

type WireForm = Omit<SentRequest, 'form' | 'body'> & { body: string | Buffer };

function wireForm(service: Service, { path: own, body, send }: SubmitRequest): WireForm {
  const { idempotencyKey } = send;
  const form = isForm(body) ? formBody(body, idempotencyKey) : undefined;
  const key = `${idempotencyKey}-${keyHash(form?.body ?? body)}`;
  const { pathname, search } = urlOf(service, own);
  return {
    baseUrl: service.profile.baseUrl,
    path: pathname + search,
    headers: { ...jsonHeaders(), ...(form ? { 'content-type': form.type } : {}) },
    key,
    body: form?.body ?? JSON.stringify(body),
    account: accountOf(service, key),
  };
}

/**
 * A hash of the body for the idempotency key: a service that honors keys would refuse another body under the same key, or answer with the
 * first result. The webhook address is left out, because it may change between two attempts of one request.
 */
function keyHash(body: Buffer | SubmitRequest['body']): string {
  const { hookUrl: _, ...own } = body as Readonly<Record<string, unknown>>;
  const hashed = Buffer.isBuffer(body) ? body : JSON.stringify(own);
  return createHash('sha256').update(hashed).digest('hex').slice(0, 16);
}

/**
 * Identifies the secrets that a request is sent with: another key is another account, where the first request is not known. The request's
 * own key is part of it, so that two requests do not show that they have the same secrets.
 */
export function accountOf({ secrets: { apiKey, botToken, headers = {} } }: Service, key: string): string {
  const all = [key, apiKey ?? null, botToken ?? null, ...Object.entries(headers).sort(([a], [b]) => (a < b ? -1 : 1))];
  return createHash('sha256').update(JSON.stringify(all)).digest('hex').slice(0, 16);
}

/** The body, unless it holds a secret, because it is stored on disk. Short secrets are ignored: a prompt may contain such a word. */
function withoutSecret({ secrets: { apiKey, botToken, headers = {} } }: Service, body: string): string | undefined {
  const secrets = [apiKey, botToken, ...Object.values(headers)].filter((secret) => secret !== undefined);
  const holds = secrets.some((secret) => {
    if (secret.length < MIN_GUARDED_LENGTH) return false;
    return body.includes(secret) || body.includes(JSON.stringify(secret).slice(1, -1));
  });
  return holds ? undefined : body;
}

interface Query {
  method: 'GET' | 'POST';
  url: URL;
  headers: Headers;
  body?: unknown;
  headerMs?: number;
  signal?: AbortSignal;
  /** The most values of the answer, if it is a list of everything. */
  values?: number;
}

const MAX_REDIRECTS = 5;
/** The longest answer, in characters: it may hold a clip. */
const ANSWER_LIMIT = 256 * 1024 * 1024;

/** Where an answer redirects to, if it does. */
function redirectOf({ status, headers }: Response, from: URL): URL | null {
  if (status < 300 || status >= 400 || headers.location === undefined) return null;
  return URL.parse(headers.location, from.href);
}

/** Sends a request that costs nothing. Redirects are followed only within the profile's own origin, so the key goes nowhere else. */
export async function sendQuery(service: Service, query: Query): Promise<Exchange> {
  let { method, url } = query;
  for (let hop = 0; ; hop += 1) {
    const body = method === 'POST' ? JSON.stringify(query.body ?? {}) : undefined;
    const headerMs = query.headerMs ?? HEADER_MS.poll;
    const sent = await service.transport.send({
      method,
      url,
      headers: query.headers,
      body,
      route: 'free',
      headerMs,
      signal: query.signal,
    });
    if (!sent.ok) return { failure: sent.failure };
    const { status } = sent.response;
    const next = redirectOf(sent.response, url);
    if (!next || next.origin !== originOf(service) || hop >= MAX_REDIRECTS) {
      return { answer: await readAnswer(sent.response, { limit: ANSWER_LIMIT, values: query.values }) };
    }
    sent.response.discard();
    if (status !== 307 && status !== 308) method = 'GET';
    url = next;
  }
}

/** Queries a list, with the key or without. */
export function queryList(service: Service, url: URL, withKey = true): Promise<Exchange> {
  const headers = { ...plainHeaders(), ...(withKey ? bearer(service) : {}) };
  return sendQuery(service, { method: 'GET', url, headers, headerMs: HEADER_MS.test, values: MAX_LIST_VALUES });
}
