import { trimmed } from '../../../../../shared/text/trimmed.ts';
import {
  type AddressContext,
  clipsIn,
  findAnyUrls,
  isPlainlyMedia,
  linksIn,
  nestedObjects,
  pagesAmong,
  picturesIn,
  taskIdIn,
  withoutMiddle,
} from '../../addresses/index.ts';
import { ChatAssembly, choicesIn } from '../../chat/index.ts';
import { explicitError, nestedError } from '../../errors/index.ts';
import { firstDocuments } from '../../exchange/index.ts';
import { field, type Json, parseJson, textOf } from '../../json/index.ts';
import type { RemoteOutput } from '../../types.ts';
import type { ParsedAnswer } from '../parsedAnswer.ts';
import { progressOf, type TaskStatus, taskStatusOf } from '../status.ts';
import { pollUrlOf, taskIdOf } from '../taskId.ts';
import { endsInId } from '../taskOutcomes.ts';
import { clipAddress, filterNoteIn, PICTURE_WORDS, picturesInPlace, videosIn } from './videoOutputs.ts';

export interface ParsedVideo extends ParsedAnswer {
  /** Without any output: the pictures that came in place of a clip. They count once nothing else can come. */
  pictures: RemoteOutput[];
  /** The text of a chat answer. */
  text: string;
  finishReason?: string;
}

/** The text of a chat answer and its finish. */
export interface ChatText {
  text: string;
  answerId?: string;
  finishReason?: string;
}

/** Parses one answer: structure first, then the text inside it (a markdown log, JSON in a fence, a plain address, an id). */
export function parseVideo(body: Json, context: AddressContext): ParsedVideo {
  return parseVideoDocuments([body], chatTextOf(body), context);
}

/** Parses an answer of several documents; the first that has a field counts for it. */
export function parseVideoDocuments(parts: readonly Json[], chatText: ChatText, context: AddressContext): ParsedVideo {
  // The text may contain the bytes of a clip; nothing else makes it long.
  const text = /base64/.test(chatText.text) ? chatText.text : withoutMiddle(chatText.text);
  const documents = firstDocuments([...parts, ...jsonBlocksIn(text)]);
  const taskStatuses = documents.map(taskStatusOf);
  const taskStatus = taskStatuses.find(({ state, unknown }) => state !== undefined || unknown) ??
    taskStatuses.find(({ hasStatusField }) => hasStatusField) ?? { hasStatusField: false };
  const id = firstOf(documents, taskIdOf);
  const outputs = outputsIn(documents, text, taskStatus, context);
  return {
    taskStatus,
    outputs,
    pictures: outputs.length > 0 ? [] : picturesAmong(documents, text, context),
    id: id ?? taskIdIn(chatText.text),
    prose: id === undefined && chatText.text.trim() !== '' ? chatText.text : undefined,
    page: pageAtOrigin(chatText.text, context),
    pollUrl: firstOf(documents, pollUrlOf),
    progress: firstOf(documents, progressOf),
    filtered: firstOf(documents, filterNoteIn),
    serviceError: firstOf(documents, explicitError) ?? firstOf(documents, nestedError),
    ...chatText,
  };
}

/** A page of the gateway itself in a text: the address to poll. */
const pageAtOrigin = (text: string, { base, isEcho }: AddressContext): string | undefined =>
  pagesAmong(linksIn(text)).find(
    (uri) => !isEcho(uri) && URL.parse(uri)?.origin === URL.parse(base)?.origin && endsInId(uri),
  );

function outputsIn(
  documents: readonly Json[],
  text: string,
  taskStatus: TaskStatus,
  context: AddressContext,
): RemoteOutput[] {
  for (const document of documents) {
    const found = videosIn(document, context);
    if (found.length > 0) return found;
  }
  const links = linksOf(documents, text).filter((uri) => !context.isEcho(uri));
  if (links.length > 0) return links.map((uri) => ({ uri, role: 'output' as const }));
  if (taskStatus.state !== 'succeeded') return [];
  const accept = (place: string): string | undefined => onlyMedia(clipAddress(place, context, false));
  const urls =
    firstOf(documents, (body) => someOf(findAnyUrls(body, PICTURE_WORDS, accept))) ??
    firstOf(documents, (body) => someOf(motionsIn(body, context))) ??
    [];
  return urls.map((uri) => ({ uri, role: 'output' }));
}

function picturesAmong(documents: readonly Json[], text: string, context: AddressContext): RemoteOutput[] {
  for (const document of documents) {
    const found = picturesInPlace(document, context);
    if (found.length > 0) return found;
  }
  return picturesIn(text)
    .filter((uri) => !context.isEcho(uri))
    .map((uri) => ({ uri, role: 'output' }));
}

/**
 * The links to results. In a chat answer every clip link counts. A text without structure may come from a portal or a proxy, so its link
 * counts only if it is plainly a media file, or if the text is nothing but the link.
 */
function linksOf([whole]: readonly Json[], text: string): string[] {
  const links = clipsIn(text);
  const isBare = typeof whole === 'string';
  return isBare ? links.filter((uri) => isPlainlyMedia(uri) || !/^https?:/i.test(uri) || isAlone(uri, text)) : links;
}

const someOf = (urls: string[]): string[] | undefined => (urls.length > 0 ? urls : undefined);

const isAlone = (uri: string, text: string): boolean => trimmed(text.trim(), '`"\'<>') === uri;

/** Leonardo has its clips among its pictures (docs.leonardo.ai: `generated_images: [{ url, motionMP4URL }]`). */
const motionsIn = (body: Json, context: AddressContext): string[] =>
  nestedObjects(body).flatMap((layer) => clipAddress(field(layer, 'motionMp4Url') ?? null, context, true) ?? []);

const onlyMedia = (uri: string | undefined): string | undefined =>
  uri !== undefined && isPlainlyMedia(uri) ? uri : undefined;

function chatTextOf(body: Json): ChatText {
  if (typeof body === 'string') return { text: body };
  if (!choicesIn(body)) return { text: textOf(field(body, 'content')) ?? '' };
  const assembly = new ChatAssembly(() => undefined);
  assembly.push(body);
  assembly.end();
  const { result, id } = assembly.state();
  return { text: result.text, answerId: id, finishReason: result.finishReason };
}

const MAX_BLOCKS = 20;

/** JSON inside a text: in code fences, or from the first brace to the last. */
function jsonBlocksIn(text: string): Json[] {
  const fences = [...text.matchAll(/```(?:json)?\s*([{[][\s\S]*?)```/g)].slice(0, MAX_BLOCKS);
  const fenced = fences.map((match) => match[1] ?? '');
  const loose = fenced.length > 0 ? [] : [text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)];
  return [...fenced, ...loose].flatMap((block) =>
    block.startsWith('{') || block.startsWith('[') ? (parseJson(block) ?? []) : [],
  );
}

function firstOf<In, Out>(list: readonly In[], look: (entry: In) => Out | undefined): Out | undefined {
  for (const entry of list) {
    const found = look(entry);
    if (found !== undefined) return found;
  }
  return undefined;
}
