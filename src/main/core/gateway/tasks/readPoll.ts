import { t } from '../../../../shared/text/texts.ts';
import { plainHeaders } from '../../../../shared/wire/headers.ts';
import { errorKindOf } from '../errors/classify.ts';
import { bodyError, gatewayError, httpError, transportError } from '../errors/gatewayError.ts';
import { explicitError } from '../errors/serviceError.ts';
import { type Answer, lastDocument } from '../exchange/answer.ts';
import { type Exchange, sendQuery } from '../exchange/request.ts';
import { isObject } from '../json/fields.ts';
import { withStated } from '../outcomes/outcome.ts';
import { bearer, type Service } from '../service.ts';
import type { FilterNote, PollOutcome, RemoteTask } from '../types.ts';
import {
  contextOfTask,
  type Medium,
  type ParsedAnswer,
  pollErrorOutcome,
  saidOf,
  type TaskPollOutcome,
} from './parsedAnswer.ts';
import {
  failureReasonOf,
  filteredError,
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
} from './taskErrors.ts';
import { entryOf, hasFieldsOfTask, mentionsTask } from './taskId.ts';

/** One answer to a poll, and how reliable it is. */
interface PollAnswer {
  service: Service;
  medium: Medium;
  answer: Answer;
  parsed: ParsedAnswer;
  /** Whether the answer names this task. */
  names: boolean;
  /** Whether the answer came from an address that is known to be the task's. */
  sure: boolean;
}

/** Queries an address of the gateway about a task. */
export const queryTask = (service: Service, url: URL, signal: AbortSignal | undefined): Promise<Exchange> =>
  sendQuery(service, { method: 'GET', url, headers: { ...plainHeaders(), ...bearer(service) }, signal });

/** Whether the clip itself came instead of an answer that names it. */
export const isClip = ({ form, status }: Answer): boolean => form === 'clip' && status < 300;
export const clipAt = ({ href }: URL): PollOutcome => ({ type: 'done', outputs: [{ uri: href, role: 'output' }] });

/**
 * The outcome of an answer to a poll; undefined if the answer is not about the task. `url`: an address that may deliver the clip itself.
 */
export function readPoll(
  service: Service,
  task: RemoteTask,
  answer: Answer,
  { medium, sure, url }: { medium: Medium; sure: boolean; url?: URL },
): TaskPollOutcome | undefined {
  if (isClip(answer)) return url ? clipAt(url) : unreadable(service);
  if (answer.truncatedBy)
    return { type: 'unreachable', error: gatewayError(service, { ...answer.truncatedBy, accepted: 'yes' }) };
  if (answer.form === 'empty' && answer.status < 300) return { type: 'missing' };
  const document = lastDocument(answer);
  // A kind with a wire form of its own parses the whole answer.
  const isWhole = document === undefined || medium.kind === 'task';
  const body = isWhole ? document : entryOf(document, task.id);
  if (body === undefined) return isUnreadable(answer) ? unreadable(service) : undefined;
  const pollAnswer: PollAnswer = {
    service,
    medium,
    answer: { ...answer, json: body },
    parsed: medium.parse(body, contextOfTask(service, task)),
    names: mentionsTask(body, task.id),
    sure,
  };
  if (answer.status >= 300) return byBadStatus(pollAnswer);
  if (pollAnswer.parsed.taskStatus.unknown) return { type: 'missing' };
  return byState(pollAnswer) ?? byError(pollAnswer) ?? byOtherFields(pollAnswer);
}

/** The outcome of a poll of a task that has one place. A poll that fails never ends the job. */
export function pollOutcome(
  service: Service,
  task: RemoteTask,
  { answer, failure }: Exchange,
  medium: Medium,
): PollOutcome {
  if (failure) return { type: 'unreachable', error: transportError(service, failure) };
  const outcome = readPoll(service, task, answer, { medium, sure: true });
  if (outcome && outcome.type !== 'finished') return withCost(outcome, answer, task);
  const error = httpError(service, answer);
  const isMissing = OF_THE_TASK.has(answer.status) && error?.kind === 'invalid' && answer.form !== 'page';
  if (error && !isMissing) return { type: 'unreachable', error };
  const serviceError = error ? undefined : explicitError(answer.json);
  if (serviceError) return pollErrorOutcome(service, answer, serviceError);
  return { type: 'missing', ...(error ? { error } : {}), ...saidOf(service, answer) };
}

/** Whether an outcome decides the state of the task. */
export const isDecisive = (
  outcome: PollOutcome,
): outcome is Exclude<PollOutcome, { type: 'missing' | 'unreachable' }> =>
  outcome.type !== 'missing' && outcome.type !== 'unreachable';

/** The outcome with the cost that the answer states for this task. */
export function withCost<Outcome extends TaskPollOutcome>(
  outcome: Outcome,
  answer: Answer,
  { id }: RemoteTask,
): Outcome {
  const document = lastDocument(answer);
  return withStated(outcome, answer, [document === undefined ? undefined : entryOf(document, id)]);
}

type Read<Outcome = TaskPollOutcome> = (pollAnswer: PollAnswer) => Outcome | undefined;

/** An answer with a bad status counts if it names this very task as failed, or says that the task is not ready. */
const byBadStatus: Read = (pollAnswer) => {
  const { service, answer, parsed, names, sure } = pollAnswer;
  if (names && parsed.taskStatus.state === 'failed' && mayDecide(answer.status))
    return ofPoll(pollAnswer) ?? failed(pollAnswer);
  const serviceError = failureReasonOf(answer.json);
  const kind = errorKindOf(serviceError, answer.status);
  // Whether the refused content is billed is unknown.
  if (isObject(answer.json) && isAboutContent(serviceError, kind, answer.status, sure))
    return { type: 'failed', error: bodyError(service, answer, serviceError, 'yes', kind), billed: 'unknown' };
  return sure && OF_THE_TASK.has(answer.status) && isNotReady(serviceError) ? running(parsed) : undefined;
};

/** Statuses with which a service says that a task is not ready, or not there. */
const OF_THE_TASK: ReadonlySet<number> = new Set([400, 404, 405, 409, 410, 422, 425]);

const byState: Read = (pollAnswer) => {
  const { medium, parsed } = pollAnswer;
  const { state } = parsed.taskStatus;
  if (state === 'failed') return failedState(pollAnswer);
  if (state === 'running') return running(parsed);
  if (parsed.outputs.length > 0 && medium.isPolledResult(parsed)) return withOutputs(pollAnswer);
  if (parsed.filtered) return filteredOut(pollAnswer, parsed.filtered);
  if (state !== 'succeeded' || (parsed.serviceError && !medium.errorEndsTask)) return undefined;
  const outcome = medium.withoutFile(parsed);
  return outcome && parsed.serviceError ? failed(pollAnswer) : outcome;
};

/** The reasons of the filter count, whatever the message beside them. */
function filteredOut({ service, answer }: PollAnswer, note: FilterNote): PollOutcome {
  const error = bodyError(service, answer, filteredError(note), 'yes', 'moderation');
  return { type: 'failed', error, billed: 'no' };
}

const failedState: Read = (pollAnswer) => {
  if (isAboutCall(pollAnswer)) return undefined;
  return isOnlyNotReady(pollAnswer) ? running(pollAnswer.parsed) : (ofPoll(pollAnswer) ?? failed(pollAnswer));
};

/** The outcome of a failure that may be about the poll, although the answer names the task. */
const ofPoll: Read<PollOutcome> = ({ service, answer, parsed, names }) => {
  const serviceError = parsed.serviceError ?? failureReasonOf(answer.json);
  if (!names || !mayBeOfPoll(answer.json, parsed.taskStatus, serviceError)) return undefined;
  return pollErrorOutcome(service, answer, serviceError);
};

/** An address beside an error is not a result. If the task is still marked as succeeded, it may be billed. */
const withOutputs: Read = (pollAnswer) => {
  const { outputs, filtered, serviceError, taskStatus } = pollAnswer.parsed;
  if (serviceError && !isNotReady(serviceError))
    return failed(pollAnswer, taskStatus.state === 'succeeded' ? 'unknown' : pollAnswer.medium.failureCosts);
  return { type: 'done', outputs, ...(filtered ? { filtered } : {}) };
};

/** Whether a failure may be the failure of this poll: it names no task and no progress. */
function isAboutCall({ parsed, answer, names }: PollAnswer): boolean {
  if (names || parsed.progress !== undefined) return false;
  const serviceError = parsed.serviceError ?? failureReasonOf(answer.json);
  return isUnknownTask(serviceError) || (parsed.taskStatus.mayBeOfCall === true && !isAboutGeneration(serviceError));
}

/** Whether only a flag, which may be the poll's, says that it failed, and the reason is that it is too early. */
const isOnlyNotReady = ({ parsed, answer }: PollAnswer): boolean =>
  parsed.taskStatus.word === undefined && isNotReady(parsed.serviceError ?? failureReasonOf(answer.json));

function failed(
  { service, medium, answer, parsed }: PollAnswer,
  billed: 'no' | 'unknown' = isDeleted(parsed.taskStatus) ? 'unknown' : medium.failureCosts,
): PollOutcome {
  const { taskStatus, filtered } = parsed;
  const reason = parsed.serviceError?.message ? parsed.serviceError : failureReasonOf(answer.json);
  const serviceError = { ...reason, codes: [...reason.codes, taskStatus.word ?? ''] };
  const withheld = reason.message === '' ? filtered && filteredError(filtered).message : undefined;
  const meant = withheld === undefined ? taskStatus.kind : 'moderation';
  const kind = meant ?? errorKindOf(serviceError, serviceError.httpStatus ?? 0);
  const canceled = isCanceled(taskStatus.word, reason, kind);
  const message = reason.message || withheld || messageWithoutReason(taskStatus.word, { canceled, kind });
  const error = bodyError(service, answer, { ...serviceError, message }, 'yes', kind);
  return { type: 'failed', error, billed, ...(canceled ? { canceled } : {}) };
}

const byError: Read<PollOutcome> = (pollAnswer) => {
  const { service, medium, answer, parsed, names, sure } = pollAnswer;
  const serviceError = parsed.refusal?.serviceError ?? parsed.serviceError;
  if (!serviceError) return undefined;
  if (isNotReady(serviceError)) return running(parsed);
  const outcome = pollErrorOutcome(service, answer, serviceError);
  if (outcome.type === 'missing') return outcome;
  const error = bodyError(service, answer, serviceError, 'yes', parsed.refusal?.kind);
  const isOfTask = medium.errorEndsTask && names && !ofPoll(pollAnswer);
  return isOfTask || isAboutContent(serviceError, error.kind, answer.status, sure)
    ? { type: 'failed', error, billed: medium.failureCosts }
    : { ...outcome, error };
};

/**
 * An answer without a state is about the task if it names the task. At the task's own address, any sign of a task is enough. For a video
 * only a state counts there, because other addresses may tell more.
 */
const byOtherFields: Read<PollOutcome> = ({ medium, answer, parsed, names, sure }) => {
  const isSign = parsed.taskStatus.hasStatusField || (medium.kind !== 'video' && hasFieldsOfTask(answer.json));
  return names || parsed.progress !== undefined || (sure && isSign) ? running(parsed) : undefined;
};

/** A preview is no result, so it is left out here. */
const running = ({ progress }: ParsedAnswer): PollOutcome => ({
  type: 'running',
  ...(progress === undefined ? {} : { progress }),
});

function unreadable(service: Service): PollOutcome {
  const message = t`The gateway’s answer cannot be understood.`;
  return { type: 'unreachable', error: gatewayError(service, { kind: 'server', message, accepted: 'yes' }) };
}
