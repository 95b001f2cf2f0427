import {
  bodyError,
  httpError,
  isNoSuchRoute,
  submitError,
  transportError,
  unreadableError,
} from '../errors/gatewayError.ts';
import { serviceErrorOf } from '../errors/serviceError.ts';
import { type Answer, isTruncated, requestIdOf } from '../exchange/answer.ts';
import { type Echo, echoOf } from '../exchange/echo.ts';
import { HEADER_MS, type SubmitRequest, sentTexts, submitRequest } from '../exchange/request.ts';
import { segmentOf, urlAtOrigin, urlOf } from '../http/origin.ts';
import { parsePartialJson } from '../json/parse.ts';
import { refused, withStated } from '../outcomes/outcome.ts';
import type { Service } from '../service.ts';
import type {
  ParsedTask,
  PollOutcome,
  RemoteTask,
  SendOptions,
  SubmitOutcome,
  TaskPoll,
  TaskSubmitRequest,
} from '../types.ts';
import {
  contextOf,
  doneOutcome,
  idInPath,
  lostAnswerOutcome,
  type Medium,
  type ParsedAnswer,
  proseOf,
  submitErrorOutcome,
  taskOf,
  withoutFile,
} from './parsedAnswer.ts';
import { pollOutcome, queryTask } from './readPoll.ts';
import { filteredError, messageWithoutReason } from './taskErrors.ts';

/** One request of any family, in one spelling. */
export interface Sent {
  outcome: SubmitOutcome;
  /** Absent if nothing was sent or no answer came. */
  answer?: Answer;
  /** The gateway has no such route, so the request had no effect. */
  hasNoRoute?: boolean;
}

interface Asked {
  medium: Medium;
  /** The parts of the request that an answer may repeat. The default is the texts of the body. */
  echo?: Echo;
  /** The earlier task that this request refers to. */
  baseTaskId?: unknown;
  /** The path for polling the task, unless the answer names one. */
  taskPath?: string | undefined;
}

/** Sends the request for a task once. */
export async function submitOnce(
  service: Service,
  request: SubmitRequest,
  { medium, echo = echoOf(sentTexts(request.body)), baseTaskId, taskPath }: Asked,
): Promise<Sent> {
  const stream = medium.stream?.(contextOf(service, echo));
  const read = stream ? { onEvent: stream.onEvent } : {};
  const { answer, failure } = await submitRequest(service, { ...request, read });
  if (failure) return { outcome: refused(transportError(service, failure)) };
  const error = httpError(service, answer);
  if (error) {
    const outcome = submitErrorOutcome(service, medium.kind, answer, { error, echo, baseTaskId });
    return { outcome, answer, hasNoRoute: isNoSuchRoute(answer) };
  }
  const streamed = answer.form === 'events' ? stream?.parsed() : undefined;
  const outcome = readSubmit(service, answer, { medium, echo, taskPath, streamed });
  // If the answer was cut, the missing part may have named the task.
  const isLost = answer.truncatedBy && outcome.type === 'refused';
  const documents = [answer.json, ...(stream?.documents() ?? [])];
  return { outcome: withStated(isLost ? lostAnswerOutcome(service, answer) : outcome, answer, documents), answer };
}

interface GoodAnswer {
  medium: Medium;
  echo: Echo;
  taskPath: string | undefined;
  streamed: ParsedAnswer | undefined;
}

/** Reads an answer with a good status. */

function readSubmit(service: Service, answer: Answer, { medium, echo, taskPath, streamed }: GoodAnswer): SubmitOutcome {
  if (!streamed && isTruncated(answer)) return truncatedOutcome(service, answer, { medium, echo });
  const parsed = streamed ?? medium.parse(answer.json ?? answer.text, contextOf(service, echo));
  const requestId = requestIdOf(answer.headers, answer.json);
  const { id, pollUrl } = taskNamed(service, answer, parsed, taskPath);
  const refusal = refusalIn(service, answer, parsed, medium, id);
  if (refusal) return refusal;
  const { outputs, answerId, filtered, prose } = parsed;
  if (outputs.length > 0 && medium.isResult(parsed, answer)) {
    return doneOutcome(outputs, { id, answerId, filtered, requestId });
  }
  const ending = medium.ending({ service, answer, parsed, id, requestId });
  if (ending || id === undefined) return ending ?? lostAnswerOutcome(service, answer);
  const said = prose === undefined ? undefined : proseOf(service, prose);
  const task = taskOf(service, medium.kind, id, { pollUrl, echo, said });
  return { type: 'accepted', task, ...(requestId === undefined ? {} : { requestId }) };
}

/** The task in the complete part of an answer that broke off can be polled. */
function truncatedOutcome(
  service: Service,
  answer: Answer,
  { medium, echo }: Pick<GoodAnswer, 'medium' | 'echo'>,
): SubmitOutcome {
  const part = parsePartialJson(answer.text);
  const { id, pollUrl } = part === undefined ? {} : medium.parse(part, contextOf(service, echo));
  const task = id === undefined ? undefined : taskOf(service, medium.kind, id, { pollUrl, echo });
  return lostAnswerOutcome(service, answer, task);
}

/** The task of an answer and its poll address: the address in the answer, or else the one of the API format. */
function taskNamed(service: Service, { headers }: Answer, parsed: ParsedAnswer, taskPath: string | undefined) {
  const named = parsed.pollUrl ?? headers['operation-location'] ?? headers.location ?? parsed.page;
  const id = parsed.id ?? (named === undefined ? undefined : idInPath(named));
  if (named !== undefined || id === undefined || taskPath === undefined) return { id, pollUrl: named };
  return { id, pollUrl: urlOf(service, taskPath.replace('{id}', segmentOf(id)) as `/${string}`).href };
}

/** A refusal by its form, a failed task, an error that is no state of a task, or content that was filtered. */
function refusalIn(
  service: Service,
  answer: Answer,
  parsed: ParsedAnswer,
  medium: Medium,
  id: string | undefined,
): SubmitOutcome | undefined {
  const { refusal, serviceError, filtered, outputs } = parsed;
  const { state, hasStatusField } = parsed.taskStatus;
  if (refusal) return refused(submitError(service, answer, refusal.serviceError, refusal.kind, refusal.acceptance));
  if (state === 'failed') return failedAtOnce(service, answer, parsed, medium, id);
  if (serviceError && state !== 'running') {
    const wasAccepted = id !== undefined && hasStatusField;
    return refused(
      wasAccepted ? bodyError(service, answer, serviceError, 'yes') : submitError(service, answer, serviceError),
    );
  }
  if (!filtered || outputs.length > 0) return undefined;
  const error = bodyError(service, answer, filteredError(filtered), 'yes', 'moderation');
  return { type: 'refused', error, billed: 'no' };
}

/** A failure with an id: the request was accepted before it failed. Without an id, the error's codes decide whether it was accepted. */
function failedAtOnce(
  service: Service,
  answer: Answer,
  parsed: ParsedAnswer,
  { failureCosts }: Medium,
  id: string | undefined,
): SubmitOutcome {
  const { word, kind } = parsed.taskStatus;
  const error = parsed.serviceError ?? serviceErrorOf(answer.json ?? answer.text);
  const codes = word === undefined ? error.codes : [...error.codes, word];
  const isUntold = error.message === '' && codes.length === 0 && kind !== undefined;
  const message = isUntold ? messageWithoutReason(word, { canceled: false, kind }) : error.message;
  const serviceError = { ...error, message, codes };
  if (id === undefined) return refused(submitError(service, answer, serviceError, kind));
  return { type: 'refused', error: bodyError(service, answer, serviceError, 'yes', kind), billed: failureCosts };
}

/**
 * Submits and polls of a kind that defines its own wire form: the kind says where to send what, and how to parse an answer. The key,
 * connections, errors and whether a request may have been accepted are handled as for every other call.
 */

const NOTHING: ParsedTask = { state: undefined };

const mediumOf = (parse: (answer: unknown) => ParsedTask): Medium => ({
  kind: 'task',
  failureCosts: 'unknown',
  parse(body, { isEcho }) {
    // A text that is no JSON means nothing to the kind.
    const { state, outputs = [], message, ...rest } = typeof body === 'string' ? NOTHING : parse(body);
    const isCanceled = state === 'canceled';
    const hasFailed = isCanceled || state === 'failed';
    return {
      ...rest,
      taskStatus: {
        ...(state === undefined ? {} : { state: isCanceled ? 'failed' : state, word: state }),
        hasStatusField: state !== undefined,
      },
      outputs: outputs.filter(({ uri }) => !isEcho(uri)),
      ...(hasFailed && message !== undefined ? { serviceError: { ...serviceErrorOf(body), message } } : {}),
    };
  },
  isResult: ({ taskStatus }) => taskStatus.state === 'succeeded',
  isPolledResult: ({ taskStatus }) => taskStatus.state === 'succeeded',
  errorEndsTask: false,
  withoutFile: () => withoutFile,
  ending: ({ service, answer, id }) => (id === undefined ? refused(unreadableError(service, answer)) : undefined),
});

export async function submitTask(
  service: Service,
  request: TaskSubmitRequest,
  send: SendOptions,
): Promise<SubmitOutcome> {
  const sent = await submitOnce(
    service,
    {
      path: request.path,
      body: request.body,
      send,
      headerMs: request.headerMs ?? HEADER_MS.image,
    },
    { medium: mediumOf(request.parse), echo: echoOf(request.sent) },
  );
  return sent.outcome;
}

export async function pollTask(
  service: Service,
  task: RemoteTask,
  { path, parse }: TaskPoll,
  signal?: AbortSignal,
): Promise<PollOutcome> {
  const stated = task.pollPath === undefined ? undefined : urlAtOrigin(service, task.pollPath);
  const url = stated ?? urlOf(service, path(segmentOf(task.id)));
  return pollOutcome(service, task, await queryTask(service, url, signal), mediumOf(parse));
}
