import { uniqueBy } from '../../../../../shared/contract/values.ts';
import { outputAt } from '../../addresses/mediaAddress.ts';
import { basePathOf, pathAtOrigin, segmentOf, urlAtOrigin } from '../../http/origin.ts';
import { field, isObject, layersOf, listOf, textOf } from '../../json/fields.ts';
import type { Json } from '../../json/parse.ts';
import type { Service } from '../../service.ts';
import type { RemoteOutput, RemoteTask } from '../../types.ts';
import { contentOutput } from '../parsedAnswer.ts';
import { resultUrlOf } from '../taskId.ts';

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

/** Known and guessed paths of a task. */
interface PollPaths {
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
  const known = uniqueBy((task.id.includes('/') ? KNOWN_FOR_NAMES : KNOWN).flatMap(fill), ({ path }) => path);
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
  const turns = new Map<string, { from: number; hasAll: boolean }>();
  const shut = new Map<string, string>();
  const begin = (taskId: string, from: number, hasAll: boolean): void => {
    if (turns.size >= MAX_TASKS) turns.clear();
    turns.set(taskId, { from, hasAll });
  };
  return {
    next(taskId: string, guessed: readonly PollPath[], hasSure: boolean): PollPath[] {
      const { from, hasAll } = turns.get(taskId) ?? { from: 0, hasAll: !hasSure };
      const start = from % Math.max(guessed.length, 1);
      const count = hasAll ? guessed.length : GUESSES_PER_POLL;
      begin(taskId, start + count, false);
      const inTurn = [...guessed.slice(start), ...guessed.slice(0, start)].slice(0, count);
      const first = guessed.filter(({ path }) => path === shut.get(taskId));
      return uniqueBy([...first, ...inTurn], ({ path }) => path);
    },
    /** A path that fails may fail for every unknown task and must not hide the others, so the next poll starts after it. */
    failed(taskId: string, guessed: readonly PollPath[], pollPath: PollPath, hasSure: boolean): void {
      shut.delete(taskId);
      begin(taskId, guessed.indexOf(pollPath) + 1, !hasSure);
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

/** A path on the profile's origin whose answer may name the clip of a finished task. */
export interface ClipPlace {
  path: string;
  /** The answer names a file, but not where it is: an error of this place says nothing about the clip. */
  isGuessed?: true;
}

/** No service names more than a few files of one task. */
const MAX_FILES = 4;

export function clipPlaces(service: Service, json: Json | undefined, pollPath: string): ClipPlace[] {
  if (json === undefined) return [];
  const named = resultUrlOf(json);
  const own = named === undefined ? undefined : pathAtOrigin(service, named);
  const queue = /^(.+)\/status(?=$|\?)/.exec(pollPath)?.[1];
  const told = [own, queue].flatMap((path) => (path === undefined ? [] : { path }));
  return [...told, ...filePlaces(service, json, pollPath)].filter(
    ({ path }, index, all) => path !== pollPath && all.findIndex((other) => other.path === path) === index,
  );
}

/** The address of a file that MiniMax's answer names: `/v1/files/retrieve`, below the path at which a gateway serves MiniMax. */
function filePlaces(service: Service, json: Json, pollPath: string): ClipPlace[] {
  const ids = new Set(layersOf(json).flatMap((layer) => textOf(field(layer, 'fileId')) ?? []));
  const roots = [apiRootOf(pollPath) ?? '', `${basePathOf(service)}/v1`].filter((root) => root !== '');
  return [...ids]
    .slice(0, MAX_FILES)
    .flatMap((id) =>
      roots.map((root) => ({ path: `${root}/files/retrieve?file_id=${segmentOf(id)}`, isGuessed: true })),
    );
}

const MINIMAX_QUERY = '/query/video_generation';

/** The path of the service's interface in a poll path, with its version: `/minimaxi/v1` of `/minimaxi/v1/query/video_generation`. */
function apiRootOf(pollPath: string): string | undefined {
  const path = pathOf(pollPath);
  if (path.endsWith(MINIMAX_QUERY)) return path.slice(0, -MINIMAX_QUERY.length);
  const segments = path.split('/');
  const version = segments.findLastIndex((segment) => /^v\d/.test(segment));
  return version < 0 ? undefined : segments.slice(0, version + 1).join('/');
}

/** The clips of a finished task at endpoints for their bytes, which its answer does not name. */
interface ContentPlace {
  outputs: RemoteOutput[];
  /**
   * `sure`: the family of services has them there. `named`: the answer names the clips, but not where they are. `usual`: the endpoint
   * that most services have. `below`: the one below the path that was polled.
   */
  by: 'sure' | 'named' | 'usual' | 'below';
}

/** The clips that the answer names come first, because the other endpoints have one clip only. */
export function contentPlaces(service: Service, id: string, json: Json | undefined, pollPath: string): ContentPlace[] {
  const usual = contentOutput(service, id, json, pollPath);
  const path = contentBelow(id, pollPath);
  const below = path === undefined ? [] : outputsAt(service, [path], json).filter(({ uri }) => uri !== usual.uri);
  const places: ContentPlace[] = [
    generations(service, json, pollPath),
    { outputs: [usual], by: 'usual' },
    { outputs: below, by: 'below' },
  ];
  return places.filter(({ outputs }) => outputs.length > 0);
}

const outputsAt = (service: Service, paths: readonly string[], beside: Json | undefined): RemoteOutput[] =>
  paths.flatMap((path) => {
    const uri = urlAtOrigin(service, path)?.href;
    return uri === undefined ? [] : [outputAt(uri, beside)];
  });

/** `/v1/jobs/{id}/content` of `/v1/jobs/{id}` (Decart), if the path ends with the task's id. */
function contentBelow(id: string, pollPath: string): string | undefined {
  const path = pathOf(pollPath).replace(/\/status$/, '');
  const last = segmentOf(id.split('/').at(-1) ?? id);
  return last !== '' && path.endsWith(`/${last}`) ? `${path}/content${queryOf(pollPath)}` : undefined;
}

const MAX_GENERATIONS = 16;

/**
 * Azure's clips are generations of a job, each with an id of its own: `/video/generations/{id}/content/video` beside
 * `/video/generations/jobs/{id}` (learn.microsoft.com: video generation jobs).
 */
function generations(service: Service, json: Json | undefined, pollPath: string): ContentPlace {
  const jobs = layersOf(json).map((job) => ({ job, ids: generationIds(job) }));
  const { job, ids } = jobs.find((one) => one.ids.length > 0) ?? { job: undefined, ids: [] };
  const beside = AZURE_JOB.exec(pathOf(pollPath))?.[1];
  const root = beside ?? `${apiRootOf(pollPath) ?? `${basePathOf(service)}/v1`}/video/generations`;
  const query = beside === undefined ? '' : queryOf(pollPath);
  const paths = ids.map((id) => `${root}/${segmentOf(id)}/content/video${query}`);
  return { outputs: outputsAt(service, paths, job), by: beside === undefined ? 'named' : 'sure' };
}

/** Checks the path, because other services have jobs too and may pass on an answer of Azure. */
const AZURE_JOB = /^(.*\/video\/generations)\/jobs\//;

function generationIds(job: Json): string[] {
  const ids = listOf(field(job, 'generations')).flatMap((entry) => {
    const isOfJob = textOf(field(entry, 'object')) === 'video.generation' || field(entry, 'jobId') !== undefined;
    return (isObject(entry) && isOfJob ? textOf(field(entry, 'id')) : undefined) ?? [];
  });
  return [...new Set(ids)].slice(0, MAX_GENERATIONS);
}

const queryOf = (pollPath: string): string => /\?[^#]*/.exec(pollPath)?.[0] ?? '';

/** A poll path without its query. */
const pathOf = (pollPath: string): string => pollPath.split(/[?#]/, 1)[0] ?? '';
