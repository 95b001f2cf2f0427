import { z } from 'zod';

/** What all lists are asked with: read by position or from a cursor, at any length. */

export const id = z.string('must be an id').min(1, 'must not be empty').max(200, 'is too long for an id');
export const time = z.number('must be a time in milliseconds since 1970');
export const limit = z
  .int('must be a whole number')
  .min(1, 'must be 1 to 500')
  .max(500, 'must be 1 to 500')
  .default(100);
export const NOT_A_CURSOR = 'must be the nextCursor of the page before';
export const cursor = z
  .string('must be a cursor')
  .regex(/^\d{1,15}$/, NOT_A_CURSOR)
  .optional();
export const text = z.string('must be text').max(1_000, 'must have at most 1,000 characters').optional();

/** The position of the page in the list; `cursor` instead continues after the last page, whatever was added or removed meanwhile. */
export const offset = z
  .int('must be a whole number')
  .min(0, 'must be 0 to 10,000,000')
  .max(10_000_000, 'must be 0 to 10,000,000')
  .optional();
export const oneStart = (input: { cursor?: string | undefined; offset?: number | undefined }): boolean =>
  input.cursor === undefined || input.offset === undefined;
export const ONE_START = { path: ['offset'], message: 'must be left out where there is a cursor' };
