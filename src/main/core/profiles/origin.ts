import { originOf, type Profile } from '../../../shared/gateway/profile.ts';

/**
 * Secrets belong to an origin: scheme, host and port. Says whether a profile leaves the one that it had; `from` is missing where the
 * entry in the file does not tell it.
 */
export function movesFrom(
  before: { baseUrl?: unknown } | undefined,
  { baseUrl }: Pick<Profile, 'baseUrl'>,
): { from?: string } | undefined {
  if (before === undefined) return undefined;
  const from = originOf(before.baseUrl);
  return from === originOf(baseUrl) ? undefined : { ...(from === undefined ? {} : { from }) };
}
