import { t } from '../../../../../shared/text/texts.ts';
import { jsonHeaders } from '../../../../../shared/wire/headers.ts';
import { explicitError, httpError, transportError } from '../../errors/index.ts';
import { type Exchange, sendQuery } from '../../exchange/index.ts';
import { segmentOf, urlAtOrigin, urlOf } from '../../http/index.ts';
import type { Json } from '../../json/index.ts';
import { imageAuths, type Service } from '../../service.ts';
import {
  isUnknownTask,
  mentionsTask,
  OF_THE_TASK,
  readPoll,
  saidOf,
  taskStatusOf,
  withCost,
} from '../../tasks/index.ts';
import type { PollOutcome, RemoteTask } from '../../types.ts';
import { isKeyRefusal } from './imageAuth.ts';
import { imageMedium } from './imageMedium.ts';

type Method = 'POST' | 'GET';

/** Polls an image task (spec 4.3). A poll that fails never ends the job. */
export async function pollImage(service: Service, task: RemoteTask, signal?: AbortSignal): Promise<PollOutcome> {
  const exchange = await fetchTask(service, task, signal);
  if (exchange.failure) return { type: 'unreachable', error: transportError(service, exchange.failure) };
  const { answer } = exchange;
  const outcome = readPoll(service, task, answer, { medium: imageMedium, sure: true });
  if (outcome && outcome.type !== 'finished') return withCost(outcome, answer, task);
  const error = httpError(service, answer);
  if (!error) return { type: 'missing', ...saidOf(service, answer) };
  const isUnknown = OF_THE_TASK.has(answer.status) && error.kind === 'invalid' && answer.form !== 'page';
  return isUnknown ? { type: 'missing', error, ...saidOf(service, answer) } : { type: 'unreachable', error };
}

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
