import { z } from 'zod';

export const UINT32_MAX = 4_294_967_295;

/** Output configuration of a video (spec 2.3). */
export const videoConfigSchema = z.strictObject({
  resolution: z.enum(['720p', '1080p']).optional(),
  durationSeconds: z.int().optional(),
  fps: z.literal(24).optional(),
  aspectRatio: z.enum(['16:9', '9:16']).optional(),
  generateAudio: z.boolean().optional(),
  numberOfVideos: z.int().min(1).max(4).optional(),
  sampleCount: z.int().min(1).max(4).optional(),
  seed: z.int().min(0).max(UINT32_MAX).optional(),
});
export type VideoConfig = z.infer<typeof videoConfigSchema>;

export const DEFAULT_REFERENCE_TYPE = 'asset';
/** A word of the gateway; case is kept. */
const referenceTypeSchema = z.string().trim().min(1).max(40);

/** The role of the references: one word for all, or one for each in order, empty for the default (spec 2.2). */
export const referenceTypesSchema = z.union(
  [referenceTypeSchema, z.array(referenceTypeSchema.or(z.literal(''))).max(3)],
  'must be a word of at most 40 characters, or one for each picture',
);
export type ReferenceTypes = z.infer<typeof referenceTypesSchema>;

export function referenceTypeAt(types: ReferenceTypes | undefined, index: number): string {
  const type = Array.isArray(types) ? types[index] : types;
  return type === undefined || type === '' ? DEFAULT_REFERENCE_TYPE : type;
}

/** Fields of spec 2.2 and 2.3 that a gateway may not take. The length is always sent, so that the shown price applies. */
export const OMITTABLE = [
  'resolution',
  'fps',
  'aspectRatio',
  'generateAudio',
  'numberOfVideos',
  'sampleCount',
  'seed',
  'referenceType',
] as const;
export type OmittableField = (typeof OMITTABLE)[number];
