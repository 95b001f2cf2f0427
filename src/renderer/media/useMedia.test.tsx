import { beforeEach, expect, it } from 'vitest';
import { fail, ok, type Result } from '../../shared/contract/result.ts';
import type { Job } from '../../shared/jobs/job.ts';
import { cacheAssets, cacheJobs, useEntities } from '../app/index.ts';
import { acting, aJob, anAsset, fakeStudio, show, until } from '../testing/page.tsx';
import { useKnownMedia } from './useMedia.ts';

beforeEach(() => useEntities.setState({ jobs: new Map(), assets: new Map() }));

const take = aJob({ id: 'take', state: 'succeeded' });
const many = (from: number) => Array.from({ length: 6_000 }, (_, n) => aJob({ id: `other ${from + n}` }));

const TAKE = [{ jobId: 'take' }];

function Takes() {
  return <p>{useKnownMedia(TAKE).jobs.get('take')?.state}</p>;
}

it('a take that is shown is not forgotten, and one that was is read again when it is shown', async () => {
  const studio = fakeStudio({ 'jobs.get': () => take });
  await show(<Takes />);
  await until(() => expect(document.body.textContent).toBe('succeeded'));
  await acting(() => cacheJobs(many(0)));
  expect(document.body.textContent).toBe('succeeded');
  expect(studio.callsOf('jobs.get')).toHaveLength(1);
  await show(<p>elsewhere</p>);
  await acting(() => cacheJobs(many(10_000)));
  expect(useEntities.getState().jobs.has('take')).toBe(false);
  await show(<Takes />);
  await until(() => expect(document.body.textContent).toBe('succeeded'));
});

it('draws again for what the references lead to, and for nothing else', async () => {
  const clip = anAsset({ id: 'clip', lastFrameId: 'frame' });
  const cast = [{ memberId: 'm', name: 'Ines', kind: 'person' as const, assetId: 'sheet' }];
  const request = { kind: 'video' as const, model: 'video-standard', prompt: '@Ines', cast };
  const shown = aJob({ id: 'take', state: 'succeeded', request, outputs: [clip] });
  let drawn = 0;
  const Counted = () => {
    useKnownMedia(TAKE);
    drawn += 1;
    return null;
  };
  cacheJobs([shown]);
  await show(<Counted />);
  const draws = async (change: () => void) => {
    const before = drawn;
    await acting(change);
    return drawn > before;
  };
  expect(await draws(() => cacheJobs([aJob({ id: 'other' })]))).toBe(false);
  expect(await draws(() => cacheAssets([anAsset({ id: 'other' })]))).toBe(false);
  for (const asset of [anAsset({ id: 'frame' }), anAsset({ id: 'sheet' }), { ...clip, revision: 2 }])
    expect(await draws(() => cacheAssets([asset]))).toBe(true);
  expect(await draws(() => cacheJobs([{ ...shown, revision: 2 }]))).toBe(true);
});

it('what does not exist is asked for once', async () => {
  const studio = fakeStudio({});
  await show(<Takes />);
  await until(() => expect(studio.callsOf('jobs.get')).toHaveLength(1));
  await acting(() => cacheJobs(many(0)));
  expect(studio.callsOf('jobs.get')).toHaveLength(1);
});

it('what could not be read is read when the studio comes back, and what it did not have then is there', async () => {
  let answer: Result<Job> = fail('unreachable', 'away');
  const studio = fakeStudio({ 'jobs.get': () => answer });
  const Facts = () => {
    const { lookUp, jobs } = useKnownMedia(TAKE);
    return <p>{`${lookUp({ jobId: 'take' }).status} ${jobs.get('take')?.state}`}</p>;
  };
  const comeBack = async () => {
    await studio.link('lost');
    await studio.link('up');
  };
  await show(<Facts />);
  await until(() => expect(studio.callsOf('jobs.get')).toHaveLength(1));
  answer = fail('not_found', 'none');
  await comeBack();
  await until(() => expect(document.body.textContent).toBe('missing undefined'));
  answer = ok(aJob({ id: 'take', state: 'queued' }));
  await comeBack();
  await until(() => expect(document.body.textContent).toBe('pending queued'));
});
