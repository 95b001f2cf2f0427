import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { exported } from '../../../../test/helpers/exported.ts';
import type { TestStudio } from '../../../../test/helpers/testStudio.ts';
import { studiosOfThisFile } from '../../../../test/helpers/testStudios.ts';

/** A film leaves as one file and opens elsewhere: its takes play there, and no sum there changes. */

const SAMPLE = join(import.meta.dirname, '..', '..', '..', '..', 'resources', 'sample');
const openStudio = studiosOfThisFile();

async function sampleBundle(): Promise<{ from: TestStudio; projectId: string; path: string }> {
  const from = await openStudio({ sampleDir: SAMPLE });
  const { id: projectId } = await from.ask('projects.openSample');
  const done = await exported(from, await from.ask('bundle.export', { projectId }));
  return { from, projectId, path: join(done.folder, done.files[0]?.name ?? '') };
}

test('a film opens in another library as it was, and costs nothing there', async () => {
  const { from, projectId, path } = await sampleBundle();
  expect(path).toMatch(/\.dailies$/);
  const before = await from.ask('storyboard.get', { projectId });
  await from.close();
  const to = await openStudio();
  const contents = await to.ask('bundle.read', { path });
  expect(contents).toMatchObject({
    shots: 5,
    takes: 6,
    chats: 0,
    files: 6,
    here: { files: 0, bytes: 0 },
    withoutFile: 0,
  });
  expect((await to.ask('projects.list')).projects).toEqual([]);
  const project = await to.ask('bundle.open', { path });
  expect(project.name).toBe(contents.title);
  const { shots } = await to.ask('storyboard.get', { projectId: project.id });
  expect(shots.map(({ title, prompt, takes }) => [title, prompt, takes.length])).toEqual(
    before.shots.map(({ title, prompt, takes }) => [title, prompt, takes.length]),
  );
  expect(shots[3]).toMatchObject({ source: 'first', image: { jobId: shots[2]?.takes[0], frame: 'last' } });
  const { jobs } = await to.ask('jobs.list', { projectId: project.id, limit: 50 });
  expect(jobs).toHaveLength(6);
  for (const job of jobs) {
    expect(job).toMatchObject({ state: 'succeeded', profileId: 'elsewhere', attempts: [], elsewhere: { play: true } });
    expect(job.outputs).toMatchObject([{ state: 'local', mime: 'video/mp4', width: 1280, height: 720, audio: true }]);
    expect(job.money).toMatchObject({ estimateNano: 0, reservedNano: 0, chargedNano: 0, uncertainNano: 0 });
    expect(to.studio.media.open(job.outputs[0]?.id ?? '')).toMatchObject({ ok: true });
  }
  expect((await to.ask('ledger.entries')).entries).toEqual([]);
  expect(existsSync(join(to.dataDir, 'bundles')) ? readdirSync(join(to.dataDir, 'bundles')) : []).toEqual([]);
});

/** Bug: the same takes would be there twice, once with their cost and once without. */
test('opened where it was made, its takes are those that are here', async () => {
  const { from, projectId, path } = await sampleBundle();
  expect((await from.ask('bundle.read', { path })).here.files).toBe(6);
  const copy = await from.ask('bundle.open', { path });
  const takes = async (id: string) =>
    (await from.ask('storyboard.get', { projectId: id })).shots.map((shot) => shot.takes);
  expect(await takes(copy.id)).toEqual(await takes(projectId));
  expect((await from.ask('library.list', {})).total).toBe(6);
});

test('two presses open one project, and a sent bundle is gone once it is open', async () => {
  const { from, path } = await sampleBundle();
  await from.close();
  const to = await openStudio();
  const sent = await to.studio.media.receiveBundle({ name: 'film.dailies', body: Readable.from([readFileSync(path)]) });
  if (!sent.ok) throw new Error('not taken');
  const { uploadId } = sent.data;
  expect((await to.ask('bundle.read', { uploadId })).takes).toBe(6);
  const [one, other] = await Promise.all([to.ask('bundle.open', { uploadId }), to.ask('bundle.open', { uploadId })]);
  expect(other).toEqual(one);
  expect(await to.call('bundle.read', { uploadId })).toMatchObject({ ok: false, error: { code: 'not_found' } });
  expect(readdirSync(join(to.dataDir, 'bundles'))).toEqual([]);
});

test('a take from elsewhere is never tried again, extended or asked for, and says why', async () => {
  const { from, path } = await sampleBundle();
  await from.close();
  const to = await openStudio();
  const { id: projectId } = await to.ask('bundle.open', { path });
  const [job] = (await to.ask('jobs.list', { projectId, limit: 1 })).jobs;
  expect(await to.call('jobs.retry', { id: job?.id ?? '' })).toMatchObject({ ok: false });
  expect(await to.call('library.download', { id: job?.outputs[0]?.id ?? '' })).toMatchObject({ ok: true });
  const video = { jobId: job?.id ?? '' };
  const extended = await to.call('jobs.enqueue', {
    requests: [{ kind: 'video', model: job?.model ?? '', prompt: 'on', video }],
  });
  expect(extended).toMatchObject({ ok: false });
  if (!extended.ok) expect(extended.error.message).toContain('cannot be extended');
});
