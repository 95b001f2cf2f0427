import { t } from '../../../../../shared/text/texts.ts';
import { jsonHeaders } from '../../../../../shared/wire/headers.ts';
import {
  bodyError,
  errorKindOf,
  explicitError,
  gatewayError,
  httpError,
  serviceErrorOf,
  transportError,
} from '../../errors/index.ts';
import { type Answer, type Exchange, echoOf, lastDocument, sendQuery } from '../../exchange/index.ts';
import { segmentOf, urlAtOrigin, urlOf } from '../../http/index.ts';
import { isObject, type Json } from '../../json/index.ts';
import { withStated } from '../../outcomes/index.ts';
import { imageAuths, type Service } from '../../service.ts';
import type { PollOutcome, RemoteTask } from '../../types.ts';
import { taskStatusOf } from '../status.ts';
import {
  failureReasonOf,
  hasFailedInside,
  isAboutContent,
  isCanceled,
  isNotReady,
  isUnknownTask,
  isUnreadable,
  mayBeOfPoll,
  mayDecide,
  messageWithoutReason,
} from '../taskErrors.ts';
import { entryOf, mentionsTask } from '../taskId.ts';
import { pollErrorOutcome, saidOf, WITHOUT_FILE, withoutFile } from '../taskOutcomes.ts';
import { isKeyRefusal } from './imageAuth.ts';
import { isAboutTask, type ParsedImage, parseImage } from './parsedImage.ts';

type Method = 'POST' | 'GET';

/** Polls an image task (spec 4.3). A poll that fails never ends the job. */
export async function pollImage(service: Service, task: RemoteTask, signal?: AbortSignal): Promise<PollOutcome> {
  const exchange = await fetchTask(service, task, signal);
  if (exchange.failure) return { type: 'unreachable', error: transportError(service, exchange.failure) };
  const { answer } = exchange;
  if (answer.truncatedBy)
    return { type: 'unreachable', error: gatewayError(service, { ...answer.truncatedBy, accepted: 'yes' }) };
  const error = httpError(service, answer);
  if (error) {
    const named = failureOfNamedTask(service, task, answer);
    if (!named && isClientError(answer.status) && isNotReady(serviceErrorOf(answer.json ?? answer.text)))
      return { type: 'running' };
    const refused = named ?? refusedContent(service, answer);
    if (refused) return refused;
    const unknown = isClientError(answer.status) && error.kind === 'invalid' && answer.form !== 'page';
    return unknown ? { type: 'missing', error, ...saidOf(service, answer) } : { type: 'unreachable', error };
  }
  return imagePollOutcome(service, task, answer);
}

const isClientError = (status: number): boolean => [400, 404, 405, 409, 410, 422, 425].includes(status);

/** Polls the address from the submit's answer, otherwise the fetch endpoint of the specification. */
async function fetchTask(service: Service, task: RemoteTask, signal: AbortSignal | undefined): Promise<Exchange> {
  const url = task.pollPath === undefined ? undefined : urlAtOrigin(service, task.pollPath);
  if (url) {
    const asked = await queryWithEachKey(service, url, 'GET', task, signal);
    const again = asked.answer?.status === 405 ? await queryWithEachKey(service, url, 'POST', task, signal) : asked;
    if (!isNotHere(again)) return again;
  }
  return fetchByEitherMethod(service, task, signal);
}

/**
 * The spec uses POST, related services GET: until one has worked, the other is tried after 404, 405, the dashboard's page (new-api answers
 * so to every address that it does not know) and an error with a good status. The one that works is remembered.
 */
async function fetchByEitherMethod(
  service: Service,
  task: RemoteTask,
  signal: AbortSignal | undefined,
): Promise<Exchange> {
  const url = urlOf(service, `/${service.profile.imagePrefix}/task/${segmentOf(task.id)}/fetch`);
  const known = service.memory().fetchMethod;
  const method: Method = known ?? 'POST';
  const first = await queryWithEachKey(service, url, method, task, signal);
  if (worked(first, task)) service.learn({ fetchMethod: method }, 'polled');
  // If the method has worked before, anything but a 405 is about the id or the moment.
  const isOtherTried = known === undefined ? isNotHere(first) || isOdd(first, task) : first.answer?.status === 405;
  if (!isOtherTried) return first;
  const other: Method = method === 'POST' ? 'GET' : 'POST';
  const second = await queryWithEachKey(service, url, other, task, signal);
  const isFound = worked(second, task) && isTold(second, task);
  if (isFound) service.learn({ fetchMethod: other }, 'polled');
  if (isNotHere(first)) return isNotHere(second) ? first : second;
  // After an error with a good status only an answer about the task is better, after a page any JSON.
  const isBetter = first.answer?.form === 'page' ? second.answer?.form === 'json' : isFound;
  return isBetter ? second : first;
}

/** An answer with a state, or with the name of the task: an empty one says nothing of the method. */
const isTold = ({ answer }: Exchange, task: RemoteTask): boolean =>
  answer?.json !== undefined && (taskStatusOf(answer.json).state !== undefined || mentionsTask(answer.json, task.id));

const worked = ({ answer }: Exchange, task: RemoteTask): boolean =>
  answer !== undefined && answer.status < 300 && answer.form === 'json' && !isForeignError(answer.json, task);

/** A good status over a page, or over an error that is not the task's. */
const isOdd = ({ answer }: Exchange, task: RemoteTask): boolean =>
  answer !== undefined && answer.status < 300 && (answer.form === 'page' || isForeignError(answer.json, task));

/** An error that tells no state of a task, names none and does not say that this one is unknown. */
function isForeignError(json: Json | undefined, task: RemoteTask): boolean {
  const error = explicitError(json);
  if (!error || json === undefined) return false;
  return taskStatusOf(json).word === undefined && !isUnknownTask(error) && !mentionsTask(json, task.id);
}

const isNotHere = ({ answer }: Exchange): boolean =>
  answer !== undefined && (answer.status === 404 || answer.status === 405);

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

/** The outcome of a fetch with a good status (spec 4.3). */
export function imagePollOutcome(service: Service, task: RemoteTask, answer: Answer): PollOutcome {
  const document = lastDocument(answer);
  const body = document === undefined ? undefined : entryOf(document, task.id);
  if (answer.form === 'clip' || (body === undefined && isUnreadable(answer))) return unreadable(service);
  if (body === undefined || body === null || isEmptyBody(body)) return { type: 'missing', ...saidOf(service, answer) };
  return outcomeOfTask(service, task, { ...answer, json: body }, body);
}

function outcomeOfTask(service: Service, task: RemoteTask, entry: Answer, body: Json): PollOutcome {
  const parsed = parsedAnswer(service, task, body);
  const { state, unknown } = parsed.taskStatus;
  if (unknown) return { type: 'missing' };
  if (state === 'failed' && isOnlyNotReady(body, parsed)) return running(parsed);
  if (state === 'failed' && !isAboutCall(body, task, parsed)) return failedTask(service, entry, parsed);
  if (state === 'running') return running(parsed);
  if (parsed.outputs.length > 0 && isFinal(parsed)) return finalOutcome(service, entry, parsed);
  return withoutPicture(service, task, entry, parsed);
}

function withoutPicture(service: Service, task: RemoteTask, entry: Answer, parsed: ParsedImage): PollOutcome {
  const { state, hasStatusField } = parsed.taskStatus;
  const body = entry.json ?? null;
  const serviceError = parsed.refusal?.serviceError ?? parsed.serviceError;
  if (serviceError) return byError(service, entry, parsed, serviceError);
  if (state === 'succeeded' && hasFailedInside(body)) return failed(service, entry, parsed);
  if (state === 'succeeded') return succeededWithoutPicture(parsed);
  const isOfTask = hasStatusField || isAboutTask(body, task.id);
  return isOfTask ? running(parsed) : { type: 'missing', ...saidOf(service, entry) };
}

/** The word "success" may be the wrapper's: then the task goes on, as far as it tells. */
function succeededWithoutPicture({ progress, taskStatus }: ParsedImage): PollOutcome {
  if (progress !== undefined) return progress >= 100 ? withoutFile : { type: 'running', progress };
  return taskStatus.mayBeOfCall ? { type: 'running', said: WITHOUT_FILE } : withoutFile;
}

/** Told as a failure by a flag alone, with the reason that it is too early. */
const isOnlyNotReady = (body: Json, parsed: ParsedImage): boolean =>
  parsed.taskStatus.word === undefined && isNotReady(parsed.serviceError ?? failureReasonOf(body));

/** With an error beside them, the addresses are not the pictures. */
const finalOutcome = (service: Service, answer: Answer, parsed: ParsedImage): PollOutcome =>
  parsed.serviceError && !isNotReady(parsed.serviceError)
    ? failed(service, answer, parsed)
    : withStated({ type: 'done', outputs: parsed.outputs }, answer, [answer.json]);

/** The outcome of an answer with a bad status that names this very task as failed. */
export function failureOfNamedTask(service: Service, task: RemoteTask, answer: Answer): PollOutcome | undefined {
  if (answer.json === undefined || !mayDecide(answer.status)) return undefined;
  const parsed = parsedAnswer(service, task, answer.json);
  return parsed.taskStatus.state === 'failed' && parsed.id === task.id
    ? failedTask(service, answer, parsed)
    : undefined;
}

/** The failure of the task, unless it may be that of the poll. */
function failedTask(service: Service, answer: Answer, parsed: ParsedImage): PollOutcome {
  const serviceError = parsed.serviceError ?? failureReasonOf(answer.json);
  return mayBeOfPoll(answer.json, parsed.taskStatus, serviceError)
    ? pollErrorOutcome(service, answer, serviceError)
    : failed(service, answer, parsed);
}

/** A refusal of content, at the address from the submit's answer or the specification. */
export function refusedContent(service: Service, answer: Answer): PollOutcome | undefined {
  if (!isObject(answer.json)) return undefined;
  const serviceError = failureReasonOf(answer.json);
  const kind = errorKindOf(serviceError, answer.status);
  if (!isAboutContent(serviceError, kind, answer.status, true)) return undefined;
  const error = bodyError(service, answer, serviceError, 'yes', kind);
  return withStated({ type: 'failed', error, billed: 'unknown' }, answer, [answer.json]);
}

function parsedAnswer(service: Service, task: RemoteTask, body: Json): ParsedImage {
  return parseImage(body, { base: service.profile.baseUrl, isEcho: echoOf(task.ownUris ?? []).has });
}

/**
 * Whether the pictures are the result: a picture beside any state but success is a preview; without a state or a progress it is the
 * result.
 */
function isFinal({ taskStatus, progress }: ParsedImage): boolean {
  if (taskStatus.state === 'succeeded') return progress === undefined || progress >= 100 || !taskStatus.mayBeOfCall;
  return progress === undefined ? taskStatus.word === undefined : progress >= 100;
}

/** Whether a failure may be the failure of this poll: it names no task and no progress. */
function isAboutCall(body: Json, task: RemoteTask, parsed: ParsedImage): boolean {
  if (mentionsTask(body, task.id) || parsed.progress !== undefined) return false;
  return parsed.taskStatus.mayBeOfCall === true || isUnknownTask(parsed.serviceError ?? failureReasonOf(body));
}

const isEmptyBody = (body: Json): boolean =>
  isObject(body) || Array.isArray(body) ? Object.keys(body).length === 0 : body === '';

function byError(
  service: Service,
  answer: Answer,
  parsed: ParsedImage,
  serviceError: NonNullable<ParsedImage['serviceError']>,
): PollOutcome {
  if (isNotReady(serviceError)) return running(parsed);
  const outcome = pollErrorOutcome(service, answer, serviceError);
  if (outcome.type === 'missing') return outcome;
  const error = bodyError(service, answer, serviceError, 'yes', parsed.refusal?.kind);
  if (error.kind !== 'moderation') return { type: 'unreachable', error };
  return withStated({ type: 'failed', error, billed: 'unknown' }, answer, [answer.json]);
}

/** The specification does not say that a failed picture is free (spec 8 covers videos only). */
function failed(service: Service, answer: Answer, parsed: ParsedImage): PollOutcome {
  const reason = parsed.serviceError?.message ? parsed.serviceError : failureReasonOf(answer.json);
  const withStatusWord = { ...reason, codes: [...reason.codes, parsed.taskStatus.word ?? ''] };
  const kind = parsed.taskStatus.kind ?? errorKindOf(withStatusWord, withStatusWord.httpStatus ?? 0);
  const canceled = isCanceled(parsed.taskStatus.word, reason, kind);
  const serviceError = {
    ...withStatusWord,
    message: reason.message || messageWithoutReason('task', parsed.taskStatus.word, { canceled, kind }),
  };
  const error = bodyError(service, answer, serviceError, 'yes', kind);
  const outcome: PollOutcome = { type: 'failed', error, billed: 'unknown', ...(canceled ? { canceled } : {}) };
  return withStated(outcome, answer, [answer.json]);
}

/** A picture before success is a preview, so it is left out here. */
function running(parsed: ParsedImage): PollOutcome {
  return { type: 'running', ...(parsed.progress === undefined ? {} : { progress: parsed.progress }) };
}

function unreadable(service: Service): PollOutcome {
  const message = t`The answer of the gateway cannot be understood.`;
  return { type: 'unreachable', error: gatewayError(service, { kind: 'server', message, accepted: 'yes' }) };
}
