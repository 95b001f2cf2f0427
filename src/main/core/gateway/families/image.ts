import { incompleteReason } from '../../../../shared/chat/finish.ts';
import { imageReasons } from '../../../../shared/kinds/imageFields.ts';
import { t } from '../../../../shared/text/texts.ts';
import { withExtra } from '../../../../shared/wire/extra.ts';
import {
  type FormPart,
  formFields,
  type ImageFamily,
  imageFamilies,
  imageFamily,
} from '../../../../shared/wire/families/index.ts';
import { CHAT_PATH } from '../../../../shared/wire/headers.ts';
import { picturesIn } from '../addresses/links.ts';
import type { AddressContext } from '../addresses/mediaAddress.ts';
import { ChatAssembly } from '../chat/assembly.ts';
import { gatewayError, unreadableError, unreadableFile } from '../errors/gatewayError.ts';
import { accountOf, HEADER_MS, wireBase64 } from '../exchange/request.ts';
import { refused } from '../outcomes/outcome.ts';
import type { Service } from '../service.ts';
import { endedInWords, type Medium, type ParsedAnswer, type SubmitAnswer } from '../tasks/parsedAnswer.ts';
import { type Sent, submitOnce } from '../tasks/submitOnce.ts';
import { repeatVideo } from '../tasks/video/parsedVideo.ts';
import type {
  EditSubmitRequest,
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
    // Throws if the mask is not the one that was requested.
    await wireBase64({ path: maskPath, ...(sha256 === undefined ? {} : { sha256 }) });
    parts = [
      ...formFields(withExtra({}, service.profile, options.model)),
      ...edit.parts({ ...options, prompt, image, mask: await alphaMask() }),
    ];
  } catch {
    return { outcome: refused(unreadableFile(service, 'The picture or its mask')) };
  }
  return sendImage(service, edit.path, parts, send);
}

/** Sends an image request once. Its answer is the result. */
const sendImage = (
  service: Service,
  path: `/${string}`,
  body: Record<string, unknown> | FormPart[],
  send: SendOptions,
): Promise<Sent> =>
  submitOnce(
    service,
    { path, body, send, kept: { form: 'imagine', bytes: false }, headerMs: HEADER_MS.chat },
    { medium: path === CHAT_PATH ? chatMedium : imageMedium },
  );

/** Pictures in the answer of a chat, including those that its text names. Such an answer names no task, and a part that arrived counts. */
const chatMedium: Medium = {
  ...imageMedium,
  parse(body, context) {
    const { assembly, parsed } = readChat(context);
    assembly.push(body);
    return parsed();
  },
  stream(context) {
    const { assembly, parsed } = readChat(context);
    const documents = () => [assembly.state().usageChunk ?? null];
    return { onEvent: (event) => assembly.takeEvent(event), parsed, documents };
  },
  isResult: () => true,
  ending: withoutPicture,
};

function readChat(context: AddressContext) {
  const inAnswer: RemoteOutput[] = [];
  const sink = { context, onPicture: (output: RemoteOutput) => inAnswer.push(output) };
  const assembly = new ChatAssembly(() => undefined, sink);
  const parsed = (): ParsedAnswer => {
    assembly.end();
    const { result, id: answerId, serviceError } = assembly.state();
    const { text, finishReason } = result;
    const outputs = inAnswer.length > 0 ? inAnswer : picturesIn(text).map((uri) => ({ uri, role: 'output' as const }));
    const error = outputs.length > 0 ? undefined : serviceError;
    return { taskStatus: { hasStatusField: false }, outputs, serviceError: error, answerId, text, finishReason };
  };
  return { assembly, parsed };
}

/** The outcome if the model answered with text instead of a picture, which may be billed. */
function withoutPicture({ service, answer, parsed: { text, finishReason = '' } }: SubmitAnswer): SubmitOutcome {
  if (answer.truncatedBy || (finishReason === '' && answer.form !== 'json'))
    return refused(unreadableError(service, answer));
  const kind = incompleteReason(finishReason) === 'filter' ? 'moderation' : 'server';
  return endedInWords(service, answer, kind, text || t`The gateway finished without a picture and without a reason.`);
}

/**
 * Headers with which a service says, by the value `true`, that it repeats its first answer to this key, even a refusal. Sources:
 * docs.stripe.com/api/idempotent_requests and docs.whop.com/developer/api/idempotency (`Idempotent-Replayed`),
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
