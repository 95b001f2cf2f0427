import type { ErrorKind } from '../../../../shared/jobs/job.ts';
import { shortened } from '../../../../shared/text/shortened.ts';
import { t } from '../../../../shared/text/texts.ts';
import { type AddressContext, outputAt } from '../addresses/mediaAddress.ts';
import { bodyError, gatewayError, unreadableError } from '../errors/gatewayError.ts';
import { type ServiceError, serviceErrorOf } from '../errors/serviceError.ts';
import type { Answer, ReadOptions } from '../exchange/answer.ts';
import { type Echo, echoOf } from '../exchange/echo.ts';
import { pathAtOrigin, segmentOf, urlAtOrigin, urlOf } from '../http/origin.ts';
import { field, textOf } from '../json/fields.ts';
import type { Json } from '../json/parse.ts';
import { refused, withStated } from '../outcomes/outcome.ts';
import type { Service } from '../service.ts';
import type { FilterNote, GatewayError, PollOutcome, RemoteOutput, RemoteTask, SubmitOutcome } from '../types.ts';
import type { TaskStatus } from './status.ts';
import { isUnknownId } from './taskErrors.ts';
import { explicitTaskId } from './taskId.ts';

/** Everything in an answer about a task, before it is decided what it means. */
export interface ParsedAnswer {
  taskStatus: TaskStatus;
  outputs: RemoteOutput[];
  id?: string | undefined;
  pollUrl?: string | undefined;
  /** A page of the gateway about the task, named in a text: polled if nothing else is named. */
  page?: string | undefined;
  progress?: number | undefined;
  serviceError?: ServiceError | undefined;
  filtered?: FilterNote | undefined;
  /** The prose of the answer, if the id of the task is only there. */
  prose?: string | undefined;
  /** The id of the chat answer itself. */
  answerId?: string | undefined;
  /** A refusal of content whose kind its form shows. */
  refusal?: Refusal | undefined;
  /** For a video without any output: the pictures that came instead of a clip. They count only if nothing else can come. */
  pictures?: RemoteOutput[];
  /** The text of a chat answer, and how it ended. */
  text?: string;
  finishReason?: string | undefined;
}

export interface Refusal {
  kind: ErrorKind;
  serviceError: ServiceError;
  /** The model has worked, so the charge is uncertain, whatever the text says. */
  acceptance?: 'open';
}

/** The differences between the media. Everything else about tasks is shared ({@link readSubmit}, {@link readPoll}). */
export interface Medium {
  kind: RemoteTask['kind'];
  /** Whether a failed task costs something if nothing states it. Only failed videos are known to be free (spec 8). */
  failureCosts: 'no' | 'unknown';
  parse(body: Json, context: AddressContext): ParsedAnswer;
  /** Parses a stream; absent for a medium without streams. */
  stream?(context: AddressContext): StreamParser;
  /** The outcome of a submit's answer that should have a result and has none; undefined if its task is to be polled. */
  ending(submitted: SubmitAnswer): SubmitOutcome | undefined;
  /** Whether the outputs of a submit's answer are the results, and not previews. */
  isResult(parsed: ParsedAnswer, answer: Answer): boolean;
  /** The same for the answer to a poll. */
  isPolledResult(parsed: ParsedAnswer): boolean;
  /** Whether an error ends the task even if the answer names the task or reports success. */
  errorEndsTask: boolean;
  /** The outcome for a task that has succeeded without naming a file. */
  withoutFile(parsed: ParsedAnswer): TaskPollOutcome | undefined;
}

export interface StreamParser {
  onEvent: ReadOptions['onEvent'];
  parsed(): ParsedAnswer;
  /** The documents that may state a cost. */
  documents(): Json[];
}

/** A submit's answer and its task, if it names one. */
export interface SubmitAnswer {
  service: Service;
  answer: Answer;
  parsed: ParsedAnswer;
  id: string | undefined;
  requestId: string | undefined;
}

/** `finished`: the task has succeeded, but the address of its file has still to be found. */
export type TaskPollOutcome = PollOutcome | { type: 'finished' };

/** An address that our own request contained is no result. */
export const contextOf = ({ profile }: Service, echo: Echo): AddressContext => ({
  base: profile.baseUrl,
  isEcho: echo.has,
});

export const contextOfTask = (service: Service, { ownUris = [] }: RemoteTask): AddressContext =>
  contextOf(service, echoOf(ownUris));

/** The outcome of a request that was sent and whose answer is not reliable. A task that the answer names can still be polled. */
export function lostAnswerOutcome(service: Service, answer: Answer, task?: RemoteTask): SubmitOutcome {
  return { type: 'unknown', error: unreadableError(service, answer), ...(task ? { task } : {}) };
}

/** The outcome of an answer in prose without a result and without a task. Whether it is billed is unknown. */
export function endedInWords(service: Service, answer: Answer, kind: ErrorKind, message: string): SubmitOutcome {
  const error = gatewayError(service, { kind, message, accepted: 'yes', retryable: false, status: answer.status });
  return { type: 'refused', error, billed: 'unknown' };
}

/** The outcome of an error that may be about the poll itself, so it decides nothing about the task. */
export function pollErrorOutcome(
  service: Service,
  answer: Answer,
  serviceError: ServiceError,
): Extract<PollOutcome, { type: 'missing' | 'unreachable' }> {
  return isUnknownId(serviceError)
    ? { type: 'missing', error: bodyError(service, answer, serviceError, 'unknown', 'invalid') }
    : { type: 'unreachable', error: bodyError(service, answer, serviceError, 'yes') };
}

/** The sentence in the answer to a poll, unless it only says that the task is unknown. */
export function saidOf(service: Service, answer: Answer): { said?: string } {
  const serviceError = answer.form === 'page' ? NO_WORDS : serviceErrorOf(answer.json ?? answer.text);
  if (serviceError.message === '' || isUnknownId(serviceError)) return {};
  const { message } = bodyError(service, answer, serviceError, 'unknown', 'server');
  return { said: t`The gateway says of the task: ${shortened(message, MOST_SAID)}` };
}

export const WITHOUT_FILE = t`The gateway reports success without a file.`;
/** The task has succeeded, and its file may follow in a moment. */
export const withoutFile: PollOutcome = { type: 'missing', said: WITHOUT_FILE, succeeded: true };

const NO_WORDS: ServiceError = { message: '', codes: [] };
const MOST_SAID = 300;

/** The prose of an answer that names a task, without secrets. */
export const proseOf = (service: Service, text: string): string =>
  shortened(gatewayError(service, { kind: 'server', message: text.trim(), accepted: 'yes' }).message, MOST_SAID);

/** The id in a poll path: `/v1/tasks/{id}/status`. */
export function idInPath(url: string): string | undefined {
  const path = URL.parse(url)?.pathname ?? url.split(/[?#]/)[0] ?? '';
  return path.split('/').findLast((part) => part !== '' && !/^(fetch|status|result|content|poll)$/i.test(part));
}

/** Whether the last part of a path has a digit, as in `/tasks/cgt-2024`. */
export function endsInId(uri: string): boolean {
  const [before = '', last = ''] = uri.replace(/\/$/, '').split('/').slice(-2);
  return /\w$/.test(before) && /^[\w.:-]+$/.test(last) && /\d/.test(last);
}

/**
 * The outcome of a submit with a bad status. If the error or a redirect within the profile's origin names a created task, the task can be
 * polled. `baseTaskId`: the earlier task that the request itself was about.
 */
export function submitErrorOutcome(
  service: Service,
  kind: RemoteTask['kind'],
  answer: Answer,
  { error, echo, baseTaskId }: { error: GatewayError; echo: Echo; baseTaskId?: unknown },
): SubmitOutcome {
  const stated = withStated(refused(error), answer, [answer.json]);
  // A picture that was made and then withheld may be billed (wire-families D, `moderation_details`).
  const stage = textOf(field(field(field(answer.json, 'error'), 'moderationDetails'), 'moderationStage'));
  const outcome: SubmitOutcome =
    stated.type === 'refused' && stage === 'output' ? { ...stated, billed: 'unknown' } : stated;
  const named = error.accepted === 'unknown' ? explicitTaskId(answer.json) : undefined;
  if (named !== undefined && named !== baseTaskId) {
    const cost = stated.stated ? { stated: stated.stated } : {};
    return { type: 'unknown', error, task: taskOf(service, kind, named, { echo }), ...cost };
  }
  const isRedirect = answer.status >= 300 && answer.status < 400;
  const { location } = answer.headers;
  const path = isRedirect && location !== undefined ? pathAtOrigin(service, location) : undefined;
  // A redirect to another host cannot be polled; one within the service may name a task.
  if (outcome.type !== 'unknown' || path === undefined || !endsInId(path)) return outcome;
  const id = idInPath(path);
  return id === undefined ? outcome : { ...outcome, task: taskOf(service, kind, id, { pollUrl: path, echo }) };
}

export function taskOf(
  service: Service,
  kind: RemoteTask['kind'],
  id: string,
  { pollUrl, echo, said }: { pollUrl?: string | undefined; echo: Echo; said?: string | undefined },
): RemoteTask {
  const pollPath = pollUrl === undefined ? undefined : pathAtOrigin(service, pollUrl);
  return {
    id,
    kind,
    acceptedAt: service.now(),
    ...(pollPath === undefined ? {} : { pollPath }),
    ...(echo.addresses.length > 0 ? { ownUris: echo.addresses } : {}),
    ...(said === undefined ? {} : { said }),
  };
}

export function doneOutcome(
  outputs: RemoteOutput[],
  { id, answerId, ...more }: Partial<SubmitAnswer> & Pick<ParsedAnswer, 'answerId' | 'filtered'>,
): SubmitOutcome {
  const names = id === undefined && answerId !== undefined ? { remoteId: answerId, ofAnswer: true } : { remoteId: id };
  const known = Object.entries({ ...names, ...more }).filter(([, value]) => value !== undefined);
  return { type: 'done', outputs, ...Object.fromEntries(known) };
}

/** `/v1/videos/{id}/content`, the usual endpoint for the bytes of a clip. */
export function contentOutput(service: Service, id: string, beside: Json | undefined, pollPath?: string): RemoteOutput {
  const path = pollPath?.split(/[?#]/, 1)[0] ?? '';
  const polled = path.split('/').at(-2) === 'videos' && !path.endsWith('/') ? path : undefined;
  const contentUrl = polled === undefined ? undefined : urlAtOrigin(service, `${polled}/content`);
  return outputAt((contentUrl ?? urlOf(service, `/v1/videos/${segmentOf(id)}/content`)).href, beside);
}
