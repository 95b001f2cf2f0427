import type { Settings } from '../../../shared/contract/settings.ts';
import type { Logger } from '../../core/ports.ts';
import type { Studio } from '../../core/studio.ts';
import { listenAtFirst } from '../../core/tcpPorts.ts';
import { candidateEndpoints, lastEndpoint, saveEndpoint } from '../browser/endpoint.ts';
import { type BrowserServer, startServer } from '../browser/server.ts';
import { systemClock } from '../common/clock.ts';

const FILE = 'desktop-host.json';

/**
 * Serves the command line: calls over loopback, with the browser host's checks, secrets of its own, and no page. It listens while the
 * setting is on.
 */
export function serveOutside(studio: Studio, dataDir: string, log: Logger): { close(): Promise<void> } {
  let server: BrowserServer | undefined;
  let closed = false;
  const follow = async (): Promise<void> => {
    const answer = await studio.call('settings.get', {});
    const wanted = !closed && answer.ok && (answer.data as Settings).commandLine === true;
    if (wanted === (server !== undefined)) return;
    if (!wanted) {
      await server?.close();
      server = undefined;
      return;
    }
    server = await listen(studio, dataDir, log);
  };
  let last = Promise.resolve();
  // Serialized: toggling the switch twice starts one server.
  const next = (): Promise<void> => {
    last = last.then(follow).catch((error: unknown) => {
      log.error({ error: String(error) }, 'the command line has no way to this window');
    });
    return last;
  };
  const unsubscribe = studio.subscribe(({ type }) => {
    if (type === 'settings.changed') void next();
  });
  void next();
  return {
    async close() {
      closed = true;
      unsubscribe();
      await last;
      await server?.close();
    },
  };
}

function listen(studio: Studio, dataDir: string, log: Logger): Promise<BrowserServer> {
  return listenAtFirst(candidateEndpoints(0, lastEndpoint(dataDir, log, FILE)), async (endpoint) => {
    const parts = { studio, log, now: systemClock.now, media: () => undefined };
    const server = await startServer({ ...parts, port: endpoint.port, secrets: endpoint });
    saveEndpoint(dataDir, { ...endpoint, port: server.port }, log, FILE);
    return server;
  });
}
