import { safeStorage } from 'electron';
import type { Vault } from '../common/patientVault.ts';
import type { KeyValueFile } from '../common/settings.ts';

const FIELD = 'sealedKeys';
/** The prefix of values that Chromium on Linux encrypts with a hard-coded password, which protects nothing (components/os_crypt). */
const OBSCURED = 'v10';
const PROBE = 'Dailies';

const isOff = () => process.env.DAILIES_KEYCHAIN === 'off';
const sealedIn = (file: KeyValueFile) => (file.get(FIELD) ?? {}) as Record<string, string>;

/** Whether a secret is stored encrypted, without opening the system's keychain. */
export const holdsSealed =
  (file: KeyValueFile) =>
  (name: string): boolean =>
    !isOff() && Object.hasOwn(sealedIn(file), name);

/**
 * Decided by an actual cipher text: on Linux encryption counts as available with any provider, and the backend is chosen without asking
 * whether its service runs.
 */
async function reallyEncrypts(): Promise<boolean> {
  if (process.platform !== 'linux') return true;
  return !isObscured((await safeStorage.encryptStringAsync(PROBE)).toString('base64'));
}

const isObscured = (cipher: string): boolean =>
  process.platform === 'linux' && Buffer.from(cipher, 'base64').toString('latin1').startsWith(OBSCURED);

/**
 * Removes keys in such cipher texts, which earlier versions accepted: anybody who can read the file can read the key. The user must enter
 * the key again.
 */
function forgetObscured(file: KeyValueFile, copyAnew: () => void): void {
  const sealed = Object.entries(sealedIn(file));
  const kept = sealed.filter(([, cipher]) => !isObscured(cipher));
  if (kept.length === sealed.length) return;
  file.set(FIELD, Object.fromEntries(kept));
  copyAnew();
}

/**
 * Keys encrypted by the system's keychain; the settings file holds the cipher text. Null if nothing would really be encrypted. The
 * asynchronous calls are used, since the synchronous ones block on the keychain's prompt and are deprecated. `copyAnew` renews the copy of
 * the settings file, which would keep a deleted or replaced secret.
 */
export async function openSafeStorageVault(file: KeyValueFile, copyAnew: () => void): Promise<Vault | null> {
  if (isOff()) return null;
  if (!(await safeStorage.isAsyncEncryptionAvailable())) return null;
  if (!(await reallyEncrypts())) {
    forgetObscured(file, copyAnew);
    return null;
  }
  const sealed = () => sealedIn(file);
  const seal = async (name: string, value: string) => {
    const cipher = await safeStorage.encryptStringAsync(value);
    file.set(FIELD, { ...sealed(), [name]: cipher.toString('base64') });
  };
  /** The new secret is stored in any case; the copy has the old one until the next start. */
  const copyUnlessFull = () => {
    try {
      copyAnew();
    } catch {}
  };
  /**
   * The keychain changed its own key. A secret that was replaced meanwhile keeps its new value; one that cannot be encrypted again stays
   * readable.
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
      if (shouldReEncrypt || isObscured(cipher)) await sealAnew(name, cipher, result).catch(() => undefined);
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
