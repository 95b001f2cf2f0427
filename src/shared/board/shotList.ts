import { z } from 'zod';
import { MAX_CALL_TEXT } from '../contract/callParts.ts';
import { id } from '../contract/paging.ts';
import type { Reason } from '../contract/result.ts';
import { wholeFiles } from '../text/nulCharacters.ts';
import { MAX_SHOTS, type NewShot, newShotSchema } from './board.ts';

/** The shot list: shots as a table, exported and imported. */

/** The columns that an import reads. */
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

/** The columns about takes; an import ignores them. */
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
  /** The blank shot to replace. */
  replaces: id.optional(),
});

/** One imported row: a shot or its errors. */
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
