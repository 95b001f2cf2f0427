import { Readable } from 'node:stream';
import Database from 'better-sqlite3';
import { afterEach, expect, test, vi } from 'vitest';
import { fullAfter } from '../../../test/helpers/fullDisk.ts';
import { silentLog, TestClock, tempDir, testPorts } from '../../../test/helpers/testPorts.ts';
import { studiosOfThisFile } from '../../../test/helpers/testStudios.ts';
import { databaseFile } from './store/index.ts';
import { StudioStart } from './studioStart.ts';

const openStudio = studiosOfThisFile();
afterEach(() => vi.restoreAllMocks());

/** A folder in which one job was being sent when the program ended, and one waits. */
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

/** Bug: a studio whose disk was full did not start: what was made could not be looked at. */
test('on a full disk the studio opens with what is there, and changes nothing', async () => {
  const { ask, call, studio } = await aNightThatFilledTheDisk();
  expect((await ask('jobs.list')).jobs.map(({ state }) => state).sort()).toEqual(['blocked', 'sending']);
  expect(await ask('queue.status')).toMatchObject({ waitsForRoom: true });
  const full = { ok: false, error: { code: 'disk_full', message: expect.stringContaining('until there is room') } };
  expect(await call('queue.resume', {})).toMatchObject(full);
  expect(await studio.media.upload({ name: 'a.png', body: Readable.from(['x']) })).toMatchObject(full);
});

/** Bug: what goes on beside the start counted as done where the disk was full. */
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

/** Bug: each command tried the whole start anew, which goes through all jobs that wait: with thousands the page froze. */
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
