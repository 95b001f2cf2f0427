import type { Answer } from '../decode/answer.ts';
import { echoOf } from '../decode/echo.ts';
import { faultOf } from '../decode/fault.ts';
import { type ImageReading, isAboutTask, readImage } from '../decode/imageAnswer.ts';
import { isObject, type Json } from '../decode/json.ts';
import { speaksOf } from '../decode/taskId.ts';
import { failureError, faultError, gatewayError, refusalError, type Service, segmentOf, urlOf } from '../service.ts';
import type { PollOutcome, RemoteTask } from '../types.ts';
import { imageAuths, jsonHeaders } from '../wire/headers.ts';
import { type Asked, ask } from './ask.ts';
import { isKeyRefusal } from './imageOrder.ts';
import { originUrl } from './outcomes.ts';
import { isCallWord, isUnknownId, isUnknownTask } from './unknownId.ts';

type Method = 'POST' | 'GET';

/** Asks how an image task is doing (spec 4.3). A poll that does not work is never a verdict on the job. */
export async function pollImage(service: Service, task: RemoteTask, signal?: AbortSignal): Promise<PollOutcome> {
  const asked = await fetchTask(service, task, signal);
  if (asked.failure) return { type: 'unreachable', error: failureError(service, asked.failure) };
  const { answer } = asked;
  if (answer.cut) return { type: 'unreachable', error: gatewayError(service, { ...answer.cut, accepted: 'yes' }) };
  const error = refusalError(service, answer);
  if (error) {
    const named = answer.json === undefined ? undefined : failedByName(service, task, answer, answer.json);
    const unknown =
      [400, 404, 405, 410, 422].includes(answer.status) && error.kind === 'invalid' && answer.form !== 'page';
    return named ?? (unknown ? { type: 'missing', error } : { type: 'unreachable', error });
  }
  return verdictOf(service, task, answer);
}

/** The spec says POST; relatives use GET: on 404 or 405 the other is tried, and what works is remembered. */
async function fetchTask(service: Service, task: RemoteTask, signal: AbortSignal | undefined): Promise<Asked> {
  if (task.pollPath !== undefined) {
    const told = await withAnyKey(service, originUrl(service, task.pollPath), 'GET', task, signal);
    if (!isNotHere(told)) return told;
  }
  const url = urlOf(service, `/${service.profile.imagePrefix}/task/${segmentOf(task.id)}/fetch`);
  const method: Method = service.memory().fetchMethod ?? 'POST';
  const first = await withAnyKey(service, url, method, task, signal);
  if (!isNotHere(first)) return first;
  const other: Method = method === 'POST' ? 'GET' : 'POST';
  const second = await withAnyKey(service, url, other, task, signal);
  if (second.answer && second.answer.status < 300 && second.answer.form === 'json')
    service.learn({ fetchMethod: other });
  return isNotHere(second) ? first : second;
}

const isNotHere = ({ answer }: Asked): boolean =>
  answer !== undefined && (answer.status === 404 || answer.status === 405);

/** A fetch costs nothing, so it is the best place to find the spelling of the key header (spec 5.3). */
async function withAnyKey(
  service: Service,
  url: URL,
  method: Method,
  task: RemoteTask,
  signal: AbortSignal | undefined,
): Promise<Asked> {
  let first: Asked | undefined;
  for (const auth of imageAuths(service)) {
    const asked = await ask(service, {
      method,
      url,
      headers: { ...jsonHeaders(), ...auth.headers },
      body: { jobId: task.id },
      signal,
    });
    if (asked.failure) return asked;
    if (!isKeyRefusal(service, asked.answer)) {
      if (asked.answer.status < 300 && auth.name !== undefined) service.learn({ imageAuthHeader: auth.name });
      return asked;
    }
    first ??= asked;
  }
  return first ?? { failure: { kind: 'network', message: 'Nothing was sent.', sent: false } };
}

function failedByName(service: Service, task: RemoteTask, answer: Answer, body: Json): PollOutcome | undefined {
  const read = readingOf(service, task, body);
  return read.stand.state === 'failed' && read.id === task.id ? failed(service, answer, read) : undefined;
}

function readingOf(service: Service, task: RemoteTask, body: Json): ImageReading {
  return readImage(body, { base: service.profile.baseUrl, isEcho: echoOf(task.ownUris ?? []).has });
}

function verdictOf(service: Service, task: RemoteTask, answer: Answer): PollOutcome {
  const body = answer.json;
  if (body === undefined || body === null || isBare(body)) return { type: 'missing' };
  const read = readingOf(service, task, body);
  const { state } = read.stand;
  const fault = read.refusal?.fault ?? read.fault;
  if (state === 'failed' && !isAboutCall(body, task, read)) return failed(service, answer, read);
  if (state === 'running') return running(read);
  if (read.outputs.length > 0 && (state === 'succeeded' || (read.progress ?? 100) >= 100))
    return { type: 'done', outputs: read.outputs };
  if (fault) return byFault(service, answer, read, fault);
  // Success without a picture may be the wrapper's word, or a picture that is still on its way.
  if (state === 'succeeded' || read.stand.told || isAboutTask(body, task.id)) return running(read);
  return { type: 'missing' };
}

/** A failure that names no task and no progress may be the failure of this look-up. */
function isAboutCall(body: Json, task: RemoteTask, read: ImageReading): boolean {
  if (speaksOf(body, task.id) || read.progress !== undefined) return false;
  return isCallWord(read.stand.word) || isUnknownTask(read.fault ?? faultOf(body));
}

const isBare = (body: Json): boolean =>
  isObject(body) || Array.isArray(body) ? Object.keys(body).length === 0 : body === '';

function byFault(
  service: Service,
  answer: Answer,
  read: ImageReading,
  fault: NonNullable<ImageReading['fault']>,
): PollOutcome {
  if (isUnknownId(fault)) return { type: 'missing', error: faultError(service, answer, fault, 'unknown', 'invalid') };
  const error = faultError(service, answer, fault, 'yes', read.refusal?.kind);
  return error.kind === 'moderation' ? { type: 'failed', error, billed: 'unknown' } : { type: 'unreachable', error };
}

/** The specification does not say that a failed picture is free (spec 8 speaks of videos only). */
function failed(service: Service, answer: Answer, read: ImageReading): PollOutcome {
  const said = read.fault ?? faultOf(answer.json);
  const message = said.message || 'The service says that the task failed, and gives no reason.';
  const error = faultError(service, answer, { message, words: [...said.words, read.stand.word ?? ''] }, 'yes');
  return { type: 'failed', error, billed: 'unknown' };
}

/** A picture before success is a preview, so it is left out here. */
function running(read: ImageReading): PollOutcome {
  return { type: 'running', ...(read.progress === undefined ? {} : { progress: read.progress }) };
}
