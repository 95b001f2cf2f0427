import type { z } from 'zod';
import { fail, ok, parseInput, type Result } from '../../../shared/contract/result.ts';
import { DIALECT, removableNames } from '../../../shared/gateway/dialect.ts';
import { isSaidOfOther } from '../../../shared/gateway/idempotency.ts';
import { type Profile, type profileInputSchema, profileSchema } from '../../../shared/gateway/profile.ts';
import { t } from '../../../shared/text/texts.ts';
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
  const isStatedNow = fields.idempotency && !isSaidOfOther(patched.data, { baseUrl, idempotency });
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
  if (taken) return refused(taken, t`is one of the image key headers, which carry the key`);
  const stored = Object.keys(known?.extraHeaders ?? {}).map((name) => name.toLowerCase());
  for (const [name, value] of given) {
    if (value === null && !stored.includes(name.toLowerCase())) return refused(name, t`has no stored value to keep`);
    if (value !== null && value.length >= MIN_GUARDED_LENGTH && isInProfile([...saved, profile], value))
      return refused(name, IN_FILE);
  }
  return undefined;
}

/** Whether a secret stands in a field of a profile, which is kept in a file. */
export const isInProfile = (profiles: readonly Profile[], value: string): boolean =>
  profiles.some((profile) => JSON.stringify(profile).includes(value));

const IN_FILE = 'has a value that stands in another field of a profile, which is kept in a file';

function refused(name: string, rule: string): Result<never> {
  const field = `extraHeaders.${name}`;
  return fail('invalid_input', `${field}: ${rule}.`, { field });
}
