import { z } from 'zod';

const whole = (low: number, high: number) =>
  z.int('must be a whole number').min(low, `must be ${low} to ${high}`).max(high, `must be ${low} to ${high}`);

export const limitFields = {
  /** Preview video models: requests a minute (spec 8). */
  videoPerMinute: whole(1, 10_000),
  videosAtOnce: whole(1, 1_000),
  imagesAtOnce: whole(1, 1_000),
  chatsAtOnce: whole(1, 1_000),
  downloadsAtOnce: whole(1, 32),
  contextTokens: whole(1, 10_000_000),
  outputTokens: whole(1, 1_000_000),
};

export const limitsSchema = z.object({
  videoPerMinute: limitFields.videoPerMinute.default(10),
  videosAtOnce: limitFields.videosAtOnce.default(4),
  imagesAtOnce: limitFields.imagesAtOnce.default(4),
  chatsAtOnce: limitFields.chatsAtOnce.default(4),
  downloadsAtOnce: limitFields.downloadsAtOnce.default(3),
  contextTokens: limitFields.contextTokens.default(128_000),
  outputTokens: limitFields.outputTokens.default(4_096),
});
export type ProfileLimits = z.infer<typeof limitsSchema>;
