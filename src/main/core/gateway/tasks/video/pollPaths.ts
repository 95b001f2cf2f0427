import { uniqueBy } from '../../../../../shared/contract/values.ts';
import { basePathOf, segmentOf } from '../../http/index.ts';
import type { Service } from '../../service.ts';
import type { RemoteTask } from '../../types.ts';

export interface PollPath {
  /** Path and query on the profile's origin. */
  path: string;
  /** The path with `{id}` in it, if the path is only guessed: remembered if it works. */
  template?: string;
}

/** Paths that services of this family are known to use, the most usual first. */
const KNOWN = [
  '/v1/videos/{id}',
  '/v1/operations/{id}',
  '/v1/video/generations/{id}',
  '/v1/tasks/{id}',
  '/v1/videos/generations/{id}',
  '/v1/video/tasks/{id}',
  '/v1/video/query?id={id}',
  '/v1/task/{id}',
  '/v1/jobs/{id}',
  '/v1/video/generations/jobs/{id}',
  '/v1/generations/{id}',
  '/v2/videos/generations/{id}',
  '/v1/video/{id}',
  '/v1/predictions/{id}',
  '/v1/query/video_generation?task_id={id}',
];

/** The paths for an operation whose name is a path, such as `operations/abc`. */
const KNOWN_FOR_NAMES = [
  '/v1/{id}',
  '/v1beta/{id}',
  '/v1/operations/{id}',
  '/v1/videos/{id}',
  '/v1/video/generations/{id}',
  '/v1/tasks/{id}',
];

/** The paths that the prefix of an id suggests: `task_9f` is polled at a path of tasks. */
const PATHS_BY_PREFIX: ReadonlyMap<string, RegExp> = new Map([
  ['video', /videos\//],
  ['vid', /videos\//],
  ['operation', /operations\//],
  ['op', /operations\//],
  ['task', /task|videos?\/generations/],
  ['cgt', /task/],
  ['job', /jobs\//],
  ['gen', /generations\//],
  ['generation', /generations\//],
  ['pred', /predictions\//],
]);

function knownFor(id: string): string[] {
  if (id.includes('/')) return KNOWN_FOR_NAMES;
  const kin = PATHS_BY_PREFIX.get(/^[a-z]+(?=[_:-])/i.exec(id)?.[0].toLowerCase() ?? '');
  if (!kin) return KNOWN;
  return [...KNOWN.filter((template) => kin.test(template)), ...KNOWN.filter((template) => !kin.test(template))];
}

/** Known and guessed paths of a task. */
export interface PollPaths {
  /** From the submit's answer, the profile, and what worked before. */
  sure: PollPath[];
  guessed: PollPath[];
}

export function pollPaths(service: Service, task: RemoteTask): PollPaths {
  const prefix = basePathOf(service);
  const fill = (template: string): PollPath[] =>
    spellings(task.id, template).map((id) => ({ path: prefix + template.replaceAll('{id}', id), template }));
  const configured = [service.profile.videoPollPath, service.memory().videoPollPath].flatMap((template) =>
    template === undefined ? [] : fill(template).map(({ path }) => ({ path })),
  );
  const sure = uniqueBy(
    [...(task.pollPath === undefined ? [] : [{ path: task.pollPath }]), ...configured],
    ({ path }) => path,
  );
  const named = new Set(sure.map(({ path }) => path));
  const known = uniqueBy(knownFor(task.id).flatMap(fill), ({ path }) => path);
  return { sure, guessed: known.filter(({ path }) => !named.has(path)) };
}

/** A name such as `models/x/operations/abc` in full, and its last part; the path usually shows which one it needs. */
function spellings(id: string, template: string): string[] {
  if (!id.includes('/')) return [segmentOf(id)];
  const whole = id.replace(/^\/+/, '').split('/').map(segmentOf).join('/');
  const last = segmentOf(id.split('/').findLast((part) => part !== '') ?? id);
  return /\/v\d\w*\/\{id\}$/.test(template) ? [whole] : [last, whole];
}

/** The number of guesses per poll once all have failed: a service that does not know the task is not queried at every path each time. */
const GUESSES_PER_POLL = 3;
const MAX_TASKS = 10_000;

export type Guesses = ReturnType<typeof createGuesses>;

/** Chooses the next guesses per task: all of them the first time, if no path is known; then a few in turn. */
export function createGuesses() {
  const turns = new Map<string, number>();
  const shut = new Map<string, string>();
  const next = (taskId: string, guessed: readonly PollPath[], hasSure: boolean): PollPath[] => {
    const turn = turns.get(taskId);
    if (turns.size >= MAX_TASKS) turns.clear();
    if (turn === undefined && !hasSure) {
      turns.set(taskId, 0);
      return [...guessed];
    }
    const from = turn ?? 0;
    turns.set(taskId, from + GUESSES_PER_POLL);
    const count = Math.min(GUESSES_PER_POLL, guessed.length);
    return Array.from({ length: count }, (_, step) => guessed[(from + step) % guessed.length]).filter(
      (pollPath) => pollPath !== undefined,
    );
  };
  return {
    next(taskId: string, guessed: readonly PollPath[], hasSure: boolean): PollPath[] {
      const first = guessed.filter(({ path }) => path === shut.get(taskId));
      return uniqueBy([...first, ...next(taskId, guessed, hasSure)], ({ path }) => path);
    },
    /** Records a path that exists but refused the answer: it is tried first from now on. */
    refused(taskId: string, { path }: PollPath): void {
      if (shut.size >= MAX_TASKS) shut.clear();
      shut.set(taskId, path);
    },
    found(taskId: string): void {
      turns.delete(taskId);
      shut.delete(taskId);
    },
  };
}
