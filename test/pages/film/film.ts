import type { Asset } from '../../../src/shared/asset.ts';
import type { Shot } from '../../../src/shared/board.ts';
import type { Job, Verdict } from '../../../src/shared/job.ts';
import { job, NOW, still } from '../data.ts';

/** Last Ferry as a board: five shots, takes in every state. */

const WORDS: [title: string, prompt: string, seconds: 4 | 6 | 8][] = [
  ['', 'Harbour, rain, the boat still lit. Long lens, slow drift left, sodium lamps on wet stone.', 8],
  ['', 'Push in to the deck lamp. Rain crosses the beam.', 4],
  [
    'She watches the lights go',
    'A woman in a wool coat, profile, at the wet window of a night ferry. Harbour lights slide away to the right. Practical tungsten from behind, cold water outside. Held breath, no smile. 50 mm, slow push.',
    6,
  ],
  ['', 'She turns from the glass', 8],
  ['', 'Window dissolves to open sea, dawn', 6],
];

interface TakeSeed {
  shot: number;
  id: string;
  stills?: [head: string, tail: string];
  verdict?: Verdict;
  state?: Job['state'];
  more?: Partial<Job>;
}

const TAKES: TakeSeed[] = [
  { shot: 0, id: 'a1', stills: ['s1a', 's1a'], verdict: 'no' },
  { shot: 0, id: 'a2', stills: ['s1b', 's1b'], verdict: 'keep' },
  { shot: 0, id: 'a3', state: 'running', more: { progress: 62 } },
  { shot: 1, id: 'b1', stills: ['s2b', 's2c'], verdict: 'maybe' },
  { shot: 1, id: 'b2', stills: ['s1b', 's2a'], verdict: 'keep' },
  { shot: 2, id: 'c1', stills: ['s3a', 's3a'], verdict: 'no' },
  { shot: 2, id: 'c2', stills: ['s3b', 's3b'], verdict: 'no' },
  { shot: 2, id: 'c3', stills: ['s3c', 's3c'], verdict: 'maybe' },
  { shot: 2, id: 'c4', stills: ['s3a', 's3d'], verdict: 'keep' },
  {
    shot: 2,
    id: 'c5',
    state: 'failed',
    more: { error: { kind: 'moderation', message: 'Refused by the filter: violence', retryable: false } },
  },
  { shot: 3, id: 'd1', stills: ['s3c', 's4a'] },
  { shot: 3, id: 'd2', state: 'uncertain' },
  { shot: 4, id: 'e1', state: 'blocked', more: { reason: 'dependency', dependsOn: ['job_d2'] } },
];

const lengthOf = (shot: number): number => (shot === 3 ? 7 : (WORDS[shot]?.[2] ?? 8));

export const clipsToMake = TAKES.flatMap(({ id, shot, stills }) =>
  stills ? [{ id: `clip_${id}`, head: stills[0], tail: stills[1], seconds: lengthOf(shot) }] : [],
);

function clipAsset(id: string, [head, tail]: [string, string], seconds: number): Asset {
  return still(`clip_${id}`, { seconds, thumbnailId: head, lastFrameId: tail, name: `take ${id}` });
}

export const filmJobs = (): Job[] =>
  TAKES.map(({ id, shot, stills, verdict, state = 'succeeded', more }) => {
    const seconds = lengthOf(shot);
    return job({
      id: `job_${id}`,
      state,
      dollars: [seconds * 0.4, 0.4],
      request: {
        kind: 'video',
        model: 'video-standard',
        prompt: WORDS[shot]?.[1] ?? '',
        config: { seed: 2_841_160 + id.charCodeAt(0) * 3 + Number(id[1]) },
      },
      createdAt: NOW - 20_000_000 + id.charCodeAt(0) * 60_000,
      finishedAt: NOW - 19_000_000 + id.charCodeAt(0) * 60_000,
      outputs: stills ? [clipAsset(id, stills, seconds)] : [],
      ...(verdict ? { verdict } : {}),
      ...more,
      ...(state === 'failed'
        ? { money: { ...job({ request: { kind: 'imagine', prompt: 'x' }, dollars: [0] }).money } }
        : {}),
    });
  });

const takesOf = (shot: number): string[] => TAKES.filter((take) => take.shot === shot).map(({ id }) => `job_${id}`);

export const filmShots = (): Shot[] =>
  WORDS.map(([title, prompt, seconds], index) => ({
    id: `shot_${index}`,
    title,
    prompt,
    model: 'video-standard',
    source: (['text', 'first', 'references', 'extend', 'firstLast'] as const)[index] ?? 'text',
    config: {
      resolution: '1080p',
      durationSeconds: seconds,
      aspectRatio: '16:9',
      generateAudio: index !== 1,
      seed: 2_841_172,
    },
    ...(index === 1 ? { image: { jobId: 'job_a2', frame: 'last' as const } } : {}),
    ...(index === 3 ? { video: { jobId: 'job_c3' } } : {}),
    ...(index === 4 ? { image: { jobId: 'job_d1', frame: 'last' as const }, lastFrame: { assetId: 'sea' } } : {}),
    referenceImages: index === 2 ? [{ assetId: 's3d' }, { assetId: 's3a' }] : [],
    takes: takesOf(index),
    ...(index === 2 ? { activeTake: 'job_c4' } : {}),
  }));
