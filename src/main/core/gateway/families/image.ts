import { cutOf } from '../../../../shared/finish.ts';
import { t } from '../../../../shared/texts.ts';
import { withExtra } from '../../../../shared/wire/extra.ts';
import { type FormPart, type ImageFamily, imageFamilies, imageFamily } from '../../../../shared/wire/families/index.ts';
import { CHAT_PATH, jsonHeaders } from '../../../../shared/wire/headers.ts';
import { createChatAssembly } from '../chat/index.ts';
import {
  gatewayError,
  httpError,
  isNoSuchRoute,
  submitError,
  transportError,
  unreadableFile,
} from '../errors/index.ts';
import {
  type Answer,
  type Echo,
  echoOf,
  HEADER_MS,
  isTruncated,
  requestIdOf,
  submitRequest,
  wireBase64,
} from '../exchange/index.ts';
import { urlOf } from '../http/index.ts';
import { refused, withStated } from '../outcomes/index.ts';
import { bearer, type Service } from '../service.ts';
import { imageOutcome, submitEditTask, submitImagineTask } from '../tasks/index.ts';
import type { EditSubmitRequest, ImagineSubmitRequest, RemoteOutput, SendOptions, SubmitOutcome } from '../types.ts';
import { bySpokenFormat, type Sent } from './bySpokenFormat.ts';

const ANSWER_LIMIT = 256 * 1024 * 1024;

/** Submits an image request in the API format that the gateway speaks. */
export const submitImagine = (
  service: Service,
  request: ImagineSubmitRequest,
  send: SendOptions,
): Promise<SubmitOutcome> =>
  bySpokenFormat(service, send, {
    medium: 'image',
    others: request.model === undefined ? [] : imageFamilies(),
    submit: (name) => {
      const family = imageFamily(name);
      return family
        ? sendImage(service, family.path, withExtra(family.imagine(request), service.profile, request.model), send)
        : submitImagineTask(service, request, send);
    },
  });

/** Submits a repaint of the white parts of a mask in the API format that the gateway speaks. */
export const submitEdit = (service: Service, request: EditSubmitRequest, send: SendOptions): Promise<SubmitOutcome> =>
  bySpokenFormat(service, send, {
    medium: 'image',
    others: request.model === undefined ? [] : imageFamilies().filter(({ edit }) => edit !== undefined),
    submit: (name) => {
      const family = imageFamily(name);
      return family ? submitEditAs(service, family, request, send) : submitEditTask(service, request, send);
    },
  });

async function submitEditAs(
  service: Service,
  { edit, label }: ImageFamily,
  { base, alphaMask, prompt = '', ...options }: EditSubmitRequest,
  send: SendOptions,
): Promise<Sent> {
  let parts: FormPart[];
  try {
    if (!edit || !base || !alphaMask) throw new Error(`${label} has no edits, or a picture is not here.`);
    const image = { mime: base.mime, bytes: Buffer.from(await wireBase64(base), 'base64') };
    const extra = Object.entries(withExtra({}, service.profile, options.model));
    parts = [
      ...extra.map(([name, value]) => ({ name, value: typeof value === 'string' ? value : JSON.stringify(value) })),
      ...edit.parts({ ...options, prompt, image, mask: await alphaMask() }),
    ];
  } catch {
    return { outcome: refused(unreadableFile(service, 'The picture or its mask')), hasNoRoute: false };
  }
  return sendImage(service, edit.path, parts, send);
}

/** Sends an image request once. Its answer is the result: a lost one cannot be looked up. */
async function sendImage(
  service: Service,
  path: `/${string}`,
  body: Record<string, unknown> | FormPart[],
  send: SendOptions,
): Promise<Sent> {
  const exchange = await submitRequest(service, {
    url: urlOf(service, path),
    headers: jsonHeaders(),
    auth: bearer(service),
    body,
    send,
    headerMs: HEADER_MS.chat,
    read: { limit: ANSWER_LIMIT },
  });
  if (exchange.failure) return { outcome: refused(transportError(service, exchange.failure)), hasNoRoute: false };
  const { answer } = exchange;
  const refusal = httpError(service, answer);
  if (refusal)
    return { outcome: withStated(refused(refusal), answer, [answer.json]), hasNoRoute: isNoSuchRoute(answer) };
  const echo = echoOf(answer.sent ?? []);
  const outcome = path === CHAT_PATH ? chatOutcome(service, answer, echo) : imageOutcome(service, answer, echo);
  return { outcome, hasNoRoute: false };
}

/** The pictures of a chat's answer; without one, what the model says instead, which may be billed. */
function chatOutcome(service: Service, answer: Answer, echo: Echo): SubmitOutcome {
  if (isTruncated(answer) || answer.json === undefined) return imageOutcome(service, answer, echo);
  const outputs: RemoteOutput[] = [];
  const context = { base: service.profile.baseUrl, isEcho: echo.has };
  const assembly = createChatAssembly(() => undefined, { context, onPicture: (output) => outputs.push(output) });
  assembly.push(answer.json);
  assembly.end();
  const { result, id, serviceError } = assembly.state();
  const requestId = requestIdOf(answer.headers, answer.json);
  const about = {
    ...(id === undefined ? {} : { remoteId: id, ofAnswer: true as const }),
    ...(requestId === undefined ? {} : { requestId }),
  };
  if (outputs.length > 0) return withStated({ type: 'done', outputs, ...about }, answer, [answer.json]);
  if (serviceError) return withStated(refused(submitError(service, answer, serviceError)), answer, [answer.json]);
  const message = result.text === '' ? t`The gateway finished without a picture and without a reason.` : result.text;
  const kind = cutOf(result.finishReason) === 'filter' ? 'moderation' : 'server';
  const error = gatewayError(service, { kind, message, accepted: 'yes', retryable: false, status: answer.status });
  return withStated({ type: 'refused', error, billed: 'unknown' }, answer, [answer.json]);
}
