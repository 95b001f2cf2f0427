import { safeStorage } from 'electron';
import type { Vault } from '../common/patientVault.ts';
import type { KeyValueFile } from '../common/settings.ts';

const FIELD = 'sealedKeys';
/** The tag of what Chromium on Linux encrypts with a password from its source, which protects nothing (components/os_crypt). */
const OBSCURED = 'v10';
const PROBE = 'Dailies';

const isOff = () => process.env.DAILIES_KEYCHAIN === 'off';
const sealedIn = (file: KeyValueFile) => (file.get(FIELD) ?? {}) as Record<string, string>;

/** Whether a secret of this name is kept encrypted, which is known without the system's keychain. */
export const holdsSealed =
  (file: KeyValueFile) =>
  (name: string): boolean =>
    !isOff() && Object.hasOwn(sealedIn(file), name);

/**
 * Judged by a cipher text: on Linux encryption counts as available whichever provider answers, and the name of the backend is chosen without
 * asking whether its service does.
 */
async function reallyEncrypts(): Promise<boolean> {
  if (process.platform !== 'linux') return true;
  return !isObscured((await safeStorage.encryptStringAsync(PROBE)).toString('base64'));
}

const isObscured = (cipher: string): boolean =>
  process.platform === 'linux' && Buffer.from(cipher, 'base64').toString('latin1').startsWith(OBSCURED);

/** Earlier versions took such a cipher text for encrypted: whoever reads the file reads the key. It has to be entered again. */
function forgetObscured(file: KeyValueFile, copyAnew: () => void): void {
  const sealed = Object.entries(sealedIn(file));
  const kept = sealed.filter(([, cipher]) => !isObscured(cipher));
  if (kept.length === sealed.length) return;
  file.set(FIELD, Object.fromEntries(kept));
  copyAnew();
}

/**
 * Keys encrypted by the system's keychain; the settings file holds only the cipher text. Null if nothing would really be encrypted. The
 * asynchronous calls are used: the synchronous ones block on the keychain's prompt and are deprecated. `copyAnew` renews the copy of the
 * settings file, which would keep a secret that was forgotten or replaced.
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
