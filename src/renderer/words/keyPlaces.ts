import type { KeyPlace } from '../../shared/profile.ts';
import { t } from '../../shared/texts.ts';

/** What follows from the place where a key is, or would be, kept. */
export const KEY_PLACE_WORDS = {
  keychain: t`Kept in the keychain of this computer. Dailies never shows the key again.`,
  memory: t`Kept until Dailies closes: this computer has no keychain.`,
  unreadable: t`The keychain is locked or does not answer. Unlock it, or enter the key here; jobs wait.`,
  environment: t`DAILIES_API_KEY is used. A key you enter here replaces it.`,
} as const satisfies Record<KeyPlace | 'unreadable', string>;
