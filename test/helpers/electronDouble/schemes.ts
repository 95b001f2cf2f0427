import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeStream } from 'node:stream/web';

type Handler = (request: Request) => Response | Promise<Response>;

interface Served {
  handler: Handler;
  /** `http://127.0.0.1:PORT`, which stands for `scheme://host`. */
  origin: string;
  /** The scheme with its host, such as `studio-app://app`; other schemes have their host in the path. */
  prefix: string;
}

/**
 * Custom schemes, which plain Chromium lacks. Each is a loopback server, so that two schemes are two origins as in Electron. Every mention
 * of a scheme in a page or header is replaced by its server's address.
 */
export class Schemes {
  private readonly served = new Map<string, Served>();
  private readonly sizes = new Map<string, number[]>();

  /** Electron's `protocol.handle`. */
  handle(scheme: string, handler: Handler): void {
    const server = free.pop();
    if (!server) throw new Error('The double has no more schemes.');
    server.on('request', (request, response) => void this.answer(scheme, request, response));
    const { port } = server.address() as AddressInfo;
    const prefix = scheme === 'studio-app' ? 'studio-app://app' : `${scheme}:/`;
    this.served.set(scheme, { handler, origin: `http://127.0.0.1:${port}`, prefix });
  }

  /** Translates an address of a custom scheme into the one that Chromium opens. */
  toLoopback(address: string): string {
    return this.rewrite(address);
  }

  /** Translates Chromium's address back into Electron's. */
  toScheme(address: string): string {
    for (const { origin, prefix } of this.served.values()) {
      if (address.startsWith(`${origin}/`)) return prefix + address.slice(origin.length);
    }
    return address;
  }

  /** The sizes of the first `count` bodies sent to a scheme. Electron holds each of them whole in memory. */
  async bodies(scheme: string, count: number): Promise<number[]> {
    while ((this.sizes.get(scheme)?.length ?? 0) < count) await new Promise((resolve) => setTimeout(resolve, 20));
    return this.sizes.get(scheme) ?? [];
  }

  private rewrite(text: string): string {
    let written = text;
    for (const [scheme, { origin, prefix }] of this.served) {
      written = written.replaceAll(prefix, origin).replaceAll(`${scheme}:`, origin);
    }
    return written;
  }

  private async answer(scheme: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const served = this.served.get(scheme);
    if (!served) return;
    const method = request.method ?? 'GET';
    // As in Electron, a body arrives whole or not at all.
    const body = method === 'PUT' ? await buffer(request) : undefined;
    if (body) this.sizes.set(scheme, [...(this.sizes.get(scheme) ?? []), body.length]);
    const answer = await served.handler(
      new Request(served.prefix + request.url, {
        method,
        headers: new Headers(request.headers as Record<string, string>),
        ...(body ? { body } : {}),
      } as RequestInit),
    );
    const headers = Object.fromEntries([...answer.headers].map(([name, value]) => [name, this.rewrite(value)]));
    const isText = /html|javascript|css/.test(headers['content-type'] ?? '');
    if (isText) delete headers['content-length'];
    response.writeHead(answer.status, headers);
    if (isText) response.end(this.rewrite(await answer.text()));
    else if (answer.body) await pipeline(Readable.fromWeb(answer.body as NodeStream), response).catch(() => {});
    else response.end();
  }
}

/** Servers that listen in advance: `protocol.handle` is synchronous, and its port must be known when it returns. */
const free: Server[] = Array.from({ length: 4 }, () => createServer().listen(0, '127.0.0.1'));
await Promise.all(free.map((server) => once(server, 'listening')));

/** The schemes of the default session. Every other session has its own. */
export const schemes = new Schemes();
