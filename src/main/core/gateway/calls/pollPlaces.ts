import { onceEach } from '../decode/onceEach.ts';
import { type Service, segmentOf } from '../service.ts';
import type { RemoteTask } from '../types.ts';

export interface PollPlace {
  /** Path and query on the profile's origin. */
  path: string;
  /** The path with `{id}` in it, where it is worth remembering. */
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
  '/v1/generations/{id}',
  '/v2/videos/generations/{id}',
];

/** … and those for an operation that is named by a path of its own, such as `operations/abc`. */
const KNOWN_FOR_NAMES = [
  '/v1/{id}',
  '/v1beta/{id}',
  '/v1/operations/{id}',
  '/v1/videos/{id}',
  '/v1/video/generations/{id}',
  '/v1/tasks/{id}',
];

/** Where to ask for a video: where its answer said, else the profile's path, else what worked before, else the known paths. */
export function pollPlaces(service: Service, task: RemoteTask): PollPlace[] {
  const prefix = new URL(service.profile.baseUrl).pathname.replace(/\/$/, '');
  const fill = (template: string, remember: boolean): PollPlace[] =>
    spellings(task.id, template).map((id) => ({
      path: prefix + template.replaceAll('{id}', id),
      ...(remember ? { template } : {}),
    }));
  const { videoPollPath } = service.profile;
  const remembered = service.memory().videoPollPath;
  const known = task.id.includes('/') ? KNOWN_FOR_NAMES : KNOWN;
  const places = [
    ...(task.pollPath === undefined ? [] : [{ path: task.pollPath }]),
    ...(videoPollPath === undefined ? [] : fill(videoPollPath, false)),
    ...(remembered === undefined ? [] : fill(remembered, false)),
    ...known.flatMap((template) => fill(template, true)),
  ];
  return onceEach<PollPlace>(places, (place) => place.path);
}

/** A name such as `models/x/operations/abc` as it is, and its last part: which one a path wants, the path mostly tells. */
function spellings(id: string, template: string): string[] {
  if (!id.includes('/')) return [segmentOf(id)];
  const whole = id.replace(/^\/+/, '').split('/').map(segmentOf).join('/');
  const last = segmentOf(id.split('/').findLast((part) => part !== '') ?? id);
  return /\/v\d\w*\/\{id\}$/.test(template) ? [whole] : [last, whole];
}
