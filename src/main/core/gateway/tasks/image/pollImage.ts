import { faultOf } from '../../errors/serviceError.ts';
import { type Asked, ask } from '../../exchange/request.ts';
import { homeUrl, urlOf } from '../../http/origin.ts';
import { failureError, gatewayError, refusalError, type Service, segmentOf } from '../../service.ts';
import type { PollOutcome, RemoteTask } from '../../types.ts';
import { imageAuths, jsonHeaders } from '../../wire/headers.ts';
import { isNotReady } from '../taskErrors.ts';
import { isKeyRefusal } from './imageKeys.ts';
import { failedByName, imageVerdict, refusedContent } from './imagePollOutcome.ts';

type Method = 'POST' | 'GET';

/** Asks how an image task is doing (spec 4.3). A poll that does not work is never a verdict on the job. */
export async function pollImage(service: Service, task: RemoteTask, signal?: AbortSignal): Promise<PollOutcome> {
  const asked = await fetchTask(service, task, signal);
  if (asked.failure) return { type: 'unreachable', error: failureError(service, asked.failure) };
  const { answer } = asked;
  if (answer.cut) return { type: 'unreachable', error: gatewayError(service, { ...answer.cut, accepted: 'yes' }) };
  const error = refusalError(service, answer);
  if (error) {
    const named = failedByName(service, task, answer);
    if (!named && isCallersFault(answer.status) && isNotReady(faultOf(answer.json ?? answer.text)))
      return { type: 'running' };
    const refused = named ?? refusedContent(service, answer);
    if (refused) return refused;
    const unknown = isCallersFault(answer.status) && error.kind === 'invalid' && answer.form !== 'page';
    return unknown ? { type: 'missing', error } : { type: 'unreachable', error };
  }
  return imageVerdict(service, task, answer);
}

const isCallersFault = (status: number): boolean => [400, 404, 405, 409, 410, 422, 425].includes(status);

/** Where the answer said, else the fetch of the specification. */
async function fetchTask(service: Service, task: RemoteTask, signal: AbortSignal | undefined): Promise<Asked> {
  const url = task.pollPath === undefined ? undefined : homeUrl(service, task.pollPath);
  if (url) {
    const told = await withAnyKey(service, url, 'GET', task, signal);
    const again = told.answer?.status === 405 ? await withAnyKey(service, url, 'POST', task, signal) : told;
    if (!isNotHere(again)) return again;
  }
  return fetchByEitherMethod(service, task, signal);
}

/** The spec says POST; relatives use GET: on 404 or 405 the other is tried, and what works is remembered. */
async function fetchByEitherMethod(
  service: Service,
  task: RemoteTask,
  signal: AbortSignal | undefined,
): Promise<Asked> {
  const url = urlOf(service, `/${service.profile.imagePrefix}/task/${segmentOf(task.id)}/fetch`);
  const known = service.memory().fetchMethod;
  const method: Method = known ?? 'POST';
  const first = await withAnyKey(service, url, method, task, signal);
  if (worked(first)) service.learn({ fetchMethod: method });
  // Where a method has worked before, a 404 is about the id.
  if (!isNotHere(first) || (known !== undefined && first.answer?.status === 404)) return first;
  const other: Method = method === 'POST' ? 'GET' : 'POST';
  const second = await withAnyKey(service, url, other, task, signal);
  if (worked(second)) service.learn({ fetchMethod: other });
  return isNotHere(second) ? first : second;
}

const worked = ({ answer }: Asked): boolean => answer !== undefined && answer.status < 300 && answer.form === 'json';

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
