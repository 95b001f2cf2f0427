import { z } from 'zod';
import { boardSchema } from '../board/board.ts';
import { ERROR_KINDS, TERMINAL_STATES } from '../jobs/job.ts';
import { jobElsewhereSchema, safeTextSchema } from '../jobs/jobElsewhere.ts';
import { VERDICTS } from '../jobs/verdict.ts';
import { requestSchema } from '../kinds/index.ts';
import { OMITTABLE } from '../kinds/videoConfig.ts';
import { MAX_TAGS, tagSchema } from '../library/assetMarks.ts';
import { madeElsewhereSchema, sha256Schema } from '../library/sidecar.ts';

/**
 * A bundle: a film with board, takes, chats and media as one zip file. An opened bundle is untrusted: nothing in it is sent or charged, and
 * only its bytes are believed.
 */

export const BUNDLE_ENDING = '.dailies';
export const BUNDLE_MIME = 'application/vnd.dailies.bundle+zip';
export const BUNDLE_FORM = 1;

/** The entries of a bundle, in the order in which they are written; chats and media follow. */
export const BUNDLE_ENTRIES = {
  manifest: 'dailies.json',
  film: 'film.json',
  shots: 'shots.jsonl',
  jobs: 'jobs.jsonl',
  assets: 'assets.jsonl',
} as const;
export const CHAT_ENTRY = /^chats\/\d{4}\.json$/;
export const MEDIA_ENTRY = /^media\/([0-9a-f]{64})\.[a-z0-9]{2,5}$/;

export const BUNDLE_LIMITS = {
  entries: 30_000,
  jobs: 10_000,
  assets: 20_000,
  chats: 500,
  /** In bytes, unpacked. */
  manifest: 64 * 1024,
  film: 4 * 1024 * 1024,
  chat: 16_000_000,
  /** The longest line, in characters. */
  line: 2_000_000,
  /** Everything except media, in bytes, unpacked. */
  documents: 64 * 1024 * 1024,
  /** Unpacked bytes for each packed one, of an entry above {@link ratioFrom}. */
  ratio: 500,
  ratioFrom: 1024 * 1024,
} as const;

const id = z.string().min(1).max(200);
const count = z.int().min(0);
const time = count.max(8_640_000_000_000_000);

export const bundleManifestSchema = z.strictObject({
  dailies: z.literal('bundle'),
  form: z.literal(BUNDLE_FORM),
  /** The version of Dailies that wrote it. */
  version: safeTextSchema(100),
  title: safeTextSchema(1_000).refine((title) => title.trim() !== '', 'must not be empty'),
  createdAt: time,
  shots: count,
  jobs: count,
  assets: count,
  chats: count,
  /** The size of all media, in bytes. */
  bytes: count,
});
export type BundleManifest = z.infer<typeof bundleManifestSchema>;

/** The board without its shots. */
export const bundleFilmSchema = boardSchema.omit({ projectId: true, revision: true, shots: true });
export type BundleFilm = z.infer<typeof bundleFilmSchema>;

export const bundleJobSchema = z.strictObject({
  id,
  state: z.enum(TERMINAL_STATES),
  request: requestSchema,
  createdAt: time,
  finishedAt: time.optional(),
  verdict: z.enum(VERDICTS).optional(),
  error: z
    .strictObject({
      kind: z.enum(ERROR_KINDS),
      message: safeTextSchema(20_000),
      retryable: z.boolean(),
    })
    .optional(),
  omitted: z.array(z.enum(OMITTABLE)).max(OMITTABLE.length).optional(),
  elsewhere: jobElsewhereSchema,
});
export type BundleJob = z.infer<typeof bundleJobSchema>;

/** Without `thumbnail`, which is made again. */
const BUNDLED_ROLES = ['output', 'grid', 'source', 'mask', 'frame'] as const;

export const bundleAssetSchema = z.strictObject({
  id,
  role: z.enum(BUNDLED_ROLES),
  name: safeTextSchema(1_000),
  createdAt: time,
  /** Absent if the bytes were not on the exporting machine. */
  sha256: sha256Schema.optional(),
  bytes: count.optional(),
  mime: z.string().max(100),
  jobId: id.optional(),
  outputIndex: count.max(100).optional(),
  /** The asset that it was made from, listed before it. */
  parentId: id.optional(),
  /** The out point, for a last frame taken before one. */
  outMs: count.optional(),
  model: safeTextSchema(200).optional(),
  verdict: bundleJobSchema.shape.verdict,
  starred: z.literal(true).optional(),
  tags: z.array(tagSchema).max(MAX_TAGS).optional(),
  /** The origin of a file that no job made. */
  made: madeElsewhereSchema.optional(),
});
export type BundleAsset = z.infer<typeof bundleAssetSchema>;
