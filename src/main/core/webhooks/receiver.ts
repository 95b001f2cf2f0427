import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Clock } from '../ports.ts';
import { ignoringDiskFull, readFlag, type Store, writeFlag } from '../store/index.ts';
import { listenAtFirst, portsToTry } from '../tcpPorts.ts';

const BODY_CAP_BYTES = 1024 * 1024;
/** A body that names a task is short. */
const HINT_CAP_BYTES = 256 * 1024;
const HEADER_CAP_BYTES = 8 * 1024;

type BodyListener = (body: string) => void;

/**
 * The HTTP side of the receiver. All calls get the same answer as soon as their headers arrive: a forger learns nothing, and nobody waits
 * for a body, which is then read and discarded up to its limit.
 */
export function createReceiver(guard: SocketGuard, called: (url: string) => BodyListener | undefined): Server {
  // The guard limits the time of every socket, so the server's own limits are off.
  const options = { maxHeaderSize: HEADER_CAP_BYTES, headersTimeout: 0, requestTimeout: 0 };
  const server = createServer(options, (request, response) => {
    answer(request, response);
    request.once('end', () => guard.requestCompleted(request.socket));
    const listener = called(request.url ?? '');
    if (listener) listen(request, listener);
  });
  server.on('connection', (socket) => guard.add(socket));
  server.on('clientError', (_error, socket) => refuse(socket as Socket));
  return server;
}

/** 204 has no body, so the answer is complete with its headers; the exchange ends with the request. */
function answer(request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(204).flushHeaders();
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.byteLength;
    if (bytes > BODY_CAP_BYTES) request.destroy();
  });
  request.on('end', () => response.end());
  request.on('error', () => request.destroy());
}

/** Passes on a body that arrived complete and within the limit. */
function listen(request: IncomingMessage, listener: BodyListener): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.byteLength;
    if (bytes <= HINT_CAP_BYTES) chunks.push(chunk);
  });
  request.once('end', () => {
    if (bytes > 0 && bytes <= HINT_CAP_BYTES) listener(Buffer.concat(chunks).toString('utf8'));
  });
}

/** Refuses anything but HTTP, and too large headers. */
function refuse(socket: Socket): void {
  if (socket.writable) socket.write('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
  socket.destroySoon();
}

/** Listens on its last port if possible, else on any: addresses given to gateways and tunnels stay valid. */
export async function listenOnLastPort(server: Server, store: Pick<Store, 'read' | 'transaction'>): Promise<number> {
  const last = Number(readFlag(store.read, PORT_FLAG) ?? 0);
  const port = await listenAtFirst(portsToTry(last), (one) => listenAt(server, one));
  // If it cannot be stored, only the next start is affected.
  if (port !== last) ignoringDiskFull(() => store.transaction((db) => writeFlag(db, PORT_FLAG, String(port))));
  return port;
}

const PORT_FLAG = 'webhooks.port';

function listenAt(server: Server, port: number): Promise<number> {
  return new Promise((ready, failed) => {
    server.once('error', failed);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', failed);
      ready((server.address() as AddressInfo).port);
    });
  });
}

export interface SocketLimits {
  /** Above this number a new socket replaces the one that has been idle longest. */
  softLimit: number;
  /** A younger socket is replaced only above `hardLimit`: a genuine call needs a moment between connecting and sending. */
  minAgeMs: number;
  hardLimit: number;
  /** A socket without a complete request for this long is closed. */
  idleMs: number;
}

export const SOCKET_LIMITS: SocketLimits = { softLimit: 256, minAgeMs: 1_000, hardLimit: 1_024, idleMs: 10_000 };

/**
 * Limits the receiver's sockets. No new one is refused: a flood of silent or slow sockets evicts its own oldest, so that genuine calls
 * always get in.
 */
export class SocketGuard {
  /** The time of each socket's last complete request, oldest first. */
  private readonly waiting = new Map<Socket, number>();
  private cancelSweep: (() => void) | undefined;
  private readonly clock: Clock;
  private readonly limits: SocketLimits;

  constructor(clock: Clock, limits: SocketLimits) {
    this.clock = clock;
    this.limits = limits;
  }

  get size(): number {
    return this.waiting.size;
  }

  add(socket: Socket): void {
    this.waiting.set(socket, this.clock.now());
    socket.on('error', () => socket.destroy());
    socket.once('close', () => this.waiting.delete(socket));
    this.evictOldest();
    this.cancelSweep ??= this.clock.after(SWEEP_INTERVAL_MS, () => this.sweep());
  }

  /** A complete request was answered on the socket; another may follow. */
  requestCompleted(socket: Socket): void {
    if (!this.waiting.delete(socket)) return;
    this.waiting.set(socket, this.clock.now());
  }

  close(): void {
    this.cancelSweep?.();
    for (const socket of this.waiting.keys()) socket.destroy();
  }

  private evictOldest(): void {
    const { softLimit, hardLimit, minAgeMs } = this.limits;
    if (this.waiting.size <= softLimit) return;
    const [oldest] = this.waiting;
    if (oldest && (this.clock.now() - oldest[1] >= minAgeMs || this.waiting.size > hardLimit)) this.cut(oldest[0]);
  }

  private sweep(): void {
    const now = this.clock.now();
    const { softLimit, minAgeMs, idleMs } = this.limits;
    for (const [socket, since] of this.waiting) {
      const age = now - since;
      if (age < idleMs && !(this.waiting.size > softLimit && age >= minAgeMs)) break;
      this.cut(socket);
    }
    this.cancelSweep = this.waiting.size > 0 ? this.clock.after(SWEEP_INTERVAL_MS, () => this.sweep()) : undefined;
  }

  private cut(socket: Socket): void {
    this.waiting.delete(socket);
    socket.destroy();
  }
}

const SWEEP_INTERVAL_MS = 500;
