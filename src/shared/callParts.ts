import { z } from 'zod';

/**
 * In Electron no message between processes is larger than 256 KB (DESIGN "Media"), and a board of 500 shots is. A larger call comes in
 * parts of its JSON text, one after the other; the last one answers the call.
 */
export const PART_CALL = 'call.part';
/** Two bytes each at most, as a structured clone. */
export const PART_CHARACTERS = 100_000;
/** As much as the browser host reads of a call. */
const MAX_CHARACTERS = 2_000_000;

export const callPartSchema = z.strictObject({
  /** Made by the page, the same for all parts of one call. */
  id: z.uuid('must be a UUID'),
  call: z.string('must be the name of a call').max(100, 'must have at most 100 characters'),
  /** Where the text stands in the whole, which has `of` characters. */
  at: z.int('must be a whole number').min(0, 'must not be negative'),
  of: z
    .int('must be a whole number')
    .max(MAX_CHARACTERS, 'must be at most 2,000,000 characters: send bytes as an upload'),
  text: z.string('must be text').max(PART_CHARACTERS, 'must have at most 100,000 characters'),
});
export type CallPart = z.infer<typeof callPartSchema>;
