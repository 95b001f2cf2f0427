import { ruleOf } from '../../../shared/contract/validationMessages.ts';
import { SANDBOX_PROFILE_ID, secretSchema } from '../../../shared/gateway/profile.ts';
import type { KeyStore, Logger } from '../../core/ports.ts';
import { patientVault, type Vault, type VaultTimes } from './patientVault.ts';

export interface KeyStoreOptions extends VaultTimes {
  /** Called at first use, not at the start: some systems ask the user. Null if there is no safe place. */
  openVault(): Promise<Vault | null>;
  /** Whether the keychain has this secret, if that is known without opening it. */
  holds?(name: string): boolean;
  /** `DAILIES_API_KEY`, for every profile without its own key. */
  environmentKey?: string | undefined;
  log: Logger;
}

/** Keys in the system's keychain; without one, or if it fails, in memory until the program ends. Never readable in a file. */
export function createKeyStore({ openVault, holds, environmentKey, log, ...times }: KeyStoreOptions): KeyStore {
  const memory = new Map<string, string>();
  const keychain = patientVault(openVault, log, times);
  const served = usableKey(environmentKey, log);
  /** Also null while it does not open. */
  const openNow = () => keychain.open().catch(() => null);
  const hide = (value: string) => {
    log.hide(value);
    return value;
  };
  const kept = async (name: string): Promise<string | null> => {
    // The user is not asked about a secret that does not exist.
    if (holds?.(name) === false) return null;
    const vault = await keychain.open();
    if (vault) return vault.get(name);
    if (holds?.(name)) throw new Error('the keychain with this key is not available');
    return null;
  };
  /** A keychain that opens later must not restore what was replaced or deleted meanwhile. */
  const superseded = new Set<string>();
  const forgetLate = (name: string) => {
    superseded.add(name);
    void keychain
      .eventually()
      .then((late) => (superseded.has(name) ? late.forget(name) : undefined))
      .catch(() => undefined);
  };
  return {
    place: async () => ((await openNow()) ? 'keychain' : 'memory'),
    async get(name) {
      const remembered = memory.get(name);
      if (remembered !== undefined) return { value: remembered, place: 'memory' };
      const found = await kept(name);
      if (found !== null) return { value: hide(found), place: 'keychain' };
      return served && usesEnvironmentKey(name) ? { value: served, place: 'environment' } : null;
    },
    async set(name, value) {
      hide(value);
      const vault = await openNow();
      if (vault && (await tryWrite(vault, name, value, log))) {
        memory.delete(name);
        superseded.delete(name);
        return 'keychain';
      }
      memory.set(name, value);
      if (!vault) forgetLate(name);
      return 'memory';
    },
    async forget(name) {
      memory.delete(name);
      const vault = await keychain.open();
      if (!vault && holds?.(name)) throw new Error('the keychain with this key is not available');
      await vault?.forget(name);
      if (!vault) forgetLate(name);
    },
  };
}

/** The environment's key; an invalid one is reported and ignored. */
function usableKey(offered: string | undefined, log: Logger): string | undefined {
  if (!offered) return undefined;
  log.hide(offered);
  const parsed = secretSchema.safeParse(offered, { error: ruleOf });
  if (parsed.success) {
    log.hide(parsed.data);
    return parsed.data;
  }
  log.warn({}, `DAILIES_API_KEY ${parsed.error.issues[0]?.message}. It is not used.`);
  return undefined;
}

/** If the keychain refuses a new key, the old one must not reappear at the next start. */
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

/** The built-in sandbox needs no key, and a bot token is another secret. */
const usesEnvironmentKey = (name: string) => name !== SANDBOX_PROFILE_ID && !name.includes(':');
