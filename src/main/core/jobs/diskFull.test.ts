import { expect, test } from 'vitest';
import { acceptance, aVideo, finished, type Rig, refusal, VIDEO_NANO } from '../../../../test/helpers/engineRig.ts';
import { rigsOfThisFile } from '../../../../test/helpers/rigsOfThisFile.ts';
import { settle, TestClock } from '../../../../test/helpers/testPorts.ts';
import type { SubmitOutcome } from '../gateway/index.ts';
import { setBudget, totals } from '../ledger/index.ts';
import { type Store, sql } from '../store/index.ts';

/** The disk takes nothing more, as SQLite meets it, until there is room again. */

const start = rigsOfThisFile();

const pages = sql('test.pages', 'PRAGMA page_count');
const fill = sql('test.fill', 'INSERT INTO flags (name, value) VALUES ($name, $value)');
const unfill = sql('test.unfill', `DELETE FROM flags WHERE name LIKE 'fill %'`);
const limit = (n: number) => sql('test.limit', `PRAGMA max_page_count = ${n}`);

/** Fills the file to the last page; what is written afterwards needs room that is not there. */
function fillDisk(rig: Rig): void {
  let count = 0;
  rig.store.transaction((db) => {
    db.one(limit((db.one<{ page_count: number }>(pages)?.page_count ?? 0) + 2));
  });
  for (let size = 4_000; size > 100; size = Math.floor(size / 2)) {
    for (let full = false; !full; ) {
      try {
        rig.store.transaction((db) => db.run(fill, { name: `fill ${size} ${count++}`, value: 'x'.repeat(size) }));
      } catch {
        full = true;
      }
    }
  }
}

/** A disk that takes no transaction while it is full. */
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

function makeRoom(rig: Rig): void {
  rig.store.transaction((db) => {
    db.one(limit(1_000_000));
    db.run(unfill);
  });
}

/** More than is left on the last pages, in whatever table it is written to. */
const LONG = 'x'.repeat(9_000);

test('an answer that comes while the disk is full is kept and written when there is room, never taken for lost', async () => {
  let answer = (): void => undefined;
  const answered = new Promise<void>((done) => {
    answer = done;
  });
  let sent = 0;
  const submitVideo = async (): Promise<SubmitOutcome> => {
    sent += 1;
    await answered;
    return { type: 'accepted', task: { id: 'task-1', kind: 'video', acceptedAt: rig.clock.now(), pollPath: LONG } };
  };
  const rig = start({ script: { gateway: { submitVideo } } });
  const { id } = await rig.enqueue(aVideo);
  expect(rig.job(id).state).toBe('sending');
  fillDisk(rig);
  answer();
  await settle();
  expect(rig.job(id).state).toBe('sending');
  expect(rig.events.filter((event) => event.type === 'notice')).toMatchObject([
    { level: 'error', text: expect.stringContaining('The disk is full') },
  ]);
  makeRoom(rig);
  rig.script.poll = [finished()];
  expect(await rig.untilEnd(id)).toMatchObject({ state: 'succeeded', remoteId: 'task-1' });
  expect(rig.events.filter((event) => event.type === 'notice')[1]).toMatchObject({
    level: 'info',
    text: 'There is room again. The answer is on disk.',
    about: 'room for answers',
  });
  expect(sent).toBe(1);
  expect(totals(rig.store.read, 'kind', {}).sum).toMatchObject({
    settledNano: VIDEO_NANO,
    uncertainNano: 0,
    reservedNano: 0,
  });
});

test('the queue goes on by itself after the disk was full, and nothing was sent twice', async () => {
  const rig = start();
  rig.engine.setPaused(true);
  const { id } = await rig.enqueue(aVideo);
  rig.script.submit = [acceptance(rig.clock)];
  rig.script.poll = [finished()];
  rig.engine.setPaused(false);
  const claim = rig.store.transaction;
  let refused = 0;
  rig.store.transaction = () => {
    refused += 1;
    throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
  };
  await settle();
  await rig.clock.advance(10_000);
  rig.store.transaction = claim;
  expect(refused).toBeGreaterThan(0);
  expect(await rig.untilEnd(id)).toMatchObject({ state: 'succeeded' });
  expect(rig.script.sent).toBe(1);
});

test('a service that comes back while the disk is full ends nothing, and what waited for it goes on when there is room', async () => {
  const faults: string[] = [];
  const disk = aDisk();
  const rig = start({ wrapStore: disk.wrapStore });
  rig.script.submit = [refusal({ kind: 'network', retryable: true }), acceptance(rig.clock)];
  rig.script.poll = [finished()];
  const listen = (fault: unknown) => void faults.push(String(fault));
  process.on('unhandledRejection', listen);
  const { id } = await rig.enqueue(aVideo);
  expect(rig.job(id)).toMatchObject({ state: 'blocked', reason: 'offline' });
  disk.full = true;
  await rig.clock.advance(30_000);
  process.off('unhandledRejection', listen);
  expect(faults).toEqual([]);
  disk.full = false;
  expect(await rig.untilEnd(id)).toMatchObject({ state: 'succeeded' });
  expect(rig.script.sent).toBe(2);
});

test('jobs that waited for the money of a new day get it when there is room, though the disk was full at midnight', async () => {
  const clock = new TestClock(new Date(2026, 10, 21, 23).getTime());
  const disk = aDisk();
  const rig = start({ clock, wrapStore: disk.wrapStore });
  rig.store.transaction((db) => setBudget(db, { scope: 'day', hardNano: VIDEO_NANO }));
  rig.script.submit = [acceptance(clock), acceptance(clock)];
  rig.script.poll = [finished(), finished()];
  await rig.untilEnd((await rig.enqueue(aVideo)).id);
  const { id } = await rig.enqueue(aVideo);
  await clock.advance(1_000);
  expect(rig.job(id)).toMatchObject({ state: 'blocked', reason: 'budget' });
  disk.full = true;
  await clock.advance(3_600_000);
  disk.full = false;
  expect(await rig.untilEnd(id)).toMatchObject({ state: 'succeeded' });
});
