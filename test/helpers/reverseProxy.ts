import { once } from 'node:events';
import { request } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { selfSigned } from './gateway/certificate.ts';

/** A proxy with TLS in front of the browser host, as nginx and Caddy pass requests on: the path and `Host` as they came. */
export interface ReverseProxy {
  /** `https://127.0.0.1:PORT` */
  origin: string;
  /** The paths that were asked for, in order. */
  paths: string[];
  /** Where requests go; the proxy is there first, since the studio has to know its address. */
  target: string;
  close(): Promise<void>;
}

export interface ProxyOptions {
  /** What it cuts off each path, as `handle_path` of Caddy does. */
  cuts?: string;
  /** What it adds: by default what a proxy says of the request, here with lies. */
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
      // A page that leaves its stream must not leave one open behind the proxy.
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
