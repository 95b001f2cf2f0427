import fs from 'node:fs';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { clipOf } from '../../../../test/helpers/clip.ts';
import {
  acceptance,
  aVideo,
  type EngineHarness,
  finished,
  lostAnswer,
  refusal,
  VIDEO_NANO,
} from '../../../../test/helpers/engineHarness.ts';
import { engineHarnesses } from '../../../../test/helpers/engineHarnesses.ts';
import { testPng } from '../../../../test/helpers/png.ts';
import { settle, TestClock } from '../../../../test/helpers/testPorts.ts';
import type { StudioRequest } from '../../../shared/kinds/index.ts';
import type { SubmitOutcome } from '../gateway/index.ts';
import { setBudget, totals } from '../ledger/index.ts';
import { databaseFile, type Store, sql } from '../store/index.ts';

/** A full disk as SQLite reports it, until there is space again. */

const start = engineHarnesses();

const pages = sql('test.pages', 'PRAGMA page_count');
const fill = sql('test.fill', 'INSERT INTO flags (name, value) VALUES ($name, $value)');
const unfill = sql('test.unfill', `DELETE FROM flags WHERE name LIKE 'fill %'`);
const limit = (n: number) => sql('test.limit', `PRAGMA max_page_count = ${n}`);

/** Fills the file to its last page, so that any later write needs space that is not there. */
function fillDisk(harness: EngineHarness): void {
  let count = 0;
  harness.store.transaction((db) => {
    db.one(limit((db.one<{ page_count: number }>(pages)?.page_count ?? 0) + 2));
  });
  for (let size = 4_000; size > 100; size = Math.floor(size / 2)) {
    for (let full = false; !full; ) {
      try {
        harness.store.transaction((db) => db.run(fill, { name: `fill ${size} ${count++}`, value: 'x'.repeat(size) }));
      } catch {
        full = true;
      }
    }
  }
}

/** A disk on which every transaction fails while it is full. */
function aDisk() {
  const disk = {
    full: false,
    wrapStore: (store: Store): Store => ({
      ...store,
      transaction: (work) => {
        if (disk.full) throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
        return store.transaction(work);
      },
    }),
  };
  return disk;
}

function makeRoom(harness: EngineHarness): void {
  harness.store.transaction((db) => {
    db.one(limit(1_000_000));
    db.run(unfill);
  });
}

/** More bytes than are left on the last pages of any table. */
const LONG = 'x'.repeat(9_000);

test('an answer that arrives while the disk is full is kept and written later, never taken for lost', async () => {
  let answer = (): void => undefined;
  const answered = new Promise<void>((done) => {
    answer = done;
  });
  let sent = 0;
  const submitVideo = async (): Promise<SubmitOutcome> => {
    sent += 1;
    await answered;
    return { type: 'accepted', task: { id: 'task-1', kind: 'video', acceptedAt: harness.clock.now(), pollPath: LONG } };
  };
  const harness = start({ script: { gateway: { submitVideo } } });
  const { id } = await harness.enqueue(aVideo);
  expect(harness.job(id).state).toBe('sending');
  fillDisk(harness);
  answer();
  await settle();
  expect(harness.job(id).state).toBe('sending');
  expect(harness.events.filter((event) => event.type === 'notice')).toMatchObject([
    { level: 'error', text: expect.stringContaining('The disk is full') },
  ]);
  makeRoom(harness);
  harness.script.poll = [finished()];
  expect(await harness.untilEnd(id)).toMatchObject({ state: 'succeeded', remoteId: 'task-1' });
  expect(harness.events.filter((event) => event.type === 'notice')[1]).toMatchObject({
    level: 'info',
    text: 'There is room again. The answer is on disk.',
    about: 'room for answers',
  });
  expect(sent).toBe(1);
  expect(totals(harness.store.read, 'kind', {}).sum).toMatchObject({
    settledNano: VIDEO_NANO,
    uncertainNano: 0,
    reservedNano: 0,
  });
});

test('the queue recovers by itself after a full disk, and nothing is sent twice', async () => {
  const harness = start();
  harness.engine.commands.setPaused(true);
  const { id } = await harness.enqueue(aVideo);
  harness.script.submit = [acceptance(harness.clock)];
  harness.script.poll = [finished()];
  harness.engine.commands.setPaused(false);
  const claim = harness.store.transaction;
  let refused = 0;
  harness.store.transaction = () => {
    refused += 1;
    throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
  };
  await settle();
  await harness.clock.advance(10_000);
  harness.store.transaction = claim;
  expect(refused).toBeGreaterThan(0);
  expect(await harness.untilEnd(id)).toMatchObject({ state: 'succeeded' });
  expect(harness.script.sent).toBe(1);
});

test('a host that answers again while the disk is full ends no job, and the waiting jobs go on later', async () => {
  const faults: string[] = [];
  const disk = aDisk();
  const harness = start({ wrapStore: disk.wrapStore });
  harness.script.submit = [refusal({ kind: 'network', retryable: true }), acceptance(harness.clock)];
  harness.script.poll = [finished()];
  const listen = (fault: unknown) => void faults.push(String(fault));
  process.on('unhandledRejection', listen);
  const { id } = await harness.enqueue(aVideo);
  expect(harness.job(id)).toMatchObject({ state: 'blocked', reason: 'offline' });
  disk.full = true;
  await harness.clock.advance(30_000);
  process.off('unhandledRejection', listen);
  expect(faults).toEqual([]);
  disk.full = false;
  expect(await harness.untilEnd(id)).toMatchObject({ state: 'succeeded' });
  expect(harness.script.sent).toBe(2);
});

test('jobs that wait for a new day’s money get it later if the disk was full at midnight', async () => {
  const clock = new TestClock(new Date(2026, 10, 21, 23).getTime());
  const disk = aDisk();
  const harness = start({ clock, wrapStore: disk.wrapStore });
  harness.store.transaction((db) => setBudget(db, { scope: 'day', hardNano: VIDEO_NANO }));
  harness.script.submit = [acceptance(clock), acceptance(clock)];
  harness.script.poll = [finished(), finished()];
  await harness.untilEnd((await harness.enqueue(aVideo)).id);
  const { id } = await harness.enqueue(aVideo);
  await clock.advance(1_000);
  expect(harness.job(id)).toMatchObject({ state: 'blocked', reason: 'budget' });
  disk.full = true;
  await clock.advance(3_600_000);
  disk.full = false;
  expect(await harness.untilEnd(id)).toMatchObject({ state: 'succeeded' });
});

test('of many that are requested again, those that the disk had no room for are named', async () => {
  const harness = start();
  harness.engine.commands.setPaused(true);
  const ids: string[] = [];
  for (let n = 0; n < 3; n += 1) ids.push((await harness.enqueue(aVideo)).id);
  for (const id of ids) harness.engine.commands.cancel(id);
  const { transaction } = harness.store;
  let room = 2;
  harness.store.transaction = (work) => {
    if (room === 0) throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
    room -= 1;
    return transaction(work);
  };
  const input = { ids, requestKey: 'again three' };
  const message = 'The disk is full. It was not requested again.';
  expect(await harness.engine.many.retry(input)).toMatchObject({
    ok: true,
    data: { count: 1, left: [{ id: ids[1], message }, { id: ids[2] }], leftCount: 2 },
  });
  harness.store.transaction = transaction;
  expect(await harness.engine.many.retry(input)).toMatchObject({ ok: true, data: { count: 3, leftCount: 0 } });
  expect(harness.store.read.one<{ n: number }>(sql('test.all', 'SELECT count(*) AS n FROM jobs'))?.n).toBe(6);
});

test('a start that is repeated does not take what it has sent for the remainder of an earlier one', async () => {
  const answer = Promise.withResolvers<SubmitOutcome>();
  const harness = start({ script: { poll: [finished()], gateway: { submitVideo: () => answer.promise } } });
  const { id } = await harness.enqueue(aVideo);
  harness.engine.start();
  expect(harness.job(id).state).toBe('sending');
  answer.resolve(acceptance(harness.clock));
  expect(await harness.untilEnd(id)).toMatchObject({ state: 'succeeded', money: { chargedNano: VIDEO_NANO } });
});

test('a last frame that was taken while the disk was full lets go on what waits for it, once there is room', async () => {
  const harness = start();
  const clip = await clipOf({ seconds: 4 });
  harness.script.submit = [acceptance(harness.clock), acceptance(harness.clock, 'task-2')];
  harness.script.poll = [finished(`data:video/mp4;base64,${clip.toString('base64')}`)];
  const first = await harness.enqueue(aVideo);
  await harness.untilEnd(first.id);
  const next = await harness.enqueue({ ...aVideo, image: { jobId: first.id, frame: 'last' } } as StudioRequest);
  expect(harness.job(next.id)).toMatchObject({ state: 'blocked', reason: 'dependency' });
  const { mediaWork } = harness.library;
  let task = mediaWork.claim();
  for (; task && task.kind !== 'lastFrame'; task = mediaWork.claim()) mediaWork.finish(task.id, {});
  await harness.library.upload({ name: 'frame.png', body: Readable.from([testPng(16, 16)]), taskId: task?.id ?? '' });
  const { transaction } = harness.store;
  let room = 1;
  harness.store.transaction = (work) => {
    if (room-- <= 0) throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
    return transaction(work);
  };
  try {
    mediaWork.finish(task?.id ?? '', {});
  } catch {
    // The page is told, and has done what it could.
  }
  await harness.clock.advance(5_000);
  harness.store.transaction = transaction;
  await harness.until(next.id, ({ state }) => state === 'running');
});

test('the task that a webhook names while the disk is full is polled once there is room', async () => {
  const disk = aDisk();
  const harness = start({ wrapStore: disk.wrapStore, script: { submit: [lostAnswer] } });
  const { id } = await harness.enqueue({ kind: 'imagine', prompt: 'a hill' });
  await harness.until(id, ({ state }) => state === 'uncertain');
  disk.full = true;
  try {
    harness.coreEvents.emit('webhook.bodyReceived', id, '{"id":"178"}');
  } catch {
    // The receiver only logs it.
  }
  await harness.clock.advance(5_000);
  disk.full = false;
  harness.script.poll = [finished()];
  expect(await harness.untilEnd(id)).toMatchObject({ state: 'succeeded', remoteId: '178' });
});

test('where the disk of the data folder was taken away, it is said that a restart is needed', async () => {
  const disk = aDisk();
  const harness = start({ wrapStore: disk.wrapStore, script: { submit: [lostAnswer] } });
  const { id } = await harness.enqueue({ kind: 'imagine', prompt: 'a hill' });
  await harness.until(id, ({ state }) => state === 'uncertain');
  disk.full = true;
  harness.coreEvents.emit('webhook.bodyReceived', id, '{"id":"178"}');
  await harness.clock.advance(5_000);
  const file = databaseFile(harness.dataDir);
  fs.renameSync(file, `${file}.away`);
  await harness.clock.advance(5_000);
  fs.renameSync(`${file}.away`, file);
  await harness.clock.advance(5_000);
  expect(harness.events.flatMap((event) => (event.type === 'notice' ? [event.text] : []))).toEqual([
    expect.stringContaining('An answer was lost'),
    expect.stringContaining('do not quit Dailies'),
    expect.stringContaining('quit and start Dailies'),
  ]);
});

test('a disk that was taken away is not said to be full by the answers that come once it is back', async () => {
  const disk = aDisk();
  const harness = start({ wrapStore: disk.wrapStore, script: { submit: [lostAnswer, lostAnswer] } });
  const jobs = [];
  for (const prompt of ['a hill', 'a quay']) {
    const { id } = await harness.enqueue({ kind: 'imagine', prompt });
    await harness.until(id, ({ state }) => state === 'uncertain');
    jobs.push(id);
  }
  const notices = () =>
    harness.events.flatMap((event) =>
      event.type === 'notice' && event.about === 'room for answers' ? [event.text] : [],
    );
  const file = databaseFile(harness.dataDir);
  disk.full = true;
  fs.renameSync(file, `${file}.away`);
  harness.coreEvents.emit('webhook.bodyReceived', jobs[0] ?? '', '{"id":"178"}');
  await harness.clock.advance(5_000);
  fs.renameSync(`${file}.away`, file);
  harness.coreEvents.emit('webhook.bodyReceived', jobs[1] ?? '', '{"id":"179"}');
  await harness.clock.advance(5_000);
  expect(new Set(notices())).toEqual(new Set([expect.stringContaining('quit and start Dailies')]));
  disk.full = false;
  await harness.clock.advance(5_000);
  expect(notices().at(-1)).toContain('There is room again');
});
