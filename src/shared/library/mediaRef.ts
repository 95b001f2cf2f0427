import { z } from 'zod';

const id = z.string().min(1).max(200);

/** Which of a job's results, counting from 0; the first if absent. */
const output = z.int().min(0).max(3).optional();

/** Where the clip ends for that, in milliseconds; at its own end if absent. */
const outMs = z.int().min(1).optional();

/** Where a picture or clip comes from. A `jobId` that is not done makes a dependency. */
export const mediaRefSchema = z.union(
  [
    z.strictObject({ assetId: id }),
    z.strictObject({
      uri: z.string().min(1).max(4096),
    }),
    z.strictObject({ jobId: id, frame: z.literal('last'), output, outMs }),
    z.strictObject({ jobId: id, output }),
  ],
  'must be { assetId }, { uri }, { jobId, output? } or { jobId, frame: "last", output?, outMs? }',
);
export type MediaRef = z.infer<typeof mediaRefSchema>;

/** The known facts about the target of a {@link MediaRef}. */
export interface MediaFacts {
  /** `pending`: a job that is not done yet; its dimensions are checked when it is. */
  status: 'ready' | 'pending' | 'missing' | 'dead';
  type: MediaType;
  /** Its bytes are not on this disk, and the service holds them at no address that lives. */
  isGone?: boolean;
  width?: number;
  height?: number;
  mime?: string;
  /** Of its file; 0 where it is not on this disk. */
  bytes?: number;
  /** The model that made it, for the same-model rule (spec 2.2). */
  model?: string;
  /** Made as an image task of this profile, so that an edit can name its task (spec 4.4). */
  imageTask?: boolean;
  /** It is one of several pictures of its task, and not their sheet: an edit names the task alone (spec 4.4). */
  isOneOfSeveral?: boolean;
  /** The service can still be given its URI, for an extension (spec 2.4). */
  remoteUri?: boolean;
  /** For a mask: every pixel is pure black or pure white (spec 2.6). Absent if the pixels were not checked. */
  pureMask?: boolean;
  /** For a mask: how many pixels are white. */
  whitePixels?: number;
}

export type PictureSize = Required<Pick<MediaFacts, 'width' | 'height'>>;

export type LookUpMedia = (ref: MediaRef) => MediaFacts;

/** The media that the library keeps. */
export const MEDIA_CLASSES = ['image', 'video', 'audio'] as const;
export type MediaClass = (typeof MEDIA_CLASSES)[number];

/** The media type of a file; `other` is none of them. */
export type MediaType = MediaClass | 'other' | 'unknown';

/** By its content type; empty while that is unknown. */
export const mediaTypeOf = (mime: string): MediaType =>
  mime === '' ? 'unknown' : (MEDIA_CLASSES.find((name) => mime.startsWith(`${name}/`)) ?? 'other');
