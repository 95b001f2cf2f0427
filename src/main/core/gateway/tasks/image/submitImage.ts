import { type ImageAuth, jsonHeaders } from '../../../../../shared/wire/headers.ts';
import {
  type EditForm,
  editBody,
  imageSubmitPath,
  imagineBody,
  type MaskField,
} from '../../../../../shared/wire/image.ts';
import { isPlainlyMedia } from '../../addresses/index.ts';
import {
  bodyError,
  errorOnlyBody,
  serviceErrorOf,
  submitError,
  unreadableError,
  unreadableFile,
} from '../../errors/index.ts';
import {
  type Answer,
  type Echo,
  echoOf,
  HEADER_MS,
  isTruncated,
  type Repeat,
  requestIdOf,
  type SubmitRequest,
  wireBase64,
} from '../../exchange/index.ts';
import { urlOf } from '../../http/index.ts';
import { field, type Json, listOf } from '../../json/index.ts';
import { isRefusedAsInvalid, refused, retryWithNextSpelling } from '../../outcomes/index.ts';
import { imageAuths, type Service } from '../../service.ts';
import type { EditSubmitRequest, ImagineSubmitRequest, SendOptions, SubmitOutcome } from '../../types.ts';
import { type Sent, submitOnce, taskInPartialAnswer, wholeOutcome } from '../submitOnce.ts';
import { messageWithoutReason } from '../taskErrors.ts';
import { explicitTaskId } from '../taskId.ts';
import { acceptedOutcome, doneOutcome, idInPath, lostAnswerOutcome } from '../taskOutcomes.ts';
import { isKeyRefusal, orderByTrial } from './imageAuth.ts';
import { type ParsedImage, parseImage } from './parsedImage.ts';

const ANSWER_LIMIT = 96 * 1024 * 1024;

/** Submits an image task (spec 4.2). */
export function submitImagineTask(service: Service, request: ImagineSubmitRequest, send: SendOptions): Promise<Sent> {
  const echo = echoOf([request.prompt, request.hookUrl]);
  return submit(service, 'imagine', imagineBody(request), send, echo);
}

/** Submits a repaint of the white parts of a mask (spec 4.4). Services differ in the name of the mask's field. */
export function submitEditTask(service: Service, request: EditSubmitRequest, send: SendOptions): Promise<Sent> {
  return retryWithNextSpelling<MaskField, Sent>(send, {
    first: service.memory().maskField ?? 'mask',
    nameOf: (field) => field,
    submit: (field) => submitEditAs(service, request, send, field),
    next: (refusal, field) => (asksFor(OTHER_FIELD[field], refusal) ? OTHER_FIELD[field] : undefined),
    learn: (field) => service.learn({ maskField: field }, 'refused'),
  });
}

const OTHER_FIELD = { mask: 'maskBase64', maskBase64: 'mask' } as const;

async function submitEditAs(
  service: Service,
  request: EditSubmitRequest,
  send: SendOptions,
  maskField: MaskField,
): Promise<Sent> {
  let body: Record<string, unknown>;
  try {
    body = editBody(await readEditForm(request), maskField);
  } catch {
    return { outcome: refused(unreadableFile(service, 'The mask')) };
  }
  const echo = echoOf([request.prompt, request.hookUrl, String(body[maskField])]);
  return submit(service, 'edits', body, send, echo);
}

/** Sends the bytes of an earlier request again, with the key in the header that it was sent in. */
export async function repeatImage(service: Service, repeat: Repeat): Promise<SubmitOutcome> {
  const { form, authHeader = '', body: text } = repeat.request;
  const what = form === 'edits' ? 'edits' : 'imagine';
  const body = JSON.parse(text) as Record<string, unknown>;
  const auth = imageAuths(service, authHeader === '' ? [] : [authHeader])[0] ?? { headers: {} };
  const texts = ['prompt', 'hookUrl', ...(what === 'edits' ? ['mask', 'maskBase64'] : [])].map((name) => body[name]);
  const echo = echoOf(texts.filter((one) => typeof one === 'string'));
  const how = { auth, echo, repeat };
  return (await submitWith(service, what, body, { idempotencyKey: '' }, how)).outcome;
}

function asksFor(field: MaskField, { outcome, answer }: Sent): boolean {
  if (!isRefusedAsInvalid(outcome)) return false;
  const answerText = answer?.text.slice(0, 10_000) ?? '';
  return field === 'maskBase64' ? /mask_?base64/i.test(answerText) : /\bmask\b(?!_?base64)/i.test(answerText);
}

/** After a 401 or 403, tries the other spellings of the key header one at a time (spec 5.3). */
function submit(
  service: Service,
  what: 'imagine' | 'edits',
  body: Record<string, unknown>,
  send: SendOptions,
  echo: Echo,
): Promise<Sent> {
  const [usual = { headers: {} }, ...listed] = imageAuths(service);
  let others: ImageAuth[] | undefined;
  return retryWithNextSpelling<ImageAuth, Sent>(send, {
    first: usual,
    nameOf: ({ name = '' }) => name,
    submit: (auth) => submitWith(service, what, body, send, { auth, echo }),
    async next({ answer }) {
      if (!answer || !isKeyRefusal(service, answer)) return undefined;
      others ??= await orderByTrial(service, usual, listed, send.signal);
      return others.shift();
    },
    most: listed.length + 1,
  });
}

async function submitWith(
  service: Service,
  what: 'imagine' | 'edits',
  body: Record<string, unknown>,
  send: SendOptions,
  { auth, echo, repeat }: { auth: ImageAuth; echo: Echo; repeat?: Repeat },
): Promise<Sent> {
  const request: SubmitRequest = {
    url: urlOf(service, imageSubmitPath(service.profile.imagePrefix, what)),
    headers: jsonHeaders(),
    auth: auth.headers,
    body,
    send,
    kept: { form: what, ...(auth.name === undefined ? {} : { authHeader: auth.name }) },
    ...(repeat ? { repeat } : {}),
    headerMs: HEADER_MS.image,
    read: { limit: ANSWER_LIMIT },
  };
  const read = (answer: Answer) => outcomeOf(service, answer, echo);
  const sent = await submitOnce(service, request, { kind: 'image', echo, baseTaskId: body.jobId, read });
  const isTaken = sent.answer !== undefined && sent.answer.status < 300;
  if (isTaken && auth.name !== undefined) service.learn({ imageAuthHeader: auth.name }, 'accepted');
  return sent;
}

/** What an answer with a good status came to. */
export const imageOutcome = (service: Service, answer: Answer, echo: Echo): SubmitOutcome =>
  wholeOutcome(service, answer, outcomeOf(service, answer, echo));

function outcomeOf(service: Service, answer: Answer, echo: Echo): SubmitOutcome {
  const context = { base: service.profile.baseUrl, isEcho: echo.has };
  const parsed = parseImage(answer.json ?? answer.text, context);
  const requestId = requestIdOf(answer.headers, answer.json);
  if (isTruncated(answer)) {
    const parse = (part: Json) => parseImage(part, context);
    return lostAnswerOutcome(service, answer, taskInPartialAnswer(service, answer, { kind: 'image', echo, parse }));
  }
  if (parsed.refusal) {
    const { serviceError, kind, acceptance } = parsed.refusal;
    return refused(submitError(service, answer, serviceError, kind, acceptance));
  }
  if (parsed.taskStatus.state === 'failed') return failedAtOnce(service, answer, parsed);
  if (parsed.serviceError) return refused(submitError(service, answer, parsed.serviceError));
  if (parsed.outputs.length > 0 && isFinal(parsed, answer))
    return doneOutcome(parsed.outputs, { remoteId: parsed.id, requestId });
  const pollUrl = parsed.pollUrl ?? answer.headers['operation-location'] ?? answer.headers.location;
  const id = parsed.id ?? (pollUrl === undefined ? undefined : idInPath(pollUrl));
  if (id !== undefined) return acceptedOutcome(service, 'image', id, { pollUrl, requestId, echo });
  const errorOnly = errorOnlyBody(answer.json);
  return refused(errorOnly ? submitError(service, answer, errorOnly) : unreadableError(service, answer));
}

/**
 * `status: "FAILURE"` with an id: the request was accepted before it failed. Without an id, the error's codes decide whether it was
 * accepted.
 */
function failedAtOnce(service: Service, answer: Answer, parsed: ParsedImage): SubmitOutcome {
  const { word, kind } = parsed.taskStatus;
  const error = parsed.serviceError ?? serviceErrorOf(answer.json);
  const codes = word === undefined ? error.codes : [...error.codes, word];
  const isUntold = error.message === '' && codes.length === 0 && kind !== undefined;
  const message = isUntold ? messageWithoutReason('task', word, { canceled: false, kind }) : error.message;
  const serviceError = { ...error, message, codes };
  if (parsed.id === undefined) return refused(submitError(service, answer, serviceError, kind));
  return { type: 'refused', error: bodyError(service, answer, serviceError, 'yes', kind), billed: 'unknown' };
}

/**
 * Whether a picture in the answer to a submit is the result: the service says so by its state or its progress, or there is nothing to
 * poll. Without a state, a progress or a poll address a list of pictures counts too, and plain files that stand beside no task.
 */
function isFinal({ taskStatus, id, pollUrl, progress, outputs }: ParsedImage, { json }: Answer): boolean {
  if (taskStatus.state !== undefined) return taskStatus.state === 'succeeded';
  if (id === undefined) return true;
  if (taskStatus.hasStatusField || pollUrl !== undefined) return false;
  if (progress !== undefined) return progress >= 100;
  const isAlone = explicitTaskId(json) === undefined && outputs.every(({ uri }) => isPlainlyMedia(uri));
  // What is still to be waited for is at a place of the future.
  const isAwaited = field(json, 'eta', 'queuePosition', 'estimatedTime') !== undefined;
  return isAlone || (hasListOfPictures(json) && !isAwaited);
}

/** `data: [{ url }]` (OpenAI, Together, Ace Data) or `images: [{ image_url }]` (Novita); a preview stands in a field of its own. */
const hasListOfPictures = (body: Json | undefined): boolean =>
  ['data', 'images'].some((name) => {
    const list = listOf(field(body, name));
    return list.length > 0 && list.every(isPicture);
  });

const isPicture = (entry: Json): boolean =>
  explicitTaskId(entry) === undefined && field(entry, 'url', 'imageUrl', 'b64Json') !== undefined;

async function readEditForm(request: EditSubmitRequest): Promise<EditForm> {
  const { maskPath, maskSha256: sha256, baseTaskId = '', prompt, timeout, hookUrl } = request;
  return {
    baseTaskId,
    prompt,
    timeout,
    hookUrl,
    mask: await wireBase64({ path: maskPath, ...(sha256 === undefined ? {} : { sha256 }) }),
  };
}
