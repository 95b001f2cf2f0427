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
  TEXTS,
  WAIT,
} from '../../../../../test/helpers/moverHarness.ts';
import { tempDir } from '../../../../../test/helpers/testPorts.ts';
import { contentPath, libraryDir } from '../content/contentStore.ts';
import { FileThread } from '../content/fileThread.ts';
import { LibraryLocation, markerAt, markerPath, writeMarker } from '../content/location.ts';

test('stopping removes the copies and nothing else; the old folder can be kept until the user says so', async () => {
  const world = makeWorld(TEXTS);
  fs.mkdirSync(libraryDir(world.target), { recursive: true });
  fs.writeFileSync(path.join(libraryDir(world.target), 'mine.txt'), 'mine');
  const first = open(world);
  const { id } = await started(first, world.target);
  expect(await first.mover.cancel(id)).toMatchObject({ data: { state: 'canceled' } });
  expect(filesIn(world.target)).toEqual(['mine.txt']);
  await expectWhole(first.location, TEXTS);
  const kept = await moved(world, first, world.target, true);
  expect(kept).toMatchObject({ state: 'done', hasOld: true, keepsOld: true });
  expect(filesIn(world.dataDir)).toEqual(namesOf(TEXTS));
  expect(await first.mover.start({ folder: tempDir('third') })).toMatchObject({ error: { code: 'wrong_state' } });
  const removing = await first.mover.removeOld();
  expect(removing).toMatchObject({ data: { state: 'running', phase: 'remove' } });
  expect(await ended(world, first, kept.id)).toMatchObject({ state: 'done', hasOld: false });
  expect(filesIn(world.dataDir)).toEqual([]);
  await expectWhole(new LibraryLocation(world.dataDir), TEXTS);
});

test('a library whose disk comes back under another name is located, and the old folder is emptied', async () => {
  const world = makeWorld(TEXTS);
  let isRead = true;
  const opened = open(world, { isReadSince: () => isRead });
  const { id } = await started(opened, world.target);
  await vi.waitFor(() => expect(opened.mover.newest()?.waits).toBeDefined(), WAIT);
  const other = `${world.target}-2`;
  fs.renameSync(world.target, other);
  isRead = false;
  await world.clock.advance(1_000);
  expect(await opened.mover.locate(other)).toMatchObject({ ok: true });
  expect(await ended(world, opened, id)).toMatchObject({ state: 'done', hasOld: false, folder: other });
  expect(filesIn(world.dataDir)).toEqual([]);
  await expectWhole(new LibraryLocation(world.dataDir), TEXTS);
});

/** The library has moved from the disk A to the world's target, and A is not emptied before `endReading`: something reads there. */
async function emptyingDisk() {
  const world = makeWorld(TEXTS);
  const first = open(world);
  const A = path.join(tempDir('disk'), 'Film');
  await moved(world, first, A);
  let isRead = true;
  const opened = open(world, { isReadSince: () => isRead });
  const { id } = await started(opened, world.target);
  await vi.waitFor(() => expect(opened.mover.newest()?.waits).toBeDefined(), WAIT);
  const endReading = () => {
    isRead = false;
  };
  return { world, opened, id, A, endReading };
}

test.each(['goes on', 'is stopped', 'begins anew'])(
  'a library whose disk has the name of the old one by now stays whole where its move %s',
  async (how) => {
    const { world, opened, id, A, endReading } = await emptyingDisk();
    fs.renameSync(A, `${A}-2`);
    fs.renameSync(world.target, A);
    expect(await opened.mover.locate(A)).toMatchObject({ ok: true });
    if (how === 'is stopped') expect(await opened.mover.cancel(id)).toMatchObject({ error: { code: 'wrong_state' } });
    if (how === 'begins anew') await opened.mover.close();
    endReading();
    const last = how === 'begins anew' ? open(world) : opened;
    if (how === 'begins anew') last.mover.recover();
    expect(await ended(world, last, id)).toMatchObject({
      state: 'failed',
      hasOld: false,
      error: expect.stringContaining('remove it yourself'),
    });
    await expectWhole(last.location, TEXTS);
    await expectWhole(new LibraryLocation(world.dataDir), TEXTS);
    // Neither is the library taken for its old folder, nor does that stand in the way.
    expect(await last.mover.removeOld()).toMatchObject({ error: { code: 'wrong_state' } });
    const third = path.join(tempDir('third'), 'Film');
    expect(await moved(world, last, third)).toMatchObject({ state: 'done' });
    await expectWhole(new LibraryLocation(world.dataDir), TEXTS);
  },
);

test.each([{ id: 'another' }, undefined])(
  'another library that stands where the old folder was stays whole: %j',
  async (marker) => {
    const { world, opened, id, A, endReading } = await emptyingDisk();
    fs.renameSync(A, `${A}-2`);
    const file = path.join(A, 'library', 'ab', `${'ab'.repeat(32)}.png`);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, 'of another Dailies');
    if (marker) await writeMarker(A, marker);
    endReading();
    expect(await ended(world, opened, id)).toMatchObject({ hasOld: true });
    expect(fs.readFileSync(file, 'utf8')).toBe('of another Dailies');
    expect(await markerAt(A)).toEqual(marker);
    await expectWhole(new LibraryLocation(world.dataDir), TEXTS);
  },
);

test.each(['by the program', 'by hand'])(
  'an old folder that is removed %s stands in no way, whatever the disk is called',
  async (how) => {
    const world = makeWorld(TEXTS);
    const opened = open(world);
    await moved(world, opened, world.target, true);
    const other = `${world.target}-2`;
    fs.renameSync(world.target, other);
    expect(await opened.mover.locate(other)).toMatchObject({ ok: true });
    expect(await opened.mover.start({ folder: tempDir('third') })).toMatchObject({ error: { code: 'wrong_state' } });
    if (how === 'by hand') fs.rmSync(libraryDir(world.dataDir), { recursive: true });
    else {
      expect(await removedOld(world, opened)).toMatchObject({ state: 'done', hasOld: false });
    }
    const third = path.join(tempDir('third'), 'Film');
    expect(await moved(world, opened, third)).toMatchObject({ state: 'done' });
    await expectWhole(new LibraryLocation(world.dataDir), TEXTS);
  },
);

test('an old folder on a disk that is not there stands in the way of one more move until the user lets go of it', async () => {
  const world = makeWorld(TEXTS);
  const opened = open(world);
  const A = path.join(tempDir('disk'), 'Film');
  await moved(world, opened, A);
  await moved(world, opened, world.target, true);
  fs.renameSync(A, `${A}-away`);
  const third = path.join(tempDir('third'), 'Film');
  expect(await opened.mover.start({ folder: third })).toMatchObject({
    error: { code: 'wrong_state', message: expect.stringContaining('Connect its disk') },
  });
  expect(opened.mover.newest()).toMatchObject({ hasOld: true });
  expect(await removedOld(world, opened)).toMatchObject({ state: 'done', hasOld: false });
  expect(await moved(world, opened, third)).toMatchObject({ state: 'done' });
  await expectWhole(new LibraryLocation(world.dataDir), TEXTS);
});

test('a move that cannot mark its folder ends in one sentence, and can be begun again', async () => {
  const world = makeWorld(TEXTS);
  const hindrance = `${markerPath(world.target)}.new`;
  fs.mkdirSync(hindrance, { recursive: true });
  const opened = open(world);
  const whole = expect.stringContaining('The library was not moved.');
  const answer = await opened.mover.start({ folder: world.target });
  expect(answer).toMatchObject({ error: { message: whole, data: { field: 'folder' } } });
  expect(opened.mover.newest()).toMatchObject({ state: 'failed', error: whole });
  expect(opened.mover.isBusy()).toBe(false);
  fs.rmdirSync(hindrance);
  expect(await moved(world, opened)).toMatchObject({ state: 'done' });
});

test('a folder whose move could not be written down can be chosen again', async () => {
  const world = makeWorld(TEXTS);
  const opened = open(world);
  const full = vi.spyOn(world.store, 'transaction').mockImplementation((work) => {
    vi.mocked(world.store.transaction).mockRestore();
    // The work is done and rolled back, as where the commit itself fails.
    return world.store.transaction((db) => {
      work(db);
      throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
    });
  });
  await expect(opened.mover.start({ folder: world.target })).rejects.toThrow('full');
  full.mockRestore();
  expect(opened.mover.newest()).toBeUndefined();
  expect(await moved(world, opened)).toMatchObject({ state: 'done' });
  await expectWhole(new LibraryLocation(world.dataDir), TEXTS);
});

test('a file that was damaged before moves as it is; a disk that gives back something else ends the move', async () => {
  const world = makeWorld(TEXTS);
  fs.writeFileSync(contentPath(world.dataDir, sha('two'), 'png'), 'tw0');
  const opened = open(world);
  expect(await moved(world, opened)).toMatchObject({
    state: 'done',
    damaged: 1,
  });
  expect(fs.readFileSync(contentPath(world.target, sha('two'), 'png'), 'utf8')).toBe('tw0');

  const other = makeWorld(TEXTS);
  class Lying extends FileThread {
    override async hash(file: string) {
      return { ...(await super.hash(file)), sha256: 'f'.repeat(64) };
    }
  }
  const lied = open(other, { thread: new Lying() });
  const failed = await moved(other, lied);
  expect(failed).toMatchObject({ state: 'failed', error: expect.stringContaining('does not return') });
  await expectWhole(new LibraryLocation(other.dataDir), TEXTS);
  expect(filesIn(other.target)).toEqual([]);
});

test.each([
  ['full', Object.assign(new Error('full'), { code: 'ENOSPC' }), 'full'],
  ['gone', Object.assign(new Error('gone'), { code: 'EIO' }), 'is missing'],
  ['closed', Object.assign(new Error('no'), { code: 'EROFS' }), 'cannot be written'],
])(
  'a new disk that is %s in the middle ends the move in one sentence; the old place is untouched',
  async (_, error, words) => {
    const world = makeWorld(TEXTS);
    class Failing extends FileThread {
      override async copy(from: string, to: string) {
        if (from.includes(sha('three'))) throw error;
        return super.copy(from, to);
      }
    }
    const opened = open(world, { thread: new Failing() });
    const move = await moved(world, opened);
    expect(move).toMatchObject({ state: 'failed', error: expect.stringContaining(words) });
    expect(move.error).toContain('The library was not moved.');
    await expectWhole(new LibraryLocation(world.dataDir), TEXTS);
    expect(filesIn(world.target)).toEqual([]);
  },
);

test('a new disk that is pulled is not written to by its folder’s name', async () => {
  const world = makeWorld(TEXTS);
  class Pulling extends FileThread {
    override async copy(from: string, to: string) {
      const read = await super.copy(from, to);
      // In one step, as a disk goes: the other copies are under way.
      fs.renameSync(libraryDir(world.target), path.join(tempDir('pulled'), 'library'));
      fs.mkdirSync(libraryDir(world.target), { recursive: true });
      return read;
    }
  }
  const opened = open(world, { thread: new Pulling() });
  const move = await moved(world, opened);
  expect(move).toMatchObject({ state: 'failed', error: expect.stringContaining('is missing') });
  await expectWhole(new LibraryLocation(world.dataDir), TEXTS);
});

test('nothing old is removed while the new disk is away; the move goes on when it is back', async () => {
  const world = makeWorld(TEXTS);
  const location = new LibraryLocation(world.dataDir);
  const away = `${world.target}-away`;
  const opened = open(world, { leaveOld: async () => fs.renameSync(world.target, away) }, location);
  const { id } = await started(opened, world.target);
  await vi.waitFor(() => expect(opened.moves.at(-1)?.waits).toBeDefined(), WAIT);
  expect(opened.moves.at(-1)?.waits).toContain('is missing');
  expect(filesIn(world.dataDir)).toEqual(namesOf(TEXTS));
  fs.renameSync(away, world.target);
  expect((await ended(world, opened, id)).state).toBe('done');
  await expectWhole(new LibraryLocation(world.dataDir), TEXTS);
});

test('folders that cannot be moved to are refused with the rule, and nothing is left there', async () => {
  const world = makeWorld(TEXTS);
  const outside = tempDir('hostile');
  const at = (name: string): string => path.join(outside, name);
  fs.symlinkSync(at('loop'), at('loop'));
  fs.writeFileSync(at('file'), '');
  fs.symlinkSync(world.dataDir, at('same'));
  fs.symlinkSync(libraryDir(world.dataDir), at('inside'));
  fs.mkdirSync(path.join(at('taken'), 'library', 'ab'), { recursive: true });
  const opened = open(world);
  for (const [folder, rule] of [
    ['Film/Dailies', 'absolute'],
    [`${outside}/a\0b`, 'absolute'],
    [at('file'), 'is a file'],
    [at('loop'), 'leads nowhere'],
    [at('no/where'), 'there is no folder'],
    [at('same'), 'there already'],
    [world.dataDir, 'there already'],
    [at('inside'), 'inside the library itself'],
    [path.join(libraryDir(world.dataDir), 'x'), 'inside the library itself'],
    [path.join(world.dataDir, 'backups'), 'inside the data folder'],
    [at('taken'), 'holds files of a library'],
  ] as const)
    expect(await opened.mover.start({ folder }), folder).toMatchObject({
      error: { code: 'invalid_input', message: expect.stringContaining(rule), data: { field: 'folder' } },
    });
  const short = open(world, { freeBytes: () => 32 * 1024 * 1024 });
  expect(await short.mover.start({ folder: at('small') })).toMatchObject({
    error: { code: 'disk_full', message: expect.stringContaining('needs 19 B') },
  });
  expect(fs.existsSync(at('small'))).toBe(false);
  expect(fs.existsSync(path.join(world.dataDir, 'backups'))).toBe(false);
  await expectWhole(new LibraryLocation(world.dataDir), TEXTS);
});

test('closed while something still reads the old place, it ends at once, and the next start empties that place', async () => {
  const world = makeWorld(TEXTS);
  const left = Promise.withResolvers<void>();
  const opened = open(world, {
    leaveOld: () => {
      left.resolve();
      return new Promise(() => undefined);
    },
  });
  const { id } = await started(opened, world.target);
  await left.promise;
  await opened.mover.close();
  expect(opened.mover.get(id)).toMatchObject({ data: { state: 'running', phase: 'remove' } });
  expect(filesIn(world.dataDir)).toEqual(namesOf(TEXTS));
  const next = open(world);
  next.mover.recover();
  expect(await ended(world, next, id)).toMatchObject({ state: 'done', hasOld: false });
  expect(filesIn(world.dataDir)).toEqual([]);
});

test('what was fetched anew since the move is not replaced by what was damaged in the old folder', async () => {
  const world = makeWorld(TEXTS);
  fs.writeFileSync(contentPath(world.dataDir, sha('two'), 'png'), 'tw');
  const opened = open(world);
  expect(await moved(world, opened, world.target, true)).toMatchObject({ state: 'done', damaged: 1 });
  put(world.target, 'two');
  fs.rmSync(contentPath(world.target, sha('three'), 'png'));
  fs.writeFileSync(contentPath(world.target, sha('four'), 'png'), 'fo');
  expect((await removedOld(world, opened)).hasOld).toBe(false);
  expect(filesIn(world.dataDir)).toEqual([]);
  await expectWhole(new LibraryLocation(world.dataDir), TEXTS);
});
