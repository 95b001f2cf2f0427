import { kindOf } from '../../errors/classify.ts';
import { reasonOf } from '../../errors/reason.ts';
import type { Answer } from '../../exchange/answer.ts';
import { echoOf } from '../../exchange/echo.ts';
import { lastDocument } from '../../exchange/lastDocument.ts';
import { isObject, type Json } from '../../json/json.ts';
import { faultError, gatewayError, type Service } from '../../service.ts';
import type { PollOutcome, RemoteTask } from '../../types.ts';
import {
  isAboutContent,
  isCallWord,
  isCanceled,
  isNotReady,
  isUnknownId,
  isUnknownTask,
  isUnreadable,
} from '../taskErrors.ts';
import { entryOf, speaksOf } from '../taskId.ts';
import { withoutReason, withStated } from '../taskOutcomes.ts';
import { type ImageReading, isAboutTask, readImage } from './parsedImage.ts';

/** What a good answer to a fetch says about the task (spec 4.3). */
export function imageVerdict(service: Service, task: RemoteTask, answer: Answer): PollOutcome {
  const document = lastDocument(answer);
  const body = document === undefined ? undefined : entryOf(document, task.id);
  if (body === undefined && isUnreadable(answer)) return unreadable(service);
  if (body === undefined || body === null || isBare(body)) return { type: 'missing' };
  const read = readingOf(service, task, body);
  const { state, told, unknown } = read.stand;
  if (unknown) return { type: 'missing' };
  if (state === 'failed' && read.stand.word === undefined && isNotReady(read.fault ?? reasonOf(body)))
    return running(read);
  if (state === 'failed' && !isAboutCall(body, task, read)) return failed(service, { ...answer, json: body }, read);
  if (state === 'running') return running(read);
  if (read.outputs.length > 0 && isFinal(read))
    return read.fault && !isNotReady(read.fault)
      ? failed(service, { ...answer, json: body }, read)
      : withStated({ type: 'done', outputs: read.outputs }, answer, [body]);
  const fault = read.refusal?.fault ?? read.fault;
  if (fault) return byFault(service, { ...answer, json: body }, read, fault);
  // Over, and its picture is nowhere: it may come in a moment. Success alone may be the wrapper's word.
  if (state === 'succeeded' && read.progress === 100) return { type: 'missing' };
  return state === 'succeeded' || told || isAboutTask(body, task.id) ? running(read) : { type: 'missing' };
}

/** The same of an answer with a bad status: it counts where it names this very task as failed. */
export function failedByName(service: Service, task: RemoteTask, answer: Answer): PollOutcome | undefined {
  if (answer.json === undefined) return undefined;
  const read = readingOf(service, task, answer.json);
  return read.stand.state === 'failed' && read.id === task.id ? failed(service, answer, read) : undefined;
}

/** A refusal of content, at the place that the answer to the order told or that the specification knows. */
export function refusedContent(service: Service, answer: Answer): PollOutcome | undefined {
  if (!isObject(answer.json)) return undefined;
  const fault = reasonOf(answer.json);
  const kind = kindOf(fault, answer.status);
  if (!isAboutContent(fault, kind, answer.status, true)) return undefined;
  const error = faultError(service, answer, fault, 'yes', kind);
  return withStated({ type: 'failed', error, billed: 'unknown' }, answer, [answer.json]);
}

function readingOf(service: Service, task: RemoteTask, body: Json): ImageReading {
  return readImage(body, { base: service.profile.baseUrl, isEcho: echoOf(task.ownUris ?? []).has });
}

/** A picture beside a word that is no success is a preview; without a word or a progress it is the result. */
function isFinal({ stand, progress }: ImageReading): boolean {
  if (stand.state === 'succeeded') return progress === undefined || progress >= 100 || !stand.ofCall;
  return progress === undefined ? stand.word === undefined : progress >= 100;
}

/** A failure that names no task and no progress may be the failure of this look-up. */
function isAboutCall(body: Json, task: RemoteTask, read: ImageReading): boolean {
  if (speaksOf(body, task.id) || read.progress !== undefined) return false;
  return (!read.stand.ofTask && isCallWord(read.stand.word)) || isUnknownTask(read.fault ?? reasonOf(body));
}

const isBare = (body: Json): boolean =>
  isObject(body) || Array.isArray(body) ? Object.keys(body).length === 0 : body === '';

function byFault(
  service: Service,
  answer: Answer,
  read: ImageReading,
  fault: NonNullable<ImageReading['fault']>,
): PollOutcome {
  if (isNotReady(fault)) return running(read);
  if (isUnknownId(fault)) return { type: 'missing', error: faultError(service, answer, fault, 'unknown', 'invalid') };
  const error = faultError(service, answer, fault, 'yes', read.refusal?.kind);
  if (error.kind !== 'moderation') return { type: 'unreachable', error };
  return withStated({ type: 'failed', error, billed: 'unknown' }, answer, [answer.json]);
}

/** The specification does not say that a failed picture is free (spec 8 speaks of videos only). */
function failed(service: Service, answer: Answer, read: ImageReading): PollOutcome {
  const said = read.fault?.message ? read.fault : reasonOf(answer.json);
  const told = { ...said, words: [...said.words, read.stand.word ?? ''] };
  const kind = read.stand.kind ?? kindOf(told, told.code ?? 0);
  const canceled = isCanceled(read.stand.word, said, kind);
  const fault = { ...told, message: said.message || withoutReason('task', read.stand.word, { canceled, kind }) };
  const error = faultError(service, answer, fault, 'yes', kind);
  const verdict: PollOutcome = { type: 'failed', error, billed: 'unknown', ...(canceled ? { canceled } : {}) };
  return withStated(verdict, answer, [answer.json]);
}

/** A picture before success is a preview, so it is left out here. */
function running(read: ImageReading): PollOutcome {
  return { type: 'running', ...(read.progress === undefined ? {} : { progress: read.progress }) };
}

function unreadable(service: Service): PollOutcome {
  const message = 'The answer of the service cannot be understood.';
  return { type: 'unreachable', error: gatewayError(service, { kind: 'server', message, accepted: 'yes' }) };
}
