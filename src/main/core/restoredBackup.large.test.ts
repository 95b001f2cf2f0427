import fs from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { testPng } from '../../../test/helpers/png.ts';
import { tempDir } from '../../../test/helpers/testPorts.ts';
import { studiosOfThisFile } from '../../../test/helpers/testStudios.ts';
import { textIndexFaults } from '../../../test/helpers/textIndex.ts';
import { backupDir, databaseFile, unpackedFile } from './store/index.ts';

/** What `backups.preview` tells and `backups.restore` does to documents; that no record is touched is tested in `test/model/restore.test.ts`. */

const openStudio = studiosOfThisFile();

/** With the queue paused, so that nothing is sent. */
async function open() {
  const studio = await openStudio();
  await studio.ask('queue.pause');
  return studio;
}

type Studio = Awaited<ReturnType<typeof open>>;

const SHOT = { prompt: 'A quay', model: 'video-standard' };

async function film({ ask }: Studio) {
  const { id: projectId } = await ask('projects.create', { name: 'Film' });
  const shots = ['one', 'two'].map((id) => ({ ...SHOT, id }));
  const board = await ask('storyboard.save', { projectId, revision: 0, shots });
  return { projectId, board };
}

const told = ({ gone, back }: Record<'gone' | 'back', { type: string; title: string }[]>) => ({
  gone: gone.map(({ type, title }) => `${type} ${title}`),
  back: back.map(({ type, title }) => `${type} ${title}`),
});

test('boards go back by undoable steps; newer shots and projects are in the bins, with their takes', async () => {
  const studio = await open();
  const { ask, dataDir } = studio;
  const { projectId, board } = await film(studio);
  const { id: removedId } = await ask('projects.create', { name: 'Old' });
  const { id } = await ask('backups.make');

  const three = { ...SHOT, id: 'three', prompt: 'A gull' };
  const [one, two] = board.shots;
  if (!one || !two) throw new Error('no shots');
  const changed = await ask('storyboard.save', { ...board, shots: [{ ...one, prompt: 'A pier' }, three] });
  const { job } = await ask('storyboard.makeTake', { projectId, shotId: 'one' });
  await ask('projects.rename', { id: projectId, name: 'The film' });
  await ask('projects.remove', { id: removedId });
  const { id: newId } = await ask('projects.create', { name: 'New' });
  await ask('settings.set', { projectId: newId });

  const preview = await ask('backups.preview', { id });
  expect(told(preview)).toEqual({
    gone: ['project New', 'shot A gull', 'job A pier'],
    back: ['project Old', 'shot A quay'],
  });
  expect(preview.changed).toEqual([
    { type: 'project', count: 1 },
    { type: 'shot', count: 1 },
  ]);
  expect((await ask('projects.list')).projects.map(({ name }) => name)).toContain('New');

  const { backup } = await ask('backups.restore', { id });
  const { projects, removed } = await ask('projects.list');
  expect(projects.map(({ name }) => name).sort()).toEqual(['Film', 'Old']);
  expect(removed.map(({ name }) => name)).toEqual(['New']);
  expect((await ask('settings.get')).projectId).toBe('');
  const back = await ask('storyboard.get', { projectId });
  expect(back.revision).toBeGreaterThan(changed.revision);
  expect(back.shots.map(({ id, prompt }) => [id, prompt])).toEqual([
    ['one', 'A quay'],
    ['two', 'A quay'],
  ]);
  expect(back.shots[0]?.removedTakes).toEqual([job.id]);
  expect((await ask('board.bin', { projectId })).shots.map(({ shot }) => shot.id)).toEqual(['three']);
  // An order that was never sent is not sent by a film that does not know it.
  await expect.poll(async () => (await ask('jobs.get', { id: job.id })).state).toBe('canceled');
  expect(textIndexFaults(databaseFile(dataDir))).toEqual([]);

  await ask('board.undo', { projectId });
  expect((await ask('storyboard.get', { projectId })).shots.map(({ prompt }) => prompt)).toEqual(['A pier', 'A gull']);

  const { backups } = await ask('backups.list');
  expect(backups.map(({ id: one, reason }) => [one, reason])).toEqual([
    [backup, 'restore'],
    [id, 'now'],
  ]);
  // The backup that was made first leads back to what there was before.
  await ask('backups.restore', { id: backup });
  expect((await ask('projects.list')).projects.map(({ name }) => name).sort()).toEqual(['New', 'The film']);
  expect((await ask('storyboard.get', { projectId })).shots.map(({ prompt }) => prompt)).toEqual(['A pier', 'A gull']);
  expect((await ask('jobs.get', { id: job.id })).state).toBe('canceled');
});

test('one project of a backup comes back as a new one beside that of now, with the same takes', async () => {
  const studio = await open();
  const { ask, call } = studio;
  const { projectId, board } = await film(studio);
  const { job } = await ask('storyboard.makeTake', { projectId, shotId: 'one' });
  const { id: removed } = await ask('projects.create', { name: 'Old' });
  await ask('projects.remove', { id: removed });
  const { id } = await ask('backups.make');
  const before = await ask('storyboard.get', { projectId });
  const now = await ask('storyboard.save', { ...before, shots: before.shots.slice(1) });
  const totals = await ask('ledger.totals', { groupBy: 'model' });
  expect((await ask('backups.preview', { id })).projects).toEqual([{ id: projectId, name: 'Film' }]);

  const copy = await ask('backups.copyProject', { id, projectId, name: 'Film, then' });
  expect(copy.name).toBe('Film, then');
  const { shots } = await ask('storyboard.get', { projectId: copy.id });
  expect(shots.map((shot) => [shot.id, shot.takes])).toEqual([
    ['one', [job.id]],
    ['two', []],
  ]);
  expect(shots.map(({ prompt }) => prompt)).toEqual(board.shots.map(({ prompt }) => prompt));
  expect(await ask('storyboard.get', { projectId })).toEqual(now);
  expect((await ask('jobs.list', {})).total).toBe(1);
  expect(await ask('ledger.totals', { groupBy: 'model' })).toEqual(totals);
  const again = await ask('backups.copyProject', { id, projectId });
  expect([again.name, again.id === copy.id]).toEqual(['Film copy', false]);
  expect((await ask('projects.list')).projects).toHaveLength(3);
  for (const unknown of [removed, 'nobody'])
    expect(await call('backups.copyProject', { id, projectId: unknown })).toMatchObject({
      error: { code: 'not_found', message: 'projectId: the backup has no such project.' },
    });
  expect((await ask('projects.list')).projects).toHaveLength(3);
});

test('a backup is saved elsewhere, unless it is damaged', async () => {
  const { ask, call, dataDir } = await open();
  const { id, bytes } = await ask('backups.make');
  const elsewhere = tempDir('elsewhere');
  const file = path.join(elsewhere, `${id}.db`);
  const original = path.join(backupDir(dataDir), `${id}.db`);
  expect(await ask('backups.saveCopy', { id, folder: elsewhere })).toMatchObject({ file, bytes });
  expect(fs.readFileSync(file).equals(fs.readFileSync(original))).toBe(true);
  fs.truncateSync(original, bytes - 40_000);
  expect(await call('backups.saveCopy', { id, folder: tempDir('other') })).toMatchObject({
    error: { message: expect.stringContaining('is damaged') },
  });
});

test('a conversation goes on where it was, and what was written since is another branch', async () => {
  const studio = await open();
  const { ask } = studio;
  const talk = await ask('chat.create', { title: 'Talk' });
  const empty = await ask('chat.create', { title: 'Empty' });
  const hidden = await ask('chat.create', { title: 'Hidden' });
  await ask('chat.send', { ...talk, text: 'First', model: 'language' });
  const { id } = await ask('backups.make');

  const later = await ask('chat.send', { ...talk, text: 'Second', model: 'language' });
  await ask('chat.send', { ...empty, text: 'Hello', model: 'language' });
  await ask('chat.set', { ...talk, title: 'Renamed' });
  await ask('chat.remove', hidden);
  await ask('chat.create', { title: 'New' });

  const preview = await ask('backups.preview', { id });
  expect(told(preview)).toMatchObject({ back: ['chat Hidden'] });
  const messages = ['Answer', 'Hello', 'Answer', 'Second'].map((text) => `message ${text}`);
  expect(told(preview).gone.slice(0, 5)).toEqual(['chat New', ...messages]);
  expect(preview.changed).toEqual([{ type: 'chat', count: 2 }]);
  await ask('backups.restore', { id });
  expect((await ask('backups.preview', { id })).changed).toEqual([]);
  const texts = async (which: { conversationId: string }, branch?: string) =>
    (await ask('chat.get', { ...which, ...(branch ? { branch } : {}) })).messages
      .filter(({ role }) => role === 'user')
      .map(({ text }) => text);
  expect(await texts(talk)).toEqual(['First']);
  expect(await texts(empty)).toEqual([]);
  const thread = await ask('chat.get', talk);
  expect(thread.conversation.title).toBe('Talk');
  const other = thread.branches.find(({ active }) => !active);
  expect(await texts(talk, other?.id)).toEqual(['First', 'Second']);
  const titles = (await ask('chat.list', {})).conversations.map(({ title }) => title).sort();
  expect(titles).toEqual(['Empty', 'Hidden', 'Talk']);
  await expect.poll(async () => (await ask('jobs.get', { id: later.jobId })).state).toBe('canceled');

  // Restored again, it is the same: no further branch is made.
  await ask('backups.restore', { id });
  expect((await ask('chat.get', talk)).branches).toHaveLength(2);
  await ask('chat.send', { ...talk, text: 'Third', model: 'language' });
  expect(await texts(talk)).toEqual(['First', 'Third']);
});

test('stars, tags, the bin, verdicts and kept plans are what they were; newer files stay', async () => {
  const studio = await open();
  const { ask } = studio;
  const bring = async (name: string) => (await studio.upload(name, testPng(8, 8, name.length))).id;
  const [kept, binned] = [await bring('kept.png'), await bring('binned')];
  await ask('library.tag', { ids: [kept], add: ['blue', 'old'], remove: [] });
  await ask('library.bin', { ids: [binned] });
  const prompts = ['A quay', 'A pier', 'A gull', 'A rope', 'A mast'];
  const requests = prompts.map((prompt) => ({ kind: 'imagine' as const, prompt }));
  const [job = '', before = '', since = '', same = ''] = await studio.enqueue(...requests);
  for (const one of [job, before, since, same]) await ask('jobs.cancel', { id: one });
  for (const one of [job, before, same]) await ask('jobs.judge', { id: one, verdict: 'maybe' });
  const plan = { start: '23:00', end: '07:00', capNano: 3 } as const;
  await ask('night.savePlan', { name: 'As ever', plan });
  const { id } = await ask('backups.make');

  await ask('library.star', { ids: [kept], starred: true });
  await ask('library.tag', { ids: [kept], add: ['Blue', 'new'], remove: ['old'] });
  await ask('library.bin', { ids: [kept] });
  await ask('library.restore', { ids: [binned] });
  await ask('jobs.judge', { id: job, verdict: 'no' });
  await ask('jobs.judge', { id: before, verdict: null });
  await ask('jobs.judge', { id: since, verdict: 'keep' });
  const { plans } = await ask('night.plans');
  await ask('night.removePlan', { id: plans[0]?.id ?? '' });
  await ask('night.savePlan', { name: 'Other', plan });
  const newer = await bring('a newer one.png');
  await ask('library.tag', { ids: [newer], add: ['new'], remove: [] });

  const preview = await ask('backups.preview', { id });
  expect(told(preview)).toEqual({ gone: ['asset binned', 'plan Other'], back: ['asset kept.png', 'plan As ever'] });
  expect(preview.kept).toMatchObject({ files: 1, doubts: 0 });
  expect([preview.goneCount, preview.backCount]).toEqual([2, 2]);
  expect(preview.changed).toEqual([
    { type: 'verdict', count: 3 },
    { type: 'asset', count: 1 },
  ]);

  await ask('backups.restore', { id });
  const { assets } = await ask('library.list', { limit: 10 });
  expect(assets.map(({ id: one, starred = false, tags = [] }) => [one, starred, tags])).toEqual([
    [newer, false, ['new']],
    [kept, false, ['blue', 'old']],
  ]);
  const verdicts = [job, before, since, same].map(async (one) => (await ask('jobs.get', { id: one })).verdict ?? null);
  expect(await Promise.all(verdicts)).toEqual(['maybe', 'maybe', null, 'maybe']);
  expect((await ask('night.plans')).plans.map(({ name }) => name)).toEqual(['As ever']);
  expect((await ask('backups.preview', { id })).changed).toEqual([]);
});

const unpackedIn = (dataDir: string): string[] => fs.readdirSync(dataDir).filter((name) => name.includes('past'));

test('a backup that is damaged, newer, foreign or unknown is refused, and nothing is made or changed', async () => {
  const studio = await open();
  const { ask, call, dataDir } = studio;
  await film(studio);
  const { id } = await ask('backups.make');
  const folder = backupDir(dataDir);
  const bytes = fs.readFileSync(path.join(folder, `${id}.db`));
  const place = (name: string, content: Buffer) => fs.writeFileSync(path.join(folder, `${name}.db`), content);
  place('cut', bytes.subarray(0, bytes.length - 40_000));
  place('text', Buffer.from('not a database any more '.repeat(100)));
  place('empty', Buffer.alloc(0));
  for (const [name, change] of [
    ['newer', 'PRAGMA user_version = 9999'],
    ['development', 'PRAGMA user_version = 62'],
    ['foreign', `INSERT INTO projects (id, name, created_at) VALUES ('of another folder', '', 1)`],
  ] as const) {
    place(name, bytes);
    const raw = new Database(path.join(folder, `${name}.db`));
    raw.exec(change);
    raw.close();
  }
  const before = (await ask('backups.list')).backups.length;
  for (const [name, call_, sentence] of [
    ['cut', 'restore', /is damaged/],
    ['text', 'restore', /is damaged/],
    ['empty', 'restore', /is no backup of Dailies/],
    ['newer', 'restore', /made by a newer Dailies/],
    ['development', 'restore', /made by a development build/],
    ['foreign', 'restore', /is of another folder/],
    ['foreign', 'preview', /is of another folder/],
    ['unknown', 'restore', /there is no such backup/],
  ] as const) {
    const message = expect.stringMatching(sentence);
    expect(await call(`backups.${call_}`, { id: name }), name).toMatchObject({ ok: false, error: { message } });
    expect([name, ...unpackedIn(dataDir)]).toEqual([name]);
  }
  expect((await ask('backups.list')).backups).toHaveLength(before);
  expect((await ask('projects.list')).projects).toHaveLength(1);
});

test('what a kill left of an unpacked backup is removed by the next start', async () => {
  const first = await open();
  await first.close();
  for (const suffix of ['', '-wal', '-shm', '-journal']) fs.writeFileSync(unpackedFile(first.dataDir) + suffix, 'half');
  const second = await openStudio({ dataDir: first.dataDir });
  expect(unpackedIn(second.dataDir)).toEqual([]);
});
