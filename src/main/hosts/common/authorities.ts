import { networkInterfaces } from 'node:os';
import type { Clock, Logger, Network } from '../../core/ports.ts';

const LOOK_MS = 30_000;
const MOST_CERTIFICATES = 2_000;
const LONGEST = 100_000;
const BEGIN = '-----BEGIN CERTIFICATE-----';
const END = '-----END CERTIFICATE-----';

/** The certificates in a PEM text; anything else is ignored. */
export function certificatesIn(text: string): string[] {
  return text
    .split(BEGIN)
    .slice(1, MOST_CERTIFICATES + 1)
    .flatMap((part) => {
      const end = part.indexOf(END);
      return end < 0 || end > LONGEST ? [] : [`${BEGIN}${part.slice(0, end)}${END}\n`];
    });
}

/** The addresses of this machine, which change with the network. */
const ownAddresses = (): string =>
  Object.values(networkInterfaces())
    .flatMap((entries) => (entries ?? []).map(({ cidr, address }) => cidr ?? address))
    .sort()
    .join(' ');

interface AuthoritiesDeps {
  clock: Pick<Clock, 'after'>;
  log: Logger;
  read(): Promise<readonly string[]>;
  /** Distinguishes networks. */
  network?: () => string;
}

export interface Authorities extends Pick<Network, 'authorities' | 'onChange'> {
  /** The first read has ended, successfully or not. */
  ready: Promise<void>;
  /** Reads again, as after a sleep. */
  refresh(): Promise<void>;
  close(): void;
}

/** Certificate authorities added by the system or the environment, read at the start and after a change of network. */
export function followAuthorities(deps: AuthoritiesDeps): Authorities {
  const { clock, log, read, network = ownAddresses } = deps;
  const listeners = new Set<() => void>();
  let known: readonly string[] = [];
  let where = network();
  const refresh = async () => {
    try {
      const found = (await read()).slice(0, MOST_CERTIFICATES);
      if (found.join() === known.join()) return;
      known = found;
      for (const listener of [...listeners]) listener();
    } catch (error) {
      // Earlier authorities stay trusted.
      log.warn({ error: String(error) }, 'the certificates of this system could not be read');
    }
  };
  const ready = refresh();
  let cancel = () => {};
  const look = () => {
    const here = network();
    if (here !== where) void refresh();
    where = here;
    cancel = clock.after(LOOK_MS, look);
  };
  cancel = clock.after(LOOK_MS, look);
  return {
    authorities: () => known,
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    ready,
    refresh,
    close: () => cancel(),
  };
}
