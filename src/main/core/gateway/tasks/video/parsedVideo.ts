import { trimmed } from '../../../../../shared/trimmed.ts';
import {
  type AddressContext,
  clipsAmong,
  findAnyUrl,
  isPlainlyMedia,
  linksIn,
  taskIdIn,
  tellingPart,
} from '../../addresses/index.ts';
import { choicesIn, createChatAssembly } from '../../chat/index.ts';
import { explicitError, nestedError, type ServiceError } from '../../errors/index.ts';
import { firstDocuments } from '../../exchange/index.ts';
import { field, type Json, parseJson, textOf } from '../../json/index.ts';
import type { FilterNote, RemoteOutput } from '../../types.ts';
import { progressOf, type TaskStatus, taskStatusOf } from '../status.ts';
import { pollUrlOf, taskIdOf } from '../taskId.ts';
import { clipAddress, filterNoteIn, PICTURE_WORDS, videosIn } from './videoOutputs.ts';

/** All that an answer about a video says, before anyone decides what it means. */
export interface ParsedVideo {
  taskStatus: TaskStatus;
  outputs: RemoteOutput[];
  id?: string;
  pollUrl?: string;
  progress?: number;
  filtered?: FilterNote;
  serviceError?: ServiceError;
  /** What a chat answer says in words. */
  text: string;
  /** The id of the chat answer itself. */
  answerId?: string;
  finishReason?: string;
}

/** What a chat answer says beside its structure. */
export interface ChatText {
  text: string;
  answerId?: string;
  finishReason?: string;
}

/** Reads one answer: structure first, then the text inside it (a markdown log, JSON in a fence, a bare address, an id). */
export function parseVideo(body: Json, context: AddressContext): ParsedVideo {
  return parseVideoDocuments([body], chatTextOf(body), context);
}

/** The same for an answer that came in several documents; the first that says something is believed. */
export function parseVideoDocuments(parts: readonly Json[], chatText: ChatText, context: AddressContext): ParsedVideo {
  // The bytes of a clip may stand in a text, and only they make it long.
  const text = /base64/.test(chatText.text) ? chatText.text : tellingPart(chatText.text);
  const documents = firstDocuments([...parts, ...jsonBlocksIn(text)]);
  const taskStatuses = documents.map(taskStatusOf);
  const taskStatus = taskStatuses.find(({ state, unknown }) => state !== undefined || unknown) ??
    taskStatuses.find(({ hasStatusField }) => hasStatusField) ?? { hasStatusField: false };
  return {
    taskStatus,
    outputs: outputsIn(documents, text, taskStatus, context),
    id: firstOf(documents, taskIdOf) ?? taskIdIn(chatText.text),
    pollUrl: firstOf(documents, pollUrlOf),
    progress: firstOf(documents, progressOf),
    filtered: firstOf(documents, filterNoteIn),
    serviceError: firstOf(documents, explicitError) ?? firstOf(documents, nestedError),
    ...chatText,
  };
}

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
  const url = firstOf(documents, (body) => findAnyUrl(body, PICTURE_WORDS, accept));
  return url === undefined ? [] : [{ uri: url, role: 'output' }];
}

/**
 * A chat answer is where results stand. A bare text may be that of a portal or a proxy: what it names is a clip only where it plainly is
 * one, or where the text is nothing but its address.
 */
function linksOf([whole]: readonly Json[], text: string): string[] {
  const links = clipsAmong(linksIn(text));
  const isBare = typeof whole === 'string';
  return isBare ? links.filter((uri) => isPlainlyMedia(uri) || !/^https?:/i.test(uri) || isAlone(uri, text)) : links;
}

const isAlone = (uri: string, text: string): boolean => trimmed(text.trim(), '`"\'<>') === uri;

const onlyMedia = (uri: string | undefined): string | undefined =>
  uri !== undefined && isPlainlyMedia(uri) ? uri : undefined;

function chatTextOf(body: Json): ChatText {
  if (typeof body === 'string') return { text: body };
  if (!choicesIn(body)) return { text: textOf(field(body, 'content')) ?? '' };
  const assembly = createChatAssembly(() => undefined);
  assembly.push(body);
  assembly.end();
  const { result, id } = assembly.state();
  return { text: result.text, answerId: id, finishReason: result.finishReason };
}

const MAX_BLOCKS = 20;

/** JSON that stands in a text: in code fences, or between the first brace and the last. */
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
