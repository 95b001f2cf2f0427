import type { Socket } from 'node:net';
import { chunk, reply } from './rawServer.ts';

/** Ways of delivering the same answer; the client must read the same from each. */
export const DELIVERIES = ['whole', 'in splinters', 'chunked', 'until the end'] as const;
export type Delivery = (typeof DELIVERIES)[number];

export const deliveryOf = (index: number): Delivery => DELIVERIES[index % DELIVERIES.length] ?? 'whole';

/** The parts of an answer. */
export interface Script {
  status?: number;
  body: string | object;
  headers?: Record<string, string>;
}

/** The answer of a gateway at `home`; `HOME` in a script is replaced by it. */
export function answerAt(home: string, { status = 200, body, headers = {} }: Script) {
  const isText = typeof body === 'string';
  const text = (isText ? body : JSON.stringify(body)).replaceAll('HOME', home);
  return { status, text, headers: isText ? headers : { 'content-type': 'application/json', ...headers } };
}

/** Sends an answer and, if its length is not given, ends the connection after it. */
export function deliver(socket: Socket, manner: Delivery, script: Script): void {
  const { status, text, headers } = answerAt(`http://127.0.0.1:${socket.localPort}`, script);
  if (manner === 'whole') socket.write(reply(status, text, headers));
  else if (manner === 'in splinters') sendInPieces(socket, Buffer.from(reply(status, text, headers)));
  else if (manner === 'chunked') {
    const bytes = Buffer.from(text);
    const pieces = [bytes.subarray(0, 1), bytes.subarray(1, 2), bytes.subarray(2)].filter((piece) => piece.length > 0);
    socket.write(
      Buffer.concat([head(status, { ...script.headers, 'transfer-encoding': 'chunked' }), ...pieces.map(chunk)]),
    );
    socket.write('0\r\n\r\n');
  } else socket.end(Buffer.concat([head(status, { ...script.headers, connection: 'close' }), Buffer.from(text)]));
}

function head(status: number, headers: Record<string, string>): Buffer {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`HTTP/1.1 ${status} X\r\n${lines.join('')}\r\n`);
}

/** Sends growing pieces that ignore the boundaries of lines, fields and characters. */
function sendInPieces(socket: Socket, bytes: Buffer): void {
  socket.setNoDelay(true);
  let at = 0;
  const next = (size: number): void => {
    if (at >= bytes.length || socket.destroyed) return;
    socket.write(bytes.subarray(at, at + size), () => setImmediate(next, size * 2 + 1));
    at += size;
  };
  next(1);
}
