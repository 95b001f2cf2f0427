import { z } from 'zod';

/** The most in UTF-8, for each character (UTF-16 unit) of a text in any script. */
export const BYTES_PER_CHARACTER = 3;

/** In characters: the text that a call may carry with every host, in any script. */
export const MAX_CALL_TEXT = 500_000;

/**
 * In Electron no message between processes is larger than 256 KB, but a board of 500 shots is. A larger call is sent as parts of its JSON
 * text, one after the other; the last part is answered with the call's answer.
 */
export const PART_CALL = 'call.part';
/** At most two bytes per character in a structured clone. */
export const PART_CHARACTERS = 100_000;
/** The most characters of a call's JSON text. */
const MAX_CHARACTERS = 2_000_000;
/** Calls that carry a whole file, or a whole mask, as text. */
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

/** The most characters that this call's JSON text may have. */
export const maxCharactersOf = (call: string): number => LONGER.get(call) ?? MAX_CHARACTERS;

export const callPartSchema = z
  .strictObject({
    /** Made by the page, the same for all parts of one call. */
    id: z.uuid('must be a UUID'),
    call: z.string().max(100),
    /** The position of the text in the whole, which has `of` characters. */
    at: z.int().min(0),
    of: z.int(),
    text: z.string().max(PART_CHARACTERS),
  })
  .refine(({ call, of }) => of <= maxCharactersOf(call), {
    path: ['of'],
    message: 'is too long for this call: send bytes as an upload',
  });
export type CallPart = z.infer<typeof callPartSchema>;
