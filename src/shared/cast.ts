import { z } from 'zod';

/** The cast of a film: its people, things and places, with the words and pictures that describe them. */

export const CAST_KINDS = ['person', 'thing', 'place'] as const;

export const MAX_CAST = 100;
export const MAX_SHEETS = 3;

const id = z.string('must be an id').min(1, 'must not be empty').max(100, 'is too long for an id');

/** A picture of a member. Bytes under an asset's id never change: another picture is another asset. */
const sheetSchema = z.strictObject({
  assetId: id.max(200, 'is too long for an id'),
  /** What the picture shows (`profile`). A shot whose words contain it is sent this picture. */
  label: z.string('must be text').max(60, 'must have at most 60 characters').optional(),
});

export const castMemberSchema = z.strictObject({
  id,
  /** Named by `@name` in the words of a shot. */
  name: z.string('must be text').max(60, 'must have at most 60 characters').default(''),
  kind: z.enum(CAST_KINDS, 'must be person, thing or place').default('person'),
  /** Its description, which is sent where no picture of it is. */
  words: z.string('must be text').max(2_000, 'must have at most 2,000 characters').default(''),
  sheets: z.array(sheetSchema).max(MAX_SHEETS, `must be at most ${MAX_SHEETS} pictures`).default([]),
  /** The member that it always comes with. */
  with: id.optional(),
});
export type CastMember = z.infer<typeof castMemberSchema>;

export const castSchema = z.array(castMemberSchema).max(MAX_CAST, `must be at most ${MAX_CAST} members`);
