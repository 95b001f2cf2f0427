import { fail } from '../../../shared/contract/result.ts';
import { t } from '../../../shared/text/texts.ts';

/** What is said where a profile, or its key, cannot be changed. */

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
  t`apiKey: this text is also in another field of a gateway, which is saved to a file. Remove it there first, or use another key.`,
  { field: 'apiKey' },
);

export const noSuchProfile = fail('not_found', 'There is no such gateway.');

export const keychainHolds = fail(
  'wrong_state',
  t`The keychain could not delete the key, so it is still stored: unlock the keychain and try again.`,
);
