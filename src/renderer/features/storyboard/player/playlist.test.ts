import { beforeAll, expect, test } from 'vitest';
import type { Shot } from '../../../../shared/board/board.ts';
import type { Job } from '../../../../shared/jobs/job.ts';
import type { Asset } from '../../../../shared/library/asset.ts';
import { setTransport } from '../../../client/index.ts';
import { aTransport } from '../../../testing/aTransport.ts';
import { emptyShot } from '../model/shots.ts';
import { viewOf } from '../model/view.ts';
import { filmPlaylist } from './playlist.ts';

beforeAll(() => setTransport(aTransport({ mediaUrl: (id) => `media/${id}` })));

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
  ...emptyShot(id, 'm'),
  prompt: `words of ${id}`,
  ...more,
});
const played = (id: string, take: string): Shot => shot(id, { takes: [take], activeTake: take });
const film = (...shots: Shot[]) => filmPlaylist(viewOf(shots, media));

test('a place is kept for a shot without a clip on this disk, for its planned length', () => {
  const place = { shotId: 'b', start: 4, seconds: 8 };
  expect(film(played('a', 't2'), shot('b', { config: { durationSeconds: 8 } }))[1]).toEqual(place);
  expect(film(played('b', 'far'))[0]?.url).toBeUndefined();
});

test('skipped shots are left out, and the rest follows without a hole', () => {
  const items = film(played('a', 't1'), { ...played('b', 't2'), skipped: true }, shot('c'), played('d', 't2'));
  expect(items.map(({ shotId, start, seconds }) => [shotId, start, seconds])).toEqual([
    ['a', 0, 4],
    ['c', 4, 4],
    ['d', 8, 4],
  ]);
});

test('each clip has the gains of its shot over its own seconds; what is not in the mix is silent', () => {
  const keys = [
    { at: 4, gain: 0.5 },
    { at: 4.5, gain: 1 },
  ];
  const source = { from: 'shot' as const, shotId: 'b', assetId: 'c2', start: 4, end: 8, fileStart: 0, keys };
  const shots = viewOf([played('a', 't1'), played('b', 't2')], media);
  const items = filmPlaylist(shots, { mix: { sources: [source] }, master: 0.5 });
  expect(items.map((item) => item.gains)).toEqual([
    [{ at: 0, gain: 0 }],
    [
      { at: 0, gain: 0.25 },
      { at: 0.5, gain: 0.5 },
    ],
  ]);
});
