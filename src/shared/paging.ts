import { z } from 'zod';
import { t } from './texts.ts';

/** What all lists are asked with: read by position or from a cursor, at any length. */

export const id = z.string(t`must be an id`).min(1, t`must not be empty`).max(200, t`is too long for an id`);
export const time = z.number(t`must be a time in milliseconds since 1970`);
export const limit = z
  .int(t`must be a whole number`)
  .min(1, t`must be 1 to 500`)
  .max(500, t`must be 1 to 500`)
  .default(100);
export const NOT_A_CURSOR = 'must be the nextCursor of the page before';
export const cursor = z
  .string(t`must be a cursor`)
  .regex(/^\d{1,15}$/, NOT_A_CURSOR)
  .optional();
export const text = z.string(t`must be text`).max(1_000, t`must have at most 1,000 characters`).optional();

/** The position of the page in the list; `cursor` instead continues after the last page, whatever was added or removed meanwhile. */
export const offset = z
  .int(t`must be a whole number`)
  .min(0, t`must be 0 to 10,000,000`)
  .max(10_000_000, t`must be 0 to 10,000,000`)
  .optional();
export const oneStart = (input: { cursor?: string | undefined; offset?: number | undefined }): boolean =>
  input.cursor === undefined || input.offset === undefined;
export const ONE_START = { path: ['offset'], message: t`must be left out where there is a cursor` };

/**
 * Counts no more than so many of the newest, and says whether there are more: what is found by a letter is most of what there is, and is
 * asked for with each letter that is typed.
 */
export const upTo = z
  .int(t`must be a whole number`)
  .min(1, t`must be at least 1`)
  .max(1_000_000, t`must be at most 1,000,000`)
  .optional();
