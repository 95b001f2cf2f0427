import { expect, test } from 'vitest';
import { toSend } from '../../../../shared/board/assignReferences.ts';
import { requestOfShot, type Shot } from '../../../../shared/board/board.ts';
import { framesToCompare, type LinkView } from '../../../../shared/board/shotLinks.ts';
import type { Job, JobInput } from '../../../../shared/jobs/job.ts';
import type { StudioRequest } from '../../../../shared/kinds/index.ts';
import type { Asset } from '../../../../shared/library/asset.ts';
import { continuation, emptyShot } from './shots.ts';
import { viewOf } from './view.ts';

/** A link shows the film as it is: a take stays outdated until another one is made, whatever the slot says. */

const frame = (take: string): Asset => ({ id: `f-${take}`, sha256: `hash of f-${take}`, role: 'frame' }) as Asset;
const clip = (take: string): Asset =>
  ({ id: `c-${take}`, sha256: `hash of c-${take}`, lastFrameId: `f-${take}`, role: 'output', seconds: 4 }) as Asset;
const job = (id: string, more: Partial<Job> = {}): Job =>
  ({ id, state: 'succeeded', kind: 'video', outputs: [clip(id)], request: { kind: 'video' }, ...more }) as Job;

const first: Shot = { ...emptyShot('a', 'm'), takes: ['t1', 't2'], activeTake: 't2' };
const fromT1 = continuation('b', first, { jobId: 't1', frame: 'last' });
const frameOf = (take: string): JobInput => ({
  field: 'image',
  assetId: `f-${take}`,
  sha256: `hash of f-${take}`,
  jobId: take,
  output: 0,
});

/** Shot b with a take n, made from the shot's settings and these inputs. */
const made = (shot: Shot, inputs?: JobInput[], more: Partial<Job> = {}) => ({
  shot: { ...shot, takes: ['n'], activeTake: 'n' },
  job: job('n', { request: requestOfShot(toSend(shot)) as StudioRequest, ...(inputs ? { inputs } : {}), ...more }),
});

function linkWith(before: Shot, shot: Shot, jobs: Job[] = [], assets: Asset[] = [frame('t1'), frame('t2')]) {
  const all = [job('t1'), job('t2'), ...jobs];
  const known = {
    jobs: new Map(all.map((one) => [one.id, one])),
    assets: new Map(assets.map((one) => [one.id, one])),
  };
  return viewOf([before, shot], known)[1]?.link;
}
const stale = (link: LinkView | undefined) => link?.isStale;

test('the same picture under another name is the same picture', () => {
  const upload = { field: 'image', assetId: 'upload', sha256: 'hash of f-t2' };
  const { shot, job } = made({ ...fromT1, image: { assetId: 'upload' } }, [upload]);
  expect(linkWith(first, shot, [job])).toEqual({
    kind: 'continue',
    isStale: false,
    isLinked: false,
    isPlanned: false,
  });
  expect(linkWith(first, shot, [job], [])?.kind).toBe('cut');
});

test('a take that was made before inputs were kept, or is not sent yet, is judged from its own request', () => {
  const old = made(fromT1);
  expect(stale(linkWith(first, old.shot, [old.job]))).toBe(true);
  const waiting = made(continuation('b', first, { jobId: 't2', frame: 'last' }), undefined, {
    state: 'queued',
    outputs: [],
  });
  expect(stale(linkWith(first, waiting.shot, [waiting.job]))).toBe(false);
});

test('a shot whose only take was refused is judged from what its next one would be made from', () => {
  const refused = made(fromT1, [frameOf('t2')], { state: 'failed' });
  expect(stale(linkWith(first, refused.shot, [refused.job]))).toBe(true);
  expect(linkWith(first, fromT1)).toEqual({ kind: 'continue', isStale: true, isLinked: false, isPlanned: true });
  expect(linkWith(first, emptyShot('c', 'm'))).toEqual({
    kind: 'cut',
    isStale: false,
    isLinked: false,
    isPlanned: false,
  });
});

test('only frames that decide about a link are read', () => {
  const known = { jobs: new Map([job('t1'), job('t2')].map((one) => [one.id, one])), assets: new Map() };
  expect(framesToCompare(viewOf([first, fromT1], known), known.assets)).toEqual([{ assetId: 'f-t2' }]);
  expect(framesToCompare(viewOf([first, emptyShot('c', 'm')], known), known.assets)).toEqual([]);
});
