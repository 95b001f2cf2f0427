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
