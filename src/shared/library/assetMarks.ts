import { z } from 'zod';
import { command, query } from '../contract/call.ts';
import { id } from '../contract/paging.ts';
import { safeName } from '../text/safeText.ts';

/** The user's marks on assets: star, tags, bin. */

export const MAX_TAGS = 30;
const MAX_TAG_CHARACTERS = 60;

/** Every character is visible, on one line. */
const isSeen = (tag: string): boolean => safeName(tag) === tag && !['\t', '\n', '\r'].some((end) => tag.includes(end));

export const tagSchema = z
  .string()
  .trim()
  .min(1)
  .max(MAX_TAG_CHARACTERS)
  .refine(isSeen, 'has a character that cannot be seen');

/** Tags that differ only in case are the same. */
export const foldOfTag = (tag: string): string => tag.normalize('NFC').toLowerCase();

const ids = z.array(id).min(1).max(1_000);
const tags = z.array(tagSchema).max(MAX_TAGS).default([]);

/** The bytes that were binned or restored. */
interface Moved {
  bytes: number;
}

/** Why emptying the bin keeps a file: a board uses or can restore it, a job waits for it, an export uses it. */
export const KEPT_REASONS = ['board', 'chat', 'job', 'export'] as const;
export type KeptReason = (typeof KEPT_REASONS)[number];

/** The result of emptying the bin: what is deleted and what is kept. */
export interface Emptied {
  /** Deleted files, each content once, thumbnails included; files shared with other assets stay. */
  files: number;
  /** The size of those files. */
  bytes: number;
  /** Deleted assets, as the bin lists them. */
  items: number;
  kept: { reason: KeptReason; count: number }[];
}

const emptyBinSchema = z.strictObject({ ids: ids.optional() });

/** All given assets are changed, or none. */
export const assetMarkCalls = {
  'library.star': command<null>()(z.strictObject({ ids, starred: z.boolean() })),
  /** Removes first. An existing tag keeps its spelling. */
  'library.tag': command<null>()(z.strictObject({ ids, add: tags, remove: tags })),
  /** Bins assets with their derived files; everything that uses them keeps working. */
  'library.bin': command<Moved>()(z.strictObject({ ids })),
  'library.restore': command<Moved>()(z.strictObject({ ids })),
  /** Deletes binned and unused assets for good, or these of them. Answers when the files are gone. */
  'library.emptyBin': command<Emptied>()(emptyBinSchema),
  /** The result that emptying the bin would have now. */
  'library.binFigures': query<Emptied>()(emptyBinSchema),
} as const;
export type AssetMarkCall = keyof typeof assetMarkCalls;
