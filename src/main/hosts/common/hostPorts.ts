import type {
  KeyStore,
  Logger,
  LoginItem,
  Network,
  Notifier,
  Opener,
  Ports,
  Power,
  Updater,
} from '../../core/ports.ts';
import { systemClock } from './clock.ts';
import { createIds } from './ids.ts';
import { releaseMemory } from './releaseMemory.ts';
import type { HostSettings } from './settings.ts';

/** The differences between the hosts. */
export interface HostPorts {
  keys: KeyStore;
  settings: HostSettings;
  notifier: Notifier;
  opener: Opener;
  /** Omitted if the host cannot control sleep. */
  power?: Power;
  network: Network;
  updater?: Updater | undefined;
  loginItem?: LoginItem | undefined;
  log: Logger;
}

export function createPorts({ updater, loginItem, ...given }: HostPorts): Ports {
  return {
    clock: systemClock,
    ids: createIds(systemClock.now),
    random: Math.random,
    releaseMemory,
    ...given,
    ...(updater ? { updater } : {}),
    ...(loginItem ? { loginItem } : {}),
  };
}

/** Removes it from the environment, so that no child process inherits it. */
export function takeEnvironmentKey(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const key = env.DAILIES_API_KEY;
  delete env.DAILIES_API_KEY;
  return key?.trim() ? key : undefined;
}
