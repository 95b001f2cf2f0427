import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { listenAtFirst, portsToTry } from '../portsToTry.ts';
import { readFlag, type Store, whereThereIsRoom, writeFlag } from '../store/index.ts';

/** Listens on any free port, and on the same one at the next start if possible: addresses given to services and tunnels remain valid. */
export async function listenOnLastPort(server: Server, store: Pick<Store, 'read' | 'transaction'>): Promise<number> {
  const last = Number(readFlag(store.read, PORT_FLAG) ?? 0);
  const port = await listenAtFirst(portsToTry(last), (one) => listen(server, one));
  // Otherwise the next start does not know it, which is no reason not to start now.
  if (port !== last) whereThereIsRoom(() => store.transaction((db) => writeFlag(db, PORT_FLAG, String(port))));
  return port;
}

const PORT_FLAG = 'webhooks.port';

function listen(server: Server, port: number): Promise<number> {
  return new Promise((ready, failed) => {
    server.once('error', failed);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', failed);
      ready((server.address() as AddressInfo).port);
    });
  });
}
