import { withoutEnd } from '../../../../../shared/text/trimmed.ts';
import type { FormPart, VideoBody, VideoForm } from '../../../../../shared/wire/families/index.ts';
import { CHAT_PATH, jsonHeaders } from '../../../../../shared/wire/headers.ts';
import { applyEvent, ChatAssembly } from '../../chat/index.ts';
import { unreadableFile } from '../../errors/index.ts';
import {
  createDocumentKeeper,
  documentsIn,
  echoOf,
  HEADER_MS,
  type Repeat,
  type SubmitRequest,
  textsIn,
  wireUri,
} from '../../exchange/index.ts';
import { urlOf } from '../../http/index.ts';
import { refused } from '../../outcomes/index.ts';
import { bearer, type Service } from '../../service.ts';
import type { SendOptions, SubmitOutcome, VideoSubmitRequest, WireMedia } from '../../types.ts';
import { contextOf } from '../parsedAnswer.ts';
import { type Sent, submitOnce } from '../submitOnce.ts';
import { type ParsedVideo, parseVideoDocuments, videoMedium } from './parsedVideo.ts';

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
export function sendVideo(
  service: Service,
  wire: WireVideo,
  send: SendOptions,
  { route = IN_CHAT, repeat }: { route?: VideoRoute; repeat?: Repeat } = {},
): Promise<Sent> {
  const echo = echoOf(wire.sent);
  const documents = createDocumentKeeper();
  const assembly = new ChatAssembly(() => undefined);
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
        const found = documentsIn(event);
        applyEvent(assembly, event, found);
        for (const document of found) documents.add(document);
        if (event.data.trim() === '[DONE]') control.stop();
      },
    },
  };
  const stream = { parsed, documents: () => documents.latestFirst() };
  return submitOnce(service, request, { medium: videoMedium, echo, taskPath: route.taskPath, stream });

  function parsed(): ParsedVideo {
    assembly.end();
    const { result, id, serviceError, finished } = assembly.state();
    const text = finished ? result.text : withoutPartialWord(result.text);
    const chatText = { text, answerId: id, finishReason: result.finishReason };
    const found = parseVideoDocuments(documents.latestFirst(), chatText, contextOf(service, echo));
    return { ...found, serviceError: found.serviceError ?? serviceError };
  }
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
