import { z } from 'zod';
import type { KeyPlace, Profile } from '../../../shared/gateway/profile.ts';
import type { Secrets } from '../gateway/index.ts';
import type { KeyStore, SettingsStore } from '../ports.ts';
import type { ProfilePatch } from './patch.ts';

/** The names of a profile's secrets in the key store; the name of its key is its id. */
export const botName = (id: string): string => `${id}:bot`;
export const headerName = (id: string, header: string): string => `${id}:header:${header.toLowerCase()}`;

const isHeaderOf = (id: string, name: string): boolean => name.startsWith(headerName(id, ''));

const headerSecrets = (profile: Profile | undefined): string[] =>
  Object.keys(profile?.extraHeaders ?? {}).map((header) => headerName(profile?.id ?? '', header));

/** All that a profile has in the key store, if it has them. */
export const secretsOf = (profile: Profile): string[] => [profile.id, botName(profile.id), ...headerSecrets(profile)];

export const isSecretOf = (id: string, name: string): boolean => name === id || name.startsWith(`${id}:`);

/** `unreadable`: the keychain that may hold it is locked, or does not answer. */
type Found = { value: string; place: KeyPlace } | 'unreadable' | null;

interface SecretsOfProfile {
  key: Found;
  bot: Found;
  /** By the header's name. */
  headers: Record<string, Found>;
}

interface SecretReaderDeps {
  keys: Pick<KeyStore, 'get'>;
  hide(secret: string): void;
  /** Whether the change of this secret was interrupted: then it counts as missing until it is entered again. */
  isChanging(name: string): boolean;
}

/** The only place that reads secrets from the key store. */
export class SecretReader {
  private readonly deps: SecretReaderDeps;
  private reading: Promise<unknown> | undefined;

  constructor(deps: SecretReaderDeps) {
    this.deps = deps;
  }

  /** Reads every secret once, so that the log and the secret guard know all of them; what cannot be read now is read by a later call. */
  known(profiles: readonly Profile[]): Promise<unknown> {
    const names = profiles.flatMap(secretsOf);
    this.reading ??= Promise.all(names.map((name) => this.read(name))).then((found) => {
      if (found.includes('unreadable')) this.reading = undefined;
    });
    return this.reading;
  }

  async of({ id, extraHeaders }: Profile): Promise<SecretsOfProfile> {
    const names = Object.keys(extraHeaders);
    const [key, bot, ...values] = await Promise.all([
      this.read(id),
      this.read(botName(id)),
      ...names.map((name) => this.read(headerName(id, name))),
    ]);
    return { key, bot, headers: Object.fromEntries(names.map((name, at) => [name, values[at] ?? null])) };
  }

  private async read(name: string): Promise<Found> {
    const found = await this.deps.keys.get(name).catch(() => 'unreadable' as const);
    if (found !== null && found !== 'unreadable') this.deps.hide(found.value);
    return this.deps.isChanging(name) ? null : found;
  }
}

/** All secrets that a client sends, or why there are not all: the key, unless none is needed, or a header's value cannot be read or is missing. */
export function secretsToSend(
  { key, bot, headers }: SecretsOfProfile,
  needsKey: boolean,
): Secrets | 'no key' | 'unreadable' {
  const needed = [...Object.values(headers), ...(needsKey ? [key] : [])];
  // A key is entered for this run where the keychain does not answer: what else may be in that is not waited for.
  const isBotNeeded = needsKey && placeOf(key) !== 'memory';
  if (needed.includes('unreadable') || (isBotNeeded && bot === 'unreadable')) return 'unreadable';
  if (needed.includes(null)) return 'no key';
  const [apiKey, botToken] = [textOf(key), textOf(bot)];
  return {
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(botToken === undefined ? {} : { botToken }),
    headers: Object.fromEntries(Object.entries(headers).map(([name, found]) => [name, textOf(found) ?? ''])),
  };
}

export const placeOf = (found: Found): KeyPlace | 'unreadable' | null =>
  found === null || found === 'unreadable' ? found : found.place;

const textOf = (found: Found): string | undefined =>
  found === null || found === 'unreadable' ? undefined : found.value;

const NAME = 'secretsToForget';
const storedNames = z.array(z.string()).catch([]);

/**
 * The names of secrets whose profile is being removed, in the settings file from before it goes until they are gone: the key store names
 * none of what it holds, and after a kill in between nothing else would know of them.
 */
export class LeftSecrets {
  private readonly deps: { settings: SettingsStore; keys: Pick<KeyStore, 'forget'> };

  constructor(deps: { settings: SettingsStore; keys: Pick<KeyStore, 'forget'> }) {
    this.deps = deps;
  }

  note(names: readonly string[]): void {
    this.write([...new Set([...this.read(), ...names])]);
  }

  gone(names: readonly string[]): void {
    const noted = this.read();
    const left = noted.filter((name) => !names.includes(name));
    try {
      if (left.length < noted.length) this.write(left);
    } catch {
      // The next start forgets them once more, which changes nothing.
    }
  }

  /** At start: those of no profile. Rejects where the key store does not let one go; the next start tries it again. */
  async forget(isOfProfile: (name: string) => boolean): Promise<void> {
    const names = this.read();
    for (const name of names) if (!isOfProfile(name)) await this.deps.keys.forget(name);
    this.gone(names);
  }

  private read(): string[] {
    return storedNames.parse(this.deps.settings.read(NAME) ?? []);
  }

  private write(names: readonly string[]): void {
    this.deps.settings.write(NAME, names);
  }
}

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
