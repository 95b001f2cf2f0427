import type { Clock, Logger, Network } from '../../core/ports.ts';
import { certificatesIn, followAuthorities } from './authorities.ts';
import { environmentProxyFor } from './proxyRules.ts';
import { readRegularFile } from './regularFile.ts';

/** The network settings of the environment: `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY`, `NO_PROXY`, `NODE_EXTRA_CA_CERTS`. */
export function environmentNetwork(
  clock: Pick<Clock, 'after'>,
  log: Logger,
  env: NodeJS.ProcessEnv = process.env,
): Network {
  const file = env.NODE_EXTRA_CA_CERTS;
  // Node reads it once, at its start; it may have changed since.
  const read = async () => (file ? certificatesIn(readRegularFile(file) ?? '') : []);
  const authorities = followAuthorities({ clock, log, read });
  return {
    ...authorities,
    async proxyFor(url) {
      await authorities.ready;
      return environmentProxyFor(env, url);
    },
  };
}
