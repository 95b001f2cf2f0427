import fs from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import {
  ended,
  expectWhole,
  filesIn,
  makeWorld,
  moved,
  namesOf,
  open,
  put,
  removedOld,
  sha,
  started,
  stored,
  TEXTS,
  WAIT,
} from '../../../../../test/helpers/moverHarness.ts';
import { tempDir } from '../../../../../test/helpers/testPorts.ts';
import { ContentInUse, contentPath, libraryDir, storeFile } from '../content/contentStore.ts';
import { FileThread } from '../content/fileThread.ts';
import { LibraryLocation } from '../content/location.ts';
import { partialPath, readMetadata, writeMetadata } from '../downloads/partialDownload.ts';

test('the library moves: every file is there, the old place is empty, and a start finds it', async () => {
  const world = makeWorld(TEXTS);
  fs.writeFileSync(path.join(libraryDir(world.dataDir), 'notes.txt'), 'mine');
  const opened = open(world);
  const move = await moved(world, opened);
  const whole = { state: 'done', progress: 100, count: 5, damaged: 0, hasOld: false };
  expect(move).toMatchObject({ ...whole, folder: world.target });
  await expectWhole(new LibraryLocation(world.dataDir), TEXTS);
  // Somebody else's file is no business of a move.
  expect(filesIn(world.dataDir)).toEqual(['notes.txt']);
  const progress = opened.moves.map((one) => one.progress);
  expect(progress).toEqual([...progress].sort((a, b) => a - b));
  const revisions = opened.moves.map(({ revision }) => revision);
  expect(revisions).toEqual([...revisions].sort((a, b) => a - b));
  const back = await moved(world, opened, world.dataDir);
  expect(back.state).toBe('done');
  await expectWhole(new LibraryLocation(world.dataDir), TEXTS);
  expect([filesIn(world.target), opened.location.home]).toEqual([[], world.dataDir]);
});

test('files that come and go during a move are where the library is', async () => {
  const world = makeWorld(TEXTS);
  const location = new LibraryLocation(world.dataDir);
  let compared = 0;
  class Watching extends FileThread {
    override async hash(file: string) {
      compared += 1;
      if (compared === 2) {
        // Begun and ended before the switch.
        const lease = location.lease('a');
        put(location.home, 'late');
        world.contents.add('late');
        expect((await location.settle(lease, stored('late'))).ok).toBe(true);
        lease.end();
        fs.rmSync(contentPath(location.home, sha('two'), 'png'));
        world.contents.delete('two');
      }
      return super.hash(file);
    }
  }
  const writing = location.lease('b');
  const opened = open(world, { thread: new Watching() }, location);
  const { id } = await started(opened, world.target);
  await vi.waitFor(() => expect(location.home).not.toBe(world.dataDir), WAIT);
  // Begun before the switch, ended after it.
  const part = await partialPath(writing.home, 'b');
  fs.writeFileSync(part, 'very late');
  expect((await storeFile(writing.home, part, stored('very late'), new ContentInUse())).ok).toBe(true);
  expect((await location.settle(writing, stored('very late'))).ok).toBe(true);
  world.contents.add('very late');
  expect(opened.mover.get(id)).toMatchObject({ data: { state: 'running' } });
  writing.end();
  expect((await ended(world, opened, id)).state).toBe('done');
  await expectWhole(new LibraryLocation(world.dataDir), world.contents);
  expect(filesIn(world.target).filter((name) => name.endsWith('.png'))).toEqual(namesOf(world.contents));
  expect(filesIn(world.dataDir)).toEqual([]);
});

test('half downloads and files that no row names yet are brought before downloads go on', async () => {
  const world = makeWorld(TEXTS);
  const part = await partialPath(world.dataDir, 'as_half');
  fs.writeFileSync(part, 'half of it');
  await writeMetadata(part, { total: 20 });
  await writeMetadata(await partialPath(world.dataDir, 'as_whole'), { stored: stored('whole') });
  put(world.dataDir, 'whole');
  const seen: string[][] = [];
  const opened = open(world, {
    wakeDownloads: () => seen.push(filesIn(world.target).filter((name) => name.startsWith('as_'))),
  });
  expect((await moved(world, opened)).state).toBe('done');
  expect(seen).toEqual([['as_half.part', 'as_half.part.json', 'as_whole.part.json']]);
  await expectWhole(opened.location, [...TEXTS, 'whole']);
});

test('a half download that has gone on since the move is left alone when the old folder is removed', async () => {
  const world = makeWorld(TEXTS);
  for (const id of ['as_idle', 'as_written']) {
    fs.writeFileSync(await partialPath(world.dataDir, id), 'half');
    await writeMetadata(await partialPath(world.dataDir, id), { validator: 'old' });
  }
  const opened = open(world);
  await moved(world, opened, world.target, true);
  const later = { as_idle: 'half and more', as_written: 'x' };
  for (const [id, text] of Object.entries(later)) {
    fs.writeFileSync(await partialPath(world.target, id), text);
    await writeMetadata(await partialPath(world.target, id), { validator: 'new' });
  }
  const lease = opened.location.lease('as_written');
  expect((await removedOld(world, opened)).hasOld).toBe(false);
  lease.end();
  for (const [id, text] of Object.entries(later)) {
    expect(fs.readFileSync(await partialPath(world.target, id), 'utf8')).toBe(text);
    expect(await readMetadata(await partialPath(world.target, id))).toEqual({ validator: 'new' });
  }
});

test('downloads go on where half of one could not be brought', async () => {
  const world = makeWorld(TEXTS);
  fs.writeFileSync(await partialPath(world.dataDir, 'as_half'), 'half');
  let woken = 0;
  class Full extends FileThread {
    override copy(from: string, to: string) {
      if (to.includes('as_half')) throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
      return super.copy(from, to);
    }
  }
  const opened = open(world, { thread: new Full(), wakeDownloads: () => (woken += 1) });
  expect((await moved(world, opened)).hasOld).toBe(true);
  expect([woken, opened.location.isBringing]).toEqual([1, false]);
});

test('a library that is not there is told and never begun anew; it is taken where its disk is by now', async () => {
  const world = makeWorld(TEXTS);
  const opened = open(world);
  await moved(world, opened);
  const elsewhere = path.join(tempDir('mounted'), 'Disk');
  fs.renameSync(world.target, elsewhere);
  const location = new LibraryLocation(world.dataDir);
  expect(await location.look()).toContain('is missing');
  fs.mkdirSync(libraryDir(world.target), { recursive: true });
  expect(await location.look()).toContain('is missing');
  expect(await location.locate(world.target)).toMatchObject({ error: { code: 'invalid_input' } });
  expect(await location.locate(path.join(elsewhere, 'library'))).toMatchObject({ ok: true });
  await expectWhole(new LibraryLocation(world.dataDir), TEXTS);
  fs.writeFileSync(path.join(world.dataDir, 'library.json'), '{"home":');
  expect(new LibraryLocation(world.dataDir).fault()).toContain('cannot be read');
});

const isRising = (moves: readonly { progress: number; revision: number }[]): boolean =>
  moves.every(({ progress, revision }, at) => {
    const before = moves[at - 1];
    return before === undefined || (progress >= before.progress && revision >= before.revision);
  });

/** Stands still while it compares the second file. */
function stallingAtCompare(): { thread: FileThread; isThere: Promise<void>; fail: (error: Error) => void } {
  const there = Promise.withResolvers<void>();
  const broken = Promise.withResolvers<never>();
  let compared = 0;
  class Stalling extends FileThread {
    override async hash(file: string) {
      compared += 1;
      if (compared !== 2) return super.hash(file);
      there.resolve();
      return broken.promise;
    }
    override async stop() {
      if (compared > 1) broken.reject(new Error('given up'));
      await super.stop();
    }
  }
  return { thread: new Stalling(), isThere: there.promise, fail: broken.reject };
}

test('the progress of a move never falls: not as it ends, nor over a restart', async () => {
  for (const how of ['canceled', 'failed'] as const) {
    const world = makeWorld(TEXTS);
    const stalling = stallingAtCompare();
    const opened = open(world, { thread: stalling.thread });
    const { id } = await started(opened, world.target);
    await stalling.isThere;
    if (how === 'canceled') await opened.mover.cancel(id);
    else stalling.fail(new Error('a disk that fails'));
    const move = await ended(world, opened, id);
    expect([move.state, move.progress]).toEqual([how, opened.moves.at(-2)?.progress]);
    expect(move.progress).toBeGreaterThanOrEqual(55);
    expect(isRising(opened.moves)).toBe(true);
  }
  const world = makeWorld(TEXTS);
  const stalling = stallingAtCompare();
  const opened = open(world, { thread: stalling.thread });
  const { id } = await started(opened, world.target, true);
  await stalling.isThere;
  await opened.mover.close();
  const again = open(world);
  again.mover.recover();
  expect(again.mover.get(id)).toMatchObject({ data: { state: 'running', progress: 55 } });
  expect(await ended(world, again, id)).toMatchObject({ state: 'done', progress: 100 });
  expect(again.moves[0]?.progress).toBe(55);
  // It has been done: that its old folder goes too takes nothing back.
  await again.mover.removeOld();
  expect(await ended(world, again, id)).toMatchObject({ state: 'done', progress: 100, hasOld: false });
  expect(isRising(again.moves)).toBe(true);
});

test('the time left is told after a while, by what this run copies', async () => {
  const world = makeWorld(TEXTS);
  const stalling = stallingAtCompare();
  class Slow extends FileThread {
    override async copy(from: string, to: string) {
      world.clock.set(world.clock.now() + 1_000);
      return super.copy(from, to);
    }
  }
  const first = open(world, { thread: new Slow() });
  await moved(world, first, world.target, true);
  const times = first.moves.filter(({ phase }) => phase === 'copy').map(({ leftMs }) => leftMs);
  expect(times[0]).toBeUndefined();
  expect(times.some((left) => left !== undefined)).toBe(true);
  // What is there takes no time, and says nothing of what is not.
  const other = makeWorld(TEXTS);
  const stopped = open(other, { thread: stalling.thread });
  const { id } = await started(stopped, other.target);
  await stalling.isThere;
  await stopped.mover.close();
  const again = open(other);
  again.mover.recover();
  await ended(other, again, id);
  const known = again.moves.filter(({ phase }) => phase === 'copy').map(({ leftMs }) => leftMs);
  expect(known.every((left) => left === undefined)).toBe(true);
});

test('a disk that goes with the last look before the switch leaves nothing out', async () => {
  const world = makeWorld(TEXTS);
  const location = new LibraryLocation(world.dataDir);
  const opened = open(world, {}, location);
  await moved(world, opened);
  const last = path.join(tempDir('move-on'), 'Film');
  const { look } = location;
  let looks = 0;
  vi.spyOn(location, 'look').mockImplementation(async (writes) => {
    const fault = await look.call(location, writes);
    if (opened.moves.at(-1)?.phase === 'switch') looks += 1;
    if (looks === 3) fs.renameSync(world.target, `${world.target} gone`);
    return fault;
  });
  await moved(world, opened, last);
  expect(looks).toBe(3);
  await expectWhole(new LibraryLocation(world.dataDir), TEXTS);
});
