import { settingsSchema } from '../../../../shared/contract/settings.ts';

/**
 * Whether words are checked as they are written: by the user's choice; without one, where the system does it itself. Read by itself from the
 * stored settings, since what is wrong in another field of that file must not keep the window from opening.
 */
export function checksSpelling(stored: unknown, platform: NodeJS.Platform): boolean {
  const { spelling } = (stored ?? {}) as { spelling?: unknown };
  return settingsSchema.shape.spelling.parse(spelling) ?? platform === 'darwin';
}
