import { t } from '../../../../../shared/text/texts.ts';
import { withoutEnd } from '../../../../../shared/text/trimmed.ts';
import type { FormPart, VideoBody, VideoForm } from '../../../../../shared/wire/families/index.ts';
import { CHAT_PATH, jsonHeaders } from '../../../../../shared/wire/headers.ts';
import { type AddressContext, failureIn, linksIn, pagesAmong } from '../../addresses/index.ts';
import { applyEvent, createChatAssembly } from '../../chat/index.ts';
import {
  bodyError,
  errorKindOf,
  errorOnlyBody,
  gatewayError,
  serviceErrorOf,
  submitError,
  unreadableFile,
} from '../../errors/index.ts';
import {
  type Answer,
  createDocumentKeeper,
  type DocumentKeeper,
  documentsIn,
  type Echo,
  echoOf,
  HEADER_MS,
  isTruncated,
  type Repeat,
  requestIdOf,
  type SubmitRequest,
  textsIn,
  wireUri,
} from '../../exchange/index.ts';
import { originOf, segmentOf, urlOf } from '../../http/index.ts';
import { field, textOf } from '../../json/index.ts';
import { refused } from '../../outcomes/index.ts';
import { bearer, type Service } from '../../service.ts';
import type { SendOptions, SubmitOutcome, VideoSubmitRequest, WireMedia } from '../../types.ts';
import { type Sent, submitOnce, taskInPartialAnswer } from '../submitOnce.ts';
import { filteredError } from '../taskErrors.ts';
import {
  acceptedOutcome,
  contentOutput,
  doneOutcome,
  endsInId,
  idInPath,
  lostAnswerOutcome,
  proseOf,
} from '../taskOutcomes.ts';
import { type ParsedVideo, parseVideo, parseVideoDocuments } from './parsedVideo.ts';

const ANSWER_LIMIT = 256 * 1024 * 1024;

/** Nothing was sent: a picture cannot be read, or is not the one that was ordered. */
export const unreadablePicture = (service: Service): Sent => ({
  outcome: refused(unreadableFile(service, 'A picture of this request')),
});

/** Where a video request goes, and where its task is polled unless the answer says so. */
export interface VideoRoute {
  path: `/${string}`;
  taskPath?: `/${string}`;
}

const IN_CHAT: VideoRoute = { path: CHAT_PATH };

/** A request as it is written; `parts` in place of the body if it is a form, which is not kept to be repeated. */
export type WireVideo = VideoBody & { parts?: FormPart[] | undefined };

/** Sends the bytes of an earlier request again. */
export async function repeatVideo(service: Service, repeat: Repeat): Promise<SubmitOutcome> {
  const body = JSON.parse(repeat.request.body) as VideoBody['body'];
  const wire = { body, sent: textsIn(body), omitted: [] };
  return (await sendVideo(service, wire, { idempotencyKey: '' }, { route: IN_CHAT, repeat })).outcome;
}

/** Sends a video request once, and parses its answer in any form. */
export async function sendVideo(
  service: Service,
  wire: WireVideo,
  send: SendOptions,
  { route = IN_CHAT, repeat }: { route?: VideoRoute; repeat?: Repeat } = {},
): Promise<Sent> {
  const echo = echoOf(wire.sent);
  const stream: Stream = { documents: createDocumentKeeper(), assembly: createChatAssembly(() => undefined) };
  const request: SubmitRequest = {
    url: urlOf(service, route.path),
    headers: jsonHeaders(),
    auth: bearer(service),
    body: wire.parts ?? wire.body,
    headerMs: HEADER_MS.video,
    send,
    kept: { form: 'video', omitted: wire.omitted },
    ...(repeat ? { repeat } : {}),
    read: {
      limit: ANSWER_LIMIT,
      onEvent(event, control) {
        const documents = documentsIn(event);
        applyEvent(stream.assembly, event, documents);
        for (const document of documents) stream.documents.add(document);
        if (event.data.trim() === '[DONE]') control.stop();
      },
    },
  };
  const context = { base: service.profile.baseUrl, isEcho: echo.has };
  return submitOnce(service, request, {
    kind: 'video',
    echo,
    read: (answer) =>
      outcomeOf(service, answer, parsedAnswer(answer, stream, context), { echo, taskPath: route.taskPath }),
    documents: () => stream.documents.latestFirst(),
  });
}

interface Stream {
  documents: DocumentKeeper;
  assembly: ReturnType<typeof createChatAssembly>;
}

function parsedAnswer(answer: Answer, stream: Stream, context: AddressContext): ParsedVideo {
  if (answer.form !== 'events') return parseVideo(answer.json ?? answer.text, context);
  stream.assembly.end();
  const { result, id, serviceError, finished } = stream.assembly.state();
  const text = finished ? result.text : withoutPartialWord(result.text);
  const parsed = parseVideoDocuments(
    stream.documents.latestFirst(),
    { text, answerId: id, finishReason: result.finishReason },
    context,
  );
  return { ...parsed, serviceError: parsed.serviceError ?? serviceError };
}

/** The text of a truncated answer without its last word, unless that word is plainly complete. */
function withoutPartialWord(text: string): string {
  return /(\s|\)|["'>}]|\.(mp4|mov|webm))$/i.test(text) ? text : withoutEnd(text, (character) => /\S/.test(character));
}

/** The id of the task, or else of the answer. */
const namesOf = ({ answerId }: ParsedVideo, id: string | undefined): { remoteId?: string; ofAnswer?: true } => {
  if (id !== undefined) return { remoteId: id };
  return answerId === undefined ? {} : { remoteId: answerId, ofAnswer: true };
};

interface Asked {
  echo: Echo;
  taskPath: string | undefined;
}

function outcomeOf(service: Service, answer: Answer, parsed: ParsedVideo, { echo, taskPath }: Asked): SubmitOutcome {
  const context = { base: service.profile.baseUrl, isEcho: echo.has };
  if (answer.form !== 'events' && isTruncated(answer))
    return lostAnswerOutcome(
      service,
      answer,
      taskInPartialAnswer(service, answer, { kind: 'video', echo, parse: (part) => parseVideo(part, context) }),
    );
  const requestId = requestIdOf(answer.headers, answer.json);
  const { id, pollUrl } = taskNamed(service, answer, parsed, { echo, taskPath });
  if (parsed.taskStatus.state === 'failed') return failedAtOnce(service, answer, parsed, id);
  if (parsed.outputs.length > 0 && parsed.taskStatus.state !== 'running' && !parsed.serviceError)
    return doneOutcome(parsed.outputs, { ...namesOf(parsed, id), filtered: parsed.filtered, requestId });
  const refusal = refusalIn(service, answer, parsed, id);
  if (refusal) return refusal;
  if (id !== undefined && isFinishedClip(parsed, answer))
    return doneOutcome([contentOutput(service, id, answer.json)], { remoteId: id, requestId });
  const failure = parsed.taskStatus.hasStatusField ? undefined : failureIn(parsed.text);
  if (failure !== undefined) return failedInWords(service, answer, failure);
  if (id !== undefined && !isEmptyOperation(parsed, answer))
    return acceptedOutcome(service, 'video', id, {
      pollUrl,
      requestId,
      echo,
      ...saidIn(service, parsed),
    });
  if (isPictureInPlace(answer, parsed)) return doneOutcome(parsed.pictures, { ...namesOf(parsed, id), requestId });
  return withoutResult(service, answer, parsed);
}

/** The task of an answer and where it is polled: as the answer says, else at the place of the API format. */
function taskNamed(service: Service, answer: Answer, parsed: ParsedVideo, { echo, taskPath }: Asked) {
  const named = pollUrlOf(service, answer, parsed, echo);
  const id = parsed.id ?? (named === undefined ? undefined : idInPath(named));
  if (named !== undefined || id === undefined || taskPath === undefined) return { id, pollUrl: named };
  return { id, pollUrl: urlOf(service, taskPath.replace('{id}', segmentOf(id)) as `/${string}`).href };
}

const saidIn = (service: Service, { isIdInProse, text }: ParsedVideo): { said?: string } =>
  isIdInProse && text.trim() !== '' ? { said: proseOf(service, text) } : {};

const pollUrlOf = (service: Service, { headers }: Answer, parsed: ParsedVideo, echo: Echo): string | undefined =>
  parsed.pollUrl ?? headers['operation-location'] ?? headers.location ?? pageAtOrigin(service, parsed, echo);

/** An error that is no state of a task, or content that was filtered. */
function refusalIn(
  service: Service,
  answer: Answer,
  { serviceError, taskStatus, filtered }: ParsedVideo,
  id: string | undefined,
): SubmitOutcome | undefined {
  if (serviceError && (taskStatus.state === undefined || taskStatus.state === 'succeeded')) {
    const wasAccepted = id !== undefined && taskStatus.hasStatusField;
    return refused(
      wasAccepted ? bodyError(service, answer, serviceError, 'yes') : submitError(service, answer, serviceError),
    );
  }
  if (!filtered) return undefined;
  const error = bodyError(service, answer, filteredError(filtered), 'yes', 'moderation');
  return { type: 'refused', error, billed: 'no' };
}

/** A page of the service itself in the text: the address to poll. */
function pageAtOrigin(service: Service, { text }: ParsedVideo, echo: Echo): string | undefined {
  return pagesAmong(linksIn(text)).find(
    (uri) => !echo.has(uri) && URL.parse(uri)?.origin === originOf(service) && endsInId(uri),
  );
}

/** A failure with an id: the request was accepted before it failed. Without an id, the error's codes decide whether it was accepted. */
function failedAtOnce(service: Service, answer: Answer, parsed: ParsedVideo, id: string | undefined): SubmitOutcome {
  const error = parsed.serviceError ?? serviceErrorOf(answer.json ?? answer.text);
  const serviceError = { ...error, codes: [...error.codes, parsed.taskStatus.word ?? ''] };
  if (id === undefined) return refused(submitError(service, answer, serviceError));
  return { type: 'refused', error: bodyError(service, answer, serviceError, 'yes'), billed: 'no' };
}

/** A log for people that ends in a failure: whether it is billed is unknown. */
function failedInWords(service: Service, answer: Answer, failure: string): SubmitOutcome {
  const error = bodyError(service, answer, { message: failure, codes: [] }, 'yes');
  return { type: 'refused', error: { ...error, retryable: false }, billed: 'unknown' };
}

/** Whether the answer is a finished clip object without an address: its bytes are at the content endpoint. */
function isFinishedClip(parsed: ParsedVideo, answer: Answer): boolean {
  return parsed.taskStatus.state === 'succeeded' && textOf(field(answer.json, 'object')) === 'video';
}

/** Whether the answer is `done: true` without a result: polling again would not change it. */
function isEmptyOperation(parsed: ParsedVideo, answer: Answer): boolean {
  return parsed.taskStatus.state === 'succeeded' && parsed.taskStatus.word === undefined && answer.form === 'json';
}

/** Whether an answer that is whole and names no task has a picture in place of the clip: an animated one, or one that was made instead. */
function isPictureInPlace(
  answer: Answer,
  { pictures, taskStatus, text, answerId, finishReason }: ParsedVideo,
): boolean {
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
function withoutResult(service: Service, answer: Answer, parsed: ParsedVideo): SubmitOutcome {
  const errorOnly = errorOnlyBody(answer.json);
  if (errorOnly && !answer.truncatedBy) return refused(submitError(service, answer, errorOnly));
  const isOver = parsed.taskStatus.state === 'succeeded' && !parsed.taskStatus.mayBeOfCall;
  const finished = isOver || (parsed.finishReason !== undefined && parsed.finishReason !== '');
  const isChatAnswer = parsed.answerId !== undefined || parsed.finishReason !== undefined;
  if (answer.truncatedBy || answer.form === 'empty' || (!isChatAnswer && !finished))
    return lostAnswerOutcome(service, answer);
  const kind = errorKindOf({ message: parsed.text, codes: [parsed.finishReason ?? ''] }, 0);
  if (!finished || (linksIn(parsed.text).length > 0 && kind !== 'moderation')) {
    const message = `The answer names no clip: ${parsed.text}`;
    return { type: 'unknown', error: gatewayError(service, { kind: 'server', message, accepted: 'unknown' }) };
  }
  const message = parsed.text === '' ? t`The gateway finished without a clip and without a reason.` : parsed.text;
  const error = gatewayError(service, { kind, message, accepted: 'yes', retryable: false, status: answer.status });
  return { type: 'refused', error, billed: 'unknown' };
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
