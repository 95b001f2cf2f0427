import type { z } from 'zod';
import { fail, ok, parseInput, type Result } from '../../../shared/contract/result.ts';
import { DIALECT, removableNames } from '../../../shared/gateway/dialect.ts';
import { documentsOldAddress } from '../../../shared/gateway/idempotency.ts';
import { type Profile, type profileInputSchema, profileSchema } from '../../../shared/gateway/profile.ts';
import { en, t } from '../../../shared/text/texts.ts';
import { MIN_GUARDED_LENGTH } from '../secrets/index.ts';

export type ProfilePatch = z.output<typeof profileInputSchema>;

/** The existing profile with the changes of a save, validated as a whole. */
export function patchedProfile(before: object, patch: ProfilePatch): Result<z.output<typeof profileSchema>> {
  const { botToken: _, extraHeaders, limits, ...fields } = patch;
  const { limits: known = {}, baseUrl, idempotency } = before as Partial<Profile>;
  const whole: Record<string, unknown> = { ...before, ...fields, limits: { ...known, ...limits } };
  if (extraHeaders) whole.extraHeaders = Object.fromEntries(Object.keys(extraHeaders).map((name) => [name, null]));
  for (const name of removableNames(DIALECT)) if (whole[name] === null) delete whole[name];
  const patched = parseInput(profileSchema, whole);
  if (!patched.ok || baseUrl === undefined || baseUrl === patched.data.baseUrl) return patched;
  const isStatedNow = fields.idempotency && !documentsOldAddress(patched.data, { baseUrl, idempotency });
  return isStatedNow ? patched : ok({ ...patched.data, idempotency: { kind: 'none' } });
}

/** The first invalid extra header: it would replace a key, has no value, or its value is in a file. */
export function refusedHeaders(
  profile: Profile,
  given: [name: string, value: string | null][],
  known: Profile | undefined,
  saved: readonly Profile[],
): Result<never> | undefined {
  const keyHeaders = profile.imageAuthHeaders.map((name) => name.toLowerCase());
  const taken = Object.keys(profile.extraHeaders).find((name) => keyHeaders.includes(name.toLowerCase()));
  if (taken) return refused(taken, en`is one of the image key headers, which carry the key`);
  const stored = Object.keys(known?.extraHeaders ?? {}).map((name) => name.toLowerCase());
  for (const [name, value] of given) {
    if (value === null && !stored.includes(name.toLowerCase())) return refused(name, en`has no stored value to keep`);
    if (value !== null && value.length >= MIN_GUARDED_LENGTH && isInProfile([...saved, profile], value))
      return refused(name, IN_FILE);
  }
  return undefined;
}

/** Whether a secret is in a field of a profile, which is stored in a file. */
export const isInProfile = (profiles: readonly Profile[], value: string): boolean =>
  profiles.some((profile) => JSON.stringify(profile).includes(value));

const IN_FILE = 'has a value that stands in another field of a profile, which is kept in a file';

function refused(name: string, rule: string): Result<never> {
  const field = `extraHeaders.${name}`;
  return fail('invalid_input', `${field}: ${rule}.`, { field });
}

/** Errors of changes to a profile or its key. */

export const stillNeeded = (open: number): string =>
  open === 1
    ? t`One job of this gateway is still open or unconfirmed. Let it end, cancel or resolve it first.`
    : t`${open} jobs of this gateway are still open or unconfirmed. Let them end, cancel or resolve them first.`;

export const stillAt = (origin: string, jobs: number): string =>
  jobs === 1
    ? `baseUrl: one job of this profile is still at ${origin}, and no other gateway knows of it. Let it end or resolve it first, or make a new profile for the other address.`
    : `baseUrl: ${jobs} jobs of this profile are still at ${origin}, and no other gateway knows of them. Let them end or resolve them first, or make a new profile for the other address.`;

export const keyInProfile = fail(
  'invalid_input',
  en`apiKey: this text is also in another field of a gateway, which is saved to a file. Remove it there first, or use another key.`,
  { field: 'apiKey' },
);

export const noSuchProfile = fail('not_found', 'There is no such gateway.');

export const keychainHas = fail(
  'wrong_state',
  en`The keychain could not delete the key, so it is still stored: unlock the keychain and try again.`,
);
