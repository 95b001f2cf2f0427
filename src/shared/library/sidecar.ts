import { z } from 'zod';
import { fail, ok, parseStored, type Result } from '../contract/result.ts';
import { VERDICTS } from '../jobs/verdict.ts';
import { requestSchema, type StudioRequest } from '../kinds/index.ts';
import { shownBeginning } from '../text/safeText.ts';
import { en } from '../text/texts.ts';

/**
 * The JSON beside an exported file, with everything needed to import it elsewhere. Untrusted when read: nothing is sent or charged for it,
 * and only the bytes of the file are believed.
 */

export const SIDECAR_ENDING = '.json';
const SIDECAR_FORM = 1;

/** In characters: several times the longest that is written. */
export const MAX_SIDECAR = 2_000_000;

/** In characters. */
const MAX_WORDS = 100_000;
/** In characters of JSON: a longer request is left out. */
const MAX_REQUEST = 200_000;
/** The most ancestors of a file: a chain of extensions may be long. */
export const MAX_ANCESTORS = 200;

/** Invisible characters are written out, which makes a text longer. */
const shown = (most: number) => z.string().transform((text) => shownBeginning(text, most));
const words = (most: number) => shown(most).optional();
export const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits in lower case');
const whole = z.int().min(0);
const MAX_TAGS = 100;

const ancestorSchema = z.object({
  field: shown(100),
  jobId: words(200),
  assetId: words(200),
  sha256: sha256Schema.optional(),
  uri: words(2_000),
  prompt: words(MAX_WORDS),
  model: words(200),
});
export type Ancestor = z.infer<typeof ancestorSchema>;

/** How a file was made, as its sidecar says. */
export const madeElsewhereSchema = z.object({
  kind: words(50),
  prompt: words(MAX_WORDS),
  model: words(200),
  seed: z.number().optional(),
  request: z.unknown().transform(knownRequest).optional(),
  /** Charged there, in nano-dollars: history, in no sum of this library. */
  costNano: whole.optional(),
  /** The result was made with test money. */
  play: z.literal(true).optional(),
  /** Milliseconds since 1970. */
  madeAt: whole.max(8_640_000_000_000_000).optional(),
  project: words(200),
  jobId: words(200),
  assetId: words(200),
  /** The hash of the file that was copied, before metadata was written. */
  sha256: sha256Schema.optional(),
});

const sidecarSchema = z.object({
  dailies: z.literal(SIDECAR_FORM),
  /** The hash of the file beside it, as written. */
  sha256: sha256Schema,
  bytes: whole.optional(),
  mime: z.string().max(100).optional(),
  name: words(200),
  role: z.string().max(20).optional(),
  verdict: z.enum(VERDICTS).optional(),
  starred: z.boolean().optional(),
  tags: z.array(shown(100)).max(MAX_TAGS).optional(),
  made: madeElsewhereSchema.default({}),
  ancestry: z.array(ancestorSchema).max(MAX_ANCESTORS).default([]),
  /** The source of the copy's metadata. */
  provenance: z.unknown().optional(),
});
export type Sidecar = z.infer<typeof sidecarSchema>;

/** The part of a sidecar that is stored with its file. */
export type ImportedOrigin = Sidecar['made'] & { ancestry?: Ancestor[] };

function knownRequest(given: unknown): StudioRequest | undefined {
  const read = requestSchema.safeParse(given);
  return read.success && JSON.stringify(read.data).length <= MAX_REQUEST ? read.data : undefined;
}

export const elsewhereOf = ({ made, ancestry }: Sidecar): ImportedOrigin => ({
  ...(JSON.parse(JSON.stringify(made)) as Sidecar['made']),
  ...(ancestry.length > 0 ? { ancestry } : {}),
});

/** Parses a sidecar; an error is one complete sentence. */
export function readSidecar(text: string): Result<Sidecar> {
  if (text.length > MAX_SIDECAR) return refused(en`is longer than 2,000,000 characters.`);
  const json = readJson(text);
  if (typeof json !== 'object' || json === null) return refused(en`is not JSON.`);
  const { dailies } = json as { dailies?: unknown };
  if (typeof dailies === 'number' && dailies > SIDECAR_FORM) return refused(en`was written by a newer Dailies.`);
  if (dailies !== SIDECAR_FORM) return refused(en`was not written by Dailies.`);
  const read = parseStored(sidecarSchema, json);
  return read.ok ? ok(read.data) : refused(en`cannot be used: ${read.error.message}`);
}

const refused = (why: string): Result<never> => fail('invalid_input', en`Its sidecar ${why}`, { field: 'sidecar' });

function readJson(text: string): unknown {
  try {
    return JSON.parse(text.startsWith('\ufeff') ? text.slice(1) : text);
  } catch {
    return undefined;
  }
}
