import { z } from 'zod';

/** The paging fields of all lists. */

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

/** The sort values of the last row of a page; the next page begins after it. */
export const writeCursor = (values: readonly CursorValue[]): string =>
  values.length === 1 ? String(values[0]) : JSON.stringify(values);
export const readCursor = (written: string): CursorValue[] =>
  [JSON.parse(written) as CursorValue | CursorValue[]].flat();

export const rowNumber = z.int().min(0);

export function isCursor(written: string, values: z.ZodType): boolean {
  try {
    return values.safeParse(readCursor(written)).success;
  } catch {
    return false;
  }
}

/** The position of the page; `cursor` continues after the last page instead, whatever changed meanwhile. */
export const offset = z.int().min(0).max(10_000_000).optional();
export const oneStart = (input: { cursor?: string | undefined; offset?: number | undefined }): boolean =>
  input.cursor === undefined || input.offset === undefined;
export const ONE_START = { path: ['offset'], message: 'must be left out where there is a cursor' };

/**
 * Counts at most this many of the newest and says whether there are more: a search for one letter matches most of the library and runs with
 * each keystroke.
 */
export const upTo = z.int().min(1).max(1_000_000).optional();
