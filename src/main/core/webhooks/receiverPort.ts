import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Store, sql } from '../store/index.ts';

/** Listens on any free port, and on the same one at the next start if possible: addresses given to services and tunnels remain valid. */
export async function listenOnLastPort(server: Server, store: Pick<Store, 'read' | 'transaction'>): Promise<number> {
  const last = Number(store.read.one<{ value: string }>(lastPort)?.value ?? 0);
  const port = await listen(server, last).catch(() => listen(server, 0));
  if (port !== last) store.transaction((db) => db.run(savePort, { port: String(port) }));
  return port;
}

const lastPort = sql('webhooks.port', `SELECT value FROM flags WHERE name = 'webhooks.port'`);
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
