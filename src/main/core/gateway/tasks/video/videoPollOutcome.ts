import { t } from '../../../../../shared/text/texts.ts';
import { bodyError, errorKindOf, gatewayError } from '../../errors/index.ts';
import { type Answer, echoOf, lastDocument } from '../../exchange/index.ts';
import { urlAtOrigin } from '../../http/index.ts';
import { isObject, type Json } from '../../json/index.ts';
import type { Service } from '../../service.ts';
import type { PollOutcome, RemoteTask } from '../../types.ts';
import {
  failureReasonOf,
  filteredError,
  hasFailedInside,
  isAboutContent,
  isAboutGeneration,
  isCanceled,
  isDeleted,
  isNotReady,
  isUnknownTask,
  isUnreadable,
  mayBeOfPoll,
  mayDecide,
  messageWithoutReason,
} from '../taskErrors.ts';
import { entryOf, mentionsTask } from '../taskId.ts';
import { pollErrorOutcome } from '../taskOutcomes.ts';
import { type ParsedVideo, parseVideo } from './parsedVideo.ts';
import type { PollPath } from './pollPaths.ts';

/** `finished`: the task has finished, but the address of its clip has still to be found. */
export type VideoPollOutcome = PollOutcome | { type: 'finished' };

/** Whether an outcome decides the state of the task. */
export const isDecisive = (
  outcome: PollOutcome,
): outcome is Exclude<PollOutcome, { type: 'missing' | 'unreachable' }> =>
  outcome.type !== 'missing' && outcome.type !== 'unreachable';

/** Whether the clip itself came in place of an answer that names it. */
export const isClip = ({ form, status }: Answer): boolean => form === 'clip' && status < 300;
export const clipAt = ({ href }: URL): PollOutcome => ({ type: 'done', outputs: [{ uri: href, role: 'output' }] });

export function parsedAnswer(service: Service, task: RemoteTask, body: Json): ParsedVideo {
  return parseVideo(body, { base: service.profile.baseUrl, isEcho: echoOf(task.ownUris ?? []).has });
}

/** One answer to a poll, and how far it can be believed. */
interface PollAnswer {
  service: Service;
  answer: Answer;
  parsed: ParsedVideo;
  /** It names the very task. */
  names: boolean;
  /** It came from a path that is known to be the task's. */
  sure: boolean;
}

/** The outcome of an answer; undefined if it is not about the task. */
export function videoPollOutcome(
  service: Service,
  task: RemoteTask,
  answer: Answer,
  pollPath: PollPath,
): VideoPollOutcome | undefined {
  const url = isClip(answer) ? urlAtOrigin(service, pollPath.path) : undefined;
  if (url) return clipAt(url);
  if (answer.truncatedBy)
    return { type: 'unreachable', error: gatewayError(service, { ...answer.truncatedBy, accepted: 'yes' }) };
  if (answer.form === 'empty' && answer.status < 300) return { type: 'missing' };
  const document = lastDocument(answer);
  const body = document === undefined ? undefined : entryOf(document, task.id);
  if (body === undefined) return isUnreadable(answer) ? unreadable(service) : undefined;
  const parsed = parsedAnswer(service, task, body);
  const names = mentionsTask(body, task.id);
  const pollAnswer: PollAnswer = {
    service,
    answer: { ...answer, json: body },
    parsed,
    names,
    sure: pollPath.template === undefined,
  };
  if (answer.status >= 300) return byBadStatus(pollAnswer);
  if (parsed.taskStatus.unknown) return { type: 'missing' };
  return byState(pollAnswer) ?? byError(pollAnswer) ?? byOtherFields(pollAnswer);
}

/** An answer with a bad status counts if it names this very task as failed, or says that the task is not ready. */
function byBadStatus(pollAnswer: PollAnswer): VideoPollOutcome | undefined {
  const { service, answer, parsed, names, sure } = pollAnswer;
  if (names && parsed.taskStatus.state === 'failed' && mayDecide(answer.status))
    return ofPoll(pollAnswer) ?? failed(pollAnswer);
  const serviceError = failureReasonOf(answer.json);
  const kind = errorKindOf(serviceError, answer.status);
  // Whether the refused content is billed is unknown.
  if (isObject(answer.json) && isAboutContent(serviceError, kind, answer.status, sure))
    return { type: 'failed', error: bodyError(service, answer, serviceError, 'yes', kind), billed: 'unknown' };
  const notReady = [400, 404, 409, 422, 425].includes(answer.status) && isNotReady(serviceError);
  return sure && notReady ? running(parsed) : undefined;
}

function byState(pollAnswer: PollAnswer): VideoPollOutcome | undefined {
  const { parsed } = pollAnswer;
  const { state, mayBeOfCall: ofCall } = parsed.taskStatus;
  if (state === 'failed') return failedState(pollAnswer);
  if (state === 'running') return running(parsed);
  if (parsed.outputs.length > 0) return withOutputs(pollAnswer);
  if (parsed.filtered) return filteredOut(pollAnswer);
  if (state !== 'succeeded' || ofCall) return undefined;
  // The status says that it is over, so it may be billed.
  if (hasFailedInside(pollAnswer.answer.json)) return failed(pollAnswer, 'unknown');
  return parsed.serviceError ? failed(pollAnswer) : { type: 'finished' };
}

function failedState(pollAnswer: PollAnswer): VideoPollOutcome | undefined {
  if (isAboutCall(pollAnswer)) return undefined;
  if (isOnlyNotReady(pollAnswer)) return running(pollAnswer.parsed);
  return ofPoll(pollAnswer) ?? failed(pollAnswer);
}

/** The outcome of a failure that may be that of the poll, though its answer names the task. */
function ofPoll({ service, answer, parsed, names }: PollAnswer): PollOutcome | undefined {
  const serviceError = parsed.serviceError ?? failureReasonOf(answer.json);
  if (!names || !mayBeOfPoll(answer.json, parsed.taskStatus, serviceError)) return undefined;
  return pollErrorOutcome(service, answer, serviceError);
}

/** With an error beside it, the address is not the clip. A task that is marked as succeeded all the same may be billed. */
function withOutputs(pollAnswer: PollAnswer): VideoPollOutcome {
  const { outputs, filtered, serviceError, taskStatus } = pollAnswer.parsed;
  if (serviceError && isAboutTask(pollAnswer))
    return failed(pollAnswer, taskStatus.state === 'succeeded' ? 'unknown' : 'no');
  return { type: 'done', outputs, ...(filtered ? { filtered } : {}) };
}

/** Whether a failure may be the failure of this poll: it names no task and no progress. */
function isAboutCall({ parsed, answer, names }: PollAnswer): boolean {
  if (names || parsed.progress !== undefined) return false;
  const serviceError = parsed.serviceError ?? failureReasonOf(answer.json);
  return isUnknownTask(serviceError) || (parsed.taskStatus.mayBeOfCall === true && !isAboutGeneration(serviceError));
}

/** Whether only a flag, which may be the poll's, says that it failed, and the reason is that it is too early. */
const isOnlyNotReady = ({ parsed, answer }: PollAnswer): boolean =>
  parsed.taskStatus.word === undefined && isNotReady(parsed.serviceError ?? failureReasonOf(answer.json));

const isAboutTask = ({ parsed }: PollAnswer): boolean =>
  parsed.serviceError !== undefined && !isNotReady(parsed.serviceError);

function failed(
  { service, answer, parsed }: PollAnswer,
  billed: 'no' | 'unknown' = isDeleted(parsed.taskStatus) ? 'unknown' : 'no',
): PollOutcome {
  const reason = parsed.serviceError?.message ? parsed.serviceError : failureReasonOf(answer.json);
  const serviceError = { ...reason, codes: [...reason.codes, parsed.taskStatus.word ?? ''] };
  const kind =
    parsed.filtered && reason.message === ''
      ? 'moderation'
      : (parsed.taskStatus.kind ?? errorKindOf(serviceError, serviceError.httpStatus ?? 0));
  const message = parsed.filtered && reason.message === '' ? filteredError(parsed.filtered).message : reason.message;
  const canceled = isCanceled(parsed.taskStatus.word, reason, kind);
  const sentence = message || messageWithoutReason('video', parsed.taskStatus.word, { canceled, kind });
  const error = bodyError(service, answer, { ...serviceError, message: sentence }, 'yes', kind);
  return { type: 'failed', error, billed, ...(canceled ? { canceled } : {}) };
}

function filteredOut({ service, answer, parsed }: PollAnswer): PollOutcome | undefined {
  if (!parsed.filtered) return undefined;
  const error = bodyError(service, answer, filteredError(parsed.filtered), 'yes', 'moderation');
  return { type: 'failed', error, billed: 'no' };
}

function byError(pollAnswer: PollAnswer): PollOutcome | undefined {
  const { service, answer, parsed, names, sure } = pollAnswer;
  if (!parsed.serviceError) return undefined;
  if (isNotReady(parsed.serviceError)) return running(parsed);
  const outcome = pollErrorOutcome(service, answer, parsed.serviceError);
  if (outcome.type === 'missing') return outcome;
  const error = bodyError(service, answer, parsed.serviceError, 'yes');
  const isOfTask = names && !ofPoll(pollAnswer);
  return isOfTask || isAboutContent(parsed.serviceError, error.kind, answer.status, sure)
    ? { type: 'failed', error, billed: 'no' }
    : outcome;
}

/** An answer without a state is about the task if it names it; at the task's own path, any sign of a task is enough. */
function byOtherFields({ parsed, names, sure }: PollAnswer): PollOutcome | undefined {
  return names || parsed.progress !== undefined || (sure && parsed.taskStatus.hasStatusField)
    ? running(parsed)
    : undefined;
}

function running(parsed: ParsedVideo): PollOutcome {
  return { type: 'running', ...(parsed.progress === undefined ? {} : { progress: parsed.progress }) };
}

function unreadable(service: Service): PollOutcome {
  const message = t`The answer of the gateway cannot be understood.`;
  return { type: 'unreachable', error: gatewayError(service, { kind: 'server', message, accepted: 'yes' }) };
}
