import { once } from 'node:events';
import { request } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { selfSigned } from './gateway/certificate.ts';

/** A TLS proxy in front of the browser host. Like nginx and Caddy, it passes on path and `Host` unchanged. */
export interface ReverseProxy {
  /** `https://127.0.0.1:PORT` */
  origin: string;
  /** The requested paths, in order. */
  paths: string[];
  /** Where requests go. Set later, since the studio needs the proxy's address to start. */
  target: string;
  close(): Promise<void>;
}

export interface ProxyOptions {
  /** A prefix that it removes from each path, like Caddy's `handle_path`. */
  cuts?: string;
  /** Headers that it adds; by default those of a proxy, with false values. */
  headers?: Record<string, string>;
}

const LIES = {
  'x-forwarded-for': '203.0.113.7',
  'x-forwarded-host': 'evil.example',
  'x-forwarded-proto': 'http',
  'x-forwarded-prefix': '/elsewhere',
  forwarded: 'host=evil.example;proto=http',
};

export async function startReverseProxy({ cuts = '', headers = LIES }: ProxyOptions = {}): Promise<ReverseProxy> {
  const paths: string[] = [];
  const server = createServer(selfSigned(['127.0.0.1'], 1), (incoming, outgoing) => {
    const asked = incoming.url ?? '/';
    paths.push(asked);
    const path = cuts !== '' && asked.startsWith(cuts) ? asked.slice(cuts.length - 1) : asked;
    const onward = { method: incoming.method, path, headers: { ...incoming.headers, ...headers } };
    const passed = request(proxy.target, onward, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
      // When a page leaves its event stream, the stream to the host ends too.
      outgoing.once('close', () => answer.destroy());
    });
    passed.once('error', () => outgoing.destroy());
    incoming.pipe(passed);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxy: ReverseProxy = {
    origin: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    paths,
    target: '',
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return proxy;
}
