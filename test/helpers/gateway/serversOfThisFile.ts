import { afterEach } from 'vitest';
import { type RawServer, rawServer } from './rawServer.ts';

/** Starts servers for the tests of one file, and closes them after each test. */
export function serversOfThisFile(): typeof rawServer {
  const open: RawServer[] = [];
  afterEach(async () => {
    for (const server of open.splice(0)) await server.close();
  });
  return async (...args) => {
    const server = await rawServer(...args);
    open.push(server);
    return server;
  };
}
