import { z } from 'zod';
import { castUsesSchema } from '../board/cast.ts';
import type { Reason } from '../contract/result.ts';
import type { ModelFacts } from '../gateway/modelFacts.ts';
import { type MediaFacts, mediaRefSchema } from '../library/mediaRef.ts';
import { en, formatLocale, plural, t } from '../text/texts.ts';
import { protocolLabel, videoFamily } from '../wire/families/index.ts';
import { type MediaProtocols, OWN_PROTOCOLS } from '../wire/protocols.ts';
import { model, prompt } from './fields.ts';
import type { Kind, MediaInput } from './kind.ts';
import { previewLane, videoLane } from './lanes.ts';
import { PRICINGS } from './pricings.ts';
import { referenceTypesSchema, type VideoConfig, videoConfigSchema } from './videoConfig.ts';

const videoShape = z.strictObject({
  kind: z.literal('video'),
  model,
  prompt,
  config: videoConfigSchema.optional(),
  image: mediaRefSchema.optional(),
  lastFrame: mediaRefSchema.optional(),
  referenceImages: z.array(mediaRefSchema).min(1).max(3).optional(),
  /** The role of the references; the specification shows `asset` (spec 2.2). */
  referenceType: referenceTypesSchema.optional(),
  video: mediaRefSchema.optional(),
  /** Cast members with their pictures and words. Stored with the job, not sent. */
  cast: castUsesSchema.optional(),
  /** The job that this one remakes in higher quality. Stored with the job, not sent. */
  promotedFrom: z.string().min(1).max(200).optional(),
});

/** The durations of clips: 4, 6 or 8 s; 7 s for an extension (spec 2.3). */
export const GENERATION_SECONDS = [4, 6, 8] as const;
export const EXTENSION_SECONDS = 7;

/** The lengths of a format if the model states none; undefined: any. */
const formatSeconds = (protocol: string): readonly number[] | undefined => {
  const family = videoFamily(protocol);
  return family ? family.seconds : GENERATION_SECONDS;
};

/** The lengths in seconds of the model, else of the API format, else of the specification (spec 2.3). */
export const clipLengths = ({ seconds }: ModelFacts, { video }: MediaProtocols): readonly number[] =>
  seconds ?? formatSeconds(video) ?? GENERATION_SECONDS;

/** Whether the specification has clips of this duration. */
export const isClipLength = (seconds: number, isExtension: boolean): boolean =>
  (isExtension ? [EXTENSION_SECONDS] : (GENERATION_SECONDS as readonly number[])).includes(seconds);

export const videoRequestSchema = videoShape.superRefine((request, context) => {
  const wrong = (path: string[], message: string) => context.addIssue({ code: 'custom', path, message });
  const seconds = request.config?.durationSeconds;
  if (seconds !== undefined && (seconds < 1 || seconds > 60)) wrong(['config', 'durationSeconds'], en`must be 1 to 60`);
  else if (seconds !== undefined && request.video && seconds !== EXTENSION_SECONDS)
    wrong(['config', 'durationSeconds'], en`must be 7 when extending`);
  if (request.lastFrame && !request.image) wrong(['lastFrame'], 'needs a first frame in image');
  if (request.video && (request.image || request.lastFrame || request.referenceImages)) {
    wrong(['video'], 'cannot be combined with image, lastFrame or referenceImages');
  }
  if (request.referenceImages && (request.image || request.lastFrame)) {
    wrong(['referenceImages'], 'cannot be combined with image or lastFrame');
  }
});
export type VideoRequest = z.infer<typeof videoRequestSchema>;

type ClipFields = Pick<VideoRequest, 'config' | 'video'>;

/** The length of one clip in seconds; the longest possible if unset. */
export function clipSeconds(request: ClipFields): number {
  return request.config?.durationSeconds ?? (request.video ? EXTENSION_SECONDS : 8);
}

/** The number of clips (spec 2.3: sampleCount and numberOfVideos mean the same). */
export function clipCount(request: ClipFields): number {
  return Math.max(request.config?.sampleCount ?? 1, request.config?.numberOfVideos ?? 1);
}

export const quantityOfClips = (request: ClipFields) => ({
  seconds: clipSeconds(request) * clipCount(request),
  videos: clipCount(request),
});

function mediaRefs(request: VideoRequest): MediaInput[] {
  const single = (['image', 'lastFrame', 'video'] as const).flatMap((field) => {
    const ref = request[field];
    return ref ? [{ field, ref, ...(field === 'video' ? { isNamed: true } : {}) }] : [];
  });
  const references = (request.referenceImages ?? []).map((ref, index) => ({ field: `referenceImages.${index}`, ref }));
  return [...single, ...references];
}

/** The frame of an input that the clip begins with; undefined for inputs that do not set its first frame. */
export const startOfClip = (field: string): 'first' | 'last' | undefined =>
  ({ image: 'first' as const, video: 'last' as const })[field];

function sourceWords(request: VideoRequest): string {
  if (request.video) return t`Extend`;
  if (request.lastFrame) return t`First and last frame`;
  if (request.image) return t`First frame`;
  return request.referenceImages ? plural(request.referenceImages.length, 'reference') : t`Text only`;
}

function extensionReasons(model: string, source: MediaFacts): Reason[] {
  const field = 'video';
  if (source.type !== 'video' && source.type !== 'unknown') return [{ field, message: en`must be a video.` }];
  if (source.model !== undefined && source.model !== model) {
    return [{ field, message: en`was made by ${source.model}; only the same model can extend it (chosen: ${model}).` }];
  }
  if (source.remoteUri === false) {
    const isComing = source.status === 'pending';
    const message = isComing
      ? en`is made by another gateway, which alone can extend it.`
      : en`the gateway no longer holds this clip, so it cannot be extended.`;
    return [{ field, message }];
  }
  return [];
}

/** Parts of this request that the model does not accept. Unknown facts block nothing. */
function factReasons(request: VideoRequest, facts: ModelFacts, protocol: string): Reason[] {
  const { model, config = {} } = request;
  const { references = request.referenceImages?.length ?? 0 } = facts;
  const reasons: Reason[] = [];
  const refuse = (field: string, what: string) =>
    reasons.push({ field, message: t`Not possible with ${model}: ${what}.`, isSentence: true });
  if (request.image && facts.first === false) refuse('image', t`First frame`);
  if (request.lastFrame && facts.last === false) refuse('lastFrame', t`Last frame`);
  if (request.video && facts.extend === false) refuse('video', t`Extend`);
  if ((request.referenceImages?.length ?? 0) > references)
    refuse('referenceImages', plural(request.referenceImages?.length ?? 0, 'reference'));
  if (config.generateAudio && facts.sound === false) refuse('config.generateAudio', t`Sound`);
  const lacking = videoFamily(protocol)?.lacks(request, facts) ?? [];
  return [...lacking, ...reasons, ...formReasons(request, facts, protocol)];
}

const OR = new Intl.ListFormat(formatLocale(), { type: 'disjunction' });

/** Lengths that the model, else the API format, does not make. */
export function lengthReasons(
  model: string,
  { durationSeconds: length }: VideoConfig,
  { seconds }: ModelFacts,
  protocol: string,
): Reason[] {
  const lengths = seconds ?? formatSeconds(protocol);
  if (length === undefined || !lengths || lengths.includes(length)) return [];
  const offered = `${OR.format(lengths.map(String))} s`;
  const maker = seconds ? model : protocolLabel(protocol);
  const message =
    seconds || videoFamily(protocol)
      ? t`${maker} makes clips of ${offered}, not of ${length} s.`
      : en`must be 4, 6 or 8, or 7 when extending.`;
  return [{ field: 'config.durationSeconds', message }];
}

/** Invalid lengths, counts and sizes; extensions have their own length (spec 2.3). */
function formReasons({ model, config = {}, video }: VideoRequest, facts: ModelFacts, protocol: string): Reason[] {
  const { sizes = [], variations = Infinity } = facts;
  const { resolution } = config;
  const reasons = video ? [] : lengthReasons(model, config, facts, protocol);
  if (clipCount({ config }) > variations)
    reasons.push({
      field: 'config.sampleCount',
      message: t`${model} makes at most ${variations} per request.`,
      isSentence: true,
    });
  const lines = sizes.map((size) => size.toLowerCase()).filter((size) => /^\d{3,4}p$/.test(size));
  if (resolution !== undefined && lines.length > 0 && !lines.includes(resolution)) {
    const message = t`${model} makes ${OR.format(lines)}, not ${resolution}.`;
    reasons.push({ field: 'config.resolution', message, isSentence: true });
  }
  return reasons;
}

/** A clip from a prompt, frames, references or an earlier clip (spec 2.2, 2.3). */
export const video = {
  name: 'video',
  schema: videoRequestSchema,
  words: { title: t`Video`, made: t`Clip`, billed: 'video', untitled: t`Untitled` },
  makes: 'video',
  gallery: 'storyboard',
  canBeEdited: false,
  filteredIsFree: true,
  usualMs: 120_000,
  pricing: PRICINGS.video,
  table: {
    columns: {
      prompt: 'prompt',
      model: 'model',
      seconds: 'config.durationSeconds',
      resolution: 'config.resolution',
      aspect: 'config.aspectRatio',
      audio: 'config.generateAudio',
      samples: 'config.sampleCount',
      seed: 'config.seed',
      image: 'image',
      last_frame: 'lastFrame',
      references: 'referenceImages',
      video: 'video',
    },
    aliases: { samples: 'config.numberOfVideos' },
  },
  lanes: [videoLane, previewLane],
  lane: (request, isPreview) => (isPreview(request.model) ? previewLane : videoLane),
  promptText: (request) => request.prompt,
  shortened: (request, length) => ({ ...request, prompt: request.prompt.slice(0, length) }),
  facts(request) {
    const { durationSeconds, resolution } = request.config ?? {};
    return [sourceWords(request), durationSeconds && `${durationSeconds} s`, resolution].filter(Boolean).join(', ');
  },
  mediaRefs,
  reasons(request, { lookUp, facts = {}, protocols = OWN_PROTOCOLS }) {
    const pictures = mediaRefs(request).filter(({ field }) => field !== 'video');
    const wrongType = pictures
      .filter(({ ref }) => !['image', 'unknown'].includes(lookUp(ref).type))
      .map(({ field }) => ({ field, message: en`must be a picture.` }));
    const extension = request.video ? extensionReasons(request.model, lookUp(request.video)) : [];
    return [...wrongType, ...extension, ...factReasons(request, facts, protocols.video)];
  },
  /** Every clip at its full length. */
  most: (request) => quantityOfClips(request),
  /** The requested length of each result, for no more clips than were requested. */
  made(request, results) {
    const videos = Math.min(clipCount(request), Math.max(1, results));
    return { videos, seconds: videos * clipSeconds(request) };
  },
  targetMs: () => undefined,
  seed: (request) => request.config?.seed,
  /** Every video gets a seed, a uint32 (spec 2.3), so that it can be made again. */
  seeded(request, roll) {
    if (request.config?.seed !== undefined) return request;
    return { ...request, config: { ...request.config, seed: roll() } };
  },
} as const satisfies Kind<VideoRequest>;
