import { z } from 'zod';
import { MAX_SHOTS } from '../board/board.ts';
import { type FilmProvenance, PROVENANCE_KEY } from '../film/filmTask.ts';
import { bareAddressesIn } from '../gateway/bareAddress.ts';
import type { Job } from '../jobs/job.ts';
import { sentSeedOf } from '../jobs/resultWords.ts';
import { mediaRefsOf, promptOf, requestSchema } from '../kinds/index.ts';
import { safeName, shownBeginning } from '../text/safeText.ts';
import type { Asset } from './asset.ts';
import { foreignParameters } from './foreignPrompt.ts';
import type { ImportedOrigin } from './sidecar.ts';

/** The provenance inside exported copies: how a file was made, in our own form and in standard ones. The library's file stays unchanged. */

/** The PNG keyword under which programs store prompt and settings. */
export const PARAMETERS_KEY = 'parameters';

/** IPTC terms for pictures made by a machine, wholly or partly (IPTC NewsCodes, "Digital Source Type"). */
const SOURCE_TYPES = ['trainedAlgorithmicMedia', 'compositeWithTrainedAlgorithmicMedia'] as const;
type SourceType = (typeof SOURCE_TYPES)[number];
const NEWS_CODES = 'http://cv.iptc.org/newscodes/digitalsourcetype/';

/** In characters. */
const MAX_PROMPT = 100_000;
const text = (most: number) => z.string().max(most);

/** Untrusted when read from a file: only shown and offered. */
const provenanceSchema = z.object({
  version: z.literal(1),
  kind: text(50),
  prompt: text(MAX_PROMPT),
  model: text(200).optional(),
  seed: z.number().optional(),
  request: z.unknown().optional(),
  jobId: text(200).optional(),
  assetId: text(200).optional(),
  /** The hash of the library's file, before metadata was written into the copy. */
  sha256: text(64).optional(),
  sourceType: z.enum(SOURCE_TYPES),
  width: z.number().optional(),
  height: z.number().optional(),
  /** Milliseconds since 1970. */
  madeAt: z.number().optional(),
  /** For a film: the provenance of each shot. */
  shots: z
    .array(z.object({ number: z.number(), prompt: text(MAX_PROMPT) }))
    .max(MAX_SHOTS)
    .optional()
    .catch(undefined),
});
export type Provenance = z.infer<typeof provenanceSchema>;

export const isProvenance = (value: unknown): value is Provenance => provenanceSchema.safeParse(value).success;

/** The provenance of a result, with bare addresses; undefined for a file that no job made. */
export function provenanceOf(asset: Asset, job: Job | undefined): Provenance | undefined {
  if (!job) return undefined;
  const seed = sentSeedOf(job);
  const isEdit = mediaRefsOf(job.request).some(({ maskOf }) => maskOf !== undefined);
  return bareAddressesIn({
    version: 1,
    kind: job.kind,
    prompt: promptOf(job.request),
    ...(job.model === undefined ? {} : { model: job.model }),
    ...(seed === undefined ? {} : { seed }),
    request: job.request,
    jobId: job.id,
    assetId: asset.id,
    sha256: asset.sha256,
    sourceType: isEdit ? 'compositeWithTrainedAlgorithmicMedia' : 'trainedAlgorithmicMedia',
    ...(asset.width > 0 ? { width: asset.width, height: asset.height } : {}),
    madeAt: job.finishedAt ?? asset.createdAt,
  });
}

/**
 * The provenance of a film by shot; undefined if no machine made any of it. A shot without provenance counts as the user's picture;
 * `hasMore`: the user's track or words are in it.
 */
export function provenanceOfFilm(
  shots: readonly { number: number; made: Provenance | undefined }[],
  hasMore = false,
): FilmProvenance | undefined {
  const known = shots.filter(({ made }) => made !== undefined);
  if (known.length === 0) return undefined;
  const isPart = hasMore || shots.some(({ made }) => made?.sourceType !== 'trainedAlgorithmicMedia');
  const sourceType = isPart ? 'compositeWithTrainedAlgorithmicMedia' : 'trainedAlgorithmicMedia';
  // Metadata has room for prompts, not for whole requests.
  const list = known.map(({ number, made: { request: _request, ...made } = {} }) => ({ number, ...made }));
  return {
    json: JSON.stringify({ version: 1, kind: 'film', prompt: '', sourceType, shots: list }),
    xmp: xmpOf(sourceType),
  };
}

/** The text that other programs read: the prompt, then a line of settings. */
export function parametersOf({ prompt, seed, model, width, height }: Provenance): string {
  const settings = [
    ...(seed === undefined ? [] : [`Seed: ${seed}`]),
    ...(width === undefined || height === undefined ? [] : [`Size: ${width}x${height}`]),
    ...(model === undefined ? [] : [`Model: ${safeName(model).replace(/[\t\n\r,]/g, ' ')}`]),
    'Software: Dailies',
  ];
  return `${prompt}\n${settings.join(', ')}`;
}

const OWN_NAMESPACE = 'urn:dailies:provenance:1';
const OWN_PROPERTY = 'dailies:Json="';
const ESCAPES = [
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
] as const;

/**
 * An XMP packet with the digital source type (IPTC Photo Metadata Standard, `Iptc4xmpExt:DigitalSourceType`), and our JSON as a property for
 * formats without another place.
 */
export const xmpOf = (sourceType: SourceType, json?: string): string =>
  [
    '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>',
    '<x:xmpmeta xmlns:x="adobe:ns:meta/">',
    ' <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">',
    '  <rdf:Description rdf:about=""',
    '   xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/"',
    '   xmlns:xmp="http://ns.adobe.com/xap/1.0/"',
    `   Iptc4xmpExt:DigitalSourceType="${NEWS_CODES}${sourceType}"`,
    ...(json === undefined
      ? []
      : [
          `   xmlns:dailies="${OWN_NAMESPACE}"`,
          `   ${OWN_PROPERTY}${ESCAPES.reduce((text, [plain, written]) => text.replaceAll(plain, written), json)}"`,
        ]),
    '   xmp:CreatorTool="Dailies"/>',
    ' </rdf:RDF>',
    '</x:xmpmeta>',
    '<?xpacket end="w"?>',
  ].join('\n');

/** Our JSON in an XMP packet; untrusted. */
export function jsonInXmp(xmp: string): string | undefined {
  if (!xmp.includes(OWN_NAMESPACE)) return undefined;
  const start = xmp.indexOf(OWN_PROPERTY);
  const end = start < 0 ? -1 : xmp.indexOf('"', start + OWN_PROPERTY.length);
  if (end < 0) return undefined;
  const written = xmp.slice(start + OWN_PROPERTY.length, end);
  return ESCAPES.toReversed().reduce((text, [plain, escaped]) => text.replaceAll(escaped, plain), written);
}

/** The claims of an imported file about itself. Nothing of it is verified. */
export interface FoundProvenance {
  /** The file has a C2PA manifest, which stays in the library's file. */
  c2pa: boolean;
  /** As another program wrote them. */
  parameters?: string;
  /** As Dailies wrote it. */
  provenance?: Provenance;
  /** From its sidecar. */
  elsewhere?: ImportedOrigin;
}

/** The lines that follow a prompt (AUTOMATIC1111 `infotext`, and our `parametersOf`). */
const SETTINGS = ['Negative prompt:', 'Steps:', 'Seed:', 'Size:', 'Model:', 'Software:'];

/** The prompt of an imported file, if it has one. */
export function promptFound({ provenance, parameters, elsewhere }: FoundProvenance): string | undefined {
  // Earlier versions stored JSON of other programs as it was.
  const words =
    parameters === undefined ? undefined : foreignParameters([{ keyword: PARAMETERS_KEY, text: parameters }]);
  const lines = (words ?? '').split('\n');
  const end = lines.findIndex((line) => SETTINGS.some((name) => line.startsWith(name)));
  const said = provenance?.prompt || elsewhere?.prompt || lines.slice(0, end < 0 ? lines.length : end).join('\n');
  return said.trim() === '' ? undefined : said.trim();
}

/** The prompts of an imported file; those of a film, one for each shot. */
export function promptsFound(found: FoundProvenance): string[] {
  const shots = found.provenance?.shots ?? [];
  const prompts = shots.flatMap(({ prompt }) => (prompt.trim() === '' ? [] : [prompt.trim()]));
  return prompts.length > 0 ? prompts : [promptFound(found) ?? []].flat();
}

const MAX_PARAMETERS = 20_000;

/** Reads the known keywords and the Exif comment of a file; everything else is ignored. */
export function provenanceInTexts(texts: readonly { keyword: string; text: string }[], c2pa: boolean): FoundProvenance {
  const named = (keyword: string) => texts.find((one) => one.keyword === keyword)?.text;
  const parameters = foreignParameters(texts);
  const provenance = provenanceIn(named(PROVENANCE_KEY));
  return {
    c2pa,
    ...(parameters === undefined ? {} : { parameters: safeName(parameters.slice(0, MAX_PARAMETERS)) }),
    ...(provenance ? { provenance } : {}),
  };
}

/** Invisible characters are written out, which makes a text longer. */
const wordsOf = (prompt: string): string => shownBeginning(prompt, MAX_PROMPT);

function provenanceIn(json: string | undefined): Provenance | undefined {
  if (json === undefined) return undefined;
  try {
    const read = provenanceSchema.safeParse(JSON.parse(json));
    if (!read.success) return undefined;
    const { request, ...said } = read.data;
    const parsed = requestSchema.safeParse(request);
    const shots = said.shots?.map((shot) => ({ ...shot, prompt: wordsOf(shot.prompt) }));
    return {
      ...said,
      prompt: wordsOf(said.prompt),
      ...(shots ? { shots } : {}),
      ...(parsed.success ? { request: parsed.data } : {}),
    };
  } catch {
    return undefined;
  }
}
