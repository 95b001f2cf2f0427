import { safeStorage } from 'electron';
import type { Vault } from '../common/patientVault.ts';
import type { KeyValueFile } from '../common/settings.ts';

const FIELD = 'sealedKeys';
/** Without a keyring Linux falls back to a password from Chromium's source, which protects nothing. */
const NO_ENCRYPTION = ['basic_text', 'unknown'];

const isOff = () => process.env.DAILIES_KEYCHAIN === 'off';
const sealedIn = (file: KeyValueFile) => (file.get(FIELD) ?? {}) as Record<string, string>;

/** Whether a secret of this name is kept encrypted, which is known without the system's keychain. */
export const holdsSealed =
  (file: KeyValueFile) =>
  (name: string): boolean =>
    !isOff() && Object.hasOwn(sealedIn(file), name);

/**
 * Keys encrypted by the system's keychain; the settings file holds only the cipher text. Null if nothing would really be encrypted. The
 * asynchronous calls are used: the synchronous ones block on the keychain's prompt and are deprecated. `copyAnew` renews the copy of the
 * settings file, which would keep a secret that was forgotten or replaced.
 */
export async function openSafeStorageVault(file: KeyValueFile, copyAnew: () => void): Promise<Vault | null> {
  if (isOff()) return null;
  if (!(await safeStorage.isAsyncEncryptionAvailable())) return null;
  if (process.platform === 'linux' && NO_ENCRYPTION.includes(safeStorage.getSelectedStorageBackend())) return null;
  const sealed = () => sealedIn(file);
  const seal = async (name: string, value: string) => {
    const cipher = await safeStorage.encryptStringAsync(value);
    file.set(FIELD, { ...sealed(), [name]: cipher.toString('base64') });
  };
  /** The new secret is kept all the same; the copy has the old one until the next start. */
  const copyUnlessFull = () => {
    try {
      copyAnew();
    } catch {}
  };
  /**
   * The keychain has changed its own key. A secret that was set meanwhile keeps its new value; one that cannot be encrypted again is
   * still read.
   */
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
    async set(name, value) {
      const isReplaced = Object.hasOwn(sealed(), name);
      await seal(name, value);
      if (isReplaced) copyUnlessFull();
    },
    async forget(name) {
      const { [name]: _, ...rest } = sealed();
      file.set(FIELD, rest);
      copyAnew();
    },
  };
}
