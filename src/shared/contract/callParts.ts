import { z } from 'zod';

/** The most UTF-8 bytes of one UTF-16 unit. */
export const BYTES_PER_CHARACTER = 3;

/** The most text of one call on any host, in characters. */
export const MAX_CALL_TEXT = 500_000;

/**
 * In Electron no message between processes exceeds 256 KB, but a board of 500 shots does. A larger call is sent as consecutive parts of its
 * JSON; the last part returns the answer of the call.
 */
export const PART_CALL = 'call.part';
/** At most two bytes per character in a structured clone. */
export const PART_CHARACTERS = 100_000;
const MAX_CHARACTERS = 2_000_000;
/** Calls that carry a whole file or mask as text. */
const LONGER: ReadonlyMap<string, number> = new Map([
  ['batch.read', 10_000_000],
  // Quotes and line breaks are two characters in JSON.
  ['statement.read', 36_000_000],
  ['chat.import', 36_000_000],
  ['evidence.verify', 36_000_000],
  ['library.describe', 10_000_000],
  ['library.checkImport', 10_000_000],
  // Quotes are two characters in JSON.
  ['library.keepMaskDraft', 4_500_000],
]);

/** The most characters of this call's JSON. */
export const maxCharactersOf = (call: string): number => LONGER.get(call) ?? MAX_CHARACTERS;

export const callPartSchema = z
  .strictObject({
    /** Made by the page, the same for all parts of one call. */
    id: z.uuid('must be a UUID'),
    call: z.string().max(100),
    /** The position of `text` in the JSON of the call, which has `of` characters. */
    at: z.int().min(0),
    of: z.int(),
    text: z.string().max(PART_CHARACTERS),
  })
  .refine(({ call, of }) => of <= maxCharactersOf(call), {
    path: ['of'],
    message: 'is too long for this call: send bytes as an upload',
  });
export type CallPart = z.infer<typeof callPartSchema>;
