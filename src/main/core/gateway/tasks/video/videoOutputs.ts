import { uniqueBy } from '../../../../../shared/contract/values.ts';
import {
  type AddressContext,
  addressIn,
  cleanFirst,
  fieldsOf,
  inlineBytes,
  isPlainlyMedia,
  MAX_RESULTS,
  mayHoldResult,
  mediaBytes,
  mostReachable,
  namesAddress,
  namesCleanCopy,
  nestedObjects,
  outputAt,
  unsigned,
  withoutPreviews,
} from '../../addresses/mediaAddress.ts';
import { field, firstOf, fold, isObject, listOf, textOf, wordsOf } from '../../json/fields.ts';
import { type Json, type JsonObject, unwrapText } from '../../json/parse.ts';
import type { FilterNote, RemoteOutput } from '../../types.ts';

/**
 * Finds the clips in an answer by its structure. Lists of videos count before a single video field, and that before a plain `url`; the
 * first with a clip is used.
 */
export function videosIn(answer: Json, context: AddressContext): RemoteOutput[] {
  const thinned = withoutPreviews(answer);
  const found = videosAmong(thinned, context);
  // The copy that seemed better may not be a clip.
  return found.length === 0 && thinned !== answer ? videosAmong(answer, context) : found;
}

/** The pictures in an answer where a clip is expected. An animated picture may be the clip; any other was made instead of it. */
export const picturesInPlace = (answer: Json, context: AddressContext): RemoteOutput[] =>
  videosAmong(answer, { ...context, takesPictures: true });

function videosAmong(body: Json, context: AddressContext): RemoteOutput[] {
  const found: Candidate[] = [];
  visit({ node: body, name: '', inVideo: false, isClean: false, depth: 0 }, context, found);
  const kept = withoutMarkedCopies(found);
  for (const strength of STRENGTHS) {
    const candidates = kept.filter((candidate) => candidate.strength === strength);
    if (candidates.length > 0) return mostReachableOnce(candidates);
  }
  return [];
}

const STRENGTHS = ['list', 'video', 'plain'] as const;

/**
 * If there are as many copies without a watermark, the others are the marked copies. Clips in the same list as a clean copy are different
 * clips. A clean copy that cannot be downloaded replaces none.
 */
function withoutMarkedCopies(found: Candidate[]): Candidate[] {
  const clean = found.filter(({ isClean }) => isClean);
  const marked = found.filter(({ isClean }) => !isClean);
  const arrays = new Set(clean.flatMap(({ array }) => (array ? [array] : [])));
  const isOther = ({ array }: Candidate): boolean => array !== undefined && arrays.has(array);
  if (clean.length === 0 || marked.length === 0) return found;
  if (!clean.every(({ output }) => /^(https?|data):/i.test(output.uri))) return marked;
  return clean.length >= marked.length && !marked.some(isOther) ? clean : found;
}

interface Candidate {
  strength: (typeof STRENGTHS)[number];
  output: RemoteOutput;
  /** The list of clips that contains it. */
  list?: Json[];
  /** The nearest list around the clip, of any kind. */
  array?: Json[];
  /** A name on the path to the clip says that it has no watermark. */
  isClean: boolean;
}

interface Place {
  node: Json;
  name: string;
  inVideo: boolean;
  isClean: boolean;
  list?: Json[];
  array?: Json[];
  depth: number;
}

const VIDEO_WORDS = new Set('video videos clip clips generatedsamples samples creations works mp4'.split(' '));
/** A video's answer may contain pictures, such as frames and covers. They are no clips. */
export const PICTURE_WORDS = new Set(['image', 'images', 'picture', 'photo', 'gif']);
const PLAIN_NAMES = new Set(
  'url uri urls uris downloadurl downloaduri downloadlink resulturl resulturi resulturls outputurl outputurls fileurl fileuri mediaurl output outputs result results href src link gcsuri storageuri signedurl signeduri playurl'.split(
    ' ',
  ),
);

function isVideoName(name: string): boolean {
  return VIDEO_WORDS.has(fold(name)) || wordsOf(name).some((word) => VIDEO_WORDS.has(word));
}

function visit(place: Place, context: AddressContext, found: Candidate[]): void {
  const { node, name, depth } = place;
  if (depth > 16 || found.length >= MAX_RESULTS || (name !== '' && !mayHoldResult(name, PICTURE_WORDS))) return;
  const isClean = place.isClean || namesCleanCopy(name);
  const inVideo = place.inVideo || isClean || isVideoName(name);
  const inside = { ...place, inVideo, isClean };
  if (Array.isArray(node)) {
    const list = place.list ?? (inVideo ? node : undefined);
    for (const entry of node) visit({ ...inside, node: entry, list, array: node, depth: depth + 1 }, context, found);
  } else if (isObject(node)) {
    visitObject(node, inside, context, found);
  } else {
    const candidate = candidateOf(inside, context);
    if (candidate) found.push(candidate);
  }
}

/** A single value that is a clip, or the address of one. */
function candidateOf(
  { node, name, inVideo, list, array, isClean }: Place,
  context: AddressContext,
): Candidate | undefined {
  const known = inVideo || PLAIN_NAMES.has(fold(name));
  const bytes = mediaBytes(node, 'video') ?? (context.takesPictures ? mediaBytes(node, 'image') : undefined);
  const uri = bytes ?? (known ? clipAddress(node, context, inVideo) : undefined);
  if (uri === undefined) return undefined;
  return {
    strength: strengthOf(inVideo || bytes !== undefined, list),
    output: outputAt(uri, undefined),
    list,
    array,
    isClean,
  };
}

const strengthOf = (inVideo: boolean, list: Json[] | undefined): Candidate['strength'] =>
  inVideo ? (list ? 'list' : 'video') : 'plain';

/** The addresses among an object's own texts are one clip in several places; its objects and lists are searched too. */
function visitObject(node: JsonObject, place: Place, context: AddressContext, found: Candidate[]): void {
  const entries = fieldsOf(node).map(([name, value]) => [name, unwrapText(value) ?? null] as const);
  const own = showsSomethingElse(node)
    ? []
    : entries
        .filter(([name, value]) => typeof value === 'string' && mayHoldResult(name, PICTURE_WORDS))
        .toSorted(([one], [other]) => cleanFirst(one, other));
  const videoNamed = addressesOf(
    own.filter(([name]) => isVideoName(name) || namesCleanCopy(name)),
    context,
    true,
  );
  const plain = addressesOf(
    own.filter((entry) => (place.inVideo ? namesClip(entry) : PLAIN_NAMES.has(fold(entry[0])))),
    context,
    place.inVideo,
  );
  const inVideo = place.inVideo || videoNamed.length > 0;
  const bytes = inlineBytes(node, 'video/mp4');
  const clipBytes = [
    ...own.flatMap(([, value]) => mediaBytes(value, 'video') ?? []),
    ...(bytes && (place.inVideo || /^data:video\//i.test(bytes)) ? [bytes] : []),
  ].slice(0, 1);
  const uri = mostReachable([...videoNamed, ...(videoNamed.length > 0 && !place.inVideo ? [] : plain), ...clipBytes]);
  if (uri !== undefined) {
    const strength = strengthOf(inVideo || clipBytes.includes(uri), place.list);
    const cleanNames = own.filter(([name]) => namesCleanCopy(name));
    const isClean = place.isClean || addressesOf(cleanNames, context, true).includes(uri);
    found.push({ strength, output: outputAt(uri, node), list: place.list, array: place.array, isClean });
  }
  for (const [name, value] of entries) {
    if (typeof value === 'object' && value !== null)
      visit({ ...place, node: value, name, depth: place.depth + 1 }, context, found);
  }
}

/** Inside a clip, `resource` holds the address at PiAPI. Other services use the name for things that are no address. */
const namesClip = ([name, value]: readonly [string, Json]): boolean =>
  namesAddress(name) || (fold(name) === 'resource' && /^https?:/i.test(textOf(value) ?? ''));

/**
 * Whether the object is something other than the clip: `{ type: "image", url }` beside it is its cover. `text-to-video` is a clip if the
 * object has a state; otherwise its address may be an input or a poll address.
 */
function showsSomethingElse(node: JsonObject): boolean {
  const type = textOf(field(node, 'type', 'kind', 'mimeType', 'mediaType')) ?? '';
  if (/^(image|text|audio)[-\s]to[-\s]video/i.test(type)) return textOf(field(node, 'status', 'state')) === undefined;
  return /^(image|audio|picture|thumbnail|text)\b/i.test(type);
}

function addressesOf(
  entries: readonly (readonly [string, Json])[],
  context: AddressContext,
  inVideo: boolean,
): string[] {
  return entries.flatMap(([, value]) => clipAddress(value, context, inVideo) ?? []);
}

/** The address of a task in a plain field is a poll address, unless it is plainly a file: Vidu keeps its clips below `/tasks/`. */
export function clipAddress(value: Json, context: AddressContext, inVideo: boolean): string | undefined {
  const uri = addressIn(value, context);
  if (uri === undefined || /^data:(text|audio|application\/json)/i.test(uri)) return undefined;
  const path = URL.parse(uri)?.pathname ?? '';
  if (/\.(html?|json|srt|vtt|mp3|wav)$/i.test(path)) return undefined;
  const isPicture = /^data:image/i.test(uri) || /\.(png|jpe?g|webp|gif|svg|avif)$/i.test(path);
  if (isPicture && !context.takesPictures) return undefined;
  return inVideo || isPlainlyMedia(uri) || !/\/(status|tasks?|progress|queue)(\/|$)/i.test(path) ? uri : undefined;
}

/** The outputs without duplicates. If one list can be downloaded, another that cannot holds copies. */
function mostReachableOnce(candidates: Candidate[]): RemoteOutput[] {
  const unique = uniqueBy(candidates, ({ output }) => unsigned(output.uri));
  const reachable = new Set(unique.filter(({ output }) => /^(https?|data):/i.test(output.uri)).map(({ list }) => list));
  return unique.filter(({ list }) => reachable.size === 0 || reachable.has(list)).map(({ output }) => output);
}

/** The number of filtered results and the reasons (`raiMediaFilteredCount`, `raiMediaFilteredReasons`). */
export const filterNoteIn = (body: Json): FilterNote | undefined =>
  firstOf(nestedObjects(body), (layer) => {
    const reasons = listOf(field(layer, 'raiMediaFilteredReasons')).flatMap((reason) => textOf(reason) ?? []);
    const count = Number(textOf(field(layer, 'raiMediaFilteredCount')) ?? reasons.length);
    return count > 0 || reasons.length > 0 ? { count: Math.max(count, 1), reasons } : undefined;
  });
