import { type ImageAuth, jsonHeaders } from '../../../../../shared/wire/headers.ts';
import {
  type EditForm,
  editBody,
  imageSubmitPath,
  imagineBody,
  type MaskField,
} from '../../../../../shared/wire/image.ts';
import { unreadableFile } from '../../errors/index.ts';
import { type Echo, echoOf, HEADER_MS, type Repeat, type SubmitRequest, wireBase64 } from '../../exchange/index.ts';
import { urlOf } from '../../http/index.ts';
import { isRefusedAsInvalid, refused, retryWithNextSpelling } from '../../outcomes/index.ts';
import { imageAuths, type Service } from '../../service.ts';
import { type Sent, submitOnce } from '../../tasks/index.ts';
import type { EditSubmitRequest, ImagineSubmitRequest, SendOptions, SubmitOutcome } from '../../types.ts';
import { isKeyRefusal, orderByTrial } from './imageAuth.ts';
import { imageMedium } from './imageMedium.ts';

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
  const sent = await submitOnce(service, request, { medium: imageMedium, echo, baseTaskId: body.jobId });
  const isTaken = sent.answer !== undefined && sent.answer.status < 300;
  if (isTaken && auth.name !== undefined) service.learn({ imageAuthHeader: auth.name }, 'accepted');
  return sent;
}

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
