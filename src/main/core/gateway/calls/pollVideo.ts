import type { Answer } from '../decode/answer.ts';
import { echoOf } from '../decode/echo.ts';
import { faultOf } from '../decode/fault.ts';
import { type Json, layersOf, textOf } from '../decode/json.ts';
import { kindOf } from '../decode/kind.ts';
import { readVideo, type VideoReading } from '../decode/videoAnswer.ts';
import { failureError, faultError, gatewayError, refusalError, type Service } from '../service.ts';
import type { GatewayError, PollOutcome, RemoteTask } from '../types.ts';
import { bearer, plainHeaders } from '../wire/headers.ts';
import { ask } from './ask.ts';
import { contentOf, filteredFault, originUrl } from './outcomes.ts';
import { pollPlaces } from './pollPlaces.ts';
import { isUnknownId } from './unknownId.ts';

/**
 * Asks how a video is doing. The places are tried in order until one speaks about the task; what worked is remembered. A poll that
 * does not work is never a verdict on the job.
 */
export async function pollVideo(service: Service, task: RemoteTask, signal?: AbortSignal): Promise<PollOutcome> {
  let barred: GatewayError | undefined;
  let missing: GatewayError | undefined;
  for (const place of pollPlaces(service, task)) {
    const headers = { ...plainHeaders(), ...bearer(service) };
    const asked = await ask(service, { method: 'GET', url: originUrl(service, place.path), headers, signal });
    if (asked.failure) return { type: 'unreachable', error: failureError(service, asked.failure) };
    const { answer } = asked;
    const verdict = verdictOf(service, task, answer, place.path);
    if (verdict && verdict.type !== 'missing') {
      if (place.template !== undefined) service.learn({ videoPollPath: place.template });
      return verdict;
    }
    const error = verdict?.type === 'missing' ? verdict.error : refusalError(service, answer);
    const { status } = answer;
    if (status === 429 || status === 408 || (status >= 500 && status !== 501))
      return unreachable(service, answer, error);
    if (status === 401 || status === 403 || (status >= 300 && status < 400)) barred ??= error;
    else missing ??= error;
  }
  if (barred) return { type: 'unreachable', error: barred };
  return { type: 'missing', ...(missing ? { error: missing } : {}) };
}

function unreachable(service: Service, answer: Answer, error: GatewayError | undefined): PollOutcome {
  const fallback = {
    kind: 'server',
    message: `The service answered with status ${answer.status}.`,
    accepted: 'yes',
  } as const;
  return { type: 'unreachable', error: error ?? gatewayError(service, fallback) };
}

/** What an answer says about the task; nothing where it does not speak about it. */
function verdictOf(service: Service, task: RemoteTask, answer: Answer, path: string): PollOutcome | undefined {
  if (answer.cut) return { type: 'unreachable', error: gatewayError(service, { ...answer.cut, accepted: 'yes' }) };
  if (answer.form === 'empty' && answer.status < 300) return { type: 'missing' };
  if (answer.form !== 'json' || answer.json === undefined) return undefined;
  const echo = echoOf(task.ownUris ?? []);
  const read = readVideo(answer.json, { base: service.profile.baseUrl, isEcho: echo.has });
  const names = isNamedIn(answer.json, read, task.id);
  if (answer.status >= 300) return names && read.stand.state === 'failed' ? failed(service, answer, read) : undefined;
  return (
    byState(service, task, answer, read, names, path) ?? byFault(service, answer, read, names) ?? byTraces(read, names)
  );
}

/** Whether the answer speaks of this very task. */
function isNamedIn(body: Json, read: VideoReading, id: string): boolean {
  if (read.id !== undefined && (read.id === id || id.endsWith(`/${read.id}`) || read.id.endsWith(`/${id}`)))
    return true;
  return layersOf(body).some((layer) => Object.values(layer).some((value) => textOf(value) === id));
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
    // `status: "error"` around a call that went wrong is not the task's own state.
    return names || !/^err/i.test(word ?? '') ? failed(service, answer, read) : undefined;
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
