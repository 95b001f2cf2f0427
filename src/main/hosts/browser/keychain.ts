import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { defaultDataDir } from '../common/defaultDataDir.ts';
import type { Vault } from '../common/patientVault.ts';

const SERVICE = 'Dailies';

/** The system's keychain; null if there is none. `DAILIES_KEYCHAIN=off` keeps keys in memory only. */
export async function openKeychain(dataDir: string): Promise<Vault | null> {
  if (process.env.DAILIES_KEYCHAIN === 'off' || !hasSecretService()) return null;
  const { AsyncEntry } = await import('@napi-rs/keyring');
  // The default without a secret service, the kernel's keyring, forgets at the next boot.
  const entry = (name: string) =>
    new AsyncEntry(SERVICE, accountOf(name, dataDir), { linux: { store: 'secret-service' } });
  // Without a service it rejects; one that is slow, such as while it asks the user, is only not open yet.
  await entry('probe').getPassword();
  return {
    get: (name) => entry(name).getPassword(),
    set: (name, value) => entry(name).setPassword(value),
    forget: async (name) => void (await entry(name).deleteCredential()),
  };
}

/** Several data folders on one machine may have profiles of the same id. */
function accountOf(name: string, dataDir: string): string {
  if (dataDir === defaultDataDir()) return name;
  return `${name}@${createHash('sha256').update(dataDir).digest('hex').slice(0, 12)}`;
}

function hasSecretService(): boolean {
  if (process.platform !== 'linux') return true;
  return Boolean(process.env.DBUS_SESSION_BUS_ADDRESS) || existsSync(`/run/user/${process.getuid?.()}/bus`);
}
