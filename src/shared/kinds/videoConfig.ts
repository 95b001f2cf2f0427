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
/** A word of the service's own, so its letters are not changed. */
const referenceTypeSchema = z.string().trim().min(1).max(40);

/** What the references are for: one word for all, or one for each in their order, an empty one for the usual (spec 2.2). */
export const referenceTypesSchema = z.union(
  [referenceTypeSchema, z.array(referenceTypeSchema.or(z.literal(''))).max(3)],
  'must be a word of at most 40 characters, or one for each picture',
);
export type ReferenceTypes = z.infer<typeof referenceTypesSchema>;

export function referenceTypeAt(types: ReferenceTypes | undefined, index: number): string {
  const type = Array.isArray(types) ? types[index] : types;
  return type === undefined || type === '' ? DEFAULT_REFERENCE_TYPE : type;
}

/**
 * The fields of spec 2.2 and 2.3 that a service may have no place for. The length is not among them: it is always sent, so that the price
 * is the one that was shown.
 */
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
