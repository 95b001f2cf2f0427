import { t } from '../../../../../shared/text/texts.ts';
import { plainHeaders } from '../../../../../shared/wire/headers.ts';
import { errorKindOf } from '../../errors/classify.ts';
import { bodyError, gatewayError, httpError, transportError } from '../../errors/gatewayError.ts';
import { codeRulesIn, isDenied } from '../../errors/rules/codes.ts';
import { explicitError } from '../../errors/serviceError.ts';
import { type Answer, readAnswer } from '../../exchange/answer.ts';
import { HEADER_MS } from '../../exchange/request.ts';
import { urlAtOrigin } from '../../http/origin.ts';
import { field, isObject, layersOf, listOf, textOf } from '../../json/fields.ts';
import { bearer, type Service } from '../../service.ts';
import type { GatewayError, PollOutcome, RemoteOutput, RemoteTask } from '../../types.ts';
import { contentOutput, contextOfTask, saidOf } from '../parsedAnswer.ts';
import { clipAt, isClip, isDecisive, queryTask, readPoll, withCost } from '../readPoll.ts';
import { taskStatusOf } from '../status.ts';
import { failureReasonOf, isNotReady, isTaskAway, isUnknownId } from '../taskErrors.ts';
import { parseVideo, videoMedium } from './parsedVideo.ts';
import {
  type ClipPlace,
  clipPlaces,
  contentPlaces,
  createGuesses,
  type Guesses,
  type PollPath,
  pollPaths,
} from './places.ts';

/**
 * Polls a video. The paths are tried in sequence until one answers about the task; the path that works is remembered. A poll that fails
 * never ends the job.
 */
export async function pollVideo(service: Service, task: RemoteTask, signal?: AbortSignal): Promise<PollOutcome> {
  const guesses = guessesOf(service);
  const { sure, guessed } = pollPaths(service, task);
  const misses: Misses = {};
  for (const pollPath of sure) {
    const outcome = await pollAt(service, task, pollPath, misses, signal);
    if (outcome) return outcome;
  }
  for (const pollPath of guesses.next(task.id, guessed, sure.length > 0)) {
    const outcome = await pollAt(service, task, pollPath, misses, signal);
    if (outcome?.type === 'unreachable') guesses.failed(task.id, guessed, pollPath, sure.length > 0);
    else if (outcome) guesses.found(task.id);
    if (outcome) return outcome;
  }
  if (misses.refused && !misses.missing) return { type: 'unreachable', error: misses.refused };
  const error = misses.missing ?? misses.elsewhere;
  return { type: 'missing', ...(error ? { error } : {}), ...(misses.said === undefined ? {} : { said: misses.said }) };
}

const guessesByService = new WeakMap<Service, Guesses>();

function guessesOf(service: Service): Guesses {
  const guesses = guessesByService.get(service) ?? createGuesses();
  guessesByService.set(service, guesses);
  return guesses;
}

/** The errors of the paths that did not answer about the task. */
interface Misses {
  /** A known path does not know the task. */
  missing?: GatewayError;
  /** A path refused to answer, or answered with a page in its place. */
  refused?: GatewayError;
  /** A guessed path does not know the task. */
  elsewhere?: GatewayError;
  /** The message of a known path that is not about the task. */
  said?: string | undefined;
}

/** The outcome, if the answer at this path decides it. */
async function pollAt(
  service: Service,
  task: RemoteTask,
  pollPath: PollPath,
  misses: Misses,
  signal?: AbortSignal,
): Promise<PollOutcome | undefined> {
  const url = urlAtOrigin(service, pollPath.path);
  // A stored path that is not on the profile's origin is not requested.
  if (!url) return undefined;
  const exchange = await queryTask(service, url, signal);
  if (exchange.failure) return { type: 'unreachable', error: transportError(service, exchange.failure) };
  const { answer } = exchange;
  const sure = pollPath.template === undefined;
  const parsedOutcome = readPoll(service, task, answer, { medium: videoMedium, sure, url });
  const pollOutcome =
    parsedOutcome?.type === 'finished' ? await resultOf(service, task, { answer, pollPath, signal }) : parsedOutcome;
  if (pollOutcome && isDecisive(pollOutcome)) {
    if (!sure) service.learn({ videoPollPath: pollPath.template }, 'polled');
    return withCost(pollOutcome, answer, task);
  }
  const error = pollOutcome?.error ?? httpError(service, answer);
  if (error && (parsedOutcome?.type === 'finished' || isDown(answer.status, error)))
    return { type: 'unreachable', error };
  const isRefused = pollOutcome?.type === 'unreachable' || isClosed(answer.status, error);
  if (isRefused) guessesOf(service).refused(task.id, pollPath);
  if (sure) misses.said ??= saidOf(service, answer).said;
  misses[isRefused ? 'refused' : missOf(pollPath, answer)] ??= error;
  return undefined;
}

/** At an address that is known to answer about tasks, a page says nothing about this one. */
function missOf({ template }: PollPath, { form }: Answer): Exclude<keyof Misses, 'said'> {
  if (template !== undefined) return 'elsewhere';
  return form === 'page' ? 'refused' : 'missing';
}

/** Whether the whole service cannot answer now, so other paths could not either. */
function isDown(status: number, error: GatewayError): boolean {
  return (
    error.kind === 'rate_limit' ||
    isUnprocessed(status) ||
    (status >= 500 && status !== 501) ||
    error.kind === 'network'
  );
}

/** The query was not processed, and may be repeated (RFC 9110 15.5.9, RFC 8470 5.2). */
const isUnprocessed = (status: number): boolean => status === 408 || status === 425;

/**
 * Whether the path exists but refuses or redirects. Gemini and xAI refuse a key with 400, as Alibaba does an account in arrears; the clips
 * of that account still exist.
 */
function isClosed(status: number, error?: GatewayError): boolean {
  if (isDenied(status) || (status >= 300 && status < 400)) return true;
  if (NOT_THERE.has(status) || error === undefined || !OF_THE_MOMENT.has(error.kind)) return false;
  // Some services say of a missing task that nobody may see it.
  return !isUnknownId({ message: error.message, codes: [] });
}

const NOT_THERE = new Set([404, 405, 410]);

interface Finished {
  answer: Answer;
  pollPath: PollPath;
  signal?: AbortSignal;
}

/**
 * The clip of a finished task whose own answer names none: at the address in the answer, among the service's files, or at the known
 * content endpoint. If none has it, the task has finished without a clip.
 */
async function resultOf(service: Service, task: RemoteTask, finished: Finished): Promise<PollOutcome> {
  const { answer, pollPath } = finished;
  const places = clipPlaces(service, answer.json, pollPath.path);
  let open: GatewayError | undefined;
  let isDown = false;
  for (const place of places) {
    const found = await resultAt(service, task, place, finished.signal);
    if (found.outcome) return found.outcome;
    open ??= found.open;
    isDown ||= found.isDown === true;
  }
  const { pictures = [] } = parseVideo(answer.json ?? null, contextOfTask(service, task));
  const isVideo = textOf(field(answer.json, 'object')) === 'video' && pictures.length === 0;
  const isOpen = isDown || open !== undefined;
  if (isVideo && !isOperation(answer) && !isOpen)
    return { type: 'done', outputs: [contentOutput(service, task.id, answer.json, pollPath.path)] };
  const outcome = isOperation(answer)
    ? finishedWithoutVideo(service, answer)
    : await outcomeByContent(service, task, finished, isOpen);
  if (outcome.type === 'failed' && pictures.length > 0) return { type: 'done', outputs: pictures };
  open ??= places.some(({ isGuessed }) => isGuessed) ? notFoundYet(service) : undefined;
  return outcome.type === 'failed' && open ? { type: 'unreachable', error: open } : outcome;
}

/** An answer with `done` contains its own response. */
const isOperation = ({ json }: Answer): boolean => layersOf(json).some((layer) => field(layer, 'done') !== undefined);

interface FoundAt {
  /** The clip, or why there is none. */
  outcome?: PollOutcome;
  /** A refusal that says nothing about the clip: the file may be available later. */
  open?: GatewayError;
  /** The place cannot answer now. */
  isDown?: boolean;
}

async function resultAt(service: Service, task: RemoteTask, place: ClipPlace, signal?: AbortSignal): Promise<FoundAt> {
  const url = urlAtOrigin(service, place.path);
  if (!url) return {};
  const exchange = await queryTask(service, url, signal);
  if (exchange.failure) return ofTheMoment(transportError(service, exchange.failure), place);
  const { answer } = exchange;
  if (isClip(answer)) return { outcome: clipAt(url) };
  if (answer.truncatedBy) return { open: gatewayError(service, { ...answer.truncatedBy, accepted: 'yes' }) };
  const parsed = isObject(answer.json) ? parseVideo(answer.json, contextOfTask(service, task)) : undefined;
  if (answer.status >= 300 || !parsed || parsed.outputs.length === 0) return whyNoneAt(service, answer, place);
  const { outputs, filtered } = parsed;
  return { outcome: { type: 'done', outputs, ...(filtered ? { filtered } : {}) } };
}

/** A temporary error ends this poll. At a guessed address it does not, because the file may be at the next one. */
const ofTheMoment = (error: GatewayError, { isGuessed }: ClipPlace): FoundAt =>
  isGuessed ? { open: error, isDown: true } : { outcome: { type: 'unreachable', error } };

function whyNoneAt(service: Service, answer: Answer, place: ClipPlace): FoundAt {
  const error = httpError(service, answer) ?? errorInside(service, answer);
  if (!error) return {};
  if (isTransient(answer.status, error)) return ofTheMoment(error, place);
  const mayRefuse = isObject(answer.json) && REFUSAL_STATUSES.has(answer.status);
  const isOfQuery = OF_THE_MOMENT.has(error.kind) && !(mayRefuse && namesInput(answer));
  if (isOfQuery || (mayRefuse && saysNotNow(answer))) return { open: error };
  const isReason = mayRefuse && !place.isGuessed;
  return isReason ? { outcome: { type: 'failed', error: { ...error, accepted: 'yes' }, billed: 'no' } } : {};
}

/** The statuses with which a result's address says why the generation has no result. */
const REFUSAL_STATUSES: ReadonlySet<number> = new Set([400, 422]);

/** Whether a validator complains about an input of the original request, since a query for a result has no such input. */
const namesInput = ({ json }: Answer): boolean =>
  listOf(field(json, 'detail')).some((entry) => Array.isArray(field(entry, 'loc')));

/** Whether the error is that the service has no capacity for this query, or that the result is not there yet. */
function saysNotNow({ status, json }: Answer): boolean {
  const serviceError = failureReasonOf(json);
  // With a code for work that may have begun, the generation itself failed.
  const hasBegun = codeRulesIn(serviceError, status).some((rule) => rule.accepted === 'open');
  return isNotReady(serviceError) || (!hasBegun && errorKindOf(serviceError, status) === 'server');
}

/** The error if the answer names a file of the clip and none of the known addresses has it. */
const notFoundYet = (service: Service): GatewayError => {
  const message = t`The gateway names the clip’s file, but gives no address.`;
  return gatewayError(service, { kind: 'server', message, accepted: 'yes' });
};

/**
 * Kinds of refusal that are about the key or the moment. `server` is left out because every unknown error has it, and a timeout because it
 * is about the work.
 */
const OF_THE_MOMENT: ReadonlySet<string> = new Set(['auth', 'quota', 'rate_limit']);

/** Whether another try may help. An endpoint that refuses the key for the bytes of this task always will. */
const mayAnswerLater = (open: GatewayError | undefined, isAway = false): boolean =>
  open !== undefined && !isAway && open.kind !== 'auth' && open.kind !== 'quota';

/** MiniMax and others report every error with a good status. An error that states the end of the task is not about the query. */
function errorInside(service: Service, answer: Answer): GatewayError | undefined {
  const serviceError = explicitError(answer.json);
  const isTold = serviceError === undefined || taskStatusOf(answer.json ?? null).state === 'failed';
  return isTold ? undefined : bodyError(service, answer, serviceError, 'yes');
}

const isTransient = (status: number, error: GatewayError): boolean =>
  status >= 500 || status === 429 || isUnprocessed(status) || error.kind === 'rate_limit';

/**
 * The clip at an endpoint for its bytes. While the named file may still appear elsewhere, only an answer with a content type counts as the
 * clip.
 */
async function outcomeByContent(
  service: Service,
  task: RemoteTask,
  { answer, pollPath, signal }: Finished,
  isElsewhere: boolean,
): Promise<PollOutcome> {
  const places = contentPlaces(service, task.id, answer.json, pollPath.path);
  let open: GatewayError | undefined;
  let likely: RemoteOutput[] | undefined;
  let isAway: boolean | undefined;
  for (const { outputs, by } of places) {
    if (by === 'sure') return { type: 'done', outputs };
    const found = await contentAt(service, outputs[0]?.uri ?? '', signal);
    if (found.isHere && (found.isTyped || (by === 'usual' && !isElsewhere))) return { type: 'done', outputs };
    if (found.isHere) likely ??= outputs;
    isAway ??= found.isAway;
    open ??= found.error;
  }
  if (likely && !isElsewhere && !mayAnswerLater(open, isAway)) return { type: 'done', outputs: likely };
  open ??= places.some(({ by }) => by === 'named') ? notFoundYet(service) : undefined;
  return open ? { type: 'unreachable', error: open } : finishedWithoutVideo(service, answer);
}

interface Content {
  isHere: boolean;
  /** The answer has a content type of its own. A gateway may redirect every unknown path, or answer it without a type. */
  isTyped?: boolean;
  /** The route knows nothing of the task yet. */
  isAway?: boolean;
  /** The clip may be here at another time. */
  error?: GatewayError;
}

/** Requests one byte, because a service of another family may not have such an endpoint. */
async function contentAt(service: Service, uri: string, signal?: AbortSignal): Promise<Content> {
  const sent = await service.transport.send({
    method: 'GET',
    url: new URL(uri),
    headers: { ...plainHeaders(), ...bearer(service), range: 'bytes=0-0' },
    route: 'free',
    headerMs: HEADER_MS.media,
    signal,
  });
  if (!sent.ok) return { isHere: false, error: transportError(service, sent.failure) };
  const { status, headers } = sent.response;
  const type = headers['content-type'] ?? '';
  if (status >= 400 && /json/i.test(type))
    return contentError(service, await readAnswer(sent.response, { limit: 100_000 }));
  sent.response.discard();
  const isWritten = /json|html|text\/plain/i.test(type);
  if ((status === 200 || status === 206) && !isWritten) return { isHere: true, isTyped: type !== '' };
  if (status >= 300 && status < 400 && headers.location !== undefined) return { isHere: true };
  return contentError(service, { status, headers, form: 'empty', text: '' });
}

function contentError(service: Service, answer: Answer): Content {
  const { status } = answer;
  const error = httpError(service, { ...answer, form: 'empty', text: '', json: undefined });
  const isAway = isTaskAway(answer);
  const isOpen = (status >= 500 && status !== 501) || isUnprocessed(status) || isAway;
  return error && (isOpen || OF_THE_MOMENT.has(error.kind)) ? { isHere: false, isAway, error } : { isHere: false };
}

/** Finished with no video and no reason: whether it is billed is unknown. */
function finishedWithoutVideo(service: Service, answer: Answer): PollOutcome {
  const message = t`The gateway finished without a clip and without a reason.`;
  const error = bodyError(service, answer, { message, codes: [] }, 'yes', 'server');
  return { type: 'failed', error, billed: 'unknown' };
}
