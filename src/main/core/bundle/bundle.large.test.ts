import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { exported } from '../../../../test/helpers/exported.ts';
import { testPng } from '../../../../test/helpers/png.ts';
import { stallFiles } from '../../../../test/helpers/stalledFiles.ts';
import type { TestStudio } from '../../../../test/helpers/testStudio.ts';
import { studiosOfThisFile } from '../../../../test/helpers/testStudios.ts';

/** A film is exported as one file and opened elsewhere: its takes play there, and no sum changes. */

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
  const counts = { shots: 5, takes: 6, chats: 0, files: 6, withoutFile: 0 };
  expect(contents).toMatchObject({ ...counts, here: { files: 0, bytes: 0 } });
  expect((await to.ask('projects.list')).projects).toEqual([]);
  const project = await to.ask('bundle.open', { path });
  expect(project.name).toBe(contents.title);
  const { shots } = await to.ask('storyboard.get', { projectId: project.id });
  const shown = (all: typeof shots) => all.map(({ title, prompt, takes }) => [title, prompt, takes.length]);
  expect(shown(shots)).toEqual(shown(before.shots));
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

test('opened where it was made, its takes are those that are here', async () => {
  const { from, projectId, path } = await sampleBundle();
  expect((await from.ask('bundle.read', { path })).here.files).toBe(6);
  const copy = await from.ask('bundle.open', { path });
  const takes = async (id: string) =>
    (await from.ask('storyboard.get', { projectId: id })).shots.map((shot) => shot.takes);
  expect(await takes(copy.id)).toEqual(await takes(projectId));
  expect((await from.ask('library.list', {})).total).toBe(6);
});

test('opened where a file is damaged and another is gone, both are whole again', async () => {
  const { from, path } = await sampleBundle();
  const { ask, dataDir } = from;
  const { assets } = await ask('library.list', { limit: 50 });
  const files = assets.map(({ sha256 = '' }) => join(dataDir, 'library', sha256.slice(0, 2), `${sha256}.mp4`));
  const [rotten = '', gone = ''] = files;
  const [whole, lost] = [readFileSync(rotten), readFileSync(gone)];
  writeFileSync(rotten, Buffer.alloc(whole.length));
  rmSync(gone);
  const check = async () => (await ask('library.folder')).check;
  await ask('library.verify');
  await expect.poll(check).toMatchObject({ state: 'done', missing: 1, damaged: 1 });
  expect((await ask('bundle.read', { path })).here.files).toBe(4);
  await ask('bundle.open', { path });
  expect([readFileSync(rotten), readFileSync(gone)]).toEqual([whole, lost]);
  expect(await check()).toMatchObject({ missing: 0, damaged: 0, faulty: [] });
  expect((await ask('bundle.read', { path })).here.files).toBe(6);
  expect((await ask('library.list', {})).total).toBe(6);
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

test('cast, chats, stars, tags and verdicts come along; what opens something does not', async () => {
  const from = await openStudio({ sampleDir: SAMPLE });
  const { id: projectId } = await from.ask('projects.openSample');
  const picture = await from.upload('ana.png', testPng(20, 12));
  const first = { id: 'm', branch: 'b', createdAt: 5 };
  const chat = {
    ...{ dailies: 'chat', form: 1, title: 'Notes', createdAt: 5, active: 'b' },
    branches: [{ id: 'b', createdAt: 5 }],
    messages: [
      { ...first, role: 'user', text: 'see https://u:pw@store.test/a.mp4?X-Amz-Signature=abc' },
      { id: 'n', branch: 'b', after: 'm', role: 'assistant', text: 'Yes', createdAt: 6, costNano: 7_000 },
    ],
  };
  await from.ask('chat.import', { json: JSON.stringify(chat), projectId });
  const board = await from.ask('storyboard.get', { projectId });
  const uri = 'https://user:secret@store.test/b.png?X-Amz-Signature=abc';
  const begins = { source: 'first' as const, image: { uri } };
  const shots = board.shots.map((shot, at) => (at === 4 ? { ...shot, ...begins } : shot));
  const cast = [{ id: 'ana', name: 'Ana', kind: 'person' as const, words: 'tall', sheets: [{ assetId: picture.id }] }];
  await from.ask('storyboard.save', { ...board, shots, cast });
  const [job] = (await from.ask('jobs.list', { projectId, limit: 1 })).jobs;
  await from.ask('jobs.judge', { id: job?.id ?? '', verdict: 'keep' });
  await from.ask('library.star', { ids: [job?.outputs[0]?.id ?? ''], starred: true });
  await from.ask('library.tag', { ids: [job?.outputs[0]?.id ?? ''], add: ['night'], remove: [] });
  const done = await exported(from, await from.ask('bundle.export', { projectId }));
  const path = join(done.folder, done.files[0]?.name ?? '');
  await from.close();
  const to = await openStudio();
  expect(await to.ask('bundle.read', { path })).toMatchObject({ chats: 1, files: 7 });
  const { id } = await to.ask('bundle.open', { path });
  const opened = await to.ask('storyboard.get', { projectId: id });
  const [sheet] = opened.cast?.[0]?.sheets ?? [];
  expect(to.studio.media.open(sheet?.assetId ?? '')).toMatchObject({ ok: true, data: { sha256: picture.sha256 } });
  expect(opened.shots[4]?.image).toEqual({ uri: 'https://store.test/b.png' });
  const { conversations } = await to.ask('chat.list', { projectId: id });
  expect(conversations).toMatchObject([{ title: 'Notes', messageCount: 2 }]);
  const said = JSON.stringify(await to.ask('chat.get', { conversationId: conversations[0]?.id ?? '' }));
  expect(said).toContain('see https://store.test/a.mp4');
  expect(said).not.toMatch(/Signature|:pw@/);
  const { jobs } = await to.ask('jobs.list', { projectId: id, verdict: 'keep', limit: 9 });
  expect(jobs.map(({ outputs }) => outputs[0]).filter((asset) => asset?.starred)).toMatchObject([
    { tags: ['night'], verdict: 'keep' },
  ]);
  expect((await to.ask('ledger.entries')).entries).toEqual([]);
});

test('what a kill left of an opening is removed at the next start', async () => {
  const first = await openStudio();
  const picture = await first.upload('kept.png', testPng(30, 8));
  const kept = first.studio.media.open(picture.id);
  if (!kept.ok) throw new Error(kept.error.message);
  await first.close();
  const orphan = 'ab'.repeat(32);
  const stored = join(first.dataDir, 'library', 'ab', `${orphan}.png`);
  mkdirSync(join(stored, '..'), { recursive: true });
  writeFileSync(stored, 'x');
  const temp = join(first.dataDir, 'bundles', 'open_1');
  mkdirSync(temp, { recursive: true });
  const noted = [orphan, picture.sha256, '../../evil'].map((sha256) => ({ sha256, mime: 'image/png' }));
  writeFileSync(join(temp, 'storing.json'), JSON.stringify(noted));
  const next = await openStudio({ dataDir: first.dataDir });
  // An opening waits until another one's leftovers are removed.
  await next.call('bundle.open', { path: '/nowhere.dailies' });
  expect([existsSync(stored), existsSync(temp), existsSync(kept.data.path)]).toEqual([false, false, true]);
});

test('a full disk and a damaged file stop it before anything is written', async () => {
  const { from, path } = await sampleBundle();
  await from.close();
  const to = await openStudio({ ports: { freeBytes: () => 1_000 } });
  expect(await to.call('bundle.open', { path })).toMatchObject({ ok: false, error: { code: 'disk_full' } });
  expect((await to.ask('projects.list')).projects).toEqual([]);
  expect(await to.call('bundle.read', { path: '/nowhere.dailies' })).toMatchObject({ error: { code: 'not_found' } });
  expect(await to.call('bundle.read', {})).toMatchObject({ error: { code: 'invalid_input' } });
});

test('closed in the middle of a file, an opening is over at once, and nothing of the film is left', async () => {
  const { from, path } = await sampleBundle();
  await from.close();
  const to = await openStudio();
  const stalled = stallFiles();
  const opened = to.call('bundle.open', { path });
  await stalled;
  await to.close();
  expect(await opened).toMatchObject({ ok: false, error: { code: 'wrong_state' } });
  vi.restoreAllMocks();
  expect(readdirSync(join(to.dataDir, 'bundles'))).toEqual([]);
  const again = await openStudio({ dataDir: to.dataDir });
  expect((await again.ask('library.list', {})).total).toBe(0);
  expect((await again.ask('projects.list')).projects).toEqual([]);
  await again.ask('bundle.open', { path });
});
