import { createServer, type Socket } from 'node:net';

/** A request as it was received. */
export interface ReceivedRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
  bytes: Buffer;
}

export interface RawServer {
  url: string;
  port: number;
  requests: ReceivedRequest[];
  close(): Promise<void>;
}

/**
 * An HTTP server on a plain socket, so that a test can drop, stall, split and falsify at any byte. `onConnection` may take over the
 * socket before anything is read.
 */
export function rawServer(
  answer: (request: ReceivedRequest, socket: Socket, count: number) => void,
  onConnection?: (socket: Socket) => void,
  /** 0: any free port. A gateway that returns to its address needs a lasting one (`test/helpers/lastingPort.ts`). */
  port = 0,
): Promise<RawServer> {
  const got: ReceivedRequest[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    onConnection?.(socket);
    let bytes = '';
    socket.on('data', (chunk) => {
      bytes += chunk.toString('latin1');
      // A TLS handshake: without this the client waits for its timeout.
      if (!onConnection && bytes.startsWith('\x16')) socket.destroy();
      for (let whole = wholeRequest(bytes); whole; whole = wholeRequest(bytes)) {
        bytes = bytes.slice(whole.length);
        got.push(whole.request);
        answer(whole.request, socket, got.length);
      }
    });
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      const own = typeof address === 'object' && address ? address.port : 0;
      const close = () =>
        new Promise<void>((done) => {
          for (const socket of sockets) socket.destroy();
          server.close(() => done());
        });
      resolve({ url: `http://127.0.0.1:${own}`, port: own, requests: got, close });
    });
  });
}

function wholeRequest(bytes: string): { request: ReceivedRequest; length: number } | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [first = '', ...lines] = bytes.slice(0, end).split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const length = end + 4 + Number(headers['content-length'] ?? 0);
  if (bytes.length < length) return undefined;
  const [method = '', path = ''] = first.split(' ');
  const body = Buffer.from(bytes.slice(end + 4, length), 'latin1');
  return { request: { method, path, headers, body: body.toString('utf8'), bytes: body }, length };
}

/** A whole answer with its length. */
export function reply(status: number, body: string | object, headers: Record<string, string> = {}): string {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const type = typeof body === 'string' ? {} : { 'content-type': 'application/json' };
  const all = { ...type, 'content-length': String(Buffer.byteLength(text)), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} X\r\n${lines.join('')}\r\n${text}`;
}

/** The beginning of an event stream; what follows is chunks. */
export const STREAM_HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n';
export const STREAM_END = '0\r\n\r\n';

export function chunk(bytes: string | Uint8Array): Buffer {
  const data = Buffer.from(bytes);
  return Buffer.concat([Buffer.from(`${data.length.toString(16)}\r\n`), data, Buffer.from('\r\n')]);
}
