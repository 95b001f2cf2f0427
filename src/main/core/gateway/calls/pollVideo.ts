import type { Answer } from '../decode/answer.ts';
import { echoOf } from '../decode/echo.ts';
import { faultOf } from '../decode/fault.ts';
import type { Json } from '../decode/json.ts';
import { kindOf } from '../decode/kind.ts';
import { standOf } from '../decode/status.ts';
import { resultUrlOf, speaksOf } from '../decode/taskId.ts';
import { readVideo, type VideoReading } from '../decode/videoAnswer.ts';
import { failureError, faultError, gatewayError, refusalError, type Service } from '../service.ts';
import type { GatewayError, PollOutcome, RemoteTask } from '../types.ts';
import { bearer, plainHeaders } from '../wire/headers.ts';
import { type Asked, ask } from './ask.ts';
import { contentOf, filteredFault, originUrl, ownPath } from './outcomes.ts';
import { type PollPlace, pollPlaces } from './pollPlaces.ts';
import { isCallWord, isUnknownId, isUnknownTask } from './unknownId.ts';

/**
 * Asks how a video is doing. The places are tried in order until one speaks about the task; what worked is remembered. A poll that
 * does not work is never a verdict on the job.
 */
export async function pollVideo(service: Service, task: RemoteTask, signal?: AbortSignal): Promise<PollOutcome> {
  const passed: Passed = {};
  for (const place of pollPlaces(service, task)) {
    const asked = await askAt(service, task, place.path, signal);
    if (asked.failure) return { type: 'unreachable', error: failureError(service, asked.failure) };
    const verdict = verdictOf(service, task, asked.answer, place.path);
    if (verdict && verdict.type !== 'missing' && verdict.type !== 'unreachable') {
      if (place.template !== undefined) service.learn({ videoPollPath: place.template });
      return verdict;
    }
    const error = verdict?.error ?? refusalError(service, asked.answer);
    if (error && isDown(asked.answer.status, error)) return { type: 'unreachable', error };
    passBy(passed, place, verdict?.type === 'unreachable' || isClosed(asked.answer.status), error);
  }
  if (passed.barred && !passed.missing) return { type: 'unreachable', error: passed.barred };
  const error = passed.missing ?? passed.elsewhere;
  return { type: 'missing', ...(error ? { error } : {}) };
}

/** Asks at one place; a finished task may say that its result is at another one, which is then asked too. */
async function askAt(service: Service, task: RemoteTask, path: string, signal?: AbortSignal): Promise<Asked> {
  const headers = { ...plainHeaders(), ...bearer(service) };
  const asked = await ask(service, { method: 'GET', url: originUrl(service, path), headers, signal });
  const body = asked.answer?.status === 200 ? asked.answer.json : undefined;
  if (body === undefined || standOf(body).state !== 'succeeded') return asked;
  const told = resultUrlOf(body);
  const next = told === undefined ? undefined : ownPath(service, told);
  if (next === undefined || next === path || readingOf(service, task, body).outputs.length > 0) return asked;
  return ask(service, { method: 'GET', url: originUrl(service, next), headers, signal });
}

function readingOf(service: Service, task: RemoteTask, body: Json): VideoReading {
  return readVideo(body, { base: service.profile.baseUrl, isEcho: echoOf(task.ownUris ?? []).has });
}

/** What the places said that did not speak about the task. */
interface Passed {
  /** A place that is sure does not know the task. */
  missing?: GatewayError;
  /** A place would not say. */
  barred?: GatewayError;
  /** A place that was only guessed does not know it. */
  elsewhere?: GatewayError;
}

function passBy(passed: Passed, place: PollPlace, closed: boolean, error: GatewayError | undefined): void {
  if (closed) passed.barred ??= error;
  else if (place.template === undefined) passed.missing ??= error;
  else passed.elsewhere ??= error;
}

/** The service as a whole cannot answer now: the other places could not either. */
function isDown(status: number, error: GatewayError): boolean {
  return error.kind === 'rate_limit' || status === 408 || (status >= 500 && status !== 501) || error.kind === 'network';
}

/** The place is there but shut, or sends away. */
function isClosed(status: number): boolean {
  return status === 401 || status === 403 || (status >= 300 && status < 400);
}

/** What an answer says about the task; nothing where it does not speak about it. */
function verdictOf(service: Service, task: RemoteTask, answer: Answer, path: string): PollOutcome | undefined {
  if (answer.cut) return { type: 'unreachable', error: gatewayError(service, { ...answer.cut, accepted: 'yes' }) };
  if (answer.form === 'empty' && answer.status < 300) return { type: 'missing' };
  if (answer.form !== 'json' || answer.json === undefined) return undefined;
  const read = readingOf(service, task, answer.json);
  const names = speaksOf(answer.json, task.id);
  if (answer.status >= 300) return names && read.stand.state === 'failed' ? failed(service, answer, read) : undefined;
  return (
    byState(service, task, answer, read, names, path) ?? byFault(service, answer, read, names) ?? byTraces(read, names)
  );
}

function byState(
  service: Service,
  task: RemoteTask,
  answer: Answer,
  read: VideoReading,
  names: boolean,
  path: string,
): PollOutcome | undefined {
  const { state, word } = read.stand;
  if (state === 'failed') {
    const aboutCall = !names && (isCallWord(word) || isUnknownTask(read.fault ?? faultOf(answer.json)));
    return aboutCall && read.progress === undefined ? undefined : failed(service, answer, read);
  }
  if (state === 'running') return running(read);
  if (read.outputs.length > 0)
    return { type: 'done', outputs: read.outputs, ...(read.filtered ? { filtered: read.filtered } : {}) };
  if (read.filtered) {
    return {
      type: 'failed',
      error: faultError(service, answer, filteredFault(read.filtered), 'yes', 'moderation'),
      billed: 'no',
    };
  }
  if (state !== 'succeeded') return undefined;
  if (read.fault) return failed(service, answer, read);
  if (word === undefined) return emptyHanded(service, answer);
  return names || /\/videos\//.test(path)
    ? { type: 'done', outputs: [contentOf(service, task.id, answer.json, path)] }
    : undefined;
}

function failed(service: Service, answer: Answer, read: VideoReading): PollOutcome {
  const said = read.fault ?? faultOf(answer.json);
  const fault = { ...said, words: [...said.words, read.stand.word ?? ''] };
  const kind = read.filtered && said.message === '' ? 'moderation' : kindOf(fault, fault.code ?? 0);
  const message = read.filtered && said.message === '' ? filteredFault(read.filtered).message : said.message;
  const reason = message || 'The service says that the video failed, and gives no reason.';
  const error = faultError(service, answer, { ...fault, message: reason }, 'yes', kind);
  return { type: 'failed', error, billed: 'no' };
}

/** `done` with no video and no reason: over, and nobody says whether it is billed. */
function emptyHanded(service: Service, answer: Answer): PollOutcome {
  const message = 'The service finished without a video and without a reason.';
  return {
    type: 'failed',
    error: faultError(service, answer, { message, words: [] }, 'yes', 'server'),
    billed: 'unknown',
  };
}

function byFault(service: Service, answer: Answer, read: VideoReading, names: boolean): PollOutcome | undefined {
  if (!read.fault) return undefined;
  if (isUnknownId(read.fault))
    return { type: 'missing', error: faultError(service, answer, read.fault, 'unknown', 'invalid') };
  const error = faultError(service, answer, read.fault, 'yes');
  if (names || error.kind === 'moderation') return { type: 'failed', error, billed: 'no' };
  return { type: 'unreachable', error };
}

function byTraces(read: VideoReading, names: boolean): PollOutcome | undefined {
  return names || read.stand.told || read.progress !== undefined ? running(read) : undefined;
}

function running(read: VideoReading): PollOutcome {
  return { type: 'running', ...(read.progress === undefined ? {} : { progress: read.progress }) };
}
