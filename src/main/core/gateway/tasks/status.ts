import type { ErrorKind } from '../../../../shared/jobs/job.ts';
import { mediaBytes, nestedObjects } from '../addresses/mediaAddress.ts';
import { meansOk } from '../errors/serviceError.ts';
import { field, firstOf, fold, isObject, layersOf, textOf } from '../json/fields.ts';
import { type Json, type JsonObject, unwrapText } from '../json/parse.ts';

type TaskState = 'running' | 'succeeded' | 'failed';

/** A word or a number for the state of a task. */
interface StatusWord {
  state: TaskState;
  /** In `video-words.jsonl`. */
  fixture: string;
}

/** Each word has its case of the same name. */
const WORDS: Readonly<Record<TaskState, readonly string[]>> = {
  running: [
    'NOT_START SUBMITTED IN_PROGRESS MODAL PENDING_QUEUE ON_QUEUE progress started staged starting processing',
    'queued validating finalizing cancelling Pending Queueing Preparing IN_QUEUE waiting queuing generating',
    'created scheduling dreaming RUNNING THROTTLED JOB_STATE_PAUSED JOB_STATE_UPDATING',
    'MEDIA_GENERATION_STATUS_ACTIVE preprocessing backlogged scheduled sampling intermediate-complete unassigned',
    'in_review rendering fetching saving RETRY planned transcribing video_generation_completed video_upsampling',
  ],
  succeeded: [
    'SUCCESS succeeded succeed MEDIA_GENERATION_STATUS_SUCCESSFUL JOB_STATE_PARTIALLY_SUCCEEDED completed',
    'COMPLETE done finished FINISH ok Ready',
  ],
  failed: [
    'failed canceled aborted FAILURE CANCEL Fail error rejected cancelled expired TIMEOUT TIMED_OUT banned',
    'deleted CREATE_TASK_FAILED GENERATE_FAILED GENERATE_MP4_FAILED SENSITIVE_WORD_ERROR CONTENT_FILTERED',
    'Content_Moderated moderated nsfw video_upsampling_failed errored interrupted',
  ],
};

/** Words whose case is in another file. */
const FIXTURES: Readonly<Record<string, string>> = { ok: 'image-polls: a word for success: ok' };

/** The letters of a word; nothing else of it counts. */
const lettersOf = (word: string): string => word.toLowerCase().replace(/[^a-z]/g, '');

export const STATUS_WORDS = new Map<string, StatusWord>(
  (Object.keys(WORDS) as TaskState[]).flatMap((state) =>
    WORDS[state]
      .flatMap((words) => words.split(' '))
      .map((word) => [lettersOf(word), { state, fixture: FIXTURES[word] ?? word }] as const),
  ),
);

/** Substrings of status words in Chinese, in the sequence in which they are tried. */
export const STATUS_SUBSTRINGS: readonly (StatusWord & { sign: string; atEnd?: true })[] = [
  { sign: '失败', state: 'failed', fixture: '失败' },
  { sign: '取消', state: 'failed', fixture: '已取消' },
  { sign: '超时', state: 'failed', fixture: '超时' },
  { sign: '中', state: 'running', fixture: '生成中', atEnd: true },
  { sign: '排队', state: 'running', fixture: '排队' },
  { sign: '未开始', state: 'running', fixture: '未开始' },
  { sign: '已提交', state: 'running', fixture: '已提交' },
  { sign: '成功', state: 'succeeded', fixture: '成功' },
  { sign: '完成', state: 'succeeded', fixture: '已完成' },
];

/** The states of `successFlag`. Any other number means something else at each service. */
export const STATUS_NUMBERS = new Map<string, StatusWord>(
  (['running', 'succeeded', 'failed', 'failed'] as const).map((state, number) => [
    String(number),
    { state, fixture: `successFlag=${number}` },
  ]),
);

/** The state that a status word means, in any case and with any prefix (`TASK_STATUS_SUCCEED`, `JOB_STATE_RUNNING`). */
export function stateOfWord(word: string): TaskState | undefined {
  const letters = lettersOf(word.slice(0, MAX_WORD_LENGTH));
  if (letters === '') return STATUS_SUBSTRINGS.find(({ sign, atEnd }) => holds(word, sign, atEnd))?.state;
  return (STATUS_WORDS.get(letters) ?? STATUS_WORDS.get(withoutPrefixes(letters)))?.state ?? stateOfPhrase(word);
}

const MAX_WORD_LENGTH = 200;
const holds = (word: string, sign: string, atEnd = false): boolean =>
  atEnd ? word.trimEnd().endsWith(sign) : word.includes(sign);

const PREFIXES = 'task job operation video image media generation request run status state'.split(' ');

function withoutPrefixes(letters: string): string {
  const prefix = PREFIXES.find((one) => letters.startsWith(one));
  return prefix === undefined ? letters : withoutPrefixes(letters.slice(prefix.length));
}

/** `Waiting to start`, `failed: nsfw`: the first word of a phrase decides. A phrase that begins with success may continue with "but". */
function stateOfPhrase(word: string): TaskState | undefined {
  const text = word.slice(0, MAX_WORD_LENGTH).trimStart();
  const first = /^[a-z]+(?=[\s:,.(])/i.exec(text)?.[0].toLowerCase();
  const state = first === undefined ? undefined : STATUS_WORDS.get(first)?.state;
  return state === 'succeeded' ? undefined : state;
}

export interface TaskStatus {
  state?: TaskState;
  /** The word as the service wrote it; an unknown word if there is no state. */
  word?: string;
  /** The answer has a field for the state, even an empty one. */
  hasStatusField: boolean;
  /**
   * Whether the state may be that of the call, not of the task: a success such as `{ status: "success", data: … }` without a task, or a
   * failure by a word such as "error" or by `success: false`.
   */
  mayBeOfCall?: boolean;
  /** The kind of failure, where it is known. */
  kind?: ErrorKind;
  /** The status says that the service does not know the task. */
  unknown?: boolean;
}

const STATUS_FIELDS = 'taskStatus status state jobStatus phase taskState statusName statusText successFlag'.split(' ');
const TASK_FIELDS = ['taskId', 'jobId', 'id', 'progress', 'prompt', 'finishTime'];
const UNKNOWN_WORD = /^((task|job|video|operation)[\s_-]*)?(unknown$|not[\s_-]*(found|exists?)$|no[\s_-]*such)/i;

/** The status of a task, from the innermost object that has one: a wrapper's `status: "success"` is about the call, not the task. */
export function taskStatusOf(body: Json): TaskStatus {
  const layers = layersOf(body);
  const taskStatus = statusIn(layers);
  const found = taskStatus.hasStatusField ? taskStatus : statusOfParts(body);
  if (found.state === 'failed' || found.state === 'running') return found;
  // An answer with only a queue position has no result yet, whatever address it prepares (Venice).
  if (!found.hasStatusField && layers.some((layer) => field(layer, 'queueId') !== undefined))
    return { state: 'running', hasStatusField: true };
  return (
    statusOfFailedResult(layers) ??
    (isHeldBackByModeration(body) ? { state: 'failed', hasStatusField: true, kind: 'moderation' } : found)
  );
}

/**
 * The status of an answer without one at the top: the first status inside it. If that is the status of one of several parts with results of
 * their own, the task is running until all parts have ended, has succeeded if any part has, and has failed if no part has a result.
 */
function statusOfParts(body: Json): TaskStatus {
  const objects = nestedObjects(body);
  const first = objects.find((layer) => statusOfLayer(layer).state !== undefined);
  const list = first && listWith(objects, first);
  if (!list || list.parts.length < 2) return statusIn(objects);
  const { name, parts } = list;
  if (!PARTS.has(fold(name))) {
    // If only one picture was filtered and another is here, the filtered one says nothing about the whole answer.
    const isOfPart = hasFailedFinish(first) && parts.some((part) => !hasFailedFinish(part) && holdsFile(part));
    return isOfPart ? { hasStatusField: false } : statusIn(objects);
  }
  const statuses = parts.map(statusOfLayer);
  const found = (['running', 'succeeded', 'failed'] as const)
    .map((state) => statuses.find((one) => one.state === state))
    .find((status) => status !== undefined);
  const isOfSome =
    found?.state === 'failed' && parts.some((part, at) => statuses[at]?.state === undefined && holdsFile(part));
  return found && !isOfSome ? found : { hasStatusField: false };
}

/**
 * Lists whose parts each have a state: `jobs` (github.com/higgsfield-ai/higgsfield-js: JobSet), `generations` (docs.pollo.ai: get task
 * status), `operations` (batchCheckAsyncVideoGenerationStatus of Google Flow). Other lists may hold steps, events or other tasks.
 */
const PARTS = new Set(['jobs', 'generations', 'operations']);

function listWith(objects: readonly JsonObject[], part: JsonObject): { name: string; parts: JsonObject[] } | undefined {
  for (const layer of objects)
    for (const [name, value] of Object.entries(layer))
      if (Array.isArray(value) && value.includes(part)) return { name, parts: value.filter(isObject) };
  return undefined;
}

/** Whether a picture was filtered: Stability (`artifacts`), StepFun (`data`). */
export const hasFailedFinish = (layer: JsonObject): boolean =>
  stateOfWord(textOf(field(layer, 'finishReason')) ?? '') === 'failed';

const holdsFile = (part: JsonObject): boolean => nestedObjects(part).some((layer) => Object.values(layer).some(isFile));

/** An address, or bytes. */
const isFile = (value: Json): boolean =>
  typeof value === 'string' &&
  (/^(https?:\/\/|data:)/i.test(value) || (mediaBytes(value, 'image') ?? mediaBytes(value, 'video')) !== undefined);

/** Whether moderation held back every result: `video: { respect_moderation: false }`, even with an address beside it (xAI). */
function isHeldBackByModeration(body: Json): boolean {
  const flags = nestedObjects(body).flatMap((layer) => field(layer, 'respectModeration') ?? []);
  return flags.length > 0 && flags.every((flag) => flag === false);
}

/** The status of a result object that failed: `response: { success: false }`, whatever the status of the task around it. */
function statusOfFailedResult(layers: readonly JsonObject[]): TaskStatus | undefined {
  const results = new Set(layers.flatMap((layer) => RESULT_FIELDS.map((name) => unwrapText(field(layer, name)))));
  const flagged = layers.filter((layer) => FLAGS.some((name) => field(layer, name) === false));
  if (flagged.some((layer) => results.has(layer))) return { state: 'failed', hasStatusField: true };
  return flagged.some((layer) => field(layer, ...TASK_IDS) !== undefined)
    ? { state: 'failed', hasStatusField: true, mayBeOfCall: true }
    : undefined;
}

const FLAGS = ['success', 'ok'];
const TASK_IDS = ['taskId', 'jobId', 'generationId'];
const RESULT_FIELDS = ['output', 'result', 'response', 'taskResult'];

function statusIn(layers: readonly JsonObject[]): TaskStatus {
  let hasStatusField = false;
  let word: string | undefined;
  for (const [index, layer] of layers.entries()) {
    const own = statusOfLayer(layer);
    hasStatusField ||= own.hasStatusField;
    word ??= own.word;
    if (own.state === undefined && !own.unknown) continue;
    // A gateway may mark a task as failed while its answer still contains the last state of the service behind it.
    const given = own.state === 'running' ? layers.slice(index + 1).find(isFailedTask) : undefined;
    return given ? statusOfLayer(given) : own;
  }
  return { hasStatusField, ...(word === undefined ? {} : { word }) };
}

/** The AI Horde sends `faulted` beside `done: false`. */
const FAILED_FIELDS = ['faulted', 'failed', 'isFailed'];
const DONE_FIELDS = ['done', 'isDone', 'finished', 'isFinished', 'completed', 'isCompleted', 'isComplete'];

function stateOfFlags(layer: JsonObject): TaskStatus['state'] {
  if (FAILED_FIELDS.some((name) => field(layer, name) === true)) return 'failed';
  if (hasFailedWord(layer)) return undefined;
  const done = field(layer, ...DONE_FIELDS);
  if (done === true || done === 'true') return 'succeeded';
  return done === false || done === 'false' ? 'running' : undefined;
}

/** A failed status word counts before a flag for success: the word states the reason. */
const hasFailedWord = (layer: JsonObject): boolean =>
  STATUS_FIELDS.some((name) => stateOfWord(wordIn(field(layer, name)) ?? '') === 'failed');

/** The word of a status field, which may be an object. */
const wordIn = (value: Json | undefined): string | undefined =>
  isObject(value) ? textOf(field(value, 'state', 'status', 'code')) : textOf(value);

/**
 * new-api reports "unknown" for a task that it has not started. Such a task is a video, or has an empty field for its failure; a filled
 * field may say that the task does not exist.
 */
const isUnknownStateOfTask = (layer: JsonObject, word: string): boolean =>
  /^unknown$/i.test(word) && (textOf(field(layer, 'object')) === 'video' || field(layer, 'failReason') === '');

function statusOfLayer(layer: JsonObject): TaskStatus {
  const byFlag = stateOfFlags(layer);
  if (byFlag) return { state: byFlag, hasStatusField: true };
  let hasStatusField = false;
  let unknownWord: string | undefined;
  for (const name of STATUS_FIELDS) {
    const value = field(layer, name);
    hasStatusField ||= value !== undefined && typeof value !== 'number';
    const word = wordIn(value);
    if (word === undefined) continue;
    if (typeof value !== 'number') unknownWord ??= word;
    if (UNKNOWN_WORD.test(word) && !isUnknownStateOfTask(layer, word))
      return { word, hasStatusField: true, unknown: true };
    const state = stateOfWord(word);
    if (state) return { state, word, hasStatusField: true, ...subjectOfStatus(layer, name, state, word) };
  }
  return statusByOtherFields(layer) ?? { hasStatusField, ...(unknownWord === undefined ? {} : { word: unknownWord }) };
}

/** The status of a layer whose status fields have no word that is known. */
function statusByOtherFields(layer: JsonObject): TaskStatus | undefined {
  const byNumber = stateOfNumber(layer);
  if (byNumber) return { ...byNumber, hasStatusField: true };
  const finish = textOf(field(layer, 'finishReason')) ?? '';
  if (stateOfWord(finish) !== 'failed') return undefined;
  return { state: 'failed', word: finish, hasStatusField: true };
}

const REASON_FIELDS = ['errorMessage', 'errorMsg', 'errorReason', 'failReason', 'failMsg', 'failureReason'];

/** The state of a numeric status. Its meaning depends on the service family; beside a failure reason it is always a failure. */
function stateOfNumber(layer: JsonObject): Pick<TaskStatus, 'state'> | undefined {
  const known = STATUS_NUMBERS.get(textOf(field(layer, 'successFlag')) ?? '');
  if (known) return { state: known.state };
  const numbered = STATUS_FIELDS.some((name) => typeof field(layer, name) === 'number');
  const reason = textOf(field(layer, ...REASON_FIELDS));
  if (!numbered) return undefined;
  if (reason !== undefined && !meansOk(reason) && !reason.includes('://')) return { state: 'failed' };
  // Text beside a number may say anything, so it counts only if it names a failure.
  const message = textOf(field(layer, 'taskStatusMsg', 'statusMsg', 'statusReason', 'reason'));
  return message !== undefined && stateOfWord(message) === 'failed' ? { state: 'failed' } : undefined;
}

function subjectOfStatus(
  layer: JsonObject,
  name: string,
  state: TaskState,
  word: string,
): Pick<TaskStatus, 'mayBeOfCall'> {
  // A field whose name contains "task" or "job" is not about the call.
  const isFailureOfCall = state === 'failed' && CALL_WORD.test(word) && !/^(task|job)/.test(name);
  return isFailureOfCall || isSuccessOfCall(layer, state, word) ? { mayBeOfCall: true } : {};
}

/** Words that are about the call as often as about the task. */
const CALL_WORD = /^(err|fail$|time)/i;

function isSuccessOfCall(layer: JsonObject, state: TaskState, word: string): boolean {
  if (state !== 'succeeded') return false;
  return /^ok$/i.test(word) || (/^succe(ss|ed|ssful)$/i.test(word) && field(layer, ...TASK_FIELDS) === undefined);
}

/** Whether this object has a failed status. */
export const isFailure = (layer: JsonObject): boolean => statusOfLayer(layer).state === 'failed';

const isFailedTask = (layer: JsonObject): boolean => field(layer, 'taskId', 'jobId') !== undefined && isFailure(layer);

const PROGRESS_FIELDS =
  'progress progressPercent progressPercentage percent percentage taskProgress percentComplete'.split(' ');

/** The progress from 0 to 100, if the service sends it: `"45%"`, `"65"`, `65`, `0.65`. */
export function progressOf(body: Json): number | undefined {
  const layers = layersOf(body);
  const places = statusIn(layers).hasStatusField ? layers : [...layers, ...nestedObjects(body)];
  return firstOf(places, (layer) => percentOf(field(layer, ...PROGRESS_FIELDS)));
}

/** Long enough for `Rendering: 45 % of frame 1,024`. */
const MAX_PROGRESS_LENGTH = 200;

function percentOf(value: Json | undefined): number | undefined {
  if (isObject(value)) return percentOf(field(value, ...PROGRESS_FIELDS, 'value', 'current') ?? null);
  if (typeof value === 'number') return value >= 0 ? percentOfNumber(value) : undefined;
  if (typeof value !== 'string') return undefined;
  const percent = /(\d+(?:\.\d+)?)\s*[%％]/.exec(value.slice(0, MAX_PROGRESS_LENGTH))?.[1];
  if (percent !== undefined) return Math.min(100, Math.round(Number(percent)));
  const plain = /^\s*(\d+(?:\.\d+)?)\s*$/.exec(value)?.[1];
  return plain === undefined ? undefined : percentOfNumber(Number(plain));
}

/** A number between 0 and 1 is a fraction. */
const percentOfNumber = (value: number): number =>
  Math.min(100, Math.round(value > 0 && value < 1 ? value * 100 : value));
