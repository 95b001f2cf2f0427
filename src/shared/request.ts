import { z } from 'zod';
import { isBlank } from './blank.ts';

/**
 * What a page asks for (DESIGN "The contract"). The schemas carry the rules that one request can be judged by alone;
 * rules that need to know the media a request points at are in `readiness.ts`.
 */

const id = z.string('must be an id').min(1, 'must not be empty').max(200, 'is too long for an id');

/** Where a picture or clip comes from. A `jobId` that is not done makes a dependency. */
export const mediaRefSchema = z.union(
  [
    z.strictObject({ assetId: id }),
    z.strictObject({
      uri: z
        .string()
        .min(1, 'must not be empty')
        .max(4096, 'must have at most 4,096 characters; import the file instead'),
    }),
    z.strictObject({ jobId: id, frame: z.literal('last', "must be 'last'") }),
    z.strictObject({ jobId: id, output: z.int().min(0).max(3, 'must be 0 to 3').optional() }),
  ],
  'must be { assetId }, { uri }, { jobId, output? } or { jobId, frame: "last" }',
);
export type MediaRef = z.infer<typeof mediaRefSchema>;

export const UINT32_MAX = 4_294_967_295;

const prompt = z
  .string('must be text')
  .max(100_000, 'must have at most 100,000 characters')
  .refine((text) => !isBlank(text), 'must not be empty');

const model = z.string('must be a model id').min(1, 'must not be empty').max(200, 'must have at most 200 characters');

/** Output configuration of a video (spec 2.3). */
export const videoConfigSchema = z.strictObject({
  resolution: z.enum(['720p', '1080p'], "must be '720p' or '1080p'").optional(),
  durationSeconds: z.int('must be a whole number of seconds').optional(),
  fps: z.literal(24, 'must be 24').optional(),
  aspectRatio: z.enum(['16:9', '9:16'], "must be '16:9' or '9:16'").optional(),
  generateAudio: z.boolean('must be true or false').optional(),
  numberOfVideos: z.int('must be a whole number').min(1, 'must be 1 to 4').max(4, 'must be 1 to 4').optional(),
  sampleCount: z.int('must be a whole number').min(1, 'must be 1 to 4').max(4, 'must be 1 to 4').optional(),
  seed: z
    .int('must be a whole number from 0 to 4,294,967,295')
    .min(0, 'must be a whole number from 0 to 4,294,967,295')
    .max(UINT32_MAX, 'must be a whole number from 0 to 4,294,967,295')
    .optional(),
});
export type VideoConfig = z.infer<typeof videoConfigSchema>;

export const chatMessageSchema = z.strictObject({
  role: z.enum(['system', 'user', 'assistant'], "must be 'system', 'user' or 'assistant'"),
  content: z.string('must be text'),
});
export type ChatMessage = z.infer<typeof chatMessageSchema>;

export const chatRequestSchema = z.strictObject({
  kind: z.literal('chat'),
  model,
  messages: z.array(chatMessageSchema, 'must be a list of messages').min(1, 'needs at least one message'),
  stream: z.boolean('must be true or false').optional(),
  /** Function tools as the service takes them (spec 2.5: the language model supports tool calls). */
  tools: z.array(z.record(z.string(), z.unknown())).max(128, 'must be at most 128').optional(),
});

const videoShape = z.strictObject({
  kind: z.literal('video'),
  model,
  prompt,
  config: videoConfigSchema.optional(),
  image: mediaRefSchema.optional(),
  lastFrame: mediaRefSchema.optional(),
  referenceImages: z
    .array(mediaRefSchema, 'must be a list of 1 to 3 pictures')
    .min(1, 'must be 1 to 3 pictures')
    .max(3, 'must be 1 to 3 pictures')
    .optional(),
  video: mediaRefSchema.optional(),
});

/** Durations the service makes: 4, 6 or 8 s; 7 s when extending (spec 2.3). */
export const GENERATION_SECONDS = [4, 6, 8] as const;
export const EXTENSION_SECONDS = 7;

export const videoRequestSchema = videoShape.superRefine((request, context) => {
  const wrong = (path: string[], message: string) => context.addIssue({ code: 'custom', path, message });
  const seconds = request.config?.durationSeconds;
  const allowed: readonly number[] = request.video ? [EXTENSION_SECONDS] : GENERATION_SECONDS;
  if (seconds !== undefined && !allowed.includes(seconds)) {
    wrong(
      ['config', 'durationSeconds'],
      request.video ? 'must be 7 when extending' : 'must be 4, 6 or 8, or 7 when extending',
    );
  }
  if (request.lastFrame && !request.image) wrong(['lastFrame'], 'needs a first frame in image');
  if (request.video && (request.image || request.lastFrame || request.referenceImages)) {
    wrong(['video'], 'cannot be combined with image, lastFrame or referenceImages');
  }
  if (request.referenceImages && (request.image || request.lastFrame)) {
    wrong(['referenceImages'], 'cannot be combined with image or lastFrame');
  }
});

export const IMAGE_MODES = ['fast', 'relax', 'turbo'] as const;

export const imagineRequestSchema = z.strictObject({
  kind: z.literal('imagine'),
  prompt,
  mode: z.enum(IMAGE_MODES, "must be 'fast', 'relax' or 'turbo'").optional(),
});

export const editRequestSchema = z.strictObject({
  kind: z.literal('edit'),
  base: mediaRefSchema,
  mask: mediaRefSchema,
  prompt: prompt.optional(),
  /** Sent as it is: the service does not say its unit (spec 2.6). */
  timeout: z.int('must be a whole number').min(1, 'must be 1 to 86,400').max(86_400, 'must be 1 to 86,400').optional(),
});

export const requestSchema = z.discriminatedUnion(
  'kind',
  [chatRequestSchema, videoRequestSchema, imagineRequestSchema, editRequestSchema],
  "must be 'chat', 'video', 'imagine' or 'edit'",
);
export type ChatRequest = z.infer<typeof chatRequestSchema>;
export type VideoRequest = z.infer<typeof videoRequestSchema>;
export type ImagineRequest = z.infer<typeof imagineRequestSchema>;
export type EditRequest = z.infer<typeof editRequestSchema>;
export type StudioRequest = z.infer<typeof requestSchema>;
export type JobKind = StudioRequest['kind'];
export const JOB_KINDS = ['chat', 'video', 'imagine', 'edit'] as const satisfies JobKind[];

/** The seconds that one clip of this request will have, the longest where the request leaves it open. */
export function clipSeconds(request: VideoRequest): number {
  return request.config?.durationSeconds ?? (request.video ? EXTENSION_SECONDS : 8);
}

/** How many clips a request asks for (spec 2.3: sampleCount and numberOfVideos name the same wish). */
export function clipCount(request: VideoRequest): number {
  return Math.max(request.config?.sampleCount ?? 1, request.config?.numberOfVideos ?? 1);
}

/** Every media reference of a request with the field it stands in. */
export function mediaRefsOf(request: StudioRequest): { field: string; ref: MediaRef }[] {
  if (request.kind === 'edit') {
    return [
      { field: 'base', ref: request.base },
      { field: 'mask', ref: request.mask },
    ];
  }
  if (request.kind !== 'video') return [];
  const single = (['image', 'lastFrame', 'video'] as const).flatMap((field) => {
    const ref = request[field];
    return ref ? [{ field, ref }] : [];
  });
  const references = (request.referenceImages ?? []).map((ref, index) => ({ field: `referenceImages.${index}`, ref }));
  return [...single, ...references];
}

/** The words a job is found by and listed under. */
export function promptOf(request: StudioRequest): string {
  if (request.kind === 'chat') return request.messages.findLast((message) => message.role === 'user')?.content ?? '';
  return request.prompt ?? '';
}
