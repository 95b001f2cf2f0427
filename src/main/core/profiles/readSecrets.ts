import type { KeyPlace, Profile } from '../../../shared/gateway/profile.ts';
import type { Secrets } from '../gateway/index.ts';
import type { KeyStore } from '../ports.ts';
import { botName, headerName, secretsOf } from './secretNames.ts';

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
