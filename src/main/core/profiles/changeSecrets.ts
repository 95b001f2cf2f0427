import type { KeyStore } from '../ports.ts';

/** `null`: delete it. */
export type SecretChanges = ReadonlyMap<string, string | null>;

/** Changes all secrets or none: if the key store refuses one, the earlier ones are restored and the error is thrown. */
export async function changeSecrets(keys: KeyStore, changes: SecretChanges): Promise<void> {
  const undo: (() => Promise<unknown>)[] = [];
  try {
    for (const [name, value] of changes) {
      // One that cannot be read cannot be put back either.
      const old = await keys.get(name).catch(() => null);
      const isKept = old !== null && old.place !== 'environment';
      undo.unshift(() => (isKept ? keys.set(name, old.value) : keys.forget(name)));
      if (value === null) await keys.forget(name);
      else await keys.set(name, value);
    }
  } catch (error) {
    for (const putBack of undo) await putBack().catch(() => undefined);
    throw error;
  }
}
