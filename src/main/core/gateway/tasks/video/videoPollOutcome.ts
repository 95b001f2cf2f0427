import { bodyError, gatewayError, kindOf } from '../../errors/index.ts';
import { type Answer, echoOf, lastDocument } from '../../exchange/index.ts';
import { isObject, type Json } from '../../json/index.ts';
import type { Service } from '../../service.ts';
import type { PollOutcome, RemoteTask } from '../../types.ts';
import {
  filteredError,
  isAboutContent,
  isCallWord,
  isCanceled,
  isNotReady,
  isUnknownId,
  isUnknownTask,
  isUnreadable,
  reasonOf,
  speaksOfMaking,
  withoutReason,
} from '../taskErrors.ts';
import { entryOf, speaksOf } from '../taskId.ts';
import { readVideo, type VideoReading } from './parsedVideo.ts';
import type { PollPlace } from './pollPaths.ts';

/** `finished`: over, but where its clip is has still to be found. */
export type VideoPollOutcome = PollOutcome | { type: 'finished' };

/** Whether an outcome decides how the task is doing. */
export const isDecisive = (
  outcome: PollOutcome,
): outcome is Exclude<PollOutcome, { type: 'missing' | 'unreachable' }> =>
  outcome.type !== 'missing' && outcome.type !== 'unreachable';

export function readingOf(service: Service, task: RemoteTask, body: Json): VideoReading {
  return readVideo(body, { base: service.profile.baseUrl, isEcho: echoOf(task.ownUris ?? []).has });
}

/** One answer to a poll, and how far it can be believed. */
interface Heard {
  service: Service;
  answer: Answer;
  read: VideoReading;
  /** It names the very task. */
  names: boolean;
  /** It came from a place that is known to be the task's. */
  sure: boolean;
}

/** What an answer says about the task; nothing where it does not speak about it. */
export function videoPollOutcome(
  service: Service,
  task: RemoteTask,
  answer: Answer,
  place: PollPlace,
): VideoPollOutcome | undefined {
  if (answer.cut) return { type: 'unreachable', error: gatewayError(service, { ...answer.cut, accepted: 'yes' }) };
  if (answer.form === 'empty' && answer.status < 300) return { type: 'missing' };
  const document = lastDocument(answer);
  const body = document === undefined ? undefined : entryOf(document, task.id);
  if (body === undefined) return isUnreadable(answer) ? unreadable(service) : undefined;
  const read = readingOf(service, task, body);
  const names = speaksOf(body, task.id);
  const heard: Heard = { service, answer: { ...answer, json: body }, read, names, sure: place.template === undefined };
  if (answer.status >= 300) return ofBadStatus(heard);
  if (read.stand.unknown) return { type: 'missing' };
  return byState(heard) ?? byError(heard) ?? byTraces(heard);
}

/** An answer with a bad status counts where it names this very task as failed, or says that it is only not ready. */
function ofBadStatus(heard: Heard): VideoPollOutcome | undefined {
  const { service, answer, read, names, sure } = heard;
  if (names && read.stand.state === 'failed') return failed(heard);
  const serviceError = reasonOf(answer.json);
  const kind = kindOf(serviceError, answer.status);
  // Whether what was refused has been billed is not said.
  if (isObject(answer.json) && isAboutContent(serviceError, kind, answer.status, sure))
    return { type: 'failed', error: bodyError(service, answer, serviceError, 'yes', kind), billed: 'unknown' };
  const notReady = [400, 404, 409, 422, 425].includes(answer.status) && isNotReady(serviceError);
  return sure && notReady ? running(read) : undefined;
}

function byState(heard: Heard): VideoPollOutcome | undefined {
  const { read } = heard;
  const { state, ofCall } = read.stand;
  if (state === 'failed') return isAboutCall(heard) ? undefined : isOnlyNotReady(heard) ? running(read) : failed(heard);
  if (state === 'running') return running(read);
  // An error beside an address: what stands there is not the clip. A task that succeeded all the same may be billed.
  if (read.outputs.length > 0 && read.serviceError && isAboutTask(heard))
    return failed(heard, state === 'succeeded' ? 'unknown' : 'no');
  if (read.outputs.length > 0)
    return { type: 'done', outputs: read.outputs, ...(read.filtered ? { filtered: read.filtered } : {}) };
  if (read.filtered) return filteredOut(heard);
  if (state !== 'succeeded' || ofCall) return undefined;
  return read.serviceError ? failed(heard) : { type: 'finished' };
}

/** A failure that names no task and no progress may be the failure of this look-up. */
function isAboutCall({ read, answer, names }: Heard): boolean {
  if (names || read.progress !== undefined) return false;
  const serviceError = read.serviceError ?? reasonOf(answer.json);
  return (
    isUnknownTask(serviceError) || (!read.stand.ofTask && isCallWord(read.stand.word) && !speaksOfMaking(serviceError))
  );
}

/** Told as a failure by a flag alone, which may be of the look-up, with the reason that it is too early. */
const isOnlyNotReady = ({ read, answer }: Heard): boolean =>
  read.stand.word === undefined && isNotReady(read.serviceError ?? reasonOf(answer.json));

const isAboutTask = ({ read }: Heard): boolean => read.serviceError !== undefined && !isNotReady(read.serviceError);

function failed({ service, answer, read }: Heard, billed: 'no' | 'unknown' = 'no'): PollOutcome {
  const said = read.serviceError?.message ? read.serviceError : reasonOf(answer.json);
  const serviceError = { ...said, words: [...said.words, read.stand.word ?? ''] };
  const kind =
    read.filtered && said.message === ''
      ? 'moderation'
      : (read.stand.kind ?? kindOf(serviceError, serviceError.code ?? 0));
  const message = read.filtered && said.message === '' ? filteredError(read.filtered).message : said.message;
  const canceled = isCanceled(read.stand.word, said, kind);
  const reason = message || withoutReason('video', read.stand.word, { canceled, kind });
  const error = bodyError(service, answer, { ...serviceError, message: reason }, 'yes', kind);
  return { type: 'failed', error, billed, ...(canceled ? { canceled } : {}) };
}

function filteredOut({ service, answer, read }: Heard): PollOutcome | undefined {
  if (!read.filtered) return undefined;
  const error = bodyError(service, answer, filteredError(read.filtered), 'yes', 'moderation');
  return { type: 'failed', error, billed: 'no' };
}

function byError({ service, answer, read, names, sure }: Heard): PollOutcome | undefined {
  if (!read.serviceError) return undefined;
  if (isNotReady(read.serviceError)) return running(read);
  if (isUnknownId(read.serviceError))
    return { type: 'missing', error: bodyError(service, answer, read.serviceError, 'unknown', 'invalid') };
  const error = bodyError(service, answer, read.serviceError, 'yes');
  if (names || isAboutContent(read.serviceError, error.kind, answer.status, sure))
    return { type: 'failed', error, billed: 'no' };
  return { type: 'unreachable', error };
}

/** An answer without a state is about the task if it names it; at a place of its own any sign will do. */
function byTraces({ read, names, sure }: Heard): PollOutcome | undefined {
  return names || read.progress !== undefined || (sure && read.stand.told) ? running(read) : undefined;
}

function running(read: VideoReading): PollOutcome {
  return { type: 'running', ...(read.progress === undefined ? {} : { progress: read.progress }) };
}

function unreadable(service: Service): PollOutcome {
  const message = 'The answer of the service cannot be understood.';
  return { type: 'unreachable', error: gatewayError(service, { kind: 'server', message, accepted: 'yes' }) };
}
