import { lastDocument } from '../../exchange/lastDocument.ts';
import { ask } from '../../exchange/request.ts';
import { homeUrl } from '../../http/origin.ts';
import { failureError, refusalError, type Service } from '../../service.ts';
import type { GatewayError, PollOutcome, RemoteTask } from '../../types.ts';
import { bearer, plainHeaders } from '../../wire/headers.ts';
import { entryOf } from '../taskId.ts';
import { withStated } from '../taskOutcomes.ts';
import { createGuesses, type Guesses, type PollPlace, pollPlaces } from './pollPaths.ts';
import { isVerdict, videoVerdict } from './videoPollOutcome.ts';
import { resultOf } from './videoResult.ts';

/**
 * Asks how a video is doing. The places are tried in order until one speaks about the task; what worked is remembered. A poll that
 * does not work is never a verdict on the job.
 */
export async function pollVideo(service: Service, task: RemoteTask, signal?: AbortSignal): Promise<PollOutcome> {
  const guesses = guessesOf(service);
  const { sure, guessed } = pollPlaces(service, task);
  const passed: Passed = {};
  for (const place of sure) {
    const outcome = await askAt(service, task, place, passed, signal);
    if (outcome) return outcome;
  }
  for (const place of guesses.next(task.id, guessed, sure.length > 0)) {
    const outcome = await askAt(service, task, place, passed, signal);
    if (outcome) {
      guesses.found(task.id);
      return outcome;
    }
  }
  if (passed.barred && !passed.missing) return { type: 'unreachable', error: passed.barred };
  const error = passed.missing ?? passed.elsewhere;
  return { type: 'missing', ...(error ? { error } : {}) };
}

const guessesByService = new WeakMap<Service, Guesses>();

function guessesOf(service: Service): Guesses {
  const guesses = guessesByService.get(service) ?? createGuesses();
  guessesByService.set(service, guesses);
  return guesses;
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

/** The outcome, if this place decides the matter. */
async function askAt(
  service: Service,
  task: RemoteTask,
  place: PollPlace,
  passed: Passed,
  signal?: AbortSignal,
): Promise<PollOutcome | undefined> {
  const headers = { ...plainHeaders(), ...bearer(service) };
  const url = homeUrl(service, place.path);
  // A path that was stored and is none at home names no place.
  if (!url) return undefined;
  const asked = await ask(service, { method: 'GET', url, headers, signal });
  if (asked.failure) return { type: 'unreachable', error: failureError(service, asked.failure) };
  const { answer } = asked;
  const said = videoVerdict(service, task, answer, place);
  const verdict = said?.type === 'finished' ? await resultOf(service, task, { answer, place, signal }) : said;
  if (verdict && isVerdict(verdict)) {
    if (place.template !== undefined) service.learn({ videoPollPath: place.template });
    const document = lastDocument(answer);
    return withStated(verdict, answer, [document === undefined ? undefined : entryOf(document, task.id)]);
  }
  const error = verdict?.error ?? refusalError(service, answer);
  if (error && (said?.type === 'finished' || isDown(answer.status, error))) return { type: 'unreachable', error };
  if (verdict?.type === 'unreachable' || isClosed(answer.status)) {
    passed.barred ??= error;
    guessesOf(service).shut(task.id, place);
  } else if (place.template === undefined) passed.missing ??= error;
  else passed.elsewhere ??= error;
  return undefined;
}

/** The service as a whole cannot answer now: the other places could not either. */
function isDown(status: number, error: GatewayError): boolean {
  return error.kind === 'rate_limit' || status === 408 || (status >= 500 && status !== 501) || error.kind === 'network';
}

/** The place is there but shut, or sends away. */
function isClosed(status: number): boolean {
  return status === 401 || status === 403 || (status >= 300 && status < 400);
}
