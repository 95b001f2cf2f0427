import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { SocketGuard } from './socketGuard.ts';

const BODY_CAP_BYTES = 1024 * 1024;
/** A body that names a task is short. */
const HINT_CAP_BYTES = 256 * 1024;
const HEADER_CAP_BYTES = 8 * 1024;

/** Wants the body of a call. */
export type Listener = (body: string) => void;

/**
 * The HTTP side of the receiver. A call is answered as soon as its headers are there, and all calls alike: a forger learns nothing, and
 * nobody waits for a body. What follows is read away, up to its cap.
 */
export function createReceiver(guard: SocketGuard, called: (url: string) => Listener | undefined): Server {
  // The guard keeps the time of every socket, so the server's own limits are off.
  const options = { maxHeaderSize: HEADER_CAP_BYTES, headersTimeout: 0, requestTimeout: 0 };
  const server = createServer(options, (request, response) => {
    answer(request, response);
    request.once('end', () => guard.spoke(request.socket));
    const listener = called(request.url ?? '');
    if (listener) listen(request, listener);
  });
  server.on('connection', (socket) => guard.add(socket));
  server.on('clientError', (_error, socket) => refuse(socket as Socket));
  return server;
}

/** 204 has no body, so it is whole when its headers are out; the exchange is over when the request is. */
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

/** Hands over a body that came whole and is no longer than its cap. */
function listen(request: IncomingMessage, listener: Listener): void {
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

/** What is no HTTP, or has more headers than any service sends. */
function refuse(socket: Socket): void {
  if (socket.writable) socket.write('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
  socket.destroySoon();
}
