import { jsonHeaders, plainHeaders } from '../../../../shared/wire/headers.ts';
import {
  bodyError,
  gatewayError,
  httpError,
  type ServiceError,
  serviceErrorOf,
  submitError,
  transportError,
  unreadableError,
} from '../errors/index.ts';
import {
  type Answer,
  type Echo,
  echoOf,
  HEADER_MS,
  isTruncated,
  requestIdOf,
  type SubmitRequest,
  sendQuery,
} from '../exchange/index.ts';
import { segmentOf, urlAtOrigin, urlOf } from '../http/index.ts';
import { refused, withStated } from '../outcomes/index.ts';
import { bearer, type Service } from '../service.ts';
import type {
  ParsedTask,
  PollOutcome,
  RemoteTask,
  SendOptions,
  SubmitOutcome,
  TaskPoll,
  TaskSubmitRequest,
} from '../types.ts';
import { submitOnce } from './submitOnce.ts';
import { acceptedOutcome, doneOutcome, lostAnswerOutcome, withoutFile } from './taskOutcomes.ts';

/**
 * Submits and polls of a kind that defines its own wire form: the kind says where to send what, and how to parse an answer. The key,
 * connections, errors and whether a request may have been accepted are handled as for every other call.
 */

const ANSWER_LIMIT = 96 * 1024 * 1024;

export async function submitTask(
  service: Service,
  request: TaskSubmitRequest,
  send: SendOptions,
): Promise<SubmitOutcome> {
  const echo = echoOf(request.sent);
  const sent: SubmitRequest = {
    url: urlOf(service, request.path),
    headers: jsonHeaders(),
    auth: bearer(service),
    body: request.body,
    send,
    headerMs: request.headerMs ?? HEADER_MS.image,
    read: { limit: ANSWER_LIMIT },
  };
  return (await submitOnce(service, sent, { kind: 'task', echo, read })).outcome;

  function read(answer: Answer): SubmitOutcome {
    if (isTruncated(answer) || answer.json === undefined) return lostAnswerOutcome(service, answer);
    const parsed = request.parse(answer.json);
    const requestId = requestIdOf(answer.headers, answer.json);
    const { id, outputs = [], pollUrl } = parsed;
    if (parsed.state === 'failed' || parsed.state === 'canceled') {
      const serviceError = errorIn(parsed, answer.json);
      if (id === undefined) return refused(submitError(service, answer, serviceError));
      return { type: 'refused', error: bodyError(service, answer, serviceError, 'yes'), billed: 'unknown' };
    }
    const results = withoutEcho(outputs, echo);
    if (parsed.state === 'succeeded' && results.length > 0) return doneOutcome(results, { remoteId: id, requestId });
    if (id !== undefined) return acceptedOutcome(service, 'task', id, { pollUrl, requestId, echo });
    return refused(unreadableError(service, answer));
  }
}

/** A poll that fails never ends the job. */
export async function pollTask(
  service: Service,
  task: RemoteTask,
  poll: TaskPoll,
  signal?: AbortSignal,
): Promise<PollOutcome> {
  const stated = task.pollPath === undefined ? undefined : urlAtOrigin(service, task.pollPath);
  const url = stated ?? urlOf(service, poll.path(segmentOf(task.id)));
  const exchange = await sendQuery(service, {
    method: 'GET',
    url,
    headers: { ...plainHeaders(), ...bearer(service) },
    signal,
  });
  if (exchange.failure) return { type: 'unreachable', error: transportError(service, exchange.failure) };
  const { answer } = exchange;
  if (answer.truncatedBy)
    return { type: 'unreachable', error: gatewayError(service, { ...answer.truncatedBy, accepted: 'yes' }) };
  const error = httpError(service, answer);
  if (error) return { type: error.status === 404 && error.kind === 'invalid' ? 'missing' : 'unreachable', error };
  if (answer.json === undefined) return { type: 'unreachable', error: unreadableError(service, answer) };
  return outcomeByState(service, task, answer, poll.parse(answer.json));
}

function outcomeByState(service: Service, task: RemoteTask, answer: Answer, parsed: ParsedTask): PollOutcome {
  const outputs = withoutEcho(parsed.outputs ?? [], echoOf(task.ownUris ?? []));
  switch (parsed.state) {
    case 'running':
      return { type: 'running', ...(parsed.progress === undefined ? {} : { progress: parsed.progress }) };
    case 'succeeded':
      return outputs.length > 0 ? withStated({ type: 'done', outputs }, answer, [answer.json]) : withoutFile;
    case 'failed':
    case 'canceled': {
      const failure = bodyError(service, answer, errorIn(parsed, answer.json), 'yes');
      const canceled = parsed.state === 'canceled' ? { canceled: true } : {};
      return withStated({ type: 'failed', error: failure, billed: 'unknown', ...canceled }, answer, [answer.json]);
    }
    default:
      return { type: 'unreachable', error: unreadableError(service, answer) };
  }
}

/** The outputs without addresses that our own request contained. */
const withoutEcho = (outputs: NonNullable<ParsedTask['outputs']>, echo: Echo) =>
  outputs.filter(({ uri }) => !echo.has(uri));

const errorIn = ({ message }: ParsedTask, json: Parameters<typeof serviceErrorOf>[0]): ServiceError => {
  const serviceError = serviceErrorOf(json);
  return message === undefined ? serviceError : { ...serviceError, message };
};
