import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { powerMonitor, type Session } from 'electron';
import type { Clock, Logger, Network } from '../../../core/ports.ts';
import { startProcess } from '../../../core/workers/index.ts';
import { certificatesIn, followAuthorities } from '../../common/authorities.ts';
import { systemProxyFor } from '../../common/proxyRules.ts';

/** A keychain that asks its user would keep the program waiting. */
const LONGEST_READ_MS = 20_000;

/** The system's network settings: proxy rules by address, and trusted authorities. */
export function systemNetwork(of: Session, clock: Pick<Clock, 'after'>, log: Logger): Network {
  const authorities = followAuthorities({ clock, log, read: () => readAuthorities(clock) });
  authorities.onChange(() => log.info({ count: authorities.authorities().length }, 'the authorities of this system'));
  powerMonitor.on('resume', () => {
    void of.forceReloadProxyConfig().catch(() => {});
    void authorities.refresh();
  });
  return {
    ...authorities,
    async proxyFor(url) {
      // The start does not wait for the system, but the first request does.
      await authorities.ready;
      return systemProxyFor(await of.resolveProxy(url.href), process.env, url);
    },
  };
}

function readAuthorities(clock: Pick<Clock, 'after'>): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const child = startProcess(processFile(), {
      heard(message) {
        cancel();
        resolve(certificatesIn((message as { pem: string }).pem));
        child.kill();
      },
      ended(reason) {
        cancel();
        reject(new Error(`the process that reads them ended: ${reason}`));
      },
    });
    const cancel = clock.after(LONGEST_READ_MS, () => {
      reject(new Error('reading them took too long'));
      child.kill();
    });
    child.send({});
  });
}

/** The file of the process: next to the built host, or the source here. */
function processFile(): string {
  const built = fileURLToPath(new URL('./authorities.js', import.meta.url));
  return existsSync(built) ? built : fileURLToPath(new URL('./authoritiesProcess.ts', import.meta.url));
}
