import { uniqueBy } from '../../../../../shared/contract/values.ts';
import {
  type AddressContext,
  fieldsOf,
  holdsOneResult,
  inlineBytes,
  MAX_RESULTS,
  mayHoldResult,
  mediaBytes,
  mostReachable,
  namesAddress,
  namesCleanCopy,
  nestedObjects,
  originalOf,
  outputAt,
  pictureAddress,
  rewritten,
  unsigned,
  withoutPreviews,
} from '../../addresses/mediaAddress.ts';
import { field, fold, isObject, layersOf, textOf, wordsOf } from '../../json/fields.ts';
import { type Json, type JsonObject, unwrapText } from '../../json/parse.ts';
import { hasFailedFinish } from '../../tasks/status.ts';
import type { RemoteOutput } from '../../types.ts';

/**
 * Finds the pictures of an image task, each once (spec 2.6). Services name one picture several times: in their own copy (`cdnImage`) and
 * at the platform that made it, in one field and in a list. If there are four single pictures beside another one, that one is the grid
 * they were cut from.
 */
export function imagesIn(answer: Json, context: AddressContext): RemoteOutput[] {
  const body = withoutFailedParts(withoutPreviews(answer));
  const found = imagesAmong(layersOf(body), rootList(body, context), context);
  if (found.length > 0) return found;
  const layers = nestedObjects(body);
  const nested = imagesAmong(layers, rootList(body, context), context);
  const lists = [...furtherLists(layers, context), ...(nested.length === 1 ? otherLists(layers, context) : [])];
  const list = lists.find((one) => holdsMore(one, nested));
  return list ? imagesAmong([], [list], context) : nested;
}

/**
 * Whether the list has more than the found pictures: it begins with them, or it is the same set, of which one was wrongly taken for a grid.
 */
function holdsMore(list: readonly Picture[], found: readonly RemoteOutput[]): boolean {
  const uris = new Set(list.map(({ uri }) => uri));
  if (!found.every(({ uri }) => uris.has(uri))) return false;
  if (list.length > found.length) return list[0]?.uri === found[0]?.uri;
  const isFourAndGrid = list.length === 5;
  return !isFourAndGrid && found.some(({ role }) => role === 'grid');
}

function imagesAmong(layers: readonly JsonObject[], others: Picture[][], context: AddressContext): RemoteOutput[] {
  const candidateSets = layers.map((layer) => candidatesIn(layer, context));
  const lists = [...candidateSets.flatMap((candidates) => candidates.lists), ...others];
  const singles = candidateSets.flatMap((candidates) => candidates.singles).sort((one, other) => one.rank - other.rank);
  const list = bestList(lists);
  return list && list.length > 1
    ? fromList(list, [...singles, ...loneOnes(lists)])
    : fromSingles([...singles, ...loneOnes(lists)]);
}

interface Picture {
  uri: string;
  /** 0 for the service's own copy, higher for others. */
  rank: number;
  sheet: boolean;
  beside?: Json;
}

interface Candidates {
  lists: Picture[][];
  singles: Picture[];
}

/** Words in the names of fields that hold a video, a face or the picture that was sent. */
const OTHER_WORDS = new Set('video videos base original mask user author first last button buttons emoji'.split(' '));

/** A clean copy is left out here, so that it does not count as a second picture beside the one with a watermark. */
const mayBelong = (name: string): boolean => mayHoldResult(name, OTHER_WORDS) && !namesCleanCopy(name);

const mayHoldPicture = (name: string): boolean =>
  mayBelong(name) && (namesAddress(name) || namesPicture(name) || name === 'data' || name === 'sample');

function candidatesIn(layer: JsonObject, context: AddressContext): Candidates {
  const candidates: Candidates = { lists: [], singles: [] };
  const numbered = new Map<string, Picture[]>();
  for (const [name, raw] of fieldsOf(layer)) {
    const value = listOfMap(unwrapText(raw) ?? null);
    if (!mayHoldPicture(name)) continue;
    if (Array.isArray(value)) {
      candidates.lists.push(picturesOf(name, value, context));
      continue;
    }
    const picture = pictureOf(name, value, context);
    if (picture && /\d/.test(name)) grouped(numbered, stemOf(name)).push(picture);
    else if (picture) candidates.singles.push(picture);
  }
  const bytes = inlineBytes(layer, 'image/png') ?? mediaBytes(field(layer, 'data', 'content', 'bytes'), 'image');
  if (bytes) candidates.singles.push({ uri: bytes, rank: 9, sheet: false });
  const lists = [...candidates.lists, ...numbered.values()].filter((list) => list.length > 0);
  return { ...candidates, lists };
}

function grouped(groups: Map<string, Picture[]>, name: string): Picture[] {
  const group = groups.get(name) ?? [];
  groups.set(name, group);
  return group;
}

/** `image1`, `image_2_url`: one name with numbers. */
const stemOf = (name: string): string => name.replace(/_?\d+/, '');

/** `{ "0": …, "1": … }` is a list. */
function listOfMap(value: Json): Json {
  const names = isObject(value) ? Object.keys(value) : [];
  return names.length > 0 && names.every((name) => name.length <= 3 && /^\d+$/.test(name))
    ? Object.values(value as JsonObject)
    : value;
}

function namesPicture(name: string): boolean {
  return wordsOf(name)
    .flatMap((word) => word.split(/\d+/))
    .some((word) =>
      ['image', 'images', 'picture', 'pictures', 'grid', 'sheet', 'img', 'imgs', 'attachments'].includes(word),
    );
}

function rootList(body: Json, context: AddressContext): Picture[][] {
  if (!Array.isArray(body)) return [];
  const list = picturesOf('images', body, context);
  return list.length > 0 ? [list] : [];
}

/** The pictures in lists whose entries hold them at a deeper level: `choices: [{ message: { content: [{ image }] } }]`. */
function furtherLists(layers: readonly JsonObject[], context: AddressContext): Picture[][] {
  return layers.flatMap((layer) =>
    Object.entries(layer).flatMap(([name, raw]) => {
      const list = listOfMap(unwrapText(raw) ?? null);
      if (!Array.isArray(list) || !FURTHER.has(fold(name))) return [];
      return [
        list
          .filter(isObject)
          .slice(0, MAX_RESULTS)
          .flatMap((entry) => furtherIn(entry, context)),
      ];
    }),
  );
}

/**
 * Names of such lists: DashScope, Gemini, Bria, Baidu (`sub_task_result_list`), the nodes of ComfyUI, APIMart. Other lists may hold
 * unrelated pictures, such as a history.
 */
const FURTHER = new Set(['choices', 'candidates', 'result', 'subtaskresultlist', 'outputs', 'images']);

/** The best list of the entry, or else its best single picture. */
function furtherIn(entry: JsonObject, context: AddressContext): Picture[] {
  const layers = nestedObjects(entry);
  const candidateSets = layers.map((layer) => candidatesIn(layer, context));
  const list = bestList([...candidateSets.flatMap(({ lists }) => lists), ...otherLists(layers, context)]);
  if (list && list.length > 0) return list;
  const singles = candidateSets.flatMap((candidates) => candidates.singles);
  return singles.sort((one, other) => one.rank - other.rank).slice(0, 1);
}

/** Lists of objects, each with a picture, under a name that says nothing of pictures: `result_list`. */
function otherLists(layers: readonly JsonObject[], context: AddressContext): Picture[][] {
  const lists = layers.flatMap((layer) =>
    Object.entries(layer).flatMap(([name, value]) =>
      Array.isArray(value) && mayBelong(name) && !holdsOneResult(name) ? [value] : [],
    ),
  );
  return lists.map((list) => picturesOf('images', list.filter(isObject), context));
}

const picturesOf = (name: string, list: Json[], context: AddressContext): Picture[] =>
  list.slice(0, MAX_RESULTS).flatMap((entry) => pictureOf(name, entry, context) ?? []);

function pictureOf(name: string, value: Json, context: AddressContext): Picture | undefined {
  if (isObject(value)) return pictureOfObject(name, value, context);
  const uri =
    pictureAddress(value, context) ?? (namesPicture(name) ? inlineBytes({ base64: value }, 'image/png') : undefined);
  return uri === undefined ? undefined : { uri, rank: rankOf(name), sheet: namesSheet(name) || isSheetFile(uri) };
}

function pictureOfObject(name: string, node: JsonObject, context: AddressContext): Picture | undefined {
  const entries = fieldsOf(node)
    .filter(([key]) => mayBelong(key) && (namesAddress(key) || namesPicture(key)))
    .flatMap(([key, value]) => {
      const uri = isObject(value) ? pictureOfObject(key, value, context)?.uri : pictureAddress(value, context);
      return uri === undefined ? [] : [{ uri, rank: rankOf(key) }];
    })
    .sort((one, other) => one.rank - other.rank);
  const held = field(node, 'inlineData');
  const bytes =
    inlineBytes(isObject(held) ? held : node, 'image/png') ??
    mediaBytes(field(node, 'data', 'content', 'bytes'), 'image');
  const uris = entries.map((entry) => entry.uri);
  const reachable = mostReachable([...uris, ...(bytes ? [bytes] : [])]);
  if (reachable === undefined) return undefined;
  const uri = originalOf(reachable, uris);
  const kind = textOf(field(node, 'type', 'role', 'kind', 'name')) ?? '';
  const sheet = namesSheet(name) || namesSheet(kind) || isSheetFile(uri);
  return { uri, rank: Math.min(rankOf(name), entries[0]?.rank ?? 9), sheet, beside: node };
}

/** The service's own copy comes first (spec 2.6: `cdnImage`), then the plain name, then copies at other hosts. */
function rankOf(name: string): number {
  const words = wordsOf(name);
  if (words.includes('cdn')) return 0;
  if (words.includes('proxy') || words.includes('oss')) return 1;
  if (words.includes('result')) return 2;
  if (name === 'sample') return 4;
  return /^(image|img|picture)?_?(url|uri)s?$|^images?$|^url$|^uri$|^output$|^result$/i.test(name) ? 2 : 3;
}

const namesSheet = (name: string): boolean =>
  wordsOf(name).some((word) => ['grid', 'sheet', 'composite', 'collage', 'contactsheet'].includes(word));

const isSheetFile = (uri: string): boolean =>
  !uri.startsWith('data:') && /(^|[_-])grid([_.-]|$)/i.test(URL.parse(uri)?.pathname.split('/').at(-1) ?? '');

/** The service's own list of several lists with the same pictures; of lists with different lengths, the longest. */
function bestList(lists: readonly Picture[][]): Picture[] | undefined {
  const measured = lists.map((list) => ({
    list,
    rank: list.reduce((least, picture) => Math.min(least, picture.rank), Number.POSITIVE_INFINITY),
    count: new Set(list.map((picture) => unsigned(picture.uri))).size,
  }));
  return measured.sort((one, other) => other.count - one.count || one.rank - other.rank)[0]?.list;
}

/** The pictures of lists that have only one. */
const loneOnes = (lists: readonly Picture[][]): Picture[] => lists.filter((list) => list.length === 1).flat();

function fromList(list: readonly Picture[], singles: readonly Picture[]): RemoteOutput[] {
  const unique = uniqueBy(list, (picture) => unsigned(picture.uri));
  const isCopy = copiesOf(unique);
  const outside = singles.filter((picture) => !isCopy(picture));
  const marked = unique.filter((picture) => picture.sheet);
  // The list holds the grid too, followed by its four pictures.
  const named = unique.length === 5 ? singles.find((picture) => picture.uri === unique[0]?.uri) : undefined;
  const sheet =
    marked.length < unique.length
      ? (marked[0] ?? named ?? outside.find((picture) => picture.sheet) ?? outside[0])
      : undefined;
  const outputs = unique.filter((picture) => picture.uri !== sheet?.uri && (sheet === undefined || !picture.sheet));
  return [...outputs.map((picture) => outputOf(picture, 'output')), ...(sheet ? [outputOf(sheet, 'grid')] : [])];
}

/** Whether a picture is a copy: the same address, or a file of the same name at another host if the names differ between pictures. */
function copiesOf(list: readonly Picture[]): (picture: Picture) => boolean {
  const addresses = new Set(list.map(({ uri }) => unsigned(uri)));
  const names = new Set(list.map(fileName));
  const apart = names.size === list.length;
  return (picture) =>
    addresses.has(unsigned(picture.uri)) || (apart && fileName(picture) !== '' && names.has(fileName(picture)));
}

const fileName = ({ uri }: Picture): string =>
  uri.startsWith('data:') ? '' : (URL.parse(uri)?.pathname.split('/').at(-1) ?? '');

function fromSingles(singles: readonly Picture[]): RemoteOutput[] {
  const ranked = uniqueBy(singles, (picture) => unsigned(picture.uri));
  const best = ranked.find((picture) => !picture.sheet && isEasy(picture)) ?? ranked.find(isEasy) ?? ranked[0];
  if (!best) return [];
  const sheet = best.sheet ? undefined : ranked.find((picture) => picture.sheet);
  const uris = ranked.map(({ uri }) => uri);
  return [
    outputOf({ ...best, uri: originalOf(best.uri, uris) }, 'output'),
    ...(sheet ? [outputOf(sheet, 'grid')] : []),
  ];
}

const isEasy = (picture: Picture): boolean => /^(https?|data):/i.test(picture.uri);

const outputOf = ({ uri, beside }: Picture, role: RemoteOutput['role']): RemoteOutput => outputAt(uri, beside, role);

/**
 * The answer without filtered entries of lists that also have good ones: a service may send a filtered picture blurred or black. An
 * unchanged answer is returned itself.
 */
const withoutFailedParts = (answer: Json): Json => rewritten(answer, { list: withoutFiltered });

function withoutFiltered(list: Json[]): Json[] {
  const good = list.filter((entry) => !isFiltered(entry));
  return good.length < list.length && good.some(isObject) ? good : list;
}

/** Only this state is certain: any other state of an entry may describe a copy, a link or a review. */
const isFiltered = (entry: Json): boolean => isObject(entry) && hasFailedFinish(entry);
