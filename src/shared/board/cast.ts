import { z } from 'zod';

/** The cast of a film: its people, things and places, with the words and pictures that describe them. */

export const CAST_KINDS = ['person', 'thing', 'place'] as const;
export type CastKind = (typeof CAST_KINDS)[number];

export const MAX_CAST = 100;
export const MAX_SHEETS = 3;

const id = z.string().min(1).max(100);

/** A picture of a member. Bytes under an asset's id never change: another picture is another asset. */
const sheetSchema = z.strictObject({
  assetId: id.max(200),
  /** What the picture shows (`profile`). A shot whose words contain it is sent this picture. */
  label: z.string().max(60).optional(),
});

export const castMemberSchema = z.strictObject({
  id,
  /** Named by `@name` in the words of a shot. */
  name: z.string().max(60).default(''),
  kind: z.enum(CAST_KINDS).default('person'),
  /** Its description, which is sent where no picture of it is. */
  words: z.string().max(2_000).default(''),
  sheets: z.array(sheetSchema).max(MAX_SHEETS).default([]),
  /** The member that it always comes with. */
  with: id.optional(),
});
export type CastMember = z.infer<typeof castMemberSchema>;

export const castSchema = z.array(castMemberSchema).max(MAX_CAST);

/** Whose pictures go first where more of the cast want in than a shot takes. */
export const SLOT_ORDERS = ['people', 'things', 'hand'] as const;

/** What the user chose about the reference slots of a shot. */
export const slotChoiceSchema = z.strictObject({
  order: z.enum(SLOT_ORDERS).optional(),
  /** Members whose pictures go before all others, the first one first; ordered by hand, also their order in the slots. */
  held: z.array(id).max(MAX_CAST).optional(),
  /** The sheet of a member that is sent, by its asset; else the one that fits the words. */
  sheets: z.record(id, z.string().max(200)).optional(),
});

const share = z.number().min(0).max(1);

/** Where a member is seen in a take, placed by the user: how far it is from its sheet is measured inside. Lengths are shares of the frame. */
const castBoxSchema = z.strictObject({
  /** Content hash of the clip; in another one the member is elsewhere. */
  sha256: z.string().max(64),
  frame: z.enum(['first', 'last']),
  x: share,
  y: share,
  width: share,
  height: share,
});
export type CastBox = z.infer<typeof castBoxSchema>;

/** By member. */
export const castBoxesSchema = z
  .record(id, castBoxSchema)
  .refine((boxes) => Object.keys(boxes).length <= MAX_CAST, `must be at most ${MAX_CAST} boxes`);

/** How a member of the cast takes part in a request: kept with it, so that what was sent stays known whatever the cast becomes. */
export const castUseSchema = z.strictObject({
  memberId: id,
  name: z.string().max(60),
  kind: z.enum(CAST_KINDS),
  /** The reference picture that shows it, counting from 1; absent if it is in the words only. */
  slot: z.int().min(1).max(3).optional(),
  /** Which of its sheets that is, counting from 1. */
  sheet: z.int().min(1).max(MAX_SHEETS).optional(),
  assetId: z.string().max(200).optional(),
  /** Its description, if that was added to the prompt. */
  words: z.string().max(2_000).optional(),
  /** It has a picture that was left out, since no slot was free. */
  leftOut: z.literal(true).optional(),
});
export type CastUse = z.infer<typeof castUseSchema>;

export const castUsesSchema = z.array(castUseSchema).max(MAX_CAST);
