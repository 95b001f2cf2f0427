import { jsonHeaders } from '../../../../shared/wire/headers.ts';
import { httpError, serviceErrorOf, transportError, unreadableError } from '../errors/index.ts';
import { type Answer, echoOf, HEADER_MS } from '../exchange/index.ts';
import { segmentOf, urlAtOrigin, urlOf } from '../http/index.ts';
import { refused } from '../outcomes/index.ts';
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
import type { Medium } from './parsedAnswer.ts';
import { queryTask, readPoll, withCost } from './readPoll.ts';
import { submitOnce } from './submitOnce.ts';
import { withoutFile } from './taskOutcomes.ts';

/**
 * Submits and polls of a kind that defines its own wire form: the kind says where to send what, and how to parse an answer. The key,
 * connections, errors and whether a request may have been accepted are handled as for every other call.
 */

const ANSWER_LIMIT = 96 * 1024 * 1024;

const NOTHING: ParsedTask = { state: undefined };

const mediumOf = (parse: (answer: unknown) => ParsedTask): Medium => ({
  kind: 'task',
  noun: 'task',
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
      url: urlOf(service, request.path),
      headers: jsonHeaders(),
      auth: bearer(service),
      body: request.body,
      send,
      headerMs: request.headerMs ?? HEADER_MS.image,
      read: { limit: ANSWER_LIMIT },
    },
    { medium: mediumOf(request.parse), echo: echoOf(request.sent) },
  );
  return sent.outcome;
}

/** A poll that fails never ends the job. */
export async function pollTask(
  service: Service,
  task: RemoteTask,
  { path, parse }: TaskPoll,
  signal?: AbortSignal,
): Promise<PollOutcome> {
  const stated = task.pollPath === undefined ? undefined : urlAtOrigin(service, task.pollPath);
  const url = stated ?? urlOf(service, path(segmentOf(task.id)));
  const { answer, failure } = await queryTask(service, url, signal);
  if (failure) return { type: 'unreachable', error: transportError(service, failure) };
  const outcome = readPoll(service, task, answer, { medium: mediumOf(parse), sure: true });
  if (outcome && outcome.type !== 'finished') return withCost(outcome, answer, task);
  return missOf(service, answer);
}

function missOf(service: Service, answer: Answer): PollOutcome {
  const error = httpError(service, answer);
  const isMissing = error?.status === 404 && error.kind === 'invalid';
  return { type: isMissing ? 'missing' : 'unreachable', error: error ?? unreadableError(service, answer) };
}
