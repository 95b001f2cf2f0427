import { z } from 'zod';
import { command } from './call.ts';
import { id } from './paging.ts';
import { shownName } from './shownName.ts';

/** What the user marks assets with: a star, tags, and the bin. */

export const MAX_TAGS = 30;
const MAX_TAG_CHARACTERS = 60;

/** Every character of it is seen, in one line. */
const isSeen = (tag: string): boolean => shownName(tag) === tag && !['\t', '\n', '\r'].some((end) => tag.includes(end));

export const tagSchema = z
  .string('must be text')
  .trim()
  .min(1, 'must not be empty')
  .max(MAX_TAG_CHARACTERS, 'must have at most 60 characters')
  .refine(isSeen, 'has a character that cannot be seen');

/** Tags are one if they differ in upper and lower case alone. */
export const foldOfTag = (tag: string): string => tag.normalize('NFC').toLowerCase();

const ids = z.array(id, 'must be a list of ids').min(1, 'needs at least one id').max(1_000, 'must be at most 1,000');
const tags = z.array(tagSchema, 'must be a list of tags').max(MAX_TAGS, `must be at most ${MAX_TAGS}`).default([]);

/** The bytes of what was moved into the bin or out of it. */
interface Moved {
  bytes: number;
}

/** Of the given assets all are changed, or none. */
export const assetMarkCalls = {
  'library.star': command<null>()(z.strictObject({ ids, starred: z.boolean('must be true or false') })),
  /** Removes first. A tag that is used already is written as it is there. */
  'library.tag': command<null>()(z.strictObject({ ids, add: tags, remove: tags })),
  /** Puts assets into the bin, with what was taken from them; everything that uses them goes on using them. */
  'library.bin': command<Moved>()(z.strictObject({ ids })),
  'library.restore': command<Moved>()(z.strictObject({ ids })),
} as const;
export type AssetMarkCall = keyof typeof assetMarkCalls;
