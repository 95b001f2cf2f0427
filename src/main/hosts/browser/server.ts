import { once } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import { PassThrough } from 'node:stream';
import { type HttpBindings, serve } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { getPath } from 'hono/utils/url';
import { BYTES_PER_CHARACTER, maxCharactersOf } from '../../../shared/contract/callParts.ts';
import { fail, type Result } from '../../../shared/contract/result.ts';
import { en, formatCount, t } from '../../../shared/text/texts.ts';
import type { Logger } from '../../core/ports.ts';
import type { Studio } from '../../core/studio.ts';
import { filmPieceFrom } from '../common/filmPiece.ts';
import { isForMediaPage, refusedToMediaPage, refusedUpload } from '../common/mediaPagePermissions.ts';
import { assetResponse, mediaResponse, refusedFileStatus } from '../common/mediaResponse.ts';
import { type MediaWorkerSupervisor, noteMediaCall } from '../common/mediaWorkerSupervisor.ts';
import { type Pages, SCRIPTS } from '../common/pages.ts';
import { isOfOtherUser } from '../common/peerUser.ts';
import { takeUpload, uploadFields } from '../common/uploadFields.ts';
import { type Access, type AccessSecrets, type Client, createAccess, isOwnOrigin, type OwnAddress } from './access.ts';
import { inConnectionTurns } from './connectionTurns.ts';
import { createEventStreams } from './events.ts';
import { type PublicAddress, pathInside } from './publicAddress.ts';

const MAX_SIGN_IN_BYTES = 4_096;
/** Time limit for a client's headers; bodies may take as long as they flow. */
const HEADERS_MS = 10_000;
/** A client that stalls in the middle of a call for this long is gone. */
const SILENCE_MS = 60_000;
/** Node checks its connections this often per limit; its default is every half minute. */
const CHECKS_PER_TIMEOUT = 10;

export interface BrowserServer {
  port: number;
  /** `http://127.0.0.1:PORT` */
  origin: string;
  access: Access;
  close(): Promise<void>;
}

export interface ServerParts {
  /** 0 means any free port. */
  port: number;
  /** Where a reverse proxy serves it too. */
  publicAddress?: PublicAddress | undefined;
  secrets: AccessSecrets;
  studio: Studio;
  /** Without pages it answers calls only: programs of this user reach a studio whose pages are in a desktop window. */
  pages?: Pages;
  log: Logger;
  now(): number;
  /** Receives the media work that pages and the worker claim. */
  media(): MediaWorkerSupervisor | undefined;
  /** How long headers may take, milliseconds. */
  headersMs?: number;
  /** How long a call's body may stall, in milliseconds. */
  silenceMs?: number;
}

type Env = { Bindings: HttpBindings; Variables: { client: Client; by: PublicAddress | undefined } };

/** The contract and the pages over HTTP, on loopback only. */
export async function startServer(parts: ServerParts): Promise<BrowserServer> {
  let port = parts.port;
  const access = createAccess(parts.secrets, () => port, parts.now);
  const streams = createEventStreams((listener) => parts.studio.subscribe(listener));
  const { publicAddress } = parts;
  const app = new Hono<Env>({ getPath: (request) => pathInside(getPath(request), publicAddress) });
  guard(app, access, () => ({ port, publicAddress }));
  serveCalls(app, parts);
  serveHello(app, access, parts);
  if (parts.pages) servePageSide(app, { access, streams, ...parts, pages: parts.pages });
  app.onError((error, context) => {
    parts.log.error({ error: String(error), path: context.req.path }, 'a request failed');
    return answer(context, fail('internal', en`Dailies could not answer this; its log says why.`), 500);
  });
  const server = await listen(app, parts.port, parts.headersMs ?? HEADERS_MS).catch((error: unknown) => {
    streams.close();
    throw error;
  });
  port = addressPort(server);
  return {
    port,
    origin: `http://127.0.0.1:${port}`,
    access,
    close: () => {
      streams.close();
      return closeServer(server);
    },
  };
}

interface PageSide extends Pick<ServerParts, 'studio' | 'silenceMs' | 'publicAddress'> {
  access: Access;
  streams: ReturnType<typeof createEventStreams>;
  pages: Pages;
}

/** Routes that pages need besides calls. */
function servePageSide(app: Hono<Env>, { access, streams, pages, ...parts }: PageSide): void {
  app.post('/events', (context) => {
    return answer(context, { ok: true, data: { ticket: access.ticket('events', context.get('client')) } });
  });
  app.get('/events', (context) => {
    const disconnect = () => context.env.outgoing.destroy();
    return context.get('client') === 'page' ? streams.open(disconnect) : streams.open(disconnect, isForMediaPage);
  });
  serveMedia(app, parts.studio);
  serveSignIn(app, access, parts);
  servePages(app, pages, access, parts.publicAddress);
}

/** Paths that require a key in a header. Pictures, players and downloads send no header and use the cookie. */
const CALLS = ['/rpc/*', '/events', '/media'];
const MEDIA = '/media/:id';
const EXPORTED = '/exports/:id/*';
const isData = (path: string) => /^\/(rpc|events|media|exports|session|hello)(\/|$)/.test(path);
const targetOf = (path: string) => (isData(path) ? 'data' : path.startsWith(SCRIPTS) ? 'script' : 'page');

/** Refuses other origins before any key is checked. */
function guard(app: Hono<Env>, access: Access, own: () => OwnAddress): void {
  app.use(async (context, next) => {
    await next();
    // An address may contain the token or a ticket: no page may pass its address on.
    context.res.headers.set('referrer-policy', 'no-referrer');
  });
  app.use(async (context, next) => {
    if (isOwnOrigin(context.req.raw.headers, own(), targetOf(context.req.path))) return next();
    return answer(context, fail('wrong_state', 'Requests from another origin are refused.', { field: 'origin' }), 403);
  });
  const unauthorized = fail('wrong_state', 'The token is missing or wrong.', { field: 'token' });
  for (const path of CALLS) {
    app.use(path, async (context, next) => {
      const { req } = context;
      const ticket = path === '/events' && req.method === 'GET' ? req.query('ticket') : undefined;
      const client = ticket === undefined ? access.authenticate(req.raw.headers) : access.authenticateStream(ticket);
      if (!client) return answer(context, unauthorized, 401);
      context.set('client', client);
      return next();
    });
  }
  for (const path of [MEDIA, EXPORTED])
    app.use(path, (context, next) =>
      access.mayRead(context.req.raw.headers) ? next() : Promise.resolve(answer(context, unauthorized, 401)),
    );
}

function serveCalls(app: Hono<Env>, { studio, media, silenceMs }: ServerParts): void {
  app.post('/rpc/:name', async (context) => {
    const name = context.req.param('name');
    const refusal = context.get('client') === 'page' ? undefined : refusedToMediaPage(name);
    if (refusal) return answer(context, refusal, 403);
    const most = maxCharactersOf(name);
    const body = await readBody(context.env.incoming, most, silenceMs);
    if (body === null) {
      const message = `The body must have at most ${formatCount(most)} characters; send bytes with PUT /media.`;
      return answer(context, fail('too_large', message), 413);
    }
    const input = readJson(body);
    if (!input.ok) return answer(context, input, 400);
    const result = await studio.call(name, input.data);
    notifySupervisor(media(), context.get('client'), name, result);
    return answer(context, result);
  });
}

/** Null if it has more characters. It is still read to the end: an answer to a sending client would be lost with the connection. */
async function readBody(
  incoming: IncomingMessage,
  maxCharacters: number,
  silenceMs = SILENCE_MS,
): Promise<string | null> {
  const parts: Buffer[] = [];
  let [bytes, characters] = [0, 0];
  incoming.setTimeout(silenceMs, () => incoming.destroy());
  for await (const part of incoming as AsyncIterable<Buffer>) {
    bytes += part.length;
    characters += charactersIn(part);
    if (characters <= maxCharacters && bytes <= maxCharacters * BYTES_PER_CHARACTER) parts.push(part);
    else parts.length = 0;
  }
  // The answer may take longer.
  incoming.setTimeout(0);
  // Invalid UTF-8 may decode to more characters than were counted.
  const text = characters > maxCharacters ? '' : Buffer.concat(parts).toString('utf8');
  return Math.max(characters, text.length) > maxCharacters || bytes > maxCharacters * BYTES_PER_CHARACTER ? null : text;
}

/**
 * The body of a call that needs no key; null if it is too long for any of them. Then the connection ends, since the sender has proved
 * nothing.
 */
async function readSmallBody(incoming: IncomingMessage, silenceMs = SILENCE_MS): Promise<string | null> {
  if (Number(incoming.headers['content-length'] ?? 0) > MAX_SIGN_IN_BYTES) return null;
  const parts: Buffer[] = [];
  let bytes = 0;
  incoming.setTimeout(silenceMs, () => incoming.destroy());
  for await (const part of incoming as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > MAX_SIGN_IN_BYTES) return null;
    parts.push(part);
  }
  incoming.setTimeout(0);
  return Buffer.concat(parts).toString('utf8');
}

function tooLong(context: Context<Env>): Response {
  context.header('connection', 'close');
  return answer(context, fail('too_large', `The body must have at most ${formatCount(MAX_SIGN_IN_BYTES)} bytes.`), 413);
}

/** UTF-16 units in a part of a UTF-8 text: continuation bytes count zero, four-byte characters two. */
function charactersIn(part: Buffer): number {
  let count = 0;
  for (const byte of part) {
    if ((byte & 0xc0) !== 0x80) count += byte >= 0xf0 ? 2 : 1;
  }
  return count;
}

function notifySupervisor(
  supervisor: MediaWorkerSupervisor | undefined,
  client: Client,
  name: string,
  result: Result<unknown>,
): void {
  if (supervisor) noteMediaCall(supervisor, client === 'mediaWorker', name, result);
}

/** A call without input takes `{}` or nothing. */
function readJson(text: string): Result<unknown> {
  if (text.trim() === '') return { ok: true, data: {} };
  try {
    return { ok: true, data: JSON.parse(text) };
  } catch {
    return fail('invalid_input', 'The body must be JSON.', { field: '' });
  }
}

function serveMedia(app: Hono<Env>, studio: Studio): void {
  // Hono answers HEAD from here too.
  app.get(MEDIA, async (context) => {
    const file = studio.media.open(context.req.param('id'));
    if (!file.ok) return answer(context, file, refusedFileStatus(file.error));
    return assetResponse(file.data, context.req.raw);
  });
  app.get(EXPORTED, async (context) => {
    const { id } = context.req.param();
    const file = await studio.exports.open(id, exportedName(context.req.path, id));
    if (!file.ok) return answer(context, file, refusedFileStatus(file.error));
    return mediaResponse(file.data, context.req.raw.method, context.req.raw.headers);
  });
  app.put('/media', async (context) => {
    const film = filmPieceFrom(new URL(context.req.url).searchParams);
    if (film) return answer(context, await studio.media.writeFilm(film.taskId, film.at, context.env.incoming));
    const name = context.req.query('name') ?? '';
    if (name === '') return answer(context, fail('invalid_input', 'name: must be the file name.', { field: 'name' }));
    const fields = uploadFields(new URL(context.req.url).searchParams);
    const refusal = refusedUpload(context.get('client'), fields);
    if (refusal) return answer(context, refusal, 403);
    const { incoming } = context.env;
    const body = new PassThrough();
    // The reader gets the error too; without a reader it is harmless.
    body.on('error', () => {});
    incoming.on('error', (error) => body.destroy(error)).pipe(body);
    incoming.once('aborted', () => body.destroy(new Error('The upload was cut off.')));
    const result = await takeUpload(studio, { name, body, ...fields });
    if (!incoming.complete && !incoming.destroyed) {
      // Refused before all of it arrived: the rest is discarded, or the answer would be lost with the connection.
      incoming.unpipe(body);
      incoming.resume();
      await once(incoming, 'close');
    }
    return answer(context, result);
  });
}

/** The name may contain `/`. A name that cannot be decoded matches nothing. */
function exportedName(path: string, id: string): string {
  try {
    return decodeURIComponent(path.slice(`/exports/${encodeURIComponent(id)}/`.length));
  } catch {
    return '';
  }
}

/**
 * A page exchanges the ticket in its address for its key, which it keeps in its origin's storage, out of reach of other ports. Later it asks
 * the host to prove its identity.
 */
function serveSignIn(app: Hono<Env>, access: Access, { silenceMs }: Pick<ServerParts, 'silenceMs'>): void {
  app.post('/session', async (context) => {
    const body = await readSmallBody(context.env.incoming, silenceMs);
    if (body === null) return tooLong(context);
    const input = readJson(body);
    const { ticket, nonce } = (input.ok ? (input.data ?? {}) : {}) as { ticket?: unknown; nonce?: unknown };
    const asked = typeof nonce === 'string' && nonce !== '' ? nonce : undefined;
    const keys = typeof ticket === 'string' ? access.signIn(ticket, asked) : null;
    if (keys) return answer(context, { ok: true, data: keys });
    return answer(context, fail('wrong_state', 'This ticket is not valid any more.', { field: 'ticket' }), 401);
  });
}

function serveHello(app: Hono<Env>, access: Access, { silenceMs }: Pick<ServerParts, 'silenceMs'>): void {
  app.post('/hello', async (context) => {
    const body = await readSmallBody(context.env.incoming, silenceMs);
    if (body === null) return tooLong(context);
    const input = readJson(body);
    const { nonce } = (input.ok ? (input.data ?? {}) : {}) as { nonce?: unknown };
    const proof = typeof nonce === 'string' ? access.proveHost(nonce) : null;
    if (proof) return answer(context, { ok: true, data: proof });
    return answer(context, fail('invalid_input', 'nonce: must be 43 letters of base64url.', { field: 'nonce' }), 400);
  });
}

interface Entrance {
  path: string;
  page: 'app' | 'media';
}

/**
 * Pages that accept a token, and their redirects. Nothing of the request enters the redirect's address, which is relative, since a proxy may
 * serve it below a path.
 */
const PAGE_PATHS: Record<string, Entrance> = {
  '/': { path: './', page: 'app' },
  '/index.html': { path: './', page: 'app' },
  '/media.html': { path: './media.html', page: 'media' },
};

/**
 * Removes the token from the address at once, so that it is not in the history. A browser keeps the fragment (`#/queue`) over a redirect
 * without one, so then the ticket goes into the query; otherwise it goes into the fragment, which no server sees.
 */
function enterPage(context: Context<Env>, access: Access, { path, page }: Entrance): Response | undefined {
  const offered = context.req.query('token');
  if (offered === undefined) return undefined;
  const isOther = isOfOtherUser(context.env.incoming.socket);
  const entered = access.enter(offered, page, { by: context.get('by'), isOther });
  if (!entered) return unauthorized(context);
  const isBrowser = context.req.header('sec-fetch-mode') === 'navigate';
  return context.body(null, 303, {
    location: `${path}${isBrowser ? '?' : '#'}ticket=${entered.ticket}`,
    'set-cookie': entered.cookie,
    'cache-control': 'no-store',
  });
}

function servePages(app: Hono<Env>, pages: Pages, access: Access, publicAddress: PublicAddress | undefined): void {
  app.use('*', (context, next) => {
    const isByProxy = context.req.header('host') === publicAddress?.host;
    // Without its last slash, relative addresses of the page would miss the folder.
    if (isByProxy && `${context.req.path}/` === publicAddress?.base)
      return Promise.resolve(context.redirect(publicAddress.base + new URL(context.req.url).search, 308));
    context.set('by', isByProxy ? publicAddress : undefined);
    return next();
  });
  app.get('*', async (context) => {
    const pathname = context.req.path;
    const entrance = Object.hasOwn(PAGE_PATHS, pathname) ? PAGE_PATHS[pathname] : undefined;
    const entered = entrance && enterPage(context, access, entrance);
    if (entered) return entered;
    const isPage = entrance !== undefined || pathname.endsWith('.html');
    if (isPage && !access.mayRead(context.req.raw.headers)) return unauthorized(context);
    const served = await pages.serve(pathname);
    if (!served) return context.text('There is no such page.', 404);
    if (pathname.startsWith(SCRIPTS)) served.headers.set('access-control-allow-origin', '*');
    return served;
  });
}

const unauthorized = (context: Context) =>
  context.text(t`This address has no valid token. Open the address that Dailies prints when it starts.`, 401);

function answer(
  context: Context,
  result: Result<unknown>,
  status: 200 | 400 | 401 | 403 | 404 | 413 | 500 | 503 = 200,
): Response {
  return context.json(result, status, { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
}

function listen(app: Hono<Env>, port: number, headersMs: number): Promise<Server> {
  const limits = {
    headersTimeout: headersMs,
    requestTimeout: 0,
    connectionsCheckingInterval: Math.ceil(headersMs / CHECKS_PER_TIMEOUT),
  };
  return new Promise((resolve, reject) => {
    const wanted = { hostname: '127.0.0.1', port, serverOptions: limits, overrideGlobalObjects: false };
    const fetch = inConnectionTurns((request, env) => app.fetch(request, env));
    const server = serve({ fetch: (request, env) => fetch(request, env as HttpBindings), ...wanted }) as Server;
    server.once('listening', () => resolve(server));
    server.once('error', reject);
  });
}

function addressPort(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return address.port;
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
