import type { Board } from '../../src/shared/board.ts';
import type { Export, Preflight, Stream } from '../../src/shared/filmExport.ts';
import type { Job } from '../../src/shared/job.ts';
import { NOW } from './data.ts';

/** The preflight and the exports of the look's film: `export=run|done|failed|canceled` shows one of them. */

const LUFS = [-22.6, undefined, -23.1, -18.9];

function streamOf(shot: Board['shots'][number], at: number, jobs: readonly Job[]): Stream {
  const made = shot.takes.flatMap((take) => jobs.find(({ id, state }) => id === take && state === 'succeeded') ?? []);
  const job = made.find(({ id }) => id === shot.activeTake) ?? made.at(-1);
  const asset = job?.outputs[shot.activeOutput ?? 0];
  if (!job || !asset) return { shotId: shot.id };
  const isOdd = at === 1;
  const lufs = LUFS[at];
  return {
    shotId: shot.id,
    jobId: job.id,
    assetId: asset.id,
    width: isOdd ? 1_280 : 1_920,
    height: isOdd ? 720 : 1_080,
    fps: 24,
    videoCodec: isOdd ? 'avc1.64001f' : 'avc1.640029',
    ...(isOdd ? {} : { audioCodec: 'mp4a.40.2', sampleRate: 48_000 }),
    seconds: asset.seconds ?? 4,
    ...(lufs === undefined || isOdd ? {} : { lufs }),
  };
}

export function preflight(board: Board, jobs: readonly Job[], isFine: boolean): Preflight {
  const streams = board.shots.filter(({ skipped }) => !skipped).map((shot, at) => streamOf(shot, at, jobs));
  if (isFine) return { findings: [], streams, canJoin: true, whyNot: [], joinsPictures: true, soundEncoded: [] };
  const id = (number: number) => board.shots[number - 1]?.id ?? '';
  return {
    findings: [
      {
        level: 'know',
        code: 'size',
        shotId: id(2),
        message: 'Shot 2 is 1280 × 720; the film is 1920 × 1080, so the shot is scaled.',
      },
      {
        level: 'know',
        code: 'silent',
        shotId: id(2),
        message: 'Shot 2 is silent: it was made without sound, so silence is put in.',
      },
      {
        level: 'know',
        code: 'stale',
        shotId: id(4),
        message: 'Shot 4 is stale: it was made from a take that does not play any more.',
      },
      {
        level: 'know',
        code: 'loudness',
        shotId: id(4),
        message: 'Loudness steps by 4.2 LU from shot 3 to 4: -23.1 to -18.9 LUFS.',
      },
      { level: 'stop', code: 'missing', shotId: id(5), message: 'Shot 5 has no take. Planned 6 s.' },
    ],
    streams,
    canJoin: false,
    whyNot: [
      'Shot 5 has no take. Planned 6 s.',
      'Shot 2 is 1280 × 720, the film 1920 × 1080.',
      'Shot 2 has sound at 44100 Hz, the film at 48000 Hz.',
    ],
    joinsPictures: false,
    soundEncoded: [],
  };
}

const ENDINGS: Record<string, Partial<Export>> = {
  run: { state: 'running', progress: 41, files: [] },
  done: { state: 'done', progress: 100 },
  failed: {
    state: 'failed',
    progress: 0,
    files: [],
    error: 'The disk is full. Nothing was exported; make room and start it again.',
  },
  canceled: { state: 'canceled', progress: 0, files: [] },
};

const file = (name: string, bytes: number, mime: string) => ({ name, bytes, mime, sha256: '7be1'.repeat(16) });

export function exportsOf(option: string | null): Export[] {
  const one: Export = {
    id: 'exp_1',
    revision: 1,
    kind: 'mp4',
    state: 'done',
    progress: 100,
    name: 'Last Ferry, cut 3',
    projectId: 'ferry',
    mode: 'encode',
    why: 'Shot 2 is 1280 × 720, the film 1920 × 1080.',
    files: [
      file('Last-Ferry-cut-3.mp4', 61_400_000, 'video/mp4'),
      ...[1, 2, 3, 4].map((shot) => file(`media/Last-Ferry_SH0${shot}0_T01.mp4`, 13_650_000, 'video/mp4')),
      file('Last-Ferry-cut-3.fcpxml', 12_400, 'application/xml'),
      file('Last-Ferry-cut-3.csv', 2_100, 'text/csv'),
    ],
    folder: '/home/maker/Films/Last-Ferry-cut-3',
    createdAt: NOW - 47_000,
    finishedAt: NOW,
  };
  if (option === null) return [];
  const { finishedAt, ...running } = one;
  const shown = { ...(option === 'run' ? running : one), ...ENDINGS[option] };
  const { mode: _, why: __, ...older } = one;
  return [
    shown,
    { ...older, id: 'exp_0', kind: 'csv', name: 'Last Ferry', createdAt: NOW - 9e7, finishedAt: NOW - 9e7 + 2_000 },
  ];
}
