import { setTransport, type Transport } from '../../../src/renderer/client/index.ts';
import type { Board } from '../../../src/shared/board.ts';
import type { StudioEvent } from '../../../src/shared/events.ts';
import type { Job } from '../../../src/shared/job.ts';
import type { StudioRequest } from '../../../src/shared/kinds/index.ts';
import { fail, ok } from '../../../src/shared/result.ts';
import { job, still } from '../data.ts';
import { fakeTransport } from '../fakeTransport.ts';
import { clipOf } from './clips.ts';
import { clipsToMake, filmJobs, filmShots } from './film.ts';
import { editOfPlate, pictureJobs } from './pictures.ts';

/** The fake studio with a film on its board; the clips are real ones, made when the page opens. Option `bare`: no shots. */
const options = new URLSearchParams(window.location.search);
const base = fakeTransport(options);
const clips = new Map<string, string>();
for (const { id, head, tail, seconds } of options.has('bare') ? [] : clipsToMake) {
  clips.set(id, await clipOf(head, tail, seconds));
}

if (!options.has('bare')) {
  for (const [id, url] of await editOfPlate()) clips.set(id, url);
}
const jobs = new Map([...(options.has('bare') ? [] : pictureJobs()), ...filmJobs()].map((entry) => [entry.id, entry]));
let board: Board = { projectId: 'ferry', revision: 1, shots: options.has('bare') ? [] : filmShots() };
const listeners = new Set<(event: StudioEvent) => void>();

const answers: Record<string, (input: never) => unknown> = {
  'storyboard.get': () => ok(board),
  'storyboard.save': (next: Board) => {
    if (next.revision !== board.revision) return fail('conflict', 'The board has a newer revision.');
    board = { ...next, revision: next.revision + 1 };
    return ok(board);
  },
  'storyboard.makeTake': ({ shotId }: { shotId: string }) => {
    const made = job({ request: { kind: 'video', model: 'video-standard', prompt: 'take' }, dollars: [2.4, 0.4] });
    jobs.set(made.id, made);
    board = {
      ...board,
      revision: board.revision + 1,
      shots: board.shots.map((shot) => (shot.id === shotId ? { ...shot, takes: [...shot.takes, made.id] } : shot)),
    };
    return ok({ job: made, board });
  },
  'jobs.judge': ({ id, verdict }: { id: string; verdict: Job['verdict'] }) => {
    const old = jobs.get(id);
    if (!old) return undefined;
    jobs.set(id, { ...old, verdict: verdict ?? undefined });
    return ok(jobs.get(id));
  },
  'jobs.get': ({ id }: { id: string }) => jobs.has(id) && ok(jobs.get(id)),
  'jobs.list': ({ kinds }: { kinds?: string[] }) => {
    const listed = [...jobs.values()].filter(({ kind }) => kinds?.includes(kind)).reverse();
    return kinds?.every((kind) => kind !== 'chat') && ok({ jobs: listed, total: listed.length });
  },
  'jobs.enqueue': ({ requests }: { requests: StudioRequest[] }) => {
    const made = requests.map((request) => job({ request, dollars: [0.05], state: 'running', progress: 20 }));
    for (const entry of made) jobs.set(entry.id, entry);
    for (const entry of made) for (const listener of listeners) listener({ type: 'job.changed', job: entry });
    return ok({ jobs: made });
  },
  'library.get': ({ id }: { id: string }) =>
    ok([...jobs.values()].flatMap(({ outputs }) => outputs).find((asset) => asset.id === id) ?? still(id)),
};

/** A broken or slow studio is the base's to play. */
const isWell = !options.has('broken') && !options.has('slow');
const transport: Transport = {
  ...base,
  call: async (name, input) =>
    isWell && answers[name]
      ? ((await answers[name](input as never)) as Awaited<ReturnType<Transport['call']>>) || base.call(name, input)
      : base.call(name, input),
  subscribe: (onEvent, onLink) => {
    listeners.add(onEvent);
    const end = base.subscribe(onEvent, onLink);
    return () => {
      listeners.delete(onEvent);
      end();
    };
  },
  upload: async (body, name, purpose) => {
    const id = `upload_${clips.size}`;
    clips.set(id, URL.createObjectURL(body));
    return ok(still(id, { name, mime: body.type, bytes: body.size, role: 'role' in purpose ? purpose.role : 'frame' }));
  },
  mediaUrl: (id) => clips.get(id) ?? base.mediaUrl(id),
};
setTransport(transport);
await import('../../../src/renderer/main.tsx');
