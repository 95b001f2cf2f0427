import { z } from 'zod';

/** The cast of a film: its people, things and places, with the words and pictures that describe them. */

export const CAST_KINDS = ['person', 'thing', 'place'] as const;
export type CastKind = (typeof CAST_KINDS)[number];

export const MAX_CAST = 100;
export const MAX_CAST_REFERENCES = 3;

const id = z.string().min(1).max(100);

/** A reference image of a member. The bytes of an asset never change: another image is another asset. */
const castReferenceSchema = z.strictObject({
  assetId: id.max(200),
  /** The content of the image (`profile`). A shot whose prompt contains the label is sent this image. */
  label: z.string().max(60).optional(),
});

export const castMemberSchema = z.strictObject({
  id,
  /** The prompt of a shot names the member by `@name`. */
  name: z.string().max(60).default(''),
  kind: z.enum(CAST_KINDS).default('person'),
  /** The description, sent when no image of the member is. */
  words: z.string().max(2_000).default(''),
  sheets: z.array(castReferenceSchema).max(MAX_CAST_REFERENCES).default([]),
  /** The member that this one accompanies: a shot that names that one shows this one too. */
  with: id.optional(),
});
export type CastMember = z.infer<typeof castMemberSchema>;

export const castSchema = z.array(castMemberSchema).max(MAX_CAST);

/** Which members get a slot first when a shot has too few: people, things, or the user's own order. */
export const SLOT_ORDERS = ['people', 'things', 'hand'] as const;

export const slotChoiceSchema = z.strictObject({
  order: z.enum(SLOT_ORDERS).optional(),
  /** Members with a guaranteed slot, the first one first; with the order `hand`, also the order of the slots. */
  held: z.array(id).max(MAX_CAST).optional(),
  /** The image to send, by member; else the one whose label is in the prompt. */
  sheets: z.record(id, z.string().max(200)).optional(),
});

const share = z.number().min(0).max(1);

/** Where the user marked a member in a take, in shares of the frame; its distance from the reference image is measured inside. */
const castBoxSchema = z.strictObject({
  /** Content hash of the clip that was marked. */
  sha256: z.string().max(64),
  frame: z.enum(['first', 'last']),
  x: share,
  y: share,
  width: share,
  height: share,
});
export type CastBox = z.infer<typeof castBoxSchema>;

export const castBoxesSchema = z
  .record(id, castBoxSchema)
  .refine((boxes) => Object.keys(boxes).length <= MAX_CAST, `must be at most ${MAX_CAST} boxes`);

/** How a member took part in a request. Stored with the job, since the cast may change later. */
export const castUseSchema = z.strictObject({
  memberId: id,
  name: z.string().max(60),
  kind: z.enum(CAST_KINDS),
  /** The reference image that shows it, from 1; absent: only the prompt names it. */
  slot: z.int().min(1).max(3).optional(),
  /** Which image of the member that is, from 1. */
  sheet: z.int().min(1).max(MAX_CAST_REFERENCES).optional(),
  assetId: z.string().max(200).optional(),
  /** The member's description, if it was added to the prompt. */
  words: z.string().max(2_000).optional(),
  /** The member has an image, but no slot was free for it. */
  leftOut: z.literal(true).optional(),
});
export type CastUse = z.infer<typeof castUseSchema>;

export const castUsesSchema = z.array(castUseSchema).max(MAX_CAST);
