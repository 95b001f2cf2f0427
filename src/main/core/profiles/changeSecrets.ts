import type { Profile } from '../../../shared/gateway/profile.ts';
import type { KeyStore } from '../ports.ts';
import type { ProfilePatch } from './patch.ts';
import { botName, headerName, headerSecrets, isHeaderOf } from './secretNames.ts';

/** `null`: delete it. */
export type SecretChanges = ReadonlyMap<string, string | null>;

/**
 * Changes all secrets or none: if the key store refuses one, the earlier ones are restored and the error is thrown. Returns the names of
 * those that were there, or may have been, and were deleted.
 */
export async function changeSecrets(keys: KeyStore, changes: SecretChanges): Promise<string[]> {
  const dropped: string[] = [];
  const undo: (() => Promise<unknown>)[] = [];
  try {
    for (const [name, value] of changes) {
      // One that cannot be read cannot be put back either.
      const old = await keys.get(name).catch(() => 'unreadable' as const);
      if (value === null && old !== null) dropped.push(name);
      const isKept = old !== null && old !== 'unreadable' && old.place !== 'environment';
      undo.unshift(() => (isKept ? keys.set(name, old.value) : keys.forget(name)));
      if (value === null) await keys.forget(name);
      else await keys.set(name, value);
    }
  } catch (error) {
    for (const putBack of undo) await putBack().catch(() => undefined);
    throw error;
  }
  return dropped;
}

/**
 * The secrets that a save sets and deletes: the given bot token and header values, and the values of headers that it `had`. A profile that
 * moves to another origin keeps none of those that it had.
 */
export function secretChanges(
  had: readonly string[],
  profile: Profile,
  input: ProfilePatch,
  moves: boolean,
): SecretChanges {
  const left = headerSecrets(profile);
  const gone = had.filter((secret) => moves || (isHeaderOf(profile.id, secret) && !left.includes(secret)));
  const given = Object.entries(input.extraHeaders ?? {}).filter(([, value]) => value !== null);
  return new Map<string, string | null>([
    ...gone.map((secret) => [secret, null] as const),
    ...(input.botToken === undefined ? [] : [[botName(profile.id), input.botToken] as const]),
    ...given.map(([header, value]) => [headerName(profile.id, header), value] as const),
  ]);
}
