import { cutOf } from '../../../../shared/chat/finish.ts';
import { imageReasons } from '../../../../shared/kinds/imageFields.ts';
import { t } from '../../../../shared/text/texts.ts';
import { withExtra } from '../../../../shared/wire/extra.ts';
import {
  type FormPart,
  type ImageFamily,
  imageFamilies,
  imageFamily,
  textParts,
} from '../../../../shared/wire/families/index.ts';
import { CHAT_PATH } from '../../../../shared/wire/headers.ts';
import { picturesIn } from '../addresses/links.ts';
import { applyEvent, ChatAssembly } from '../chat/assembly.ts';
import {
  gatewayError,
  httpError,
  isNoSuchRoute,
  submitError,
  transportError,
  unreadableError,
  unreadableFile,
} from '../errors/gatewayError.ts';
import { type Answer, requestIdOf } from '../exchange/answer.ts';
import { echoOf, textsIn } from '../exchange/echo.ts';
import { accountOf, HEADER_MS, submitRequest, wireBase64 } from '../exchange/request.ts';
import { field, textOf } from '../json/fields.ts';
import { refused, withStated } from '../outcomes/outcome.ts';
import type { Service } from '../service.ts';
import { type Sent, submitOutcome } from '../tasks/submitOnce.ts';
import { repeatVideo } from '../tasks/video/parsedVideo.ts';
import type {
  EditSubmitRequest,
  GatewayError,
  ImagineSubmitRequest,
  RemoteOutput,
  RepeatOutcome,
  SendOptions,
  SentRequest,
  SubmitOutcome,
} from '../types.ts';
import { repeatImage, submitEditTask, submitImagineTask } from './imageTasks/imageTask.ts';
import { imageMedium } from './imageTasks/parsedImage.ts';
import { bySpokenFormat } from './spokenFormat.ts';

/** Submits an image request in the API format that the gateway speaks. */
export const submitImagine = (
  service: Service,
  request: ImagineSubmitRequest,
  send: SendOptions,
): Promise<SubmitOutcome> =>
  bySpokenFormat(service, send, {
    medium: 'image',
    families: imageFamilies(),
    lacks: (name) => imageReasons(request, name),
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
    families: imageFamilies().filter(({ edit }) => edit !== undefined),
    lacks: (name) => imageReasons(request, name),
    submit: (name) => {
      const family = imageFamily(name);
      return family ? submitEditAs(service, family, request, send) : submitEditTask(service, request, send);
    },
  });

async function submitEditAs(
  service: Service,
  { edit, label }: ImageFamily,
  { base, alphaMask, maskPath, maskSha256: sha256, prompt = '', ...options }: EditSubmitRequest,
  send: SendOptions,
): Promise<Sent> {
  let parts: FormPart[];
  try {
    if (!edit || !base || !alphaMask) throw new Error(`${label} has no edits, or a picture is not here.`);
    const image = { mime: base.mime, bytes: Buffer.from(await wireBase64(base), 'base64') };
    // Throws where it is not the mask that was ordered.
    await wireBase64({ path: maskPath, ...(sha256 === undefined ? {} : { sha256 }) });
    parts = [
      ...textParts(withExtra({}, service.profile, options.model)),
      ...edit.parts({ ...options, prompt, image, mask: await alphaMask() }),
    ];
  } catch {
    return { outcome: refused(unreadableFile(service, 'The picture or its mask')) };
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
  const outputs: RemoteOutput[] = [];
  const context = { base: service.profile.baseUrl, isEcho: echoOf(textsIn(body)).has };
  const assembly = new ChatAssembly(() => undefined, { context, onPicture: (output) => outputs.push(output) });
  const isChat = path === CHAT_PATH;
  const exchange = await submitRequest(service, {
    path,
    body,
    send,
    kept: { form: 'imagine', bytes: false },
    headerMs: HEADER_MS.chat,
    ...(isChat ? { read: { onEvent: (event) => applyEvent(assembly, event) } } : {}),
  });
  if (exchange.failure) return { outcome: refused(transportError(service, exchange.failure)) };
  const { answer } = exchange;
  const refusal = httpError(service, answer);
  if (refusal) return { outcome: refusedImage(answer, refusal), hasNoRoute: isNoSuchRoute(answer) };
  if (!isChat)
    return { outcome: submitOutcome(service, answer, { medium: imageMedium, echo: echoOf(answer.sent ?? []) }) };
  if (answer.json !== undefined) assembly.push(answer.json);
  assembly.end();
  return { outcome: chatOutcome(service, answer, assembly.state(), outputs) };
}

/** A picture that was made and then withheld may be billed (wire-families D, `moderation_details`). */
function refusedImage(answer: Answer, error: GatewayError): SubmitOutcome {
  const outcome = withStated(refused(error), answer, [answer.json]);
  const details = field(field(answer.json, 'error'), 'moderationDetails');
  const isMade = textOf(field(details, 'moderationStage')) === 'output';
  return outcome.type === 'refused' && isMade ? { ...outcome, billed: 'unknown' } : outcome;
}

/** The pictures of a chat's answer, those that its words name included; without one, what the model says instead, which may be billed. */
function chatOutcome(
  service: Service,
  answer: Answer,
  { result, id, serviceError, usageChunk }: ReturnType<ChatAssembly['state']>,
  inAnswer: RemoteOutput[],
): SubmitOutcome {
  const outputs =
    inAnswer.length > 0 ? inAnswer : picturesIn(result.text).map((uri) => ({ uri, role: 'output' as const }));
  const documents = [answer.json ?? usageChunk];
  const requestId = requestIdOf(answer.headers, answer.json);
  if (outputs.length > 0) {
    const about = { ...(id && { remoteId: id, ofAnswer: true as const }), ...(requestId && { requestId }) };
    return withStated({ type: 'done', outputs, ...about }, answer, documents);
  }
  if (serviceError) return withStated(refused(submitError(service, answer, serviceError)), answer, documents);
  if (answer.truncatedBy || (result.finishReason === '' && answer.form !== 'json'))
    return withStated(refused(unreadableError(service, answer)), answer, documents);
  const message = result.text === '' ? t`The gateway finished without a picture and without a reason.` : result.text;
  const kind = cutOf(result.finishReason) === 'filter' ? 'moderation' : 'server';
  const error = gatewayError(service, { kind, message, accepted: 'yes', retryable: false, status: answer.status });
  return withStated({ type: 'refused', error, billed: 'unknown' }, answer, documents);
}

/**
 * With one of these, `true`, a service says that its answer is the one that it gave to the first request under this key, whatever that
 * was. Sources: docs.stripe.com/api/idempotent_requests and docs.whop.com/developer/api/idempotency (`Idempotent-Replayed`),
 * developer.fiskaly.com/blog/unified-api-idempotency-transparency (`X-Idempotency-Replayed`).
 */
const REPLAYED_HEADERS = ['idempotent-replayed', 'x-idempotency-replayed'];

/** Sends the bytes of a request once more. With other secrets nothing is sent: another account does not know the first one. */
export async function repeatRequest(service: Service, request: SentRequest & { body: string }): Promise<RepeatOutcome> {
  if (request.account !== accountOf(service, request.key)) {
    const message = t`Nothing was sent: this gateway’s key has changed.`;
    const error = gatewayError(service, { kind: 'auth', message, accepted: 'no', retryable: false });
    return { outcome: { type: 'refused', error, billed: 'no' }, replayed: false };
  }
  let replayed = false;
  const onAnswer = (headers: Readonly<Record<string, string>>): void => {
    replayed = REPLAYED_HEADERS.some((name) => headers[name]?.trim().toLowerCase() === 'true');
  };
  const repeat = { request, onAnswer };
  const outcome = await (request.form === 'video' ? repeatVideo(service, repeat) : repeatImage(service, repeat));
  return { outcome, replayed };
}
