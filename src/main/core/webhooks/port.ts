import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Store, sql } from '../store/index.ts';

/**
 * The receiver's port is any free one, and the same again at the next start where it can be had: what a service was told before an
 * end, or a tunnel was pointed at, still arrives.
 */
export async function listenOnUsualPort(server: Server, store: Pick<Store, 'read' | 'transaction'>): Promise<number> {
  const usual = Number(store.read.one<{ value: string }>(usualPort)?.value ?? 0);
  const port = await listen(server, usual).catch(() => listen(server, 0));
  if (port !== usual) store.transaction((db) => db.run(savePort, { port: String(port) }));
  return port;
}

const usualPort = sql('webhooks.port', `SELECT value FROM flags WHERE name = 'webhooks.port'`);
const savePort = sql(
  'webhooks.savePort',
  `INSERT INTO flags (name, value) VALUES ('webhooks.port', $port) ON CONFLICT DO UPDATE SET value = $port`,
);

function listen(server: Server, port: number): Promise<number> {
  return new Promise((ready, failed) => {
    server.once('error', failed);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', failed);
      ready((server.address() as AddressInfo).port);
    });
  });
}
