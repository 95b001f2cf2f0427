import { BUNDLE_ROLE } from '../../../shared/bundle/calls.ts';
import type { StudioEvent } from '../../../shared/contract/events.ts';
import { fail, type Result } from '../../../shared/contract/result.ts';
import { en } from '../../../shared/text/texts.ts';
import type { MediaUpload } from '../../core/ports.ts';

/**
 * The calls that the media page may make. It decodes untrusted content, so an attacker who takes it over must get no further. It also reads
 * media, uploads requested pictures, and writes the film that it has claimed.
 */
const CALLS: ReadonlySet<string> = new Set([
  'media.claim',
  'media.finish',
  'media.claimFilm',
  'media.beat',
  'media.finishFilm',
  'media.release',
  'media.encoderSpeed',
]);

/** The error for a call that the media page may not make. */
export function refusedToMediaPage(name: string): Result<never> | undefined {
  if (CALLS.has(name)) return undefined;
  return fail('wrong_state', en`The media page may claim and finish media work, and nothing else.`);
}

/** The error for an upload without a task and for a bundle, which only pages may send. */
export function refusedUpload(
  client: string,
  { taskId, role }: Pick<MediaUpload, 'taskId' | 'role'>,
): Result<never> | undefined {
  if (client === 'page' || (taskId && role !== BUNDLE_ROLE)) return undefined;
  return fail('wrong_state', en`The media page uploads what a task asked for, and nothing else.`);
}

/** The only event that the media page receives. */
export const isForMediaPage = (event: StudioEvent): boolean => event.type === 'media.work';
