import type { z } from 'zod';
import { type Profile, profileSchema, type UnreadableProfile } from '../../../shared/profile.ts';
import { parseInput } from '../../../shared/result.ts';
import { type Settings, settingsSchema } from '../../../shared/settings.ts';

/** Entries of the settings file, each read by itself: one that is damaged takes no other with it, and is kept as it is. */

export interface Rejected {
  raw: unknown;
  told: UnreadableProfile;
}

const storedProfile = profileSchema.required({ id: true, name: true });

export function readProfiles(value: unknown): { profiles: Profile[]; rejected: Rejected[] } {
  const profiles: Profile[] = [];
  const rejected: Rejected[] = [];
  const entries = value === undefined || value === null ? [] : Array.isArray(value) ? value : [value];
  for (const raw of entries) {
    const read = parseInput(storedProfile, raw);
    if (read.ok && !profiles.some(({ id }) => id === read.data.id)) profiles.push(read.data);
    else rejected.push({ raw, told: toldOf(raw, read.ok ? TWICE : read.error) });
  }
  return { profiles, rejected };
}

const TWICE = { message: 'id: is there twice', data: { field: 'id' } };

function toldOf(raw: unknown, error: { message: string; data?: Record<string, unknown> }): UnreadableProfile {
  const { id, name } = (typeof raw === 'object' && raw !== null ? raw : {}) as { id?: unknown; name?: unknown };
  return {
    ...(typeof id === 'string' ? { id: id.slice(0, 100) } : {}),
    ...(typeof name === 'string' ? { name: name.slice(0, 100) } : {}),
    field: String(error.data?.field ?? ''),
    message: error.message,
  };
}

/** Each setting by itself; one that cannot be read has its default, and stays in the file until it is set anew. */
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
