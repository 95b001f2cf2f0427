import { expect, test } from 'vitest';
import type { Job } from '../../../../shared/jobs/job.ts';
import type { Asset } from '../../../../shared/library/asset.ts';
import { continuation, emptyShot } from './shots.ts';
import { chargedOf, playedShots, viewOf } from './view.ts';

const clip = (id: string, seconds: number): Asset =>
  ({ id, seconds, mime: 'video/mp4', role: 'output', state: 'local' }) as Asset;
const job = (id: string, state: Job['state'], outputs: Asset[] = [], charged = 0): Job =>
  ({ id, state, outputs, money: { chargedNano: charged, chargedLowNano: charged / 2 } }) as Job;

const shot = (id: string, takes: string[], activeTake?: string) => ({
  ...emptyShot(id, 'm'),
  takes,
  ...(activeTake ? { activeTake } : {}),
});
const known = (...jobs: Job[]) => ({ jobs: new Map(jobs.map((entry) => [entry.id, entry])), assets: new Map() });

test('the chosen take plays; while it is being made, the newest that is done', () => {
  const jobs = known(
    job('t1', 'succeeded', [clip('c1', 8)]),
    job('t2', 'succeeded', [clip('c2', 8)]),
    job('t3', 'running'),
  );
  expect(viewOf([shot('a', ['t1', 't2', 't3'], 't1')], jobs)[0]?.active?.jobId).toBe('t1');
  expect(viewOf([shot('a', ['t1', 't2', 't3'], 't3')], jobs)[0]?.active?.jobId).toBe('t2');
  expect(viewOf([shot('a', ['t3'], 't3')], jobs)[0]?.active?.jobId).toBe('t3');
});

test('time is that of the clips, and of the plan where there is none yet', () => {
  const jobs = known(job('t1', 'succeeded', [clip('c1', 7.04)]));
  const shots = [shot('a', ['t1'], 't1'), shot('b', [])];
  expect(viewOf(shots, jobs).map(({ span }) => [span.start, span.seconds])).toEqual([
    [0, 7.04],
    [7.04, 4],
  ]);
});

test('a skipped shot has no length in the film, and keeps its own', () => {
  const jobs = known(job('t1', 'succeeded', [clip('c1', 7.04)]));
  const shots = [shot('a', []), { ...shot('b', ['t1'], 't1'), skipped: true as const }, shot('c', [])];
  const views = viewOf(shots, jobs);
  expect(views.map(({ span, seconds }) => [span.start, span.seconds, seconds])).toEqual([
    [0, 4, 4],
    [4, 0, 7.04],
    [4, 4, 4],
  ]);
  expect(playedShots(views).map(({ number }) => number)).toEqual([1, 3]);
});

test('of several variations the one that the board has plays; a number beyond the last is the last', () => {
  const jobs = known(job('t1', 'succeeded', [clip('c1', 4), clip('c2', 6)]), job('t2', 'succeeded', [clip('c3', 4)]));
  const active = (activeOutput: number) => viewOf([{ ...shot('a', ['t1', 't2'], 't1'), activeOutput }], jobs)[0];
  expect([0, 1, 9].map((index) => active(index)?.active?.clip?.id)).toEqual(['c1', 'c2', 'c2']);
  expect([active(1)?.span.seconds, active(1)?.takes[1]?.clip?.id]).toEqual([6, 'c3']);
});

test('an asset that has changed since its job was read is shown as it is now', () => {
  const jobs = known(job('t1', 'succeeded', [clip('c1', 4)]));
  const fresh = { ...jobs, assets: new Map([['c1', { ...clip('c1', 4), lastFrameId: 'f' }]]) };
  expect(viewOf([shot('a', ['t1'])], fresh)[0]?.takes[0]?.clip?.lastFrameId).toBe('f');
});

test('a shot that starts from a take that plays no more is stale, and the costs of all takes are told together', () => {
  const first = shot('a', ['t1', 't2'], 't2');
  const next = continuation('b', first, { jobId: 't1', frame: 'last' });
  const jobs = known(job('t1', 'succeeded', [clip('c1', 4)], 100), job('t2', 'succeeded', [clip('c2', 4)], 60));
  const [view, after] = viewOf([first, next], jobs);
  expect(after?.link).toMatchObject({ kind: 'continue', isStale: true });
  expect(chargedOf(view?.takes ?? [])).toEqual({ nano: 160, lowNano: 80, unpriced: 0 });
});
