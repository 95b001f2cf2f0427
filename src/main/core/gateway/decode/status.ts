import { field, isObject, type Json, layersOf, textOf } from './json.ts';

export type TaskState = 'running' | 'succeeded' | 'failed';

const RUNNING =
  'notstart notstarted submitted submitting inprogress modal pendingqueue onqueue pending queued queueing queuing inqueue waiting wait scheduled ' +
  'created starting started start preparing prepared processing process running active generating rendering encoding uploading accepted ' +
  'initializing initialized dispatched new staged retrying throttled';
const SUCCEEDED = 'success succeeded succeed successful completed complete done finished finish ready generated';
const FAILED =
  'failed failure fail error errored canceled cancelled cancel expired rejected aborted abort timeout timedout blocked moderated filtered ' +
  'contentmoderated requestmoderated terminated';

const STATES = new Map<string, TaskState>([
  ...RUNNING.split(' ').map((word) => [word, 'running'] as const),
  ...SUCCEEDED.split(' ').map((word) => [word, 'succeeded'] as const),
  ...FAILED.split(' ').map((word) => [word, 'failed'] as const),
]);

/** What a status word means, in whatever case and with whatever prefix (`TASK_STATUS_SUCCEED`, `JOB_STATE_RUNNING`). */
export function stateOfWord(word: string): TaskState | undefined {
  const letters = word.toLowerCase().replace(/[^a-z]/g, '');
  return STATES.get(letters) ?? STATES.get(letters.replace(/^(task|job|operation|video|status|state)+/, ''));
}

export interface Stand {
  state?: TaskState;
  /** The word as the service wrote it. */
  word?: string;
  /** The answer has a field for the state at all, if only an empty one. */
  told: boolean;
}

const STATUS_FIELDS = ['status', 'taskStatus', 'state', 'jobStatus', 'phase', 'taskState'];

/** Where a task stands, by the innermost object that says so: a wrapper's `status: "success"` is about the call, not the task. */
export function standOf(body: Json): Stand {
  let told = false;
  for (const layer of layersOf(body)) {
    if (typeof field(layer, 'done') === 'boolean') {
      return { state: field(layer, 'done') === true ? 'succeeded' : 'running', told: true };
    }
    for (const name of STATUS_FIELDS) {
      const value = field(layer, name);
      told ||= value !== undefined && typeof value !== 'number';
      const word = isObject(value) ? textOf(field(value, 'state', 'status')) : textOf(value);
      const state = word === undefined ? undefined : stateOfWord(word);
      if (state) return { state, word, told: true };
    }
  }
  return { told };
}

/** 0 to 100, where the service tells: `"45%"`, `"65"`, `65`, `0.65`. */
export function progressOf(body: Json): number | undefined {
  for (const layer of layersOf(body)) {
    const value = field(
      layer,
      'progress',
      'progressPercent',
      'progressPercentage',
      'percent',
      'percentage',
      'taskProgress',
    );
    const found = percentOf(value);
    if (found !== undefined) return found;
  }
  return undefined;
}

function percentOf(value: Json | undefined): number | undefined {
  if (typeof value === 'number') {
    const percent = value > 0 && value < 1 ? value * 100 : value;
    return percent >= 0 ? Math.min(100, Math.round(percent)) : undefined;
  }
  if (typeof value !== 'string') return undefined;
  const match = /(\d+(?:\.\d+)?)\s*%/.exec(value) ?? /^\s*(\d+(?:\.\d+)?)\s*$/.exec(value);
  return match ? Math.min(100, Math.round(Number(match[1]))) : undefined;
}
