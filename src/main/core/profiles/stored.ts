import type { z } from 'zod';
import { parseStored } from '../../../shared/contract/result.ts';
import { type Settings, settingsSchema } from '../../../shared/contract/settings.ts';
import { type Profile, profileSchema, type UnreadableProfile } from '../../../shared/gateway/profile.ts';
import { en } from '../../../shared/text/texts.ts';
import type { Clock } from '../ports.ts';
import { botName, headerName, isSecretOf, type SecretChanges, secretsOf } from './profileSecrets.ts';

/** Entries of the settings file, each parsed separately: a damaged one does not affect the others, and stays in the file. */

export interface Rejected {
  raw: unknown;
  told: UnreadableProfile;
}

const storedProfile = profileSchema.required({ id: true, name: true });

/** The names of secrets that were being changed when the entry was written. After a crash they may belong to the previous address. */
const CHANGING = 'secretsChanging';

export interface StoredProfiles {
  profiles: Profile[];
  rejected: Rejected[];
  /** The names of secrets that may not belong to the profile in its present state. */
  changing: string[];
}

export function readProfiles(value: unknown): StoredProfiles {
  const profiles: Profile[] = [];
  const rejected: Rejected[] = [];
  const changing: string[] = [];
  for (const raw of entriesOf(value)) {
    changing.push(...changingIn(raw));
    const read = parseStored(storedProfile, raw);
    if (read.ok && !profiles.some(({ id }) => id === read.data.id)) profiles.push(read.data);
    else rejected.push({ raw, told: toldOf(raw, read.ok ? TWICE : read.error) });
  }
  return { profiles, rejected, changing };
}

function entriesOf(value: unknown): unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

function changingIn(raw: unknown): string[] {
  const names = typeof raw === 'object' && raw !== null ? (raw as { [CHANGING]?: unknown })[CHANGING] : undefined;
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
}

export const storedForm = ({ profiles, rejected, changing }: StoredProfiles): unknown[] => [
  ...profiles.map(({ stated: _, spoken: __, ...profile }) => {
    const own = changing.filter((name) => isSecretOf(profile.id, name));
    return own.length === 0 ? profile : { ...profile, [CHANGING]: own };
  }),
  ...rejected.map(({ raw }) => raw),
];

/** The entries with one profile as it was before a refused change of its secrets; prices stay. */
export function withEntryOf(
  id: string,
  now: StoredProfiles,
  before: StoredProfiles,
  changes: SecretChanges,
): StoredProfiles {
  const prices = now.profiles.find((profile) => profile.id === id)?.prices;
  const own = before.profiles.filter((profile) => profile.id === id);
  return {
    profiles: [
      ...now.profiles.filter((profile) => profile.id !== id),
      ...own.map((profile) => ({ ...profile, prices: prices ?? profile.prices })),
    ],
    rejected: [
      ...now.rejected.filter(({ told }) => told.id !== id),
      ...before.rejected.filter(({ told }) => told.id === id),
    ],
    changing: [
      ...now.changing.filter((name) => !changes.has(name)),
      ...before.changing.filter((name) => changes.has(name)),
    ],
  };
}

/** All secrets that may be in the key store for a profile, readable or not, and those being changed. */
export function secretsNamedOf(id: string, { profiles, rejected, changing }: StoredProfiles): string[] {
  const profile = profiles.find((one) => one.id === id);
  const unread = rejected.filter(({ told }) => told.id === id).flatMap(({ raw }) => headersIn(raw));
  return [
    ...new Set([
      ...(profile ? secretsOf(profile) : [id, botName(id)]),
      ...unread.map((header) => headerName(id, header)),
      ...changing.filter((name) => isSecretOf(id, name)),
    ]),
  ];
}

/** Secrets of a removed header, left by a crash between file and key store. */
export const unusedSecrets = (profile: Profile | undefined, { changing }: StoredProfiles): string[] =>
  profile ? changing.filter((name) => isSecretOf(profile.id, name) && !secretsOf(profile).includes(name)) : [];

function headersIn(raw: unknown): string[] {
  const headers =
    typeof raw === 'object' && raw !== null ? (raw as { extraHeaders?: unknown }).extraHeaders : undefined;
  return typeof headers === 'object' && headers !== null ? Object.keys(headers) : [];
}

const TWICE = { message: en`id: is there twice`, data: { field: 'id' } };

function toldOf(raw: unknown, error: { message: string; data?: Record<string, unknown> }): UnreadableProfile {
  const { id, name } = (typeof raw === 'object' && raw !== null ? raw : {}) as { id?: unknown; name?: unknown };
  return {
    ...(typeof id === 'string' ? { id: id.slice(0, 100) } : {}),
    ...(typeof name === 'string' ? { name: name.slice(0, 100) } : {}),
    field: String(error.data?.field ?? ''),
    message: error.message,
  };
}

/** Each setting separately; an unreadable one gets its default, and stays in the file until it is set again. */
export function readSettings(value: unknown): { settings: Settings; rejected: Record<string, unknown> } {
  const stored = (typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}) as object;
  const good: Record<string, unknown> = {};
  const rejected: Record<string, unknown> = {};
  for (const [name, entry] of Object.entries(stored)) {
    const schema = (settingsSchema.shape as Record<string, z.ZodType | undefined>)[name];
    if (schema?.safeParse(entry).success) good[name] = entry;
    else rejected[name] = entry;
  }
  return { settings: settingsSchema.parse(good), rejected };
}

/** Another program may hold the file for a while, or its disk be full. */
const RETRY_MS = 60_000;

/** Retries writes that the settings file did not take; a failed retry schedules the next. */
export class DelayedWrite {
  private readonly clock: Pick<Clock, 'after'>;
  private readonly write: () => void;
  private cancel: (() => void) | undefined;
  private isClosed = false;

  constructor(clock: Pick<Clock, 'after'>, write: () => void) {
    this.clock = clock;
    this.write = write;
  }

  ask(): void {
    if (this.isClosed || this.cancel) return;
    this.cancel = this.clock.after(RETRY_MS, () => {
      this.cancel = undefined;
      this.write();
    });
  }

  close(): void {
    this.isClosed = true;
    this.cancel?.();
  }
}
