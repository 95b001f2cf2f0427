import { deeperObjects } from './deeper.ts';
import { field, isObject, type Json, type JsonObject, layersOf, textOf } from './json.ts';

export type TaskState = 'running' | 'succeeded' | 'failed';

const RUNNING =
  'notstart notstarted submitted submitting inprogress inprocess modal pendingqueue onqueue pending queued queueing queuing inqueue enqueued ' +
  'waiting wait scheduled scheduling created starting started start preparing prepared processing process processed running run active ' +
  'generating rendering encoding transcoding uploading downloading upscaling finalizing postprocessing accepted assigned received delayed ' +
  'initializing initialized init dispatched dispatching dreaming drawing working executing ongoing loading booting warmingup validating ' +
  'progress new staged staging retrying throttled paused';
const SUCCEEDED =
  'success succeeded succeed succeded successful ok completed complete done finished finish ready generated available fulfilled';
const FAILED =
  'failed failure fail error errored canceled cancelled cancel expired rejected refused denied aborted abort timeout timedout blocked ' +
  'moderated filtered censored banned nsfw contentmoderated requestmoderated terminated killed crashed stopped deleted';

const STATES = new Map<string, TaskState>([
  ...RUNNING.split(' ').map((word) => [word, 'running'] as const),
  ...SUCCEEDED.split(' ').map((word) => [word, 'succeeded'] as const),
  ...FAILED.split(' ').map((word) => [word, 'failed'] as const),
]);

const OTHER_SCRIPT: readonly [RegExp, TaskState][] = [
  [/失败|取消|超时|违规|拒绝|错误/, 'failed'],
  [/中$|等待|排队|未开始|已提交/, 'running'],
  [/成功|完成/, 'succeeded'],
];

/** What a status word means, in whatever case and with whatever prefix (`TASK_STATUS_SUCCEED`, `JOB_STATE_RUNNING`). */
export function stateOfWord(word: string): TaskState | undefined {
  const letters = word.toLowerCase().replace(/[^a-z]/g, '');
  if (letters === '') return OTHER_SCRIPT.find(([pattern]) => pattern.test(word))?.[1];
  return STATES.get(letters) ?? STATES.get(letters.replace(PREFIX, '')) ?? stateOfPhrase(word);
}

const PREFIX = /^(task|job|operation|video|image|media|generation|request|run|status|state)+/;

/** `Waiting to start`, `failed: nsfw`: a phrase begins with its word. What begins with success may still go on with "but". */
function stateOfPhrase(word: string): TaskState | undefined {
  const first = /^\s*([a-z]+)[\s:,.(]/i.exec(word)?.[1]?.toLowerCase();
  const state = first === undefined ? undefined : STATES.get(first);
  return state === 'succeeded' ? undefined : state;
}

export interface Stand {
  state?: TaskState;
  /** The word as the service wrote it; without a state, one that is not known. */
  word?: string;
  /** The answer has a field for the state at all, if only an empty one. */
  told: boolean;
  /** A success that may only be the call's: `{ status: "success", data: … }` around no task. */
  ofCall?: boolean;
  /** The service says in its status that it does not know the task. */
  unknown?: boolean;
}

const STATUS_FIELDS = ['taskStatus', 'status', 'state', 'jobStatus', 'phase', 'taskState', 'statusName', 'statusText'];
const OWN_FIELDS = ['taskId', 'jobId', 'id', 'progress', 'prompt', 'finishTime'];
const UNKNOWN_WORD = /^\s*((task|job|video|operation)[\s_-]*)?(unknown|not[\s_-]*(found|exists?)|no[\s_-]*such.*)\s*$/i;

/** Where a task stands, by the innermost object that says so: a wrapper's `status: "success"` is about the call, not the task. */
export function standOf(body: Json): Stand {
  const layers = layersOf(body);
  const stand = standIn(layers);
  return stand.told ? stand : standIn(deeperObjects(body));
}

function standIn(layers: readonly JsonObject[]): Stand {
  let told = false;
  let word: string | undefined;
  for (const [index, layer] of layers.entries()) {
    const own = standOfLayer(layer);
    told ||= own.told;
    word ??= own.word;
    if (own.state === undefined && !own.unknown) continue;
    // A gateway gives up on a task whose last word from upstream stays inside its own answer.
    const given = own.state === 'running' ? layers.slice(index + 1).find(failsItself) : undefined;
    return given ? standOfLayer(given) : own;
  }
  return { told, ...(word === undefined ? {} : { word }) };
}

const DONE_FIELDS = ['done', 'isDone', 'finished', 'isFinished', 'completed', 'isCompleted', 'isComplete'];

function standOfLayer(layer: JsonObject): Stand {
  const done = field(layer, ...DONE_FIELDS);
  if (done === true || done === 'true') return { state: 'succeeded', told: true };
  if (done === false || done === 'false') return { state: 'running', told: true };
  let told = false;
  let strange: string | undefined;
  for (const name of STATUS_FIELDS) {
    const value = field(layer, name);
    told ||= value !== undefined && typeof value !== 'number';
    const word = isObject(value) ? textOf(field(value, 'state', 'status', 'code')) : textOf(value);
    if (word === undefined) continue;
    if (typeof value !== 'number') strange ??= word;
    if (UNKNOWN_WORD.test(word)) return { word, told: true, unknown: true };
    const state = stateOfWord(word);
    if (state) return { state, word, told: true, ...(isOfCall(layer, state, word) ? { ofCall: true } : {}) };
  }
  return { told, ...(strange === undefined ? {} : { word: strange }) };
}

function isOfCall(layer: JsonObject, state: TaskState, word: string): boolean {
  if (state !== 'succeeded') return false;
  return /^ok$/i.test(word) || (/^succe(ss|ed|ssful)$/i.test(word) && field(layer, ...OWN_FIELDS) === undefined);
}

const failsItself = (layer: JsonObject): boolean =>
  field(layer, 'taskId', 'jobId') !== undefined && standOfLayer(layer).state === 'failed';

const PROGRESS_FIELDS = [
  'progress',
  'progressPercent',
  'progressPercentage',
  'percent',
  'percentage',
  'taskProgress',
  'percentComplete',
];

/** 0 to 100, where the service tells: `"45%"`, `"65"`, `65`, `0.65`. */
export function progressOf(body: Json): number | undefined {
  const layers = layersOf(body);
  for (const layer of standIn(layers).told ? layers : [...layers, ...deeperObjects(body)]) {
    const found = percentOf(field(layer, ...PROGRESS_FIELDS));
    if (found !== undefined) return found;
  }
  return undefined;
}

function percentOf(value: Json | undefined): number | undefined {
  if (isObject(value)) return percentOf(field(value, ...PROGRESS_FIELDS, 'value', 'current') ?? null);
  if (typeof value === 'number') return value >= 0 ? percentOfNumber(value) : undefined;
  if (typeof value !== 'string') return undefined;
  const percent = /(\d+(?:\.\d+)?)\s*[%％]/.exec(value)?.[1];
  if (percent !== undefined) return Math.min(100, Math.round(Number(percent)));
  const bare = /^\s*(\d+(?:\.\d+)?)\s*$/.exec(value)?.[1];
  return bare === undefined ? undefined : percentOfNumber(Number(bare));
}

/** Between nothing and one it is a share. */
const percentOfNumber = (value: number): number =>
  Math.min(100, Math.round(value > 0 && value < 1 ? value * 100 : value));
