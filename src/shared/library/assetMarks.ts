import { z } from 'zod';
import { command, query } from '../contract/call.ts';
import { id } from '../contract/paging.ts';
import { shownName } from '../text/shownName.ts';

/** What the user marks assets with: a star, tags, and the bin. */

export const MAX_TAGS = 30;
const MAX_TAG_CHARACTERS = 60;

/** Every character of it is seen, in one line. */
const isSeen = (tag: string): boolean => shownName(tag) === tag && !['\t', '\n', '\r'].some((end) => tag.includes(end));

export const tagSchema = z
  .string()
  .trim()
  .min(1)
  .max(MAX_TAG_CHARACTERS)
  .refine(isSeen, 'has a character that cannot be seen');

/** Tags are one if they differ in upper and lower case alone. */
export const foldOfTag = (tag: string): string => tag.normalize('NFC').toLowerCase();

const ids = z.array(id).min(1).max(1_000);
const tags = z.array(tagSchema).max(MAX_TAGS).default([]);

/** The bytes of what was moved into the bin or out of it. */
interface Moved {
  bytes: number;
}

/** Why something in the bin stays there when it is emptied: a board shows it or can show it again, an order waits for it, an export uses it. */
export const KEPT_REASONS = ['board', 'chat', 'job', 'export'] as const;
export type KeptReason = (typeof KEPT_REASONS)[number];

/** What emptying the bin deletes for ever, and what it leaves there. */
export interface Emptied {
  /** Files that go from this disk, each content once, thumbnails too; what another asset has as well stays. */
  files: number;
  /** Of those files. */
  bytes: number;
  /** Assets, as the bin lists them. */
  items: number;
  kept: { reason: KeptReason; count: number }[];
}

const emptyBinSchema = z.strictObject({ ids: ids.optional() });

/** Of the given assets all are changed, or none. */
export const assetMarkCalls = {
  'library.star': command<null>()(z.strictObject({ ids, starred: z.boolean() })),
  /** Removes first. A tag that is used already is written as it is there. */
  'library.tag': command<null>()(z.strictObject({ ids, add: tags, remove: tags })),
  /** Puts assets into the bin, with what was taken from them; everything that uses them goes on using them. */
  'library.bin': command<Moved>()(z.strictObject({ ids })),
  'library.restore': command<Moved>()(z.strictObject({ ids })),
  /** Deletes for ever what is in the bin and is used nowhere, or these of it. Answers when the files are gone. */
  'library.emptyBin': command<Emptied>()(emptyBinSchema),
  /** What that would do now. */
  'library.binFigures': query<Emptied>()(emptyBinSchema),
} as const;
export type AssetMarkCall = keyof typeof assetMarkCalls;
