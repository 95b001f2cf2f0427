import { safeStorage } from 'electron';
import type { Vault } from '../common/keys.ts';
import type { KeyValueFile } from '../common/settings.ts';

const FIELD = 'sealedKeys';
/** What Linux falls back to without a keyring: a password that is in the source of Chromium, so no secret at all. */
const NO_ENCRYPTION = ['basic_text', 'unknown'];

/**
 * Keys sealed by the system's keychain; the settings file holds the cipher text only. Null where nothing would really be encrypted.
 * The asynchronous calls are used: the synchronous ones block on the keychain's own prompt and go away.
 */
export async function openSafeVault(file: KeyValueFile): Promise<Vault | null> {
  if (process.env.DAILIES_KEYCHAIN === 'off') return null;
  if (!(await safeStorage.isAsyncEncryptionAvailable())) return null;
  if (process.platform === 'linux' && NO_ENCRYPTION.includes(safeStorage.getSelectedStorageBackend())) return null;
  const sealed = () => (file.get(FIELD) ?? {}) as Record<string, string>;
  const seal = async (name: string, value: string) => {
    const cipher = await safeStorage.encryptStringAsync(value);
    file.set(FIELD, { ...sealed(), [name]: cipher.toString('base64') });
  };
  /** The keychain has a new key of its own. A secret that was set meanwhile stands; one that cannot be sealed anew is read all the same. */
  const sealAnew = async (name: string, old: string, value: string) => {
    const cipher = await safeStorage.encryptStringAsync(value);
    if (sealed()[name] === old) file.set(FIELD, { ...sealed(), [name]: cipher.toString('base64') });
  };
  return {
    async get(name) {
      const cipher = sealed()[name];
      if (cipher === undefined) return null;
      const { result, shouldReEncrypt } = await safeStorage.decryptStringAsync(Buffer.from(cipher, 'base64'));
      if (shouldReEncrypt) await sealAnew(name, cipher, result).catch(() => undefined);
      return result;
    },
    set: seal,
    async forget(name) {
      const { [name]: _, ...rest } = sealed();
      file.set(FIELD, rest);
    },
  };
}
