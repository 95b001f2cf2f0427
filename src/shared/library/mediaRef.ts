import { z } from 'zod';

const id = z.string().min(1).max(200);

/** The index of the job's result; default: the first. */
const output = z.int().min(0).max(3).optional();

/** The out point in milliseconds; absent: the clip's own end. */
const outMs = z.int().min(1).optional();

/** The origin of a picture or clip. A `jobId` that is not done is a dependency. */
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

/** Facts about the target of a {@link MediaRef}. */
export interface MediaFacts {
  /** `pending`: a job that is not done; its dimensions are checked later. */
  status: 'ready' | 'pending' | 'missing' | 'dead';
  type: MediaType;
  /** The bytes are neither on this disk nor at a live address of the gateway. */
  isGone?: boolean;
  width?: number;
  height?: number;
  mime?: string;
  /** File size; 0 if it is not on this disk. */
  bytes?: number;
  /** The model that made it: an extension needs the same (spec 2.2). */
  model?: string;
  /** Made by an image task of this profile, so that an edit can name the task (spec 4.4). */
  imageTask?: boolean;
  /** One of several pictures of its task, not their sheet: an edit names only the task (spec 4.4). */
  isOneOfSeveral?: boolean;
  /** The gateway can still be given its URI for an extension (spec 2.4). */
  remoteUri?: boolean;
  /** For a mask: every pixel is pure black or pure white (spec 2.6). Absent if not checked. */
  pureMask?: boolean;
  /** For a mask: the number of white pixels. */
  whitePixels?: number;
}

export type PictureSize = Required<Pick<MediaFacts, 'width' | 'height'>>;

export type LookUpMedia = (ref: MediaRef) => MediaFacts;

export const MEDIA_CLASSES = ['image', 'video', 'audio'] as const;
export type MediaClass = (typeof MEDIA_CLASSES)[number];

export type MediaType = MediaClass | 'other' | 'unknown';

/** By content type; empty while that is unknown. */
export const mediaTypeOf = (mime: string): MediaType =>
  mime === '' ? 'unknown' : (MEDIA_CLASSES.find((name) => mime.startsWith(`${name}/`)) ?? 'other');
