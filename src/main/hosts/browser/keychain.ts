import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { defaultDataDir } from '../common/defaultDataDir.ts';
import type { Vault } from '../common/patientVault.ts';

const SERVICE = 'Dailies';

/** Messages of libdbus without a secret service; it has no error codes. */
const ABSENT = ['was not provided by any .service files', 'Failed to connect to socket', 'No DBus session'];

/**
 * The system's keychain; null if there is none. Rejects if it exists and does not open, such as a locked one. `DAILIES_KEYCHAIN=off` keeps
 * keys in memory only.
 */
export async function openKeychain(dataDir: string): Promise<Vault | null> {
  if (process.env.DAILIES_KEYCHAIN === 'off' || !hasSecretService()) return null;
  const { AsyncEntry } = await import('@napi-rs/keyring');
  // Without a secret service the default, the kernel's keyring, is lost at the next boot.
  const entry = (name: string) =>
    new AsyncEntry(SERVICE, accountOf(name, dataDir), { linux: { store: 'secret-service' } });
  // A slow keychain, such as one that is asking the user, is not open yet.
  const isThere = await entry('probe')
    .getPassword()
    .then(() => true, falseIfAbsent);
  if (!isThere) return null;
  return {
    get: (name) => entry(name).getPassword(),
    set: (name, value) => entry(name).setPassword(value),
    forget: async (name) => void (await entry(name).deleteCredential()),
  };
}

/** False for an error that means there is no service; any other is thrown. */
function falseIfAbsent(error: unknown): false {
  if (process.platform === 'linux' && ABSENT.some((words) => String(error).includes(words))) return false;
  throw error;
}

/** Data folders on one machine may have profiles with the same id. */
function accountOf(name: string, dataDir: string): string {
  if (dataDir === defaultDataDir()) return name;
  return `${name}@${createHash('sha256').update(dataDir).digest('hex').slice(0, 12)}`;
}

function hasSecretService(): boolean {
  if (process.platform !== 'linux') return true;
  return Boolean(process.env.DBUS_SESSION_BUS_ADDRESS) || existsSync(`/run/user/${process.getuid?.()}/bus`);
}
