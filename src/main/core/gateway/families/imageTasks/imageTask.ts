import { t } from '../../../../../shared/text/texts.ts';
import { type ImageAuth, jsonHeaders } from '../../../../../shared/wire/headers.ts';
import {
  type EditForm,
  editBody,
  imageSubmitPath,
  imagineBody,
  type MaskField,
} from '../../../../../shared/wire/image.ts';
import { httpError, unreadableFile } from '../../errors/gatewayError.ts';
import { isDenied } from '../../errors/rules/codes.ts';
import type { Answer } from '../../exchange/answer.ts';
import {
  type Exchange,
  HEADER_MS,
  type Repeat,
  type SubmitRequest,
  sendQuery,
  wireBase64,
} from '../../exchange/request.ts';
import { segmentOf, urlAtOrigin, urlOf } from '../../http/origin.ts';
import { isRefusedAsInvalid, refused, retryWithNextSpelling } from '../../outcomes/outcome.ts';
import { imageAuths, type Service } from '../../service.ts';
import { isDecisive, pollOutcome } from '../../tasks/readPoll.ts';
import { type Sent, submitOnce } from '../../tasks/submitOnce.ts';
import type {
  EditSubmitRequest,
  ImagineSubmitRequest,
  PollOutcome,
  RemoteTask,
  SendOptions,
  SubmitOutcome,
} from '../../types.ts';
import { imageMedium } from './parsedImage.ts';

/** Whether a 401 or 403 is about the key; one about an empty balance or a banned prompt is not. */
function isKeyRefusal(service: Service, answer: Answer): boolean {
  if (!isDenied(answer.status)) return false;
  const kind = httpError(service, answer)?.kind;
  return kind !== 'quota' && kind !== 'moderation' && kind !== 'rate_limit';
}

/** Submits an image task (spec 4.2). */
export const submitImagineTask = (service: Service, request: ImagineSubmitRequest, send: SendOptions): Promise<Sent> =>
  submit(service, 'imagine', imagineBody(request), send);

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
  return submit(service, 'edits', body, send);
}

/** Sends the bytes of an earlier request again, with the key in the header that it was sent in. */
export async function repeatImage(service: Service, repeat: Repeat): Promise<SubmitOutcome> {
  const { form, authHeader = '', body } = repeat.request;
  const [auth = { headers: {} }] = imageAuths(service, authHeader === '' ? [] : [authHeader]);
  const what = form === 'edits' ? 'edits' : 'imagine';
  return (await submitWith(service, what, JSON.parse(body), { idempotencyKey: '' }, { auth, repeat })).outcome;
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
): Promise<Sent> {
  const [usual = { headers: {} }, ...listed] = imageAuths(service);
  return retryWithNextSpelling<ImageAuth, Sent>(send, {
    first: usual,
    nameOf: ({ name = '' }) => name,
    submit: (auth) => submitWith(service, what, body, send, { auth }),
    next: ({ answer }, _, isTried) =>
      answer && isKeyRefusal(service, answer) ? listed.find((auth) => !isTried(auth)) : undefined,
    most: listed.length + 1,
  });
}

async function submitWith(
  service: Service,
  what: 'imagine' | 'edits',
  body: Record<string, unknown>,
  send: SendOptions,
  { auth, repeat }: { auth: ImageAuth; repeat?: Repeat },
): Promise<Sent> {
  const request: SubmitRequest = {
    path: imageSubmitPath(service.profile.imagePrefix, what),
    auth: auth.headers,
    body,
    send,
    kept: { form: what, ...(auth.name === undefined ? {} : { authHeader: auth.name }) },
    ...(repeat ? { repeat } : {}),
    headerMs: HEADER_MS.image,
  };
  const sent = await submitOnce(service, request, { medium: imageMedium, baseTaskId: body.jobId });
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

type Method = 'POST' | 'GET';

/** Polls an image task (spec 4.3): at the address from the submit's answer, otherwise at the fetch endpoint of the specification. */
export async function pollImage(service: Service, task: RemoteTask, signal?: AbortSignal): Promise<PollOutcome> {
  const ask = (url: URL, method: Method): Promise<Exchange> => queryWithEachKey(service, url, method, task, signal);
  const outcomeOf = (exchange: Exchange): PollOutcome => pollOutcome(service, task, exchange, imageMedium);
  const own = task.pollPath === undefined ? undefined : urlAtOrigin(service, task.pollPath);
  if (own) {
    const asked = await ask(own, 'GET');
    const again = asked.answer?.status === 405 ? await ask(own, 'POST') : asked;
    if (!isNotHere(again)) return outcomeOf(again);
  }
  const url = urlOf(service, `/${service.profile.imagePrefix}/task/${segmentOf(task.id)}/fetch`);
  const known = service.memory().fetchMethod;
  const method: Method = known ?? 'POST';
  const first = await ask(url, method);
  const outcome = outcomeOf(first);
  if (isDecisive(outcome)) service.learn({ fetchMethod: method }, 'polled');
  if (!mayAnswerOtherwise(first, outcome, known)) return outcome;
  const other: Method = method === 'POST' ? 'GET' : 'POST';
  const second = await ask(url, other);
  const otherOutcome = outcomeOf(second);
  const isFound = isDecisive(otherOutcome);
  if (isFound) service.learn({ fetchMethod: other }, 'polled');
  return isFound || (isNowhere(first) && !isNowhere(second)) ? otherOutcome : outcome;
}

/**
 * The spec uses POST, related services use GET. Until one has worked, the other is tried after a 404 or 405, and after a page or a foreign
 * error with a good status (new-api answers unknown addresses with its dashboard). Later only a 405 is about the method.
 */
function mayAnswerOtherwise(exchange: Exchange, { type }: PollOutcome, known: Method | undefined): boolean {
  const { status = 0 } = exchange.answer ?? {};
  if (known !== undefined) return status === 405;
  return isNotHere(exchange) || (type === 'unreachable' && status > 0 && status < 300);
}

const isNotHere = ({ answer }: Exchange): boolean => answer?.status === 404 || answer?.status === 405;
const isNowhere = (exchange: Exchange): boolean => isNotHere(exchange) || exchange.answer?.form === 'page';

/** Tries each spelling of the key header: a fetch is free, so it is the best request to find the right one (spec 5.3). */
async function queryWithEachKey(
  service: Service,
  url: URL,
  method: Method,
  task: RemoteTask,
  signal: AbortSignal | undefined,
): Promise<Exchange> {
  let first: Exchange | undefined;
  for (const auth of imageAuths(service)) {
    const exchange = await sendQuery(service, {
      method,
      url,
      headers: { ...jsonHeaders(), ...auth.headers },
      body: { jobId: task.id },
      signal,
    });
    if (exchange.failure) return exchange;
    if (!isKeyRefusal(service, exchange.answer)) {
      if (exchange.answer.status < 300 && exchange.answer.form !== 'page' && auth.name !== undefined)
        service.learn({ imageAuthHeader: auth.name }, 'accepted');
      return exchange;
    }
    first ??= exchange;
  }
  return first ?? { failure: { kind: 'network', message: t`Nothing was sent.`, sent: false } };
}
