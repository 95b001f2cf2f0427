import type { VideoConfig } from '../kinds/video.ts';
import type { Profile } from '../profile.ts';
import { snakeName } from './spelling.ts';

/** The spelling of video options (spec 2.2, 2.3). */
export type VideoDialect = Pick<Profile, 'vendor' | 'fieldCase' | 'seedPlacement'>;

/** A video request whose pictures are addresses: `https:`, `gs:`, or `data:` with their bytes (spec 2.2). */
export interface VideoForm {
  model: string;
  prompt: string;
  config: VideoConfig;
  image?: string | undefined;
  lastFrame?: string | undefined;
  referenceImages?: string[] | undefined;
  /** The address of an earlier clip of the same model (spec 2.2). */
  videoUri?: string | undefined;
}

type Fields = Record<string, unknown>;

export interface VideoBody {
  body: Fields;
  /** Every address and text in it that an answer may repeat. */
  sent: string[];
}

/** The wire form of a video request (spec 2.2, 2.3, 4.1), in a dialect. */
export function videoBody(request: VideoForm, dialect: VideoDialect): VideoBody {
  const { image, lastFrame, referenceImages: references = [], videoUri } = request;
  const { seed, sampleCount, ...config } = request.config;
  const draws = present({ seed, sampleCount });
  const inConfig = present(dialect.seedPlacement === 'config' ? { ...config, ...draws } : config);
  const options = present({
    image: image && { uri: image },
    lastFrame: lastFrame && { uri: lastFrame },
    referenceImages:
      references.length > 0 ? references.map((uri) => ({ image: { uri }, referenceType: 'asset' })) : undefined,
    video: videoUri && { uri: videoUri },
    config: Object.keys(inConfig).length > 0 ? inConfig : undefined,
    ...(dialect.seedPlacement === 'beside' ? draws : {}),
  });
  return {
    body: {
      model: request.model,
      messages: [{ role: 'user', content: request.prompt }],
      extra_body: { [dialect.vendor]: dialect.fieldCase === 'snake' ? snake(options) : options },
    },
    sent: [request.prompt, image, lastFrame, videoUri, ...references].filter((text) => text !== undefined),
  };
}

function present(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== ''));
}

function snake(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(snake);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [snakeName(name), snake(inner)]));
}
