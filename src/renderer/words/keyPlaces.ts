import type { KeyPlace } from '../../shared/profile.ts';
import { t } from '../../shared/texts.ts';

/** What follows from the place where a key is, or would be, kept. */
export const KEY_PLACE_WORDS = {
  keychain: t`A key is kept in this system's keychain, or encrypted by it; no file shows it.`,
  memory: t`No keychain answers on this system: a key is kept in memory and gone when Dailies ends. DAILIES_API_KEY in the environment serves a profile that has none.`,
  unreadable: t`The keychain is locked or does not answer, so it is not known whether there is a key in it. Jobs wait, and it is asked again each minute: unlock it, or enter the key here.`,
  environment: t`DAILIES_API_KEY in the environment serves this profile; a key of its own takes its place.`,
} as const satisfies Record<KeyPlace | 'unreadable', string>;
