import type { Job } from '../../src/shared/job.ts';
import type { StudioRequest } from '../../src/shared/kinds/index.ts';
import type { DryRun, NightReport } from '../../src/shared/night.ts';
import { HOUR, job, MINUTE, money, NOW, still } from './data.ts';

/**
 * What night 14 made of the film, with `?night=new`; `?night=failed` and `?night=refused` made nothing, `?night=nothing` had nothing to
 * make. With `?night=open` the first of it is done.
 */

const PROMPTS = {
  harbour: 'Harbour, rain, the boat still lit from within, two figures on the quay',
  lamp: 'Push in to the deck lamp',
  lights: 'She watches the lights go. Harbour lights slide away to the right, colder water outside',
  turns: 'She turns from the glass, the same breath',
  window: 'Window dissolves to open sea, dawn',
};
type Of = keyof typeof PROMPTS;

const video = (prompt: string, seconds: 4 | 6 | 7 | 8): StudioRequest => ({
  kind: 'video',
  model: 'video-standard',
  prompt,
  config: { durationSeconds: seconds, resolution: '1080p', aspectRatio: '16:9', generateAudio: true, seed: 2_841_172 },
});

/** Shot, its picture, its length, in minutes of the night when it was sent and how long it took. */
const TAKES: [of: Of, file: string, seconds: 4 | 6 | 7 | 8, sentAt: number, took: number][] = [
  ['harbour', 's1d', 8, 2, 27],
  ['lamp', 's2b', 4, 29, 25],
  ['lights', 's3b', 6, 0, 26],
  ['lights', 's3c', 6, 26, 28],
  ['turns', 's4a', 7, 54, 31],
  ['turns', 'window2', 7, 85, 30],
  ['window', 's5b', 6, 116, 34],
];
const POSTERS = ['salt1', 'salt2', 'salt3', 'salt4', 'salt5', 'x1', 'x7', 'x8', 'x9', 'pier', 'cardeck', 'wake2'];
const BEGAN = NOW - 9 * HOUR;

const RUN = 'night_14';

function takes(): Job[] {
  const made = TAKES.map(([of, file, seconds, sentAt, took], index) =>
    job({
      id: `new_${file}`,
      request: video(PROMPTS[of], seconds),
      state: 'succeeded',
      dollars: [seconds * 0.4, 0.4],
      outputs: [still(file, { id: file, seconds, audio: true, sha256: `${index}a`.repeat(32) })],
      createdAt: NOW - 8 * HOUR + index,
      sentAt: BEGAN + sentAt * MINUTE,
      finishedAt: BEGAN + (sentAt + took) * MINUTE,
      runId: RUN,
    }),
  );
  const posters = POSTERS.map((file, index) =>
    job({
      id: `new_${file}`,
      request: { kind: 'imagine', prompt: `Poster ${index + 1}, rain, sodium light`, mode: 'relax' },
      state: 'succeeded',
      dollars: [0.05],
      outputs: [still(file)],
      createdAt: NOW - 8 * HOUR + 100 + index,
      sentAt: BEGAN + index * 14 * MINUTE,
      finishedAt: BEGAN + (index * 14 + 13) * MINUTE,
      runId: RUN,
    }),
  );
  return [...made, ...posters];
}

function failures(): Job[] {
  const refused = job({
    id: 'new_refused',
    request: { kind: 'imagine', prompt: 'Poster, figure with the face hidden', mode: 'relax' },
    state: 'failed',
    dollars: [0.05],
    error: { kind: 'moderation', message: 'Refused by the filter.', retryable: false },
    createdAt: NOW - 8 * HOUR + 200,
    sentAt: BEGAN + 40 * MINUTE,
    finishedAt: BEGAN + 41 * MINUTE,
    runId: RUN,
  });
  const doubt = job({
    id: 'new_doubt',
    request: video(PROMPTS.window, 6),
    state: 'uncertain',
    dollars: [2.4, 0.4],
    error: { kind: 'network', message: 'The connection was lost before any answer.', retryable: false },
    createdAt: NOW - 8 * HOUR + 201,
    sentAt: BEGAN + 151 * MINUTE,
    runId: RUN,
  });
  return [refused, doubt];
}

const failed = (): Job[] =>
  ['lights', 'turns', 'window'].map((of, index) =>
    job({
      id: `new_failed_${index}`,
      request: video(PROMPTS[of as Of], 6),
      state: 'failed',
      dollars: [2.4, 0.4],
      error: { kind: 'server', message: 'The service answered 500: out of capacity.', retryable: true },
      createdAt: NOW - 8 * HOUR + index,
      sentAt: BEGAN + index * 20 * MINUTE,
      finishedAt: BEGAN + (index * 20 + 3) * MINUTE,
      runId: RUN,
    }),
  );

/** Half of it: two hours ago the night began, and it goes on. */
function underWay(): Job[] {
  const later = 7 * HOUR;
  return takes().map((each, index): Job => {
    const moved = {
      ...each,
      sentAt: (each.sentAt ?? 0) + later,
      finishedAt: (each.finishedAt ?? 0) + later,
      runId: 'night_15',
    };
    if (moved.finishedAt < NOW && index !== 4) return moved;
    const { finishedAt: _, sentAt, ...open } = { ...moved, outputs: [], money: money(2.4, 0.4) };
    if (moved.sentAt > NOW) return { ...open, state: 'queued', progress: 0 };
    return { ...open, sentAt, state: index === 4 ? 'fetching' : 'running', progress: index === 4 ? 96 : 38 };
  });
}

/** When what waits of that night would be sent and ready. */
export const fitsOf = (jobs: readonly Job[]): DryRun['fits'] =>
  jobs
    .filter(({ state, runId }) => state === 'queued' && runId === 'night_15')
    .map((each, index) => ({
      jobId: each.id,
      nano: each.money.estimateNano,
      lowNano: each.money.estimateLowNano,
      startsAt: NOW + (10 + index * 14) * MINUTE,
      endsAt: NOW + (23 + index * 14) * MINUTE,
      lane: laneOf(each),
      slot: 0,
    }));

/** The jobs of the last night beside those of the film. */
export function nightTakes(options: URLSearchParams): Job[] {
  switch (options.get('night')) {
    case 'new':
      return [...takes(), ...failures()];
    case 'open':
      return underWay();
    case 'failed':
      return failed();
    case 'refused':
      return failures().slice(0, 1);
    default:
      return [];
  }
}

const laneOf = ({ kind }: Job): string => (kind === 'video' ? 'video:studio' : 'image:studio');

/** As the report lists what was sent. */
export function sentOf(jobs: readonly Job[]): NightReport['sent'] {
  let countedByThenNano = 0;
  return jobs
    .filter(({ sentAt }) => sentAt !== undefined)
    .sort((one, other) => (one.sentAt ?? 0) - (other.sentAt ?? 0))
    .map((each) => {
      const nano = each.money.chargedNano + each.money.reservedNano + each.money.uncertainNano;
      countedByThenNano += nano;
      return {
        jobId: each.id,
        lane: laneOf(each),
        state: each.state,
        startsAt: each.sentAt ?? 0,
        nano,
        countedByThenNano,
        lowNano: each.money.chargedLowNano,
        ...(each.finishedAt === undefined ? {} : { endsAt: each.finishedAt }),
        ...(each.verdict ? { verdict: each.verdict } : {}),
        ...(each.error?.kind === 'moderation' ? { refused: true as const } : {}),
      };
    });
}
