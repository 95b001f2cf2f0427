import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { Readable } from 'node:stream';
import Database from 'better-sqlite3';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { fullAfter } from '../../../test/helpers/fullDisk.ts';
import { fullVolume } from '../../../test/helpers/fullVolume.ts';
import { testPng } from '../../../test/helpers/png.ts';
import { countingIds, silentLog, TestClock, tempDir, testPorts } from '../../../test/helpers/testPorts.ts';
import { studiosOfThisFile } from '../../../test/helpers/testStudios.ts';
import { databaseFile } from './store/index.ts';
import { StudioStart } from './studioStart.ts';

const openStudio = studiosOfThisFile();
afterEach(() => vi.restoreAllMocks());

/** A folder in which one job was being sent when the program ended, and one is queued. */
async function aNightThatFilledTheDisk() {
  const dataDir = tempDir('full');
  const { ask, close } = await openStudio({ dataDir });
  await ask('queue.pause', {});
  const requests = ['A quay', 'A lamp'].map((prompt) => ({ kind: 'imagine' as const, prompt }));
  const [sent] = (await ask('jobs.enqueue', { requests })).jobs;
  await close();
  const db = new Database(databaseFile(dataDir));
  db.prepare(`UPDATE jobs SET state = 'sending' WHERE id = ?`).run(sent?.id);
  db.close();
  fullAfter(0);
  const clock = new TestClock();
  return { ...(await openStudio({ dataDir, ports: testPorts({ clock }) })), clock };
}

test('on a full disk the studio opens with what is there, and changes nothing', async () => {
  const { ask, call, studio } = await aNightThatFilledTheDisk();
  expect((await ask('jobs.list')).jobs.map(({ state }) => state).sort()).toEqual(['blocked', 'sending']);
  expect(await ask('queue.status')).toMatchObject({ waitsForRoom: true });
  const full = { ok: false, error: { code: 'disk_full', message: expect.stringContaining('Dailies sends nothing') } };
  expect(await call('queue.resume', {})).toMatchObject(full);
  expect(await studio.media.upload({ name: 'a.png', body: Readable.from(['x']) })).toMatchObject(full);
});

test('what goes on beside the rest is repeated when there is room, and no more than that', async () => {
  const clock = new TestClock();
  const full = Object.assign(new Error('no room'), { code: 'ENOSPC' });
  const tries: string[] = [];
  const beside = (name: string, errors: Error[]) => async () => {
    tries.push(name);
    const error = errors.shift();
    if (error) throw error;
  };
  const after = () => void tries.push('after');
  const steps = [beside('full', [full, full]), beside('broken', [new Error('a bug')]), after];
  const start = new StudioStart({ clock, log: silentLog }, steps);
  start.goOn();
  await clock.advance(0);
  expect([tries, start.refusal()]).toEqual([['full', 'broken', 'after'], undefined]);
  await clock.advance(10 * 60_000);
  expect(tries).toEqual(['full', 'broken', 'after', 'full', 'full']);
});

test('when there is room it goes on by itself, not with each command', async () => {
  const { ask, call, clock, events } = await aNightThatFilledTheDisk();
  await clock.advance(10_000);
  expect(await ask('queue.status')).toMatchObject({ waitsForRoom: true });
  vi.restoreAllMocks();
  expect(await call('queue.pause', {})).toMatchObject({ ok: false, error: { code: 'disk_full' } });
  await clock.advance(2_000);
  const status = await ask('queue.status');
  expect([status.waitsForRoom, status.doubt.count + status.doubtElsewhere.count]).toEqual([undefined, 1]);
  expect((await ask('jobs.list')).jobs.map(({ state }) => state).sort()).toEqual(['blocked', 'uncertain']);
  await clock.advance(1_000);
  expect(events).toContainEqual(expect.objectContaining({ type: 'queue.changed' }));
});

test('pages learn that there is room again, also where no job changes', async () => {
  const dataDir = tempDir('full');
  await (await openStudio({ dataDir })).close();
  fullAfter(0);
  const clock = new TestClock();
  const { ask, events } = await openStudio({ dataDir, ports: testPorts({ clock }) });
  expect(await ask('queue.status')).toMatchObject({ waitsForRoom: true });
  vi.restoreAllMocks();
  await clock.advance(10_000);
  const told = events.flatMap((event) => (event.type === 'queue.changed' ? event.status : []));
  expect(told.at(-1)).toEqual(await ask('queue.status'));
});

test('with nothing left on the disk the studio opens with what is there, again and again', async ({ skip }) => {
  const volume = fullVolume(64 * 1024 * 1024);
  if (!volume) return skip('a file system of its own cannot be mounted here');
  const dataDir = path.join(volume.folder, 'studio');
  const ids = countingIds();
  for (const prompt of ['A quay', 'A lamp']) {
    const clock = new TestClock();
    const before = await openStudio({ dataDir, ports: testPorts({ clock, ids }) });
    if (prompt === 'A quay') await before.ask('queue.pause', {});
    await before.ask('jobs.enqueue', { requests: [{ kind: 'imagine', prompt }] });
    await before.close();
    volume.fill();
    const full = await openStudio({ dataDir, ports: testPorts({ clock, ids }) });
    expect((await full.ask('jobs.list')).jobs[0]?.request).toMatchObject({ prompt });
    // The room of the reserve is enough for that.
    expect(await full.call('queue.pause', {})).toMatchObject({ ok: true });
    volume.makeRoom();
    await clock.advance(60_000);
    expect(fs.existsSync(path.join(dataDir, 'dailies.reserve'))).toBe(true);
    await full.close();
  }
});

test('on a full disk a start has no need to write its address down, or what a kill left of downloads', async () => {
  const dataDir = tempDir('full');
  await (await openStudio({ dataDir })).close();
  const db = new Database(databaseFile(dataDir));
  const port = Number(db.prepare(`SELECT value FROM flags WHERE name = 'webhooks.port'`).pluck().get());
  db.close();
  const parts = path.join(dataDir, 'library', 'parts');
  const metadata = path.join(parts, 'asset_gone.part.json');
  fs.mkdirSync(parts, { recursive: true });
  fs.writeFileSync(metadata, JSON.stringify({ stored: { sha256: '0'.repeat(64), mime: 'video/mp4', bytes: 9 } }));
  const taken = http.createServer().listen(port, '127.0.0.1');
  onTestFinished(() => void taken.close());
  fullAfter(0);
  const { call } = await openStudio({ dataDir });
  expect(await call('jobs.list')).toMatchObject({ ok: true });
  expect(fs.existsSync(metadata)).toBe(true);
});

test('on a full disk questions are answered that write by the way', async () => {
  const clock = new TestClock();
  const { ask, studio } = await openStudio({ ports: testPorts({ clock }) });
  await ask('queue.pause', {});
  const upload = await studio.media.upload({ name: 'a.png', body: Readable.from([testPng(8, 8)]) });
  const sha256 = upload.ok ? upload.data.sha256 : '';
  const request = { kind: 'imagine' as const, prompt: 'A quay' };
  const old = await ask('quotes.create', { request, client: 'A program' });
  fullAfter(0);
  clock.set(clock.now() + 25 * 3_600_000);
  expect(await ask('quotes.list', {})).toMatchObject({
    quotes: [{ id: old.id, state: 'void', voidBecause: 'expired' }],
  });
  expect(await ask('quotes.list', { state: 'open' })).toMatchObject({ quotes: [], open: 0 });
  expect(await ask('quotes.get', { id: old.id })).toMatchObject({ state: 'void' });
  expect((await ask('media.measures', { sha256s: [sha256] })).files).toMatchObject({ [sha256]: { state: 'waiting' } });
});

test.each<[string, (dataDir: string) => void]>([
  [
    'the file system has no room for the reserve, or says so',
    () => void vi.spyOn(fs, 'statfsSync').mockReturnValue({ bavail: 0, bsize: 4096 } as never),
  ],
  ['a folder is in the place of the reserve', (dataDir) => fs.mkdirSync(path.join(dataDir, 'dailies.reserve'))],
])('where %s, commands are taken all the same', async (_, harm) => {
  const dataDir = tempDir('reserve');
  harm(dataDir);
  const clock = new TestClock();
  const { ask, call } = await openStudio({ dataDir, ports: testPorts({ clock }) });
  expect(await call('queue.pause', {})).toMatchObject({ ok: true });
  await clock.advance(120_000);
  expect((await ask('queue.status')).waitsForRoom).toBeUndefined();
  expect(await call('queue.resume', {})).toMatchObject({ ok: true });
});
