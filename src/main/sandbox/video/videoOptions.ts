import { z } from 'zod';
import { ApiError, invalid, invalidFromIssues } from '../errors.ts';

/** A picture as sent (spec 2.2): by address, or as base64. */
export type ImageSource = { uri: string } | { base64: string; mimeType?: string | undefined };

/** The options of spec 2.2 and 2.3, validated as far as possible without their media. */
export interface VideoOptions {
  resolution: '720p' | '1080p' | null;
  aspectRatio: '16:9' | '9:16' | '1:1' | null;
  seconds: number;
  audio: boolean;
  seed: number | null;
  samples: number;
  image?: { field: string; source: ImageSource };
  lastFrame?: { field: string; source: ImageSource };
  references: { field: string; source: ImageSource }[];
  video?: string;
}

const whole = (low: number, high: number) => {
  const rule = `must be a whole number from ${low} to ${high}`;
  return z.int(rule).min(low, rule).max(high, rule).optional();
};

const configShape = {
  resolution: z.enum(['720p', '1080p'], "must be '720p' or '1080p'").optional(),
  durationSeconds: z.int('must be a whole number of seconds').optional(),
  fps: z.literal(24, 'must be 24').optional(),
  aspectRatio: z.enum(['16:9', '9:16', '1:1'], "must be '16:9', '9:16' or '1:1'").optional(),
  generateAudio: z.boolean('must be true or false').optional(),
  numberOfVideos: whole(1, 4),
  sampleCount: whole(1, 4),
  seed: whole(0, 4_294_967_295),
};

const text = z.string('must be text').min(1, 'must not be empty');
const pictureShape = {
  uri: text.optional(),
  gcsUri: text.optional(),
  storageUri: text.optional(),
  bytesBase64Encoded: text.optional(),
  imageBytes: text.optional(),
  content: text.optional(),
  data: text.optional(),
  mimeType: z.enum(['image/png', 'image/jpeg', 'image/webp'], 'must be image/png, image/jpeg or image/webp').optional(),
};
/** `{ uri }` or `{ bytesBase64Encoded, mimeType }`, directly or inside `image` (spec 2.2: "nested image objects"). */
const picture = z.strictObject(
  { ...pictureShape, image: z.strictObject(pictureShape).optional() },
  'must be { uri } or { bytesBase64Encoded, mimeType }',
);

const optionsSchema = z.strictObject({
  config: z.strictObject(configShape, 'must be an object').optional(),
  seed: configShape.seed,
  sampleCount: configShape.sampleCount,
  numberOfVideos: configShape.numberOfVideos,
  image: picture.optional(),
  lastFrame: picture.optional(),
  referenceImages: z
    .array(
      z.strictObject({
        ...pictureShape,
        image: z.strictObject(pictureShape),
        referenceType: z.literal('asset', "must be 'asset'").optional(),
      }),
      'must be a list of 1 to 3 { image, referenceType }',
    )
    .min(1, 'must be 1 to 3 pictures')
    .max(3, 'must be 1 to 3 pictures')
    .optional(),
  video: z.strictObject({ uri: text }, 'must be { uri }').optional(),
});
type Raw = z.infer<typeof optionsSchema>;

const GENERATION_SECONDS = [4, 6, 8];
const EXTENSION_SECONDS = 7;

/** Finds and validates the vendor's object of a request. Throws a 400 that names the field and the rule (spec 2.2, 2.3, 8). */
export function readVideoOptions(body: Record<string, unknown>, vendor: string): VideoOptions {
  const { value, prefix } = vendorObject(body, vendor);
  const read = optionsSchema.safeParse(toCamelCase(value, prefix));
  if (!read.success) throw invalidFromIssues(read.error.issues, prefix);
  const raw = read.data;
  checkCombination(raw, prefix);
  const config = raw.config ?? {};
  const seed = sameValue(config.seed, raw.seed, `${prefix}.seed`);
  const samples = sameValue(
    sameValue(config.sampleCount, raw.sampleCount, `${prefix}.sampleCount`),
    sameValue(config.numberOfVideos, raw.numberOfVideos, `${prefix}.numberOfVideos`),
    `${prefix}.config.numberOfVideos`,
  );
  const at = (field: string, part: z.infer<typeof picture>) => ({
    field: `${prefix}.${field}`,
    source: sourceOf(part, `${prefix}.${field}`),
  });
  return {
    resolution: config.resolution ?? null,
    aspectRatio: config.aspectRatio ?? null,
    seconds: checkDuration(config.durationSeconds, raw.video !== undefined, `${prefix}.config.durationSeconds`),
    audio: config.generateAudio ?? false,
    seed: seed ?? null,
    samples: samples ?? 1,
    ...(raw.image && { image: at('image', raw.image) }),
    ...(raw.lastFrame && { lastFrame: at('lastFrame', raw.lastFrame) }),
    references: (raw.referenceImages ?? []).map((entry, index) => ({
      field: `${prefix}.referenceImages[${index}].image`,
      source: sourceOf(entry.image, `${prefix}.referenceImages[${index}].image`),
    })),
    ...(raw.video && { video: raw.video.uri }),
  };
}

/** `extra_body.<vendor>` as in the specification, or `<vendor>` at top level, where client libraries put it. */
function vendorObject(
  body: Record<string, unknown>,
  vendor: string,
): { value: Record<string, unknown>; prefix: string } {
  const extra = body.extra_body;
  if (extra !== undefined) {
    const object = objectAt(extra, 'extra_body');
    const unknown = Object.keys(object).find((key) => key !== vendor);
    if (unknown)
      throw invalid(`extra_body.${unknown}`, `is not known here: this service's options are in extra_body.${vendor}`);
    if (object[vendor] !== undefined) {
      return { value: objectAt(object[vendor], `extra_body.${vendor}`), prefix: `extra_body.${vendor}` };
    }
  }
  return { value: body[vendor] === undefined ? {} : objectAt(body[vendor], vendor), prefix: vendor };
}

function objectAt(value: unknown, field: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalid(field, 'must be an object');
  return value as Record<string, unknown>;
}

/** Accepts both spellings of field names (spec 2.2); giving one field in both is an error. */
function toCamelCase(value: unknown, field: string): unknown {
  if (Array.isArray(value)) return value.map((part, index) => toCamelCase(part, `${field}[${index}]`));
  if (typeof value !== 'object' || value === null) return value;
  const result: Record<string, unknown> = {};
  for (const [key, part] of Object.entries(value)) {
    const name = key.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
    if (name in result) throw invalid(`${field}.${key}`, `is given twice, as ${name} and in another spelling`);
    result[name] = toCamelCase(part, `${field}.${key}`);
  }
  return result;
}

function checkCombination(raw: Raw, prefix: string): void {
  if (raw.lastFrame && !raw.image) throw invalid(`${prefix}.lastFrame`, 'needs a first frame in image');
  if (raw.video && (raw.image || raw.lastFrame || raw.referenceImages)) {
    throw invalid(`${prefix}.video`, 'cannot be combined with image, lastFrame or referenceImages');
  }
  if (raw.referenceImages && (raw.image || raw.lastFrame)) {
    throw invalid(`${prefix}.referenceImages`, 'cannot be combined with image or lastFrame');
  }
}

function checkDuration(seconds: number | undefined, isExtension: boolean, field: string): number {
  if (isExtension) {
    if (seconds !== undefined && seconds !== EXTENSION_SECONDS) throw invalid(field, 'must be 7 when extending');
    return EXTENSION_SECONDS;
  }
  if (seconds === undefined) return 8;
  if (!GENERATION_SECONDS.includes(seconds)) {
    throw invalid(field, seconds === 7 ? 'must be 4, 6 or 8; 7 only when extending a video' : 'must be 4, 6 or 8');
  }
  return seconds;
}

function sameValue(left: number | undefined, right: number | undefined, field: string): number | undefined {
  if (left !== undefined && right !== undefined && left !== right) {
    throw invalid(field, `is given twice with different values, ${left} and ${right}`);
  }
  return left ?? right;
}

function sourceOf(part: z.infer<typeof picture>, field: string): ImageSource {
  const inner = part.image ?? part;
  const uris = [inner.uri, inner.gcsUri, inner.storageUri].filter((value) => value !== undefined);
  const bytes = [inner.bytesBase64Encoded, inner.imageBytes, inner.content, inner.data].filter(
    (value) => value !== undefined,
  );
  const [uri] = uris;
  const [base64] = bytes;
  if (uris.length + bytes.length !== 1) throw invalid(field, 'must have exactly one of uri or bytesBase64Encoded');
  if (uri !== undefined) return { uri };
  if (base64 === undefined) throw new ApiError(400, `${field}: must have uri or bytesBase64Encoded`);
  return { base64, mimeType: inner.mimeType };
}
