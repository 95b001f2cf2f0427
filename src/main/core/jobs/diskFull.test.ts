import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  acceptance,
  aVideo,
  type EngineHarness,
  finished,
  lostAnswer,
  refusal,
  VIDEO_NANO,
} from '../../../../test/helpers/engineHarness.ts';
import { engineHarnesses, jobsOfThisFile, type OneJob } from '../../../../test/helpers/engineHarnesses.ts';
import { noticesOf } from '../../../../test/helpers/limitedService.ts';
import { settle, silentLog, TestClock, tempDir } from '../../../../test/helpers/testPorts.ts';
import type { StudioEvent } from '../../../shared/contract/events.ts';
import type { SubmitOutcome } from '../gateway/index.ts';
import { setBudget } from '../ledger/index.ts';
import { databaseFile, type Store, sql } from '../store/index.ts';
import { persist } from './sending/persist.ts';

const start = engineHarnesses();
const aJob = jobsOfThisFile(start);
const fault = () => Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });

/** A disk on which every transaction fails while it is full, once those that it has room for are written. */
function aDisk() {
  const disk = {
    full: false,
    room: 0,
    wrapStore: (store: Store): Store => ({
      ...store,
      transaction: (work) => {
        if (disk.full && disk.room-- <= 0) throw fault();
        return store.transaction(work);
      },
    }),
  };
  return disk;
}

describe('a write that must not be lost', () => {
  /** Writes on a disk of this state; `said`: what the user is told. */
  function writing(dataDir = tempDir('persist')) {
    const clock = new TestClock();
    const events: StudioEvent[] = [];
    const disk: { error: Error | undefined; closed: boolean } = { error: fault(), closed: false };
    const file = databaseFile(dataDir);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, '');
    const emit = (event: StudioEvent) => void events.push(event);
    const deps = { clock, log: silentLog, emit, dataDir, store: {} as Store };
    const write = () =>
      persist(
        deps,
        () => disk.closed,
        () => {
          if (disk.error) throw disk.error;
          return 'written';
        },
      );
    return { clock, disk, file, write, events, said: () => noticesOf(events).map((text) => text.slice(0, 40)) };
  }
  const FULL = 'error: The disk is full or cannot be wri';
  const GONE = expect.stringMatching(/^error: The data folder/);
  const ROOM = 'info: The disk has space again. What wai';

  test('waits for room, and the user is told once of each', async () => {
    const { clock, disk, write, said, events } = writing();
    const written = write();
    await clock.advance(60_000);
    disk.error = undefined;
    await clock.advance(2_000);
    expect(await written).toBe('written');
    expect(said()).toEqual([FULL, ROOM]);
    expect(events).toMatchObject([{ about: 'room for answers' }, { about: 'room for answers' }]);
  });

  test('is thrown where its fault is not one of the disk, and ends with Dailies', async () => {
    const { clock, disk, write } = writing();
    const written = write();
    disk.closed = true;
    await clock.advance(2_000);
    expect(await written).toBeUndefined();
    disk.closed = false;
    disk.error = new TypeError('not a function');
    await expect(write()).rejects.toThrow('not a function');
  });

  test('on a disk that was taken away, a restart is asked for, also once it is back, until something is written', async () => {
    const { clock, disk, file, write, said } = writing();
    void write();
    await clock.advance(5_000);
    fs.renameSync(file, `${file}.away`);
    await clock.advance(5_000);
    fs.renameSync(`${file}.away`, file);
    void write();
    await clock.advance(5_000);
    expect(said()).toEqual([FULL, GONE, GONE]);
    disk.error = undefined;
    await clock.advance(5_000);
    expect(said().slice(3)).toEqual([ROOM, ROOM]);
    disk.error = fault();
    void write();
    expect(said().at(-1)).toBe(FULL);
  });
});

const pages = sql('test.pages', 'PRAGMA page_count');
const fill = sql('test.fill', 'INSERT INTO flags (name, value) VALUES ($name, $value)');
const unfill = sql('test.unfill', `DELETE FROM flags WHERE name LIKE 'fill %'`);
const limit = (n: number) => sql('test.limit', `PRAGMA max_page_count = ${n}`);

/** Fills the file to its last page, so that any later write needs space that is not there. */
function fillDisk({ store }: EngineHarness): void {
  let count = 0;
  store.transaction((db) => void db.one(limit((db.one<{ page_count: number }>(pages)?.page_count ?? 0) + 2)));
  for (let size = 4_000; size > 100; size = Math.floor(size / 2)) {
    for (let full = false; !full; ) {
      try {
        store.transaction((db) => db.run(fill, { name: `fill ${size} ${count++}`, value: 'x'.repeat(size) }));
      } catch {
        full = true;
      }
    }
  }
}

function makeRoom({ store }: EngineHarness): void {
  store.transaction((db) => {
    db.one(limit(1_000_000));
    db.run(unfill);
  });
}

/** More bytes than are left on the last pages of any table. */
const LONG = 'x'.repeat(9_000);

test('an answer that arrives while the disk is full is kept and written later, never taken for lost', async () => {
  const { promise, resolve: answer } = Promise.withResolvers<SubmitOutcome>();
  const { harness, script, clock, events, now, ends, sums } = await aJob({ gateway: { submitVideo: () => promise } });
  fillDisk(harness);
  answer({ type: 'accepted', task: { id: 'task-1', kind: 'video', acceptedAt: clock.now(), pollPath: LONG } });
  await settle();
  expect(now().state).toBe('sending');
  expect(noticesOf(events)).toEqual([expect.stringContaining('The disk is full')]);
  makeRoom(harness);
  script.poll = [finished()];
  expect(await ends()).toMatchObject({ state: 'succeeded', remoteId: 'task-1' });
  expect(sums()).toMatchObject({ settledNano: VIDEO_NANO, uncertainNano: 0, reservedNano: 0 });
});

/** Each is prepared in an engine with one job, and comes while the disk is full. */
const LATER: [string, Parameters<typeof aJob>[0], (one: OneJob) => unknown][] = [
  ['a queue that is let go on', { state: 'paused' }, ({ commands }) => commands.setPaused(false)],
  ['a host that answers again', { submit: [refusal({ kind: 'network', retryable: true })] }, () => undefined],
  [
    'a task that a webhook names',
    { state: 'uncertain', request: { kind: 'imagine', prompt: 'a hill' } },
    ({ coreEvents, id }) => coreEvents.emit('webhook.bodyReceived', id, '{"id":"178"}'),
  ],
];

test.each(LATER)(
  '%s while the disk is full: the job goes on once there is room, and nothing is sent twice',
  async (_, options, come) => {
    const disk = aDisk();
    const one = await aJob({ ...options, wrapStore: disk.wrapStore });
    const { sent } = one.script;
    one.script.submit = [acceptance(one.clock)];
    disk.full = true;
    const coming = Promise.resolve(come(one)).catch(() => undefined);
    await one.clock.advance(30_000);
    disk.full = false;
    await coming;
    if (options?.state === 'paused') await one.commands.setPaused(false);
    one.script.poll = [finished()];
    expect((await one.ends()).state).toBe('succeeded');
    expect(one.script.sent - sent).toBe(options?.state === 'uncertain' ? 0 : 1);
  },
);

test('jobs that wait for a new day’s money get it later if the disk was full at midnight', async () => {
  const disk = aDisk();
  const clock = new TestClock(new Date(2026, 10, 21, 23).getTime());
  const { store, script, enqueue, job, untilEnd } = await aJob({
    state: 'succeeded',
    clock,
    wrapStore: disk.wrapStore,
  });
  store.transaction((db) => setBudget(db, { scope: 'day', hardNano: VIDEO_NANO }));
  script.submit = [acceptance(clock)];
  script.poll = [finished()];
  const { id } = await enqueue(aVideo);
  expect(job(id)).toMatchObject({ state: 'blocked', reason: 'budget' });
  disk.full = true;
  await clock.advance(3_600_000);
  disk.full = false;
  expect((await untilEnd(id)).state).toBe('succeeded');
});

test('of many that are requested again, those that the disk had no room for are named', async () => {
  const disk = aDisk();
  const { engine, store, many } = start({ wrapStore: disk.wrapStore });
  engine.commands.setPaused(true);
  const ids = await many(3);
  for (const id of ids) engine.commands.cancel(id);
  Object.assign(disk, { full: true, room: 2 });
  const input = { ids, requestKey: 'again three' };
  const message = 'The disk is full. It was not requested again.';
  expect(await engine.many.retry(input)).toMatchObject({
    data: { count: 1, left: [{ id: ids[1], message }, { id: ids[2] }], leftCount: 2 },
  });
  disk.full = false;
  expect(await engine.many.retry(input)).toMatchObject({ ok: true, data: { count: 3, leftCount: 0 } });
  expect(store.read.one<{ n: number }>(sql('test.all', 'SELECT count(*) AS n FROM jobs'))?.n).toBe(6);
});

test('many that are canceled while the disk is full are not sent, and are canceled when there is room', async () => {
  const disk = aDisk();
  const { engine, script, clock, job, many, events } = start({ wrapStore: disk.wrapStore });
  script.submit = [lostAnswer];
  await engine.commands.setPaused(true);
  const ids = await many(40);
  const canceled = engine.many.cancel({ ids });
  const resumed = engine.commands.setPaused(false).catch(() => undefined);
  disk.full = true;
  await settle();
  disk.full = false;
  await resumed;
  await engine.commands.setPaused(false);
  await clock.advance(5_000);
  expect(await canceled).toMatchObject({ ok: true, data: { canceled: 40 } });
  expect(script.sent).toBe(0);
  expect(new Set(ids.map((id) => job(id).state))).toEqual(new Set(['canceled']));
  expect(events).toContainEqual(expect.objectContaining({ type: 'notice', about: 'room for changes' }));
});
