import { z } from 'zod';

/** What all lists are asked with: read by position or from a cursor, at any length. */

export const id = z.string().min(1).max(200);
export const time = z.number();
export const limit = z.int().min(1).max(500).default(100);
export const NOT_A_CURSOR = 'must be the nextCursor of the page before';
export const cursor = z
  .string()
  .regex(/^\d{1,15}$/, NOT_A_CURSOR)
  .optional();
export const text = z.string().max(1_000).optional();

export type CursorValue = number | string;

/** What a list is ordered by, of the last row of a page: the next one begins behind it. */
export const writeCursor = (values: readonly CursorValue[]): string =>
  values.length === 1 ? String(values[0]) : JSON.stringify(values);
export const readCursor = (written: string): CursorValue[] =>
  [JSON.parse(written) as CursorValue | CursorValue[]].flat();

/** The number of a row. */
export const rowNumber = z.int().min(0);

export function isCursor(written: string, values: z.ZodType): boolean {
  try {
    return values.safeParse(readCursor(written)).success;
  } catch {
    return false;
  }
}

/** The position of the page in the list; `cursor` instead continues after the last page, whatever was added or removed meanwhile. */
export const offset = z.int().min(0).max(10_000_000).optional();
export const oneStart = (input: { cursor?: string | undefined; offset?: number | undefined }): boolean =>
  input.cursor === undefined || input.offset === undefined;
export const ONE_START = { path: ['offset'], message: 'must be left out where there is a cursor' };

/**
 * Counts no more than so many of the newest, and says whether there are more: what is found by a letter is most of what there is, and is
 * asked for with each letter that is typed.
 */
export const upTo = z.int().min(1).max(1_000_000).optional();
