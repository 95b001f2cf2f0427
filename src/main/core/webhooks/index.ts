import { timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Profile } from '../../../shared/profile.ts';

/**
 * The receiver of the services' calls (spec 6), on loopback and a port of its own. Nothing in a body is trusted or even read: a call
 * on the right secret path only brings the next look at that task forward. Everything else is answered fast and changes nothing.
 */
export interface Webhooks {
  /** Where a service may call back for a job: the profile's public base where it has one, else loopback. */
  urlFor(profile: Profile, jobId: string, secret: string): string;
  close(): Promise<void>;
}

export interface WebhookDeps {
  /** The secret of a job's path, or undefined where there is no such job. */
  secretOf(jobId: string): string | undefined;
  poke(jobId: string): void;
}

const BODY_CAP_BYTES = 1024 * 1024;
/** A sender that takes longer than this for its headers or its whole request is cut. */
const SLOW_MS = 10_000;
const MAX_SOCKETS = 512;

const PATH = /^\/hooks\/([A-Za-z0-9_-]{1,100})\/([0-9a-f]{32,64})$/;

export async function startWebhooks(deps: WebhookDeps): Promise<Webhooks> {
  const server = createServer(
    { requestTimeout: SLOW_MS, headersTimeout: SLOW_MS, connectionsCheckingInterval: 2_000 },
    (request, response) => receive(deps, request, response),
  );
  server.maxConnections = MAX_SOCKETS;
  server.keepAliveTimeout = 1_000;
  const port = await listen(server);
  return {
    urlFor: (profile, jobId, secret) =>
      `${profile.webhookBase?.replace(/\/+$/, '') ?? `http://127.0.0.1:${port}`}/hooks/${jobId}/${secret}`,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

function listen(server: Server): Promise<number> {
  return new Promise((ready, failed) => {
    server.once('error', failed);
    server.listen(0, '127.0.0.1', () => ready((server.address() as AddressInfo).port));
  });
}

/** The answer does not wait for the body, and is the same for a right and a wrong path: a forger learns nothing. */
function receive(deps: WebhookDeps, request: IncomingMessage, response: ServerResponse): void {
  drain(request);
  const match = PATH.exec((request.url ?? '').split('?')[0] ?? '');
  const jobId = match?.[1];
  if (jobId !== undefined && same(match?.[2] ?? '', deps.secretOf(jobId))) deps.poke(jobId);
  response.writeHead(204).end();
}

/** Reads the body away, so that the connection can be used again, and cuts what is too long. */
function drain(request: IncomingMessage): void {
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.byteLength;
    if (bytes > BODY_CAP_BYTES) request.destroy();
  });
  request.on('error', () => request.destroy());
}

function same(given: string, secret: string | undefined): boolean {
  if (secret === undefined || given.length !== secret.length) return false;
  return timingSafeEqual(Buffer.from(given), Buffer.from(secret));
}
