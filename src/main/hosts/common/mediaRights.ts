import type { StudioEvent } from '../../../shared/events.ts';
import { fail, type Result } from '../../../shared/result.ts';

/**
 * What the media page may do: it decodes what came from the network, so whoever takes it over by a damaged file gets no further.
 * Besides these calls it reads media and uploads the picture that a task asked for.
 */
const CALLS: ReadonlySet<string> = new Set(['media.claim', 'media.finish']);

/** The refusal of a call that the media page may not make; undefined for the others. */
export function refusedToMediaPage(name: string): Result<never> | undefined {
  if (CALLS.has(name)) return undefined;
  return fail('wrong_state', 'The media page may claim and finish media work, and nothing else.');
}

/** The refusal of an upload without a task, which only a page may send; undefined for the others. */
export function refusedUpload(visitor: string, taskId: string | null | undefined): Result<never> | undefined {
  if (visitor === 'page' || taskId) return undefined;
  return fail('wrong_state', 'The media page uploads what a task asked for, and nothing else.');
}

/** The one event that the media page hears. */
export const isForMediaPage = (event: StudioEvent): boolean => event.type === 'media.work';
