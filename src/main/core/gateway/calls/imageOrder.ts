import type { Answer } from '../decode/answer.ts';
import { bareRefusal } from '../decode/bareRefusal.ts';
import { wholePartOf } from '../decode/cutJson.ts';
import { type Echo, echoOf } from '../decode/echo.ts';
import { faultOf } from '../decode/fault.ts';
import { type ImageReading, readImage } from '../decode/imageAnswer.ts';
import { requestIdOf } from '../decode/requestId.ts';
import { urlOf } from '../home.ts';
import { failedOrder, failureError, faultError, refusalError, type Service, unreadableError } from '../service.ts';
import type { EditOrder, ImagineOrder, RemoteTask, SendOptions, SubmitOutcome } from '../types.ts';
import { type ImageAuth, imageAuths, jsonHeaders } from '../wire/headers.ts';
import { editBody, imagineBody } from '../wire/image.ts';
import { type Asked, HEADER_MS, maySendAgain, placeOrder } from './ask.ts';
import { isKeyRefusal, othersInOrder } from './imageKeys.ts';
import {
  accepted,
  doneOutcome,
  idInPlace,
  isHalf,
  isTaken,
  lostOrder,
  refused,
  refusedBy,
  taskOf,
  unreadFile,
  withStated,
} from './outcomes.ts';

const ANSWER_LIMIT = 96 * 1024 * 1024;

/** Orders a picture (spec 4.2). */
export async function submitImagine(service: Service, order: ImagineOrder, send: SendOptions): Promise<SubmitOutcome> {
  const echo = echoOf([order.prompt, order.hookUrl]);
  return (await place(service, 'imagine', imagineBody(order), send, echo)).outcome;
}

/** Orders a repaint of the white parts of a mask (spec 4.4). Services differ in the name of the mask's field. */
export async function submitEdit(service: Service, order: EditOrder, send: SendOptions): Promise<SubmitOutcome> {
  const maskField = service.memory().maskField ?? 'mask';
  const first = await placeEdit(service, order, send, maskField);
  const other = maskField === 'mask' ? 'maskBase64' : 'mask';
  if (!first || !asksFor(other, first) || !maySendAgain(send)) return first?.outcome ?? unreadFile(service, 'The mask');
  // A definite no to the field's name: the order was not taken, so it may be sent again under the other one.
  const second = await placeEdit(service, order, send, other);
  if (second && isTaken(second.outcome)) service.learn({ maskField: other });
  return second?.outcome ?? first.outcome;
}

interface Placed {
  outcome: SubmitOutcome;
  said: string;
}

async function placeEdit(
  service: Service,
  order: EditOrder,
  send: SendOptions,
  maskField: 'mask' | 'maskBase64',
): Promise<Placed | undefined> {
  try {
    const body = await editBody(order, maskField);
    const echo = echoOf([order.prompt, order.hookUrl, String(body[maskField])]);
    // Another body is another order to a service that honours the key.
    const idempotencyKey = maskField === 'mask' ? send.idempotencyKey : `${send.idempotencyKey}-b64`;
    return await place(service, 'edits', body, { ...send, idempotencyKey }, echo);
  } catch {
    return undefined;
  }
}

function asksFor(field: 'mask' | 'maskBase64', { outcome, said }: Placed): boolean {
  if (outcome.type !== 'refused' || outcome.error.accepted !== 'no' || outcome.error.kind !== 'invalid') return false;
  return field === 'maskBase64' ? /mask_?base64/i.test(said) : /\bmask\b(?!_?base64)/i.test(said);
}

async function place(
  service: Service,
  what: 'imagine' | 'edits',
  body: Record<string, unknown>,
  send: SendOptions,
  echo: Echo,
): Promise<Placed> {
  const asked = await placeWithAnyKey(service, what, body, send);
  if (asked.failure) return { outcome: refused(failureError(service, asked.failure)), said: '' };
  const { answer } = asked;
  const refusal = refusalError(service, answer);
  const said = answer.text.slice(0, 10_000);
  if (refusal) return { outcome: refusedBy(service, 'image', answer, { error: refusal, echo }), said };
  const read = withStated(outcomeOf(service, answer, echo), answer, [answer.json]);
  return { outcome: answer.cut && read.type === 'refused' ? lostOrder(service, answer) : read, said };
}

/** After a 401 or 403, a definite no, the other spellings of the key header are tried one at a time (spec 5.3). */
async function placeWithAnyKey(
  service: Service,
  what: string,
  body: Record<string, unknown>,
  send: SendOptions,
): Promise<Asked> {
  const [usual = { headers: {} }, ...others] = imageAuths(service);
  const first = await placeWith(service, what, body, send, usual);
  if (!isTurnedAway(service, first)) return first;
  for (const auth of await othersInOrder(service, usual, others, send.signal)) {
    if (!maySendAgain(send)) return first;
    const asked = await placeWith(service, what, body, send, auth);
    if (!isTurnedAway(service, asked)) return asked;
  }
  return first;
}

const isTurnedAway = (service: Service, { answer }: Asked): boolean =>
  answer !== undefined && isKeyRefusal(service, answer);

async function placeWith(
  service: Service,
  what: string,
  body: Record<string, unknown>,
  send: SendOptions,
  auth: ImageAuth,
): Promise<Asked> {
  const asked = await placeOrder(service, {
    url: urlOf(service, `/${service.profile.imagePrefix}/submit/${what}`),
    headers: { ...jsonHeaders(send), ...auth.headers },
    body,
    headerMs: HEADER_MS.image,
    signal: send.signal,
    read: { limit: ANSWER_LIMIT },
  });
  if (asked.answer && asked.answer.status < 300 && auth.name !== undefined)
    service.learn({ imageAuthHeader: auth.name });
  return asked;
}

function outcomeOf(service: Service, answer: Answer, echo: Echo): SubmitOutcome {
  const reading = { base: service.profile.baseUrl, isEcho: echo.has };
  const read = readImage(answer.json ?? answer.text, reading);
  const requestId = requestIdOf(answer.headers, answer.json);
  if (isHalf(answer)) return lostOrder(service, answer, taskInHalf(service, answer, echo));
  if (read.refusal) return refused(failedOrder(service, answer, read.refusal.fault, read.refusal.kind));
  if (read.stand.state === 'failed') return failedAtOnce(service, answer, read);
  if (read.fault) return refused(failedOrder(service, answer, read.fault));
  if (read.outputs.length > 0 && isFinal(read)) return doneOutcome(read.outputs, { remoteId: read.id, requestId });
  const pollUrl = read.pollUrl ?? answer.headers['operation-location'] ?? answer.headers.location;
  const id = read.id ?? (pollUrl === undefined ? undefined : idInPlace(pollUrl));
  if (id !== undefined) return accepted(service, 'image', id, { pollUrl, requestId, echo });
  const bare = bareRefusal(answer.json);
  return refused(bare ? failedOrder(service, answer, bare) : unreadableError(service, answer));
}

/** The task that half an answer names in its whole part. */
function taskInHalf(service: Service, { text }: Answer, echo: Echo): RemoteTask | undefined {
  const part = wholePartOf(text);
  if (part === undefined) return undefined;
  const { id, pollUrl } = readImage(part, { base: service.profile.baseUrl, isEcho: echo.has });
  return id === undefined ? undefined : taskOf(service, 'image', id, { pollUrl, echo });
}

/** `status: "FAILURE"` with an id was accepted first; without one it says whether it is a no. */
function failedAtOnce(service: Service, answer: Answer, read: ImageReading): SubmitOutcome {
  const fault = read.fault ?? faultOf(answer.json);
  if (read.id === undefined) return refused(failedOrder(service, answer, fault));
  return { type: 'refused', error: faultError(service, answer, fault, 'yes'), billed: 'unknown' };
}

/** A picture in the answer to an order is the result only where the service says so, or where there is nothing to ask for later. */
function isFinal(read: ImageReading): boolean {
  return read.stand.state === 'succeeded' || (read.stand.state === undefined && read.id === undefined);
}
