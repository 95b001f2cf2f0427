import { fail, ok, type Result } from '../../../shared/contract/result.ts';
import { KEY_UNREADABLE } from '../../../shared/gateway/profile.ts';
import { t } from '../../../shared/text/texts.ts';
import { untriedHeaders } from '../gateway/index.ts';
import type { Profiles } from './profiles.ts';

/** Tries the key for pictures under names that the profile does not try; the one that is accepted becomes its first. */
export async function tryImageHeaders(
  profiles: Pick<Profiles, 'get' | 'openClient' | 'save'>,
  id: string,
): Promise<Result<{ accepted: string | null; tried: string[] }>> {
  const opened = await profiles.openClient(id);
  if (opened.status === 'no key') return fail('key_missing', t`There is no key to try. Enter it first.`);
  if (opened.status === 'unreadable') return fail('wrong_state', KEY_UNREADABLE);
  const profile = profiles.get(id);
  if (opened.status !== 'ready' || !profile) return fail('not_found', 'There is no such gateway.');
  const tried = untriedHeaders(profile);
  const accepted = await opened.client.tryImageHeaders(tried);
  if (accepted === undefined) return ok({ accepted: null, tried });
  // It may have been changed meanwhile.
  const { imageAuthHeaders } = profiles.get(id) ?? profile;
  const saved = await profiles.save({ id, imageAuthHeaders: [accepted, ...imageAuthHeaders].slice(0, 8) });
  return saved.ok ? ok({ accepted, tried }) : saved;
}
