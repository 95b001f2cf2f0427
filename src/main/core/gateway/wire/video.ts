import type { VideoDialect, VideoOrder } from '../types.ts';
import { wireUri } from './media.ts';

type Fields = Record<string, unknown>;

export interface VideoBody {
  body: Fields;
  /** Every address and text of ours in it, which an answer may repeat. */
  sent: string[];
}

/** A video order in its wire form (spec 2.2, 2.3, 4.1), in a dialect. Rejects when a file cannot be read. */
export async function videoBody(order: VideoOrder, dialect: VideoDialect): Promise<VideoBody> {
  const image = order.image && (await wireUri(order.image));
  const lastFrame = order.lastFrame && (await wireUri(order.lastFrame));
  const references = await Promise.all((order.referenceImages ?? []).map(wireUri));
  const { seed, sampleCount, ...config } = order.config;
  const draws = present({ seed, sampleCount });
  const inConfig = present(dialect.seedPlacement === 'config' ? { ...config, ...draws } : config);
  const options = present({
    image: image && { uri: image },
    lastFrame: lastFrame && { uri: lastFrame },
    referenceImages:
      references.length > 0 ? references.map((uri) => ({ image: { uri }, referenceType: 'asset' })) : undefined,
    video: order.videoUri && { uri: order.videoUri },
    config: Object.keys(inConfig).length > 0 ? inConfig : undefined,
    ...(dialect.seedPlacement === 'beside' ? draws : {}),
  });
  const spelled = dialect.fieldCase === 'snake' ? snake(options) : options;
  return {
    body: {
      model: order.model,
      messages: [{ role: 'user', content: order.prompt }],
      extra_body: { [dialect.vendor]: spelled },
    },
    sent: [order.prompt, image, lastFrame, order.videoUri, ...references].filter((text) => text !== undefined),
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

const snakeName = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
