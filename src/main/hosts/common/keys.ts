import { SANDBOX_PROFILE_ID } from '../../../shared/profile.ts';
import type { KeyStore, Logger } from '../../core/ports.ts';

/** A place that really keeps secrets, as the system offers it. */
export interface Vault {
  get(name: string): Promise<string | null>;
  set(name: string, value: string): Promise<void>;
  forget(name: string): Promise<void>;
}

export interface KeyStoreOptions {
  /** Tried at the first use, not at start: some systems ask the user. Answers null where there is no safe place. */
  openVault(): Promise<Vault | null>;
  /** `DAILIES_API_KEY`: serves every profile that has no key of its own. */
  environmentKey?: string | undefined;
  log: Logger;
}

/** Keys in the system's keychain; where there is none, or it fails, in memory until the program ends. Never in a file. */
export function createKeyStore({ openVault, environmentKey, log }: KeyStoreOptions): KeyStore {
  const memory = new Map<string, string>();
  let opening: Promise<Vault | null> | undefined;
  const vault = () => {
    opening ??= openVault().catch((error: unknown) => {
      log.warn({ error: String(error) }, 'the keychain cannot be used; keys are kept in memory');
      return null;
    });
    return opening;
  };
  const hidden = (value: string) => {
    log.hide(value);
    return value;
  };
  if (environmentKey) hidden(environmentKey);
  return {
    async get(name) {
      const remembered = memory.get(name);
      if (remembered !== undefined) return { value: remembered, place: 'memory' };
      const kept = await read(await vault(), name, log);
      if (kept !== null) return { value: hidden(kept), place: 'keychain' };
      return environmentKey && servedByEnvironment(name) ? { value: environmentKey, place: 'environment' } : null;
    },
    async set(name, value) {
      hidden(value);
      try {
        const place = await vault();
        if (place) {
          await place.set(name, value);
          memory.delete(name);
          return 'keychain';
        }
      } catch (error) {
        log.warn({ error: String(error) }, 'the keychain refused a key; it is kept in memory');
      }
      memory.set(name, value);
      return 'memory';
    },
    async forget(name) {
      memory.delete(name);
      await (await vault())?.forget(name);
    },
  };
}

/** A keychain that is locked or was taken away answers with an error: that is a missing key, and the user can mend it. */
async function read(vault: Vault | null, name: string, log: Logger): Promise<string | null> {
  try {
    return (await vault?.get(name)) ?? null;
  } catch (error) {
    log.warn({ error: String(error) }, 'the keychain could not be read');
    return null;
  }
}

/** The gateway in a box needs no key, and a bot token is another secret. */
const servedByEnvironment = (name: string) => name !== SANDBOX_PROFILE_ID && !name.includes(':');
