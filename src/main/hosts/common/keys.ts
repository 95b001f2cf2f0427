import { SANDBOX_PROFILE_ID, secretSchema } from '../../../shared/profile.ts';
import type { KeyStore, Logger } from '../../core/ports.ts';

/** A system keychain. */
export interface Vault {
  get(name: string): Promise<string | null>;
  set(name: string, value: string): Promise<void>;
  forget(name: string): Promise<void>;
}

export interface KeyStoreOptions {
  /** Opened at first use, not at start: some systems ask the user. Null if there is no safe place. */
  openVault(): Promise<Vault | null>;
  /** `DAILIES_API_KEY`: used for every profile without a key of its own. */
  environmentKey?: string | undefined;
  log: Logger;
  /** Rejects when the keychain takes too long; a locked one asks the user meanwhile. */
  timeout?: () => Promise<never>;
}

/** Keys in the system's keychain; without one, or if it fails, in memory until the program ends. Never in a file. */
export function createKeyStore({
  openVault,
  environmentKey,
  log,
  timeout = keychainTimeout,
}: KeyStoreOptions): KeyStore {
  const memory = new Map<string, string>();
  let opening: Promise<Vault | null> | undefined;
  let isOpen = false;
  const open = async (): Promise<Vault | null> => {
    try {
      const opened = await openVault();
      return opened && withTimeout(opened, timeout);
    } catch (error) {
      log.warn({ error: String(error) }, 'the keychain cannot be used; keys are kept in memory');
      return null;
    } finally {
      isOpen = true;
    }
  };
  const vault = (): Promise<Vault | null> => {
    opening ??= open();
    if (isOpen) return opening;
    // A keychain that first asks the user is awaited again next time.
    return Promise.race([opening, timeout()]).catch((error: unknown) => {
      log.warn({ error: String(error) }, 'the keychain does not open; until it does keys are kept in memory');
      return null;
    });
  };
  const hide = (value: string) => {
    log.hide(value);
    return value;
  };
  const served = usableKey(environmentKey, log);
  return {
    place: async () => ((await vault()) ? 'keychain' : 'memory'),
    async get(name) {
      const remembered = memory.get(name);
      if (remembered !== undefined) return { value: remembered, place: 'memory' };
      const kept = await read(await vault(), name, log);
      if (kept !== null) return { value: hide(kept), place: 'keychain' };
      return served && usesEnvironmentKey(name) ? { value: served, place: 'environment' } : null;
    },
    async set(name, value) {
      hide(value);
      const place = await vault();
      if (place && (await tryWrite(place, name, value, log))) {
        memory.delete(name);
        return 'keychain';
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

/** The environment's key if it is a valid key; an invalid one is reported and not used. */
function usableKey(offered: string | undefined, log: Logger): string | undefined {
  if (!offered) return undefined;
  log.hide(offered);
  const parsed = secretSchema.safeParse(offered);
  if (parsed.success) {
    log.hide(parsed.data);
    return parsed.data;
  }
  log.warn({}, `DAILIES_API_KEY ${parsed.error.issues[0]?.message}. It is not used.`);
  return undefined;
}

/** A new key that the keychain refuses must not let the old one reappear at the next start. */
async function tryWrite(vault: Vault, name: string, value: string, log: Logger): Promise<boolean> {
  try {
    await vault.set(name, value);
    return true;
  } catch (error) {
    log.warn({ error: String(error) }, 'the keychain refused a key; it is kept in memory');
    await vault.forget(name).catch(() => undefined);
    return false;
  }
}

/** A keychain that hangs must not block the studio. */
function withTimeout(vault: Vault, timeout: () => Promise<never>): Vault {
  const within = <T>(work: Promise<T>): Promise<T> => Promise.race([work, timeout()]);
  return {
    get: (name) => within(vault.get(name)),
    set: (name, value) => within(vault.set(name, value)),
    forget: (name) => within(vault.forget(name)),
  };
}

const KEYCHAIN_TIMEOUT_MS = 15_000;

const keychainTimeout = (): Promise<never> =>
  new Promise((_, reject) => {
    setTimeout(() => reject(new Error('the keychain does not answer')), KEYCHAIN_TIMEOUT_MS).unref();
  });

/** A keychain that is locked or gone answers with an error: that counts as a missing key, which the user can fix. */
async function read(vault: Vault | null, name: string, log: Logger): Promise<string | null> {
  try {
    return (await vault?.get(name)) ?? null;
  } catch (error) {
    log.warn({ error: String(error) }, 'the keychain could not be read');
    return null;
  }
}

/** The built-in sandbox needs no key, and a bot token is another secret. */
const usesEnvironmentKey = (name: string) => name !== SANDBOX_PROFILE_ID && !name.includes(':');
