import path from 'node:path';
import type { Result } from '../../shared/contract/result.ts';
import { placeAnswers, placeSilent } from './library/index.ts';

/** The fields by which a call names a file or a folder of the user's. */
const PLACES = ['folder', 'path'] as const;

/** The refusal of a call that names a place on a disk that does not answer: whoever touches it would wait with it. */
export async function unansweredPlace(input: object): Promise<Result<never> | undefined> {
  for (const field of PLACES) {
    const place = (input as Record<string, unknown>)[field];
    if (typeof place !== 'string' || !path.isAbsolute(place) || (await placeAnswers(place))) continue;
    return placeSilent(field);
  }
  return undefined;
}
