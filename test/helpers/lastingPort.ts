import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { listenAtFirst, portsToTry } from '../../src/main/core/tcpPorts.ts';

/** Listens on this machine alone; rejects where it cannot. Returns the port. */
export async function listenAt(server: Server, port: number): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/**
 * A free port for a server that goes away and comes back. It is outside the range that systems assign automatically, so no other program
 * takes it.
 */
export function lastingPort(): Promise<number> {
  return listenAtFirst(portsToTry(0), async (port) => {
    const server = createServer();
    const free = await listenAt(server, port);
    await new Promise((done) => server.close(done));
    return free;
  });
}
