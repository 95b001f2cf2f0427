import type { Profile } from '../gateway/profile.ts';
import { clipCount, clipSeconds, type VideoRequest } from '../kinds/video.ts';
import {
  OMITTABLE,
  type OmittableField,
  referenceTypeAt,
  type VideoConfig,
  videoConfigSchema,
} from '../kinds/videoConfig.ts';
import type { MediaRef } from '../library/mediaRef.ts';
import { withExtra } from './extra.ts';
import { type VideoBody, type VideoForm, videoFamily } from './families/index.ts';
import { CHAT_PATH } from './headers.ts';
import { protocolsOf } from './protocols.ts';
import { snakeName } from './spelling.ts';

/** How a gateway wants video options written (spec 2.2, 2.3). */
export type VideoDialect = Pick<Profile, 'vendor' | 'fieldCase' | 'seedPlacement'> & {
  [K in 'samplePlacement' | 'pictures' | 'omittedFields']?: Profile[K] | undefined;
};

/** The place of `sampleCount`, by default that of the seed. The specification shows the place of neither (spec 2.3). */
export const placeOfSamples = ({ samplePlacement = 'seed', seedPlacement }: VideoDialect): 'config' | 'beside' =>
  samplePlacement === 'seed' ? seedPlacement : samplePlacement;

type Fields = Record<string, unknown>;

/** The configuration as it is sent; always with the length, so that the shown price applies. */
export const sentConfig = (request: Pick<VideoRequest, 'config' | 'video'>): VideoConfig => ({
  ...request.config,
  durationSeconds: clipSeconds(request),
});

export function videoForm(request: VideoRequest, uriOf: (ref: MediaRef) => string): VideoForm {
  const { model, prompt, image, lastFrame, referenceImages, referenceType, video } = request;
  return {
    model,
    prompt,
    config: sentConfig(request),
    referenceType,
    image: image && uriOf(image),
    lastFrame: lastFrame && uriOf(lastFrame),
    referenceImages: referenceImages?.map(uriOf),
    videoUri: video && uriOf(video),
  };
}

/** Path and body of the request in the profile's API format. */
export function videoWire(
  form: VideoForm,
  profile: VideoDialect & Parameters<typeof withExtra>[1],
): { path: string; body: Fields } {
  const family = videoFamily(protocolsOf(profile).video);
  const { body } = family ? family.body(form) : videoBody(form, profile);
  return { path: family?.path ?? CHAT_PATH, body: withExtra(body, profile, form.model) };
}

/** A video request in a chat (spec 2.2, 2.3, 4.1), in a dialect. */
export function videoBody(request: VideoForm, dialect: VideoDialect): VideoBody {
  const { image, lastFrame, referenceImages: references = [], videoUri } = request;
  const isOmitted = (field: OmittableField) => dialect.omittedFields?.includes(field) ?? false;
  const placed = withPlace(request.config, isOmitted);
  const { seed, sampleCount, ...config } = placed;
  const isSeedInConfig = dialect.seedPlacement === 'config';
  const isCountInConfig = placeOfSamples(dialect) === 'config';
  const inConfig = present({ ...config, ...(isSeedInConfig && { seed }), ...(isCountInConfig && { sampleCount }) });
  const typeOf = (index: number) =>
    isOmitted('referenceType') ? {} : { referenceType: referenceTypeAt(request.referenceType, index) };
  const options = present({
    image: image && { uri: image },
    lastFrame: lastFrame && { uri: lastFrame },
    referenceImages:
      references.length > 0 ? references.map((uri, index) => ({ image: { uri }, ...typeOf(index) })) : undefined,
    video: videoUri && { uri: videoUri },
    config: Object.keys(inConfig).length > 0 ? inConfig : undefined,
    ...(!isSeedInConfig && { seed }),
    ...(!isCountInConfig && { sampleCount }),
  });
  return {
    body: {
      model: request.model,
      messages: [{ role: 'user', content: request.prompt }],
      extra_body: { [dialect.vendor]: dialect.fieldCase === 'snake' ? snake(options) : options },
    },
    omitted: OMITTABLE.filter((field) => isLeftOut(field, request.config, placed)),
    sent: [request.prompt, image, lastFrame, videoUri, ...references].filter((text) => text !== undefined),
  };
}

/**
 * The configuration in the fields that the gateway takes. `sampleCount` and `numberOfVideos` mean the same: the number uses the accepted
 * one, or both if the user set both.
 */
function withPlace(config: VideoConfig, isOmitted: (field: OmittableField) => boolean): VideoConfig {
  const { sampleCount, numberOfVideos, ...rest } = config;
  const count = sampleCount === undefined && numberOfVideos === undefined ? undefined : clipCount({ config });
  const isBySample = (sampleCount !== undefined || isOmitted('numberOfVideos')) && !isOmitted('sampleCount');
  const isByNumber = (numberOfVideos !== undefined || isOmitted('sampleCount')) && !isOmitted('numberOfVideos');
  const counts = present({
    sampleCount: isBySample ? count : undefined,
    numberOfVideos: isByNumber ? count : undefined,
  });
  // In the specification's order, so that equal requests have equal bodies.
  const fields = Object.keys(videoConfigSchema.shape) as (keyof VideoConfig)[];
  const kept = fields.filter((field) => field in rest && !isOmitted(field as OmittableField));
  return { ...Object.fromEntries(kept.map((field) => [field, config[field]])), ...counts };
}

/** A number of clips uses one name if the other is not accepted. */
const isLeftOut = (field: OmittableField, config: VideoConfig, placed: VideoConfig): boolean =>
  field !== 'referenceType' &&
  field !== 'sampleCount' &&
  field !== 'numberOfVideos' &&
  config[field] !== undefined &&
  placed[field] === undefined;

function present(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== ''));
}

function snake(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(snake);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [snakeName(name), snake(inner)]));
}
