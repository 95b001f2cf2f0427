import { z } from 'zod';
import type { KeyPlace, Profile } from '../../../shared/gateway/profile.ts';
import type { Secrets } from '../gateway/index.ts';
import type { KeyStore, SettingsStore } from '../ports.ts';
import type { ProfilePatch } from './patch.ts';

/** Names in the key store; a profile's key has the profile's id. */
export const botName = (id: string): string => `${id}:bot`;
export const headerName = (id: string, header: string): string => `${id}:header:${header.toLowerCase()}`;

const isHeaderOf = (id: string, name: string): boolean => name.startsWith(headerName(id, ''));

const headerSecrets = (profile: Profile | undefined): string[] =>
  Object.keys(profile?.extraHeaders ?? {}).map((header) => headerName(profile?.id ?? '', header));

/** All secrets that a profile may have in the key store. */
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
  /** Whether a change of this secret was interrupted: it counts as missing until it is entered again. */
  isChanging(name: string): boolean;
}

/** The only place that reads secrets from the key store. */
export class SecretReader {
  private readonly deps: SecretReaderDeps;
  private reading: Promise<unknown> | undefined;

  constructor(deps: SecretReaderDeps) {
    this.deps = deps;
  }

  /** Reads every secret once, so that the log and the secret guard know all of them; unreadable ones are read by a later call. */
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

/** All secrets that a client sends, or why they are incomplete: a needed key or a header's value is missing or unreadable. */
export function secretsToSend(
  { key, bot, headers }: SecretsOfProfile,
  needsKey: boolean,
): Secrets | 'no key' | 'unreadable' {
  const needed = [...Object.values(headers), ...(needsKey ? [key] : [])];
  // A key entered for this run means that the keychain does not answer: its other secrets are not waited for.
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
 * Secrets of a profile that is being removed, listed in the settings file until they are deleted: the key store cannot list its content, and
 * after a crash in between nothing else would know of them.
 */
export class LeftoverSecrets {
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
      // The next start deletes them again, which changes nothing.
    }
  }

  /** At the start, deletes secrets without a profile. Rejects if the key store refuses; the next start tries again. */
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
 * deleted ones that existed, or may have.
 */
export async function changeSecrets(keys: KeyStore, changes: SecretChanges): Promise<string[]> {
  const dropped: string[] = [];
  const undo: (() => Promise<unknown>)[] = [];
  try {
    for (const [name, value] of changes) {
      // An unreadable one cannot be restored either.
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
 * The secrets that a save sets and deletes: the given bot token and header values, and values of headers that it `had`. A profile that moves
 * to another origin keeps none.
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
