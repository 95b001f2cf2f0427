import { anAsset } from '../../src/renderer/testing/anAsset.ts';
import type { Asset } from '../../src/shared/asset.ts';
import { type Board, shotSchema } from '../../src/shared/board.ts';
import type { Job, JobMoney } from '../../src/shared/job.ts';
import { promptOf, type StudioRequest } from '../../src/shared/kinds/index.ts';
import { type Nano, nanoFromDollars } from '../../src/shared/money.ts';

/** The look's own film, Last Ferry, as the studio would tell it on the morning after night 14. */
export const NOW = Date.now();
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
export const dollars = (amount: number): Nano => nanoFromDollars(amount.toFixed(9));

let serial = 0;
const nextId = (kind: string): string => `${kind}_${(++serial).toString(36).padStart(4, '0')}`;

export function money(high: number, low = high, state: Job['state'] = 'queued'): JobMoney {
  const [top, bottom] = [dollars(high), dollars(low)];
  const open = ['queued', 'sending', 'running', 'fetching'].includes(state);
  return {
    estimateNano: top,
    estimateLowNano: bottom,
    reservedNano: open ? top : 0,
    chargedNano: state === 'succeeded' ? top : 0,
    chargedLowNano: state === 'succeeded' ? bottom : 0,
    uncertainNano: state === 'uncertain' ? top : 0,
  };
}

export const still = (file: string, more: Partial<Asset> = {}): Asset =>
  anAsset({
    id: file,
    mime: more.seconds === undefined ? 'image/webp' : 'video/mp4',
    width: 1920,
    height: 1080,
    bytes: 24_600_000,
    name: file,
    thumbnailId: file,
    createdAt: NOW - 6 * HOUR,
    ...more,
  });

interface JobSeed extends Partial<Job> {
  request: StudioRequest;
  dollars: [high: number, low?: number];
}

export function job({ request, dollars: [high, low], state = 'queued', ...more }: JobSeed): Job {
  const id = more.id ?? nextId('job');
  const model = 'model' in request ? request.model : request.kind;
  const outputs = (more.outputs ?? []).map((asset) => ({
    ...asset,
    jobId: id,
    model,
    name: asset.name === asset.id ? promptOf(request) : asset.name,
  }));
  return {
    revision: 1,
    kind: request.kind,
    state,
    request,
    profileId: 'studio',
    projectId: 'ferry',
    model,
    progress: state === 'succeeded' ? 100 : 0,
    money: money(high, low, state),
    attempts: [],
    dependsOn: [],
    position: serial,
    createdAt: NOW - 20 * MINUTE,
    ...more,
    id,
    outputs,
  };
}

const video = (prompt: string, seconds: 4 | 6 | 8 | 7, model = 'video-standard'): StudioRequest => ({
  kind: 'video',
  model,
  prompt,
  config: { durationSeconds: seconds, resolution: '1080p', aspectRatio: '16:9', generateAudio: true, seed: 2_841_172 },
});
const imagine = (prompt: string): StudioRequest => ({ kind: 'imagine', prompt, mode: 'fast' });

const openJobs = (): Job[] => [
  job({
    request: video('Harbour, rain, the boat still lit', 8),
    state: 'running',
    progress: 62,
    dollars: [3.2, 0.4],
    sentAt: NOW - 3 * MINUTE,
    attempts: [{ at: NOW - 3 * MINUTE, outcome: 'accepted', status: 200 }],
  }),
  job({
    request: imagine('Lamp, tungsten, few moths --v 7 --ar 16:9'),
    state: 'running',
    progress: 40,
    dollars: [0.05],
    sentAt: NOW - MINUTE,
  }),
  job({
    request: video('Push in to the deck lamp', 4),
    state: 'fetching',
    progress: 92,
    dollars: [1.6, 0.4],
    sentAt: NOW - 9 * MINUTE,
    outputs: [still('s2a', { seconds: 4, state: 'remote', expiresAt: NOW + 23 * HOUR })],
  }),
  job({
    request: video('She watches the lights go', 6),
    state: 'blocked',
    reason: 'rate',
    nextAt: NOW + 41_000,
    dollars: [2.4, 0.4],
  }),
  job({
    request: video('Window dissolves to open sea, dawn', 6),
    state: 'blocked',
    reason: 'dependency',
    dependsOn: ['job_doubt'],
    dollars: [2.4, 0.4],
  }),
  job({
    request: video('She turns from the glass, pro', 7, 'video-pro'),
    state: 'blocked',
    reason: 'budget',
    dollars: [14, 2],
  }),
  job({
    request: imagine('Poster, {rain|sleet|fog}, sodium light'),
    state: 'blocked',
    reason: 'window',
    nextAt: NOW + 15 * HOUR,
    dollars: [0.3],
  }),
  job({
    request: video('Storm plate. Wide, swell from the left', 8),
    state: 'blocked',
    reason: 'paused',
    dollars: [3.2, 0.4],
  }),
];

const doubtJob = (): Job =>
  job({
    id: 'job_doubt',
    request: video('She turns from the glass, the same breath', 7),
    state: 'uncertain',
    dollars: [2.8, 0.4],
    sentAt: NOW - 4 * HOUR,
    error: { kind: 'network', message: 'The connection was lost before any answer.', retryable: false },
    attempts: [{ at: NOW - 4 * HOUR, outcome: 'unknown', message: 'Connection lost before any answer' }],
  });

const madeJobs = (): Job[] => [
  job({
    request: video('She watches the lights go', 6),
    state: 'succeeded',
    dollars: [2.4, 0.4],
    verdict: 'keep',
    outputs: [still('s3d', { seconds: 6 })],
    attempts: [{ at: NOW - 5.6 * HOUR, outcome: 'accepted', status: 200, requestId: 'rq_6f20' }],
    finishedAt: NOW - 5.5 * HOUR,
    createdAt: NOW - 9 * HOUR,
  }),
  job({
    request: video('She watches the lights go, wider', 6),
    state: 'failed',
    dollars: [2.4, 0.4],
    error: { kind: 'moderation', message: 'Refused by the filter.', requestId: 'rq_77a1', retryable: false },
    attempts: [{ at: NOW - 5.1 * HOUR, outcome: 'refused', status: 400, requestId: 'rq_77a1' }],
    finishedAt: NOW - 5 * HOUR,
    createdAt: NOW - 9 * HOUR,
  }),
  job({
    request: video('Push in to the deck lamp', 4),
    state: 'succeeded',
    dollars: [1.6, 0.4],
    verdict: 'keep',
    outputs: [still('s2c', { seconds: 4 })],
    finishedAt: NOW - 6.3 * HOUR,
    createdAt: NOW - 9 * HOUR,
  }),
  job({
    request: imagine('Sea plate, fog --ar 16:9'),
    state: 'succeeded',
    dollars: [0.05],
    outputs: [still('sea')],
    finishedAt: NOW - 6 * HOUR,
    createdAt: NOW - 9 * HOUR,
  }),
  job({
    request: imagine('Lighthouse plate --ar 16:9'),
    state: 'succeeded',
    dollars: [0.05],
    outputs: [
      still('lighthouse', {
        state: 'remote',
        sha256: '',
        expiresAt: NOW + 41 * HOUR,
        fault: 'The disk is full.',
      }),
    ],
    finishedAt: NOW - 6 * HOUR,
    createdAt: NOW - 9 * HOUR,
  }),
  job({
    request: video('Harbour, rain, wider', 8),
    state: 'canceled',
    dollars: [3.2, 0.4],
    finishedAt: NOW - 30 * HOUR,
    createdAt: NOW - 31 * HOUR,
  }),
];

/** Ended, while only a bill can tell what they cost. */
const openCostJobs = (): Job[] => {
  const open = (high: number, low = high, charged = 0): Pick<Job, 'money'> => ({
    money: {
      ...money(high, low, 'failed'),
      chargedNano: dollars(charged),
      chargedLowNano: dollars(charged),
      uncertainNano: dollars(high),
    },
  });
  return [
    job({
      id: 'job_lost',
      request: video('Push in to the deck lamp, slower', 4),
      state: 'failed',
      dollars: [1.6, 0.4],
      ...open(1.6, 0.4),
      error: {
        kind: 'network',
        message: 'Counted as lost. What it may have cost stays in doubt.',
        retryable: false,
      },
      sentAt: NOW - 28 * HOUR,
      attempts: [{ at: NOW - 28 * HOUR, outcome: 'unknown', message: 'Connection lost', requestId: 'rq_9f3c41e07b' }],
      finishedAt: NOW - 27 * HOUR,
      createdAt: NOW - 29 * HOUR,
    }),
    job({
      id: 'job_late',
      request: imagine('Poster, rain, sodium light --ar 2:3'),
      state: 'canceled',
      dollars: [0.05],
      ...open(0.05),
      remoteId: '178234567890123456789',
      sentAt: NOW - 50 * HOUR,
      attempts: [{ at: NOW - 50 * HOUR, outcome: 'accepted', status: 200 }],
      finishedAt: NOW - 50 * HOUR,
      createdAt: NOW - 51 * HOUR,
    }),
  ];
};

/** A row for every reason to wait that the film itself does not have. */
const blockedJobs = (): Job[] =>
  (
    [
      ['Harbour, rain, from the quay', 'offline', {}],
      ['Harbour, rain, the ropes', 'rate', { nextAt: NOW + 2 * HOUR, error: TOO_MANY }],
      ['Wheelhouse, red light', 'key', {}],
      ['Wheelhouse, the radio', 'auth', {}],
      ['Galley, steam', 'quota', {}],
      ['Galley, cups sliding', 'window', { runId: 'night_13' }],
    ] satisfies [string, Job['reason'], Partial<Job>][]
  ).map(([prompt, reason, more]) =>
    job({ request: video(prompt, 6), state: 'blocked', reason, dollars: [2.4, 0.4], ...more }),
  );

const TOO_MANY = { kind: 'rate_limit' as const, message: 'The gateway asked to wait two hours.', retryable: true };

export const jobs = (everyReason = false): Job[] => [
  ...openJobs(),
  ...(everyReason ? blockedJobs() : []),
  doubtJob(),
  ...madeJobs(),
  ...openCostJobs(),
];

const PICTURES: [file: string, name: string, seconds?: number, verdict?: Job['verdict']][] = [
  ['s2b', 'Shot 2, take 2', 4],
  ['s1d', 'Shot 1, take 4', 8],
  ['s1c', 'Harbour plate, wide', undefined, 'maybe'],
  ['s4a', 'Shot 4, take 1', 7, 'keep'],
  ['s5a', 'Shot 5, take 1', 6, 'maybe'],
  ['s3c', 'Shot 3, take 3', 6, 'maybe'],
  ['s1b', 'Shot 1, take 3', 8, 'maybe'],
  ['s1a', 'Shot 1, take 2', 8, 'keep'],
  ['window', 'Rain glass, bokeh'],
  ['cardeck', 'Car deck, brake lights', undefined, 'no'],
  ['wake', 'Wake, stern light', 4, 'no'],
  ['storm', 'Storm plate', 8],
  ['window2', 'Rain glass, wider'],
  ['pier', 'Coat reference', undefined, 'keep'],
  ['s5b', 'Dawn, boat small', 6, 'no'],
  ['wake2', 'Wake, no rail', 4, 'no'],
  ['sea2', 'Sea plate, far boat'],
  ['s3a', 'Shot 3, take 1', 6, 'no'],
  ['s3b', 'Face reference', undefined, 'keep'],
  ['s5c', 'Dawn, overcast', 6],
  ['salt1', 'Salt Road, last light', 8, 'keep'],
  ['salt2', 'Walker, pink hour', 6, 'keep'],
  ['x1', 'Bow, too near', undefined, 'no'],
  ['salt3', 'Road, noon', 8, 'maybe'],
  ['x7', 'Lighthouse, low'],
  ['salt4', 'Walker, midday', undefined, 'no'],
  ['x8', 'Sea plate, near', 8, 'maybe'],
  ['salt5', 'Flats, no road', undefined, 'keep'],
  ['x9', 'Car deck, wide'],
];

/** Older pictures of the library, each with the job that made it. */
export function libraryJobs(): Job[] {
  return PICTURES.map(([file, name, seconds, verdict], index) => {
    const at = NOW - (index < 2 ? 7 * HOUR : index < 14 ? DAY + index * MINUTE : (4 + index / 6) * DAY);
    const gone =
      file === 'storm'
        ? ({ state: 'expired', sha256: '', fault: 'Its link has ended: the gateway answered 403 to 5 tries.' } as const)
        : {};
    const asset = still(file, { name, createdAt: at, ...(seconds === undefined ? {} : { seconds }), ...gone });
    const request = seconds === undefined ? imagine(`${name} --ar 16:9`) : video(name, 6);
    const price: [number, number?] = seconds === undefined ? [0.05] : [seconds * 0.4, 0.4];
    return job({
      request,
      state: 'succeeded',
      dollars: price,
      outputs: [asset],
      createdAt: at,
      finishedAt: at,
      verdict,
    });
  });
}

const SHOTS = ['Harbour, rain', 'Push in to the deck lamp', 'She watches the lights', 'She turns', 'Window dissolves'];

/** The film's shots, each with the clips whose prompt begins like it as its takes. */
export const board = (all: readonly Job[]): Board => ({
  projectId: 'ferry',
  revision: 0,
  shots: SHOTS.map((begin, at) =>
    shotSchema.parse({
      id: `shot_${at + 1}`,
      prompt: begin,
      takes: all
        .filter(({ kind, request }) => kind === 'video' && promptOf(request).startsWith(begin))
        .sort((a, b) => a.createdAt - b.createdAt)
        .map(({ id }) => id),
    }),
  ),
});
