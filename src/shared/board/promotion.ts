import { z } from 'zod';
import { fail, ok, type Result } from '../contract/result.ts';
import type { Profile } from '../gateway/profile.ts';
import type { Job } from '../jobs/job.ts';
import { isRequestOf, KINDS, modelsFor } from '../kinds/index.ts';
import type { VideoRequest } from '../kinds/video.ts';
import { videoConfigSchema } from '../kinds/videoConfig.ts';
import { en, t } from '../text/texts.ts';

/** Remaking a take in higher quality: the same prompt, seed and inputs at another resolution or with another model. */

/** The changes; omitted fields stay as they were sent. */
export const promotionShape = {
  resolution: videoConfigSchema.shape.resolution,
  model: z.string().min(1).max(200).optional(),
};
const promotionSchema = z.strictObject(promotionShape);
type Promotion = z.infer<typeof promotionSchema>;

type PromotingProfile = Pick<Profile, 'name' | 'models' | 'omittedFields'>;

const refused = (field: string, message: string): Result<never> =>
  fail('invalid_input', `${field}: ${message}`, { field });

/**
 * The request of a take as it was sent, with the changes. Refused if the take is not made, if nothing would change (the same take would be
 * paid for twice), or if the gateway has no such model or resolution.
 */
export function promotedRequest(
  { id, state, request }: Pick<Job, 'id' | 'state' | 'request'>,
  promotion: Promotion,
  profile: PromotingProfile,
): Result<VideoRequest> {
  if (!isRequestOf(KINDS.video, request)) return refused('jobId', en`is no take.`);
  if (state !== 'succeeded') return refused('jobId', en`only a take that is made can be promoted.`);
  const resolution = promotion.resolution ?? request.config?.resolution;
  const model = promotion.model ?? request.model;
  const isSameSize = resolution === request.config?.resolution;
  if (isSameSize && model === request.model)
    return refused('resolution', en`choose another resolution or another model; this is what the take was made with.`);
  if (!isSameSize && profile.omittedFields.includes('resolution'))
    return refused('resolution', en`${profile.name} does not take one (Settings, API format).`);
  if (!modelsFor(KINDS.video, profile.models).some((one) => one.id === model))
    return refused('model', en`${profile.name} has no video model ${model}.`);
  const config = { ...request.config, ...(resolution === undefined ? {} : { resolution }) };
  return ok({ ...request, model, config, promotedFrom: id });
}

/** How similar the new take will be: only the same prompt, references and seed repeat a result (spec 2.3). */
export function promotedLikeness(seed: number | undefined, { name, omittedFields }: PromotingProfile): string {
  if (seed === undefined) return t`Its seed is unknown, so the picture will differ.`;
  if (omittedFields.includes('seed')) return t`${name} takes no seed, so the picture will differ.`;
  return t`The seed stays ${seed}. Another resolution or model may still change the picture.`;
}
