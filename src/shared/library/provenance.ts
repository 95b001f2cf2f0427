import { z } from 'zod';
import { MAX_SHOTS } from '../board/board.ts';
import { type FilmProvenance, PROVENANCE_KEY } from '../film/filmTask.ts';
import { bareAddressesIn } from '../gateway/bareAddress.ts';
import type { Job } from '../jobs/job.ts';
import { sentSeedOf } from '../jobs/resultWords.ts';
import { mediaRefsOf, promptOf, requestSchema } from '../kinds/index.ts';
import { shownBeginning, shownName } from '../text/shownName.ts';
import type { Asset } from './asset.ts';
import { foreignParameters } from './foreignPrompt.ts';
import type { Elsewhere } from './sidecar.ts';

/**
 * What a copy that leaves says about itself: how it was made, in a form of our own and in those that others read. It goes into copies
 * alone; the library's file stays as it came.
 */

/** The keyword under which programs for pictures keep prompt and settings in a PNG. */
export const PARAMETERS_KEY = 'parameters';

/** IPTC's words for what a machine made, by itself or as a part of a picture (IPTC NewsCodes, "Digital Source Type"). */
const SOURCE_TYPES = ['trainedAlgorithmicMedia', 'compositeWithTrainedAlgorithmicMedia'] as const;
type SourceType = (typeof SOURCE_TYPES)[number];
const NEWS_CODES = 'http://cv.iptc.org/newscodes/digitalsourcetype/';

/** In characters. */
const MAX_PROMPT = 100_000;
const text = (most: number) => z.string().max(most);

/** Read from a file it is untrusted text: it is shown and offered, never believed. */
const provenanceSchema = z.object({
  version: z.literal(1),
  kind: text(50),
  prompt: text(MAX_PROMPT),
  model: text(200).optional(),
  seed: z.number().optional(),
  request: z.unknown().optional(),
  jobId: text(200).optional(),
  assetId: text(200).optional(),
  /** Of the library's file, before anything was written into the copy. */
  sha256: text(64).optional(),
  sourceType: z.enum(SOURCE_TYPES),
  width: z.number().optional(),
  height: z.number().optional(),
  /** Milliseconds since 1970. */
  madeAt: z.number().optional(),
  /** Of a film: what of it was made, shot by shot. */
  shots: z
    .array(z.object({ number: z.number(), prompt: text(MAX_PROMPT) }))
    .max(MAX_SHOTS)
    .optional()
    .catch(undefined),
});
export type Provenance = z.infer<typeof provenanceSchema>;

export const isProvenance = (value: unknown): value is Provenance => provenanceSchema.safeParse(value).success;

/** Of a result, without what makes an address open; undefined for a file that no job made: of that nothing is claimed. */
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
 * Of a film, shot by shot; undefined where nothing of it was made by a machine. A shot without a provenance is in it as a picture of the
 * user's; `hasMore`: a track or words of the user's are in it.
 */
export function provenanceOfFilm(
  shots: readonly { number: number; made: Provenance | undefined }[],
  hasMore = false,
): FilmProvenance | undefined {
  const known = shots.filter(({ made }) => made !== undefined);
  if (known.length === 0) return undefined;
  const isPart = hasMore || shots.some(({ made }) => made?.sourceType !== 'trainedAlgorithmicMedia');
  const sourceType = isPart ? 'compositeWithTrainedAlgorithmicMedia' : 'trainedAlgorithmicMedia';
  // A file's metadata has room for words, not for whole orders.
  const list = known.map(({ number, made: { request: _request, ...made } = {} }) => ({ number, ...made }));
  return {
    json: JSON.stringify({ version: 1, kind: 'film', prompt: '', sourceType, shots: list }),
    xmp: xmpOf(sourceType),
  };
}

/** One text as programs for pictures write and read it: the prompt, then a line of settings. */
export function parametersOf({ prompt, seed, model, width, height }: Provenance): string {
  const settings = [
    ...(seed === undefined ? [] : [`Seed: ${seed}`]),
    ...(width === undefined || height === undefined ? [] : [`Size: ${width}x${height}`]),
    ...(model === undefined ? [] : [`Model: ${shownName(model).replace(/[\t\n\r,]/g, ' ')}`]),
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
 * An XMP packet that names the digital source type (IPTC Photo Metadata Standard, `Iptc4xmpExt:DigitalSourceType`); with a JSON of ours as a
 * property of our own, for forms that have no other place for it.
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

/** The JSON of ours in an XMP packet. It is untrusted text. */
export function jsonInXmp(xmp: string): string | undefined {
  if (!xmp.includes(OWN_NAMESPACE)) return undefined;
  const start = xmp.indexOf(OWN_PROPERTY);
  const end = start < 0 ? -1 : xmp.indexOf('"', start + OWN_PROPERTY.length);
  if (end < 0) return undefined;
  const written = xmp.slice(start + OWN_PROPERTY.length, end);
  return ESCAPES.toReversed().reduce((text, [plain, escaped]) => text.replaceAll(escaped, plain), written);
}

/** What was found in a file that came from elsewhere, offered to be used again. Nothing of it is verified. */
export interface FoundProvenance {
  /** It carries a C2PA manifest, which stays in the library's file. */
  c2pa: boolean;
  /** Prompt and settings as another program wrote them. */
  parameters?: string;
  /** What a Dailies wrote. */
  provenance?: Provenance;
  /** What the sidecar said that it was brought in with. */
  elsewhere?: Elsewhere;
}

/** Lines with which programs for pictures go on behind the prompt (AUTOMATIC1111, `infotext`), and we do (`parametersOf`). */
const SETTINGS = ['Negative prompt:', 'Steps:', 'Seed:', 'Size:', 'Model:', 'Software:'];

/** The words that a found file was made with; undefined if it says none. */
export function promptFound({ provenance, parameters, elsewhere }: FoundProvenance): string | undefined {
  // Earlier versions kept documents of other programs as they stood.
  const words =
    parameters === undefined ? undefined : foreignParameters([{ keyword: PARAMETERS_KEY, text: parameters }]);
  const lines = (words ?? '').split('\n');
  const end = lines.findIndex((line) => SETTINGS.some((name) => line.startsWith(name)));
  const said = provenance?.prompt || elsewhere?.prompt || lines.slice(0, end < 0 ? lines.length : end).join('\n');
  return said.trim() === '' ? undefined : said.trim();
}

/** The same of a clip: those of a film are one for each of its shots, in their order. */
export function promptsFound(found: FoundProvenance): string[] {
  const shots = found.provenance?.shots ?? [];
  const prompts = shots.flatMap(({ prompt }) => (prompt.trim() === '' ? [] : [prompt.trim()]));
  return prompts.length > 0 ? prompts : [promptFound(found) ?? []].flat();
}

const MAX_PARAMETERS = 20_000;

/** Picks what is known from the texts of a file, by keyword, and from its Exif comment; anything else in them is ignored. */
export function foundIn(texts: readonly { keyword: string; text: string }[], c2pa: boolean): FoundProvenance {
  const named = (keyword: string) => texts.find((one) => one.keyword === keyword)?.text;
  const parameters = foreignParameters(texts);
  const provenance = provenanceIn(named(PROVENANCE_KEY));
  return {
    c2pa,
    ...(parameters === undefined ? {} : { parameters: shownName(parameters.slice(0, MAX_PARAMETERS)) }),
    ...(provenance ? { provenance } : {}),
  };
}

/** What cannot be seen is written out, which makes a text longer. */
const wordsOf = (prompt: string): string => shownBeginning(prompt, MAX_PROMPT);

function provenanceIn(json: string | undefined): Provenance | undefined {
  if (json === undefined) return undefined;
  try {
    const read = provenanceSchema.safeParse(JSON.parse(json));
    if (!read.success) return undefined;
    const { request, ...said } = read.data;
    const order = requestSchema.safeParse(request);
    const shots = said.shots?.map((shot) => ({ ...shot, prompt: wordsOf(shot.prompt) }));
    return {
      ...said,
      prompt: wordsOf(said.prompt),
      ...(shots ? { shots } : {}),
      ...(order.success ? { request: order.data } : {}),
    };
  } catch {
    return undefined;
  }
}
