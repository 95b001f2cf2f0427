import { settingsSchema } from '../../../../shared/contract/settings.ts';

/**
 * Whether to check spelling: the user's choice, else the system's own behaviour. Reads only this field of the stored settings, so that an
 * invalid other field cannot keep the window from opening.
 */
export function checksSpelling(stored: unknown, platform: NodeJS.Platform): boolean {
  const { spelling } = (stored ?? {}) as { spelling?: unknown };
  return settingsSchema.shape.spelling.parse(spelling) ?? platform === 'darwin';
}
