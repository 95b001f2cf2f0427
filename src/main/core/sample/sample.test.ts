import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempDir } from '../../../../test/helpers/testPorts.ts';
import { studiosOfThisFile } from '../../../../test/helpers/testStudios.ts';

/** The sample film opens from bundled files: nothing is sent or billed, and it behaves like a film made here. */

const SAMPLE = join(import.meta.dirname, '..', '..', '..', '..', 'resources', 'sample');
const openStudio = studiosOfThisFile();

test('five shots with their takes, every clip on this machine, and no money anywhere', async () => {
  const { ask, events } = await openStudio({ sampleDir: SAMPLE });
  const project = await ask('projects.openSample');
  expect((await ask('projects.list')).projects).toEqual([project]);
  const { shots } = await ask('storyboard.get', { projectId: project.id });
  expect(shots.map(({ takes }) => takes.length)).toEqual([1, 1, 2, 1, 1]);
  const { jobs } = await ask('jobs.list', { projectId: project.id, limit: 50 });
  expect(jobs).toHaveLength(6);
  for (const job of jobs) {
    expect(job).toMatchObject({ state: 'succeeded', progress: 100, profileId: 'sandbox', attempts: [] });
    expect(job.outputs).toMatchObject([{ state: 'local', mime: 'video/mp4', width: 1280, height: 720, audio: true }]);
    expect(job.money).toMatchObject({ estimateNano: 0, reservedNano: 0, chargedNano: 0, uncertainNano: 0 });
  }
  expect((await ask('ledger.entries')).entries).toEqual([]);
  const { total, assets } = await ask('library.list', { projectId: project.id });
  expect(total).toBe(6);
  for (const { thumbnailId } of assets) expect((await ask('library.get', { id: thumbnailId ?? '' })).width).toBe(480);
  expect(shots.map(({ subtitles = [] }) => subtitles.length)).toEqual([1, 0, 1, 0, 1]);
  expect(events.some(({ type }) => type === 'media.work')).toBe(true);
});

test('the fourth shot begins where a take of the third ended that does not play any more', async () => {
  const { ask } = await openStudio({ sampleDir: SAMPLE });
  const { id: projectId } = await ask('projects.openSample');
  const [, , third, fourth] = (await ask('storyboard.get', { projectId })).shots;
  expect(fourth).toMatchObject({ source: 'first', image: { jobId: third?.takes[0], frame: 'last' } });
  expect(third?.activeTake).toBe(third?.takes[1]);
});

test('two presses open one copy; later another one, with the same files', async () => {
  const { ask } = await openStudio({ sampleDir: SAMPLE });
  const [one, other] = await Promise.all([ask('projects.openSample'), ask('projects.openSample')]);
  expect(other).toEqual(one);
  const again = await ask('projects.openSample');
  expect(again.id).not.toBe(one.id);
  const hashes = async (projectId: string) =>
    (await ask('library.list', { projectId })).assets.map(({ sha256 }) => sha256).sort();
  expect(await hashes(again.id)).toEqual(await hashes(one.id));
});

test('a take of the sample is not retried, and survives a restart', async () => {
  const first = await openStudio({ sampleDir: SAMPLE });
  const { id: projectId } = await first.ask('projects.openSample');
  const [job] = (await first.ask('jobs.list', { projectId, limit: 1 })).jobs;
  expect(await first.call('jobs.retry', { id: job?.id ?? '' })).toMatchObject({ ok: false });
  await first.close();
  const second = await openStudio({ dataDir: first.dataDir, sampleDir: SAMPLE });
  expect((await second.ask('jobs.get', { id: job?.id ?? '' })).state).toBe('succeeded');
});

test('a damaged clip opens nothing, and a program without a sample says so', async () => {
  const folder = join(tempDir('sample'), 'sample');
  cpSync(SAMPLE, folder, { recursive: true });
  cpSync(join(folder, 'shot-2-take-1.mp4'), join(folder, 'shot-5-take-1.mp4'));
  const damaged = await openStudio({ sampleDir: folder });
  expect(await damaged.call('projects.openSample')).toMatchObject({ ok: false, error: { code: 'internal' } });
  expect((await damaged.ask('projects.list')).projects).toEqual([]);
  writeFileSync(join(folder, 'shot-5-take-1.mp4'), '');
  expect(await damaged.call('projects.openSample')).toMatchObject({ ok: false });
  const without = await openStudio();
  expect(await without.call('projects.openSample')).toMatchObject({ ok: false, error: { code: 'not_found' } });
});

test('a price that is set later costs nothing for what came with the program', async () => {
  const { ask } = await openStudio({ sampleDir: SAMPLE });
  const { id: projectId } = await ask('projects.openSample');
  const models = new Set((await ask('jobs.list', { projectId, limit: 50 })).jobs.map(({ model }) => model ?? ''));
  expect(models.size).toBeGreaterThan(0);
  for (const model of models)
    await ask('prices.set', {
      price: { kind: 'video', model, readings: [{ unit: 'video', nano: 5_000_000_000 }], settledReading: 0 },
    });
  for (const { money } of (await ask('jobs.list', { projectId, limit: 50 })).jobs)
    expect(money).toMatchObject({
      estimateNano: 0,
      reservedNano: 0,
      chargedNano: 0,
      chargedLowNano: 0,
      uncertainNano: 0,
    });
  expect((await ask('ledger.entries')).entries).toEqual([]);
  const { sum } = await ask('ledger.totals', { groupBy: 'project' });
  expect(sum).toMatchObject({ settledNano: 0, reservedNano: 0, uncertainNano: 0 });
});
