import { t } from '../../../../../shared/text/texts.ts';
import { trimmed, withoutEnd } from '../../../../../shared/text/trimmed.ts';
import type { FormPart, VideoBody, VideoForm } from '../../../../../shared/wire/families/index.ts';
import { CHAT_PATH } from '../../../../../shared/wire/headers.ts';
import { clipsIn, failureIn, linksIn, pagesAmong, picturesIn, taskIdIn, withoutMiddle } from '../../addresses/links.ts';
import { type AddressContext, findAnyUrls, isPlainlyMedia, nestedObjects } from '../../addresses/mediaAddress.ts';
import { ChatAssembly } from '../../chat/assembly.ts';
import { choicesIn } from '../../chat/chunk.ts';
import { errorKindOf, errorOnlyBody } from '../../errors/classify.ts';
import { bodyError, gatewayError, submitError, unreadableFile } from '../../errors/gatewayError.ts';
import { explicitError, nestedError } from '../../errors/serviceError.ts';
import { createDocumentKeeper, documentsIn, firstDocuments } from '../../exchange/answer.ts';
import { echoOf, textsIn } from '../../exchange/echo.ts';
import { HEADER_MS, type Repeat, type SubmitRequest, wireUri } from '../../exchange/request.ts';
import { field, firstOf, someOf, textOf } from '../../json/fields.ts';
import { type Json, parseJson } from '../../json/parse.ts';
import { refused } from '../../outcomes/outcome.ts';
import type { Service } from '../../service.ts';
import type { RemoteOutput, SendOptions, SubmitOutcome, VideoSubmitRequest, WireMedia } from '../../types.ts';
import {
  contentOutput,
  doneOutcome,
  endedInWords,
  endsInId,
  lostAnswerOutcome,
  type Medium,
  type ParsedAnswer,
  type StreamParser,
  type SubmitAnswer,
} from '../parsedAnswer.ts';
import { progressOf, type TaskStatus, taskStatusOf } from '../status.ts';
import { type Sent, submitOnce } from '../submitOnce.ts';
import { pollUrlOf, taskIdOf } from '../taskId.ts';
import { clipAddress, filterNoteIn, PICTURE_WORDS, picturesInPlace, videosIn } from './videoOutputs.ts';

/** The text of a chat answer and its finish. */
export interface ChatText {
  text: string;
  answerId?: string;
  finishReason?: string;
}

/** Parses one answer: structure first, then the text inside it (a markdown log, JSON in a fence, a plain address, an id). */
export function parseVideo(body: Json, context: AddressContext): ParsedAnswer {
  return parseVideoDocuments([body], chatTextOf(body), context);
}

/** Parses an answer of several documents; the first that has a field counts for it. */
export function parseVideoDocuments(parts: readonly Json[], chatText: ChatText, context: AddressContext): ParsedAnswer {
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
  const found = firstOf(documents, (document) => someOf(videosIn(document, context)));
  if (found) return found;
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
  const inText = picturesIn(text).filter((uri) => !context.isEcho(uri));
  return (
    firstOf(documents, (document) => someOf(picturesInPlace(document, context))) ??
    inText.map((uri) => ({ uri, role: 'output' }))
  );
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

export const videoMedium: Medium = {
  kind: 'video',
  failureCosts: 'no',
  parse: parseVideo,
  stream: parseVideoStream,
  isResult: ({ taskStatus }) => taskStatus.state !== 'running',
  isPolledResult: () => true,
  errorEndsTask: true,
  withoutFile: ({ taskStatus }) => (taskStatus.mayBeOfCall ? undefined : { type: 'finished' }),
  ending,
};

function ending(submitted: SubmitAnswer): SubmitOutcome | undefined {
  const { service, answer, parsed, id, requestId } = submitted;
  const { state, word, hasStatusField } = parsed.taskStatus;
  const hasSucceeded = state === 'succeeded';
  // A finished clip object without an address: its bytes are at the content endpoint.
  if (id !== undefined && hasSucceeded && textOf(field(answer.json, 'object')) === 'video')
    return doneOutcome([contentOutput(service, id, answer.json)], { id, requestId });
  const failure = hasStatusField ? undefined : failureIn(parsed.text ?? '');
  if (failure !== undefined) {
    // A log for people that ends in a failure: whether it is billed is unknown.
    const error = bodyError(service, answer, { message: failure, codes: [] }, 'yes');
    return { type: 'refused', error: { ...error, retryable: false }, billed: 'unknown' };
  }
  // `done: true` without a result: polling again would not change it.
  const isEmptyOperation = hasSucceeded && word === undefined && answer.form === 'json';
  if (id !== undefined && !isEmptyOperation) return undefined;
  if (!isPictureInPlace(submitted)) return withoutResult(submitted);
  return doneOutcome(parsed.pictures ?? [], { id, answerId: parsed.answerId, requestId });
}

/** Whether an answer that is whole and names no task has a picture in place of the clip: an animated one, or one that was made instead. */
function isPictureInPlace({ answer, parsed }: SubmitAnswer): boolean {
  const { pictures = [], taskStatus, text = '', answerId, finishReason } = parsed;
  if (pictures.length === 0 || answer.truncatedBy || errorOnlyBody(answer.json)) return false;
  if (taskStatus.state === 'succeeded') return !taskStatus.mayBeOfCall;
  const isChatAnswer = answerId !== undefined || finishReason !== undefined;
  const isWhole = isChatAnswer ? (finishReason ?? '') !== '' : answer.form === 'json' && !taskStatus.hasStatusField;
  return isWhole && errorKindOf({ message: text, codes: [finishReason ?? ''] }, 0) !== 'moderation';
}

/**
 * An answer with neither a result nor a task. A text that names no address is a final answer; anything else may be an accepted request
 * whose task is lost.
 */
function withoutResult({ service, answer, parsed }: SubmitAnswer): SubmitOutcome {
  const { taskStatus, answerId, text = '', finishReason } = parsed;
  const errorOnly = errorOnlyBody(answer.json);
  if (errorOnly && !answer.truncatedBy) return refused(submitError(service, answer, errorOnly));
  const isOver = taskStatus.state === 'succeeded' && !taskStatus.mayBeOfCall;
  const finished = isOver || (finishReason ?? '') !== '';
  const isChatAnswer = answerId !== undefined || finishReason !== undefined;
  if (answer.truncatedBy || answer.form === 'empty' || (!isChatAnswer && !finished))
    return lostAnswerOutcome(service, answer);
  const kind = errorKindOf({ message: text, codes: [finishReason ?? ''] }, 0);
  if (!finished || (linksIn(text).length > 0 && kind !== 'moderation')) {
    const message = `The answer names no clip: ${text}`;
    return { type: 'unknown', error: gatewayError(service, { kind: 'server', message, accepted: 'unknown' }) };
  }
  return endedInWords(service, answer, kind, text || t`The gateway finished without a clip and without a reason.`);
}

/** Nothing was sent: a picture cannot be read, or is not the one that was ordered. */
export const unreadablePicture = (service: Service): Sent => ({
  outcome: refused(unreadableFile(service, 'A picture of this request')),
});

/** The path of a video request, and the path for polling its task unless the answer names one. */
export interface VideoRoute {
  path: `/${string}`;
  taskPath?: `/${string}`;
}

const IN_CHAT: VideoRoute = { path: CHAT_PATH };

/** A request in its wire form. `parts` replace the body if the request is a form; a form is not stored for a repeat. */
export type WireVideo = VideoBody & { parts?: FormPart[] | undefined };

/** Sends the bytes of an earlier request again. */
export async function repeatVideo(service: Service, repeat: Repeat): Promise<SubmitOutcome> {
  const body = JSON.parse(repeat.request.body) as VideoBody['body'];
  const wire = { body, sent: textsIn(body), omitted: [] };
  return (await sendVideo(service, wire, { idempotencyKey: '' }, { route: IN_CHAT, repeat })).outcome;
}

/** Sends a video request once, and parses its answer in any form. */
export function sendVideo(
  service: Service,
  wire: WireVideo,
  send: SendOptions,
  { route = IN_CHAT, repeat }: { route?: VideoRoute; repeat?: Repeat } = {},
): Promise<Sent> {
  const request: SubmitRequest = {
    path: route.path,
    body: wire.parts ?? wire.body,
    headerMs: HEADER_MS.video,
    send,
    kept: { form: 'video', omitted: wire.omitted },
    ...(repeat ? { repeat } : {}),
  };
  return submitOnce(service, request, { medium: videoMedium, echo: echoOf(wire.sent), taskPath: route.taskPath });
}

function parseVideoStream(context: AddressContext): StreamParser {
  const documents = createDocumentKeeper();
  const assembly = new ChatAssembly(() => undefined);
  return {
    documents: () => documents.latestFirst(),
    onEvent(event, control) {
      const found = documentsIn(event);
      assembly.takeEvent(event, found);
      for (const document of found) documents.add(document);
      if (event.data.trim() === '[DONE]') control.stop();
    },
    parsed() {
      assembly.end();
      const { result, id, serviceError, finished } = assembly.state();
      const text = finished ? result.text : withoutPartialWord(result.text);
      const chatText = { text, answerId: id, finishReason: result.finishReason };
      const found = parseVideoDocuments(documents.latestFirst(), chatText, context);
      return { ...found, serviceError: found.serviceError ?? serviceError };
    },
  };
}

/** The text of a truncated answer without its last word, unless that word is plainly complete. */
function withoutPartialWord(text: string): string {
  return /(\s|\)|["'>}]|\.(mp4|mov|webm))$/i.test(text) ? text : withoutEnd(text, (character) => /\S/.test(character));
}

/** The request with its pictures as addresses. Throws as {@link wireBase64}. */
export async function readVideoForm(request: VideoSubmitRequest, isByLink: boolean): Promise<VideoForm> {
  const uriOf = (media: WireMedia) => wireUri(media, isByLink);
  const { image, lastFrame, referenceImages = [], ...rest } = request;
  return {
    ...rest,
    image: image && (await uriOf(image)),
    lastFrame: lastFrame && (await uriOf(lastFrame)),
    referenceImages: await Promise.all(referenceImages.map(uriOf)),
  };
}
