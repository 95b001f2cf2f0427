import { z } from 'zod';
import { MAX_CALL_TEXT } from '../chat/callParts.ts';
import { id } from '../contract/paging.ts';
import type { Reason } from '../contract/result.ts';
import { wholeFiles } from '../text/plainText.ts';
import { MAX_SHOTS, type NewShot, newShotSchema } from './board.ts';

/** The shot list: a table of shots as it leaves the studio and comes back. */

/** The columns of a shot itself, which are read back. */
export const SHOT_COLUMNS = [
  'number',
  'title',
  'prompt',
  'source',
  'model',
  'seconds',
  'resolution',
  'aspect',
  'audio',
  'seed',
] as const;
export type ShotColumn = (typeof SHOT_COLUMNS)[number];

/** The columns that tell what was made of a shot; reading ignores them. */
export const TAKE_COLUMNS = ['take', 'verdict', 'file', 'cost_usd', 'cost_low_usd', 'in_doubt_usd'] as const;

export const readShotsSchema = z.strictObject({
  projectId: id,
  text: z.string().max(MAX_CALL_TEXT).register(wholeFiles),
  format: z.enum(['csv', 'lines']),
});

export const addShotsSchema = z.strictObject({
  projectId: id,
  shots: z.array(newShotSchema).min(1).max(MAX_SHOTS),
  before: id.optional(),
  /** A blank shot whose place they take. */
  replaces: id.optional(),
});

/** One row of a list as it was read: a shot, or what is wrong. */
export interface ShotListRow {
  /** The line on which it begins; a CSV's header is line 1. */
  line: number;
  /** Absent if there are errors. */
  shot?: NewShot;
  /** Each names a column. */
  errors: Reason[];
}

export interface ShotListReading {
  rows: ShotListRow[];
  good: number;
  bad: number;
}
