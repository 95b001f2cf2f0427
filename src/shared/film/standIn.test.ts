import { expect, test } from 'vitest';
import { type Shot, shotSchema } from '../board/board.ts';
import type { Job } from '../jobs/job.ts';
import type { Asset } from '../library/asset.ts';
import { filmOf } from './film.ts';
import { standInOf } from './standIn.ts';

const clip = (id: string, more: Partial<Asset> = {}): Asset =>
  ({ id, seconds: 4, mime: 'video/mp4', role: 'output', state: 'local', ...more }) as Asset;
const picture = (id: string, state: Asset['state'] = 'local'): Asset => ({ id, mime: 'image/png', state }) as Asset;
const made = (id: string, asset: Asset): Job =>
  ({ id, state: 'succeeded', outputs: [asset], money: { chargedNano: 0, chargedLowNano: 0 } }) as unknown as Job;

const JOBS = [
  made('t1', clip('c1', { lastFrameId: 'c1-last', thumbnailId: 'c1-first' })),
  made('t2', clip('c2')),
  made('far', clip('c3', { state: 'remote' })),
  made('lost', clip('c4', { state: 'expired', thumbnailId: 'c4-first' })),
];
const ASSETS = [picture('start'), picture('end'), picture('gone', 'expired'), picture('c1-last')];
const media = {
  jobs: new Map(JOBS.map((job) => [job.id, job])),
  assets: new Map(ASSETS.map((asset) => [asset.id, asset])),
};

const shot = (id: string, more: Partial<Shot> = {}): Shot => ({
  ...shotSchema.parse({ id, prompt: `words of ${id}`, model: 'm', source: 'text' }),
  ...more,
});
const played = (id: string, take: string): Shot => shot(id, { takes: [take], activeTake: take });

test.each<[why: string, shots: Shot[], url: string | undefined]>([
  [
    'it begins with a picture',
    [played('a', 't1'), shot('b', { source: 'first', image: { assetId: 'start' } })],
    'start',
  ],
  ['it begins where another clip ends', [shot('b', { source: 'extend', video: { jobId: 't1' } })], 'c1-last'],
  [
    'it begins with the last frame of a take',
    [shot('b', { source: 'first', image: { jobId: 't1', frame: 'last' } })],
    'c1-last',
  ],
  ['its clip is gone, its first frame is not', [played('a', 't1'), played('b', 'lost')], 'c4-first'],
  ['it begins with nothing that is known', [played('a', 't1'), shot('b')], 'c1-last'],
  [
    'its first picture is not on this disk',
    [played('a', 't1'), shot('b', { source: 'first', image: { assetId: 'gone' } })],
    'c1-last',
  ],
  [
    'a picture of another source is not its first frame',
    [played('a', 't1'), shot('b', { source: 'references', image: { assetId: 'start' } })],
    'c1-last',
  ],
  ['the last frame before is not made yet', [played('a', 't2'), shot('b')], undefined],
  [
    'the frame of a clip that has no last frame yet is not its first one',
    [shot('b', { source: 'first', image: { jobId: 't2', frame: 'last' } })],
    undefined,
  ],
  ['the shot before is missing too', [shot('a'), shot('b')], undefined],
  [
    'the shot before is missing and its end is planned',
    [shot('a', { source: 'firstLast', image: { assetId: 'start' }, lastFrame: { assetId: 'end' } }), shot('b')],
    'end',
  ],
  [
    'the shot before is skipped, so the one before that counts',
    [
      played('a', 't1'),
      { ...shot('b', { source: 'firstLast', lastFrame: { assetId: 'end' } }), skipped: true },
      shot('c'),
    ],
    'c1-last',
  ],
])('a shot without a clip: %s', (_, shots, id) => {
  const film = filmOf(shots, media).filter((one) => !one.shot.skipped);
  const last = film.at(-1);
  expect(last && standInOf(last, film.at(-2), media)).toBe(id);
});
