import { SANDBOX_PROFILE_ID, secretSchema } from '../../../shared/profile.ts';
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
  /** How long the keychain may take to answer; a locked one asks the user meanwhile. */
  patience?: () => Promise<never>;
}

/** Keys in the system's keychain; where there is none, or it fails, in memory until the program ends. Never in a file. */
export function createKeyStore({
  openVault,
  environmentKey,
  log,
  patience = fifteenSeconds,
}: KeyStoreOptions): KeyStore {
  const memory = new Map<string, string>();
  let opening: Promise<Vault | null> | undefined;
  let isOpen = false;
  const open = async (): Promise<Vault | null> => {
    try {
      const opened = await openVault();
      return opened && patient(opened, patience);
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
    // One that asks the user first is waited for again the next time.
    return Promise.race([opening, patience()]).catch((error: unknown) => {
      log.warn({ error: String(error) }, 'the keychain does not open; until it does keys are kept in memory');
      return null;
    });
  };
  const hidden = (value: string) => {
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
      if (kept !== null) return { value: hidden(kept), place: 'keychain' };
      return served && servedByEnvironment(name) ? { value: served, place: 'environment' } : null;
    },
    async set(name, value) {
      hidden(value);
      const place = await vault();
      if (place && (await writes(place, name, value, log))) {
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

/** What the environment offers, by the rules of a key that is typed in; a broken one is named and not used. */
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

/** A new key that the keychain refuses must not let the old one come back at the next start. */
async function writes(vault: Vault, name: string, value: string, log: Logger): Promise<boolean> {
  try {
    await vault.set(name, value);
    return true;
  } catch (error) {
    log.warn({ error: String(error) }, 'the keychain refused a key; it is kept in memory');
    await vault.forget(name).catch(() => undefined);
    return false;
  }
}

/** A keychain that hangs must not hang the studio. */
function patient(vault: Vault, patience: () => Promise<never>): Vault {
  const within = <T>(work: Promise<T>): Promise<T> => Promise.race([work, patience()]);
  return {
    get: (name) => within(vault.get(name)),
    set: (name, value) => within(vault.set(name, value)),
    forget: (name) => within(vault.forget(name)),
  };
}

const PATIENCE_MS = 15_000;

const fifteenSeconds = (): Promise<never> =>
  new Promise((_, reject) => {
    setTimeout(() => reject(new Error('the keychain does not answer')), PATIENCE_MS).unref();
  });

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
