import fs from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import {
  ended,
  expectWhole,
  filesIn,
  makeWorld,
  moved,
  type Opened,
  open,
  sha,
  started,
  TEXTS,
  WAIT,
} from '../../../../../test/helpers/moverHarness.ts';
import { tempDir } from '../../../../../test/helpers/testPorts.ts';
import { contentPath, libraryDir } from '../content/contentStore.ts';
import { FileThread } from '../content/fileThread.ts';
import { LibraryLocation, markerAt, writeMarker } from '../content/location.ts';

test.each(['goes on', 'begins anew'])('a move whose old disk is pulled waits for it, and then %s', async (how) => {
  const world = makeWorld(TEXTS);
  const A = path.join(tempDir('disk'), 'Film');
  await moved(world, open(world), A);
  let isPulled = false;
  class Pulling extends FileThread {
    override copy(from: string, to: string) {
      if (!isPulled) fs.renameSync(A, `${A}-away`);
      isPulled = true;
      return super.copy(from, to);
    }
  }
  const pulled = open(world, { thread: new Pulling() });
  const { id } = await started(pulled, world.target);
  await vi.waitFor(() => expect(isPulled).toBe(true), WAIT);
  if (how === 'begins anew') await pulled.mover.close();
  const last = how === 'begins anew' ? open(world) : pulled;
  if (how === 'begins anew') last.mover.recover();
  await vi.waitFor(() => expect(last.mover.newest()?.waits).toContain('is missing'), WAIT);
  expect(last.location.home).toBe(A);
  fs.renameSync(`${A}-away`, A);
  expect(await ended(world, last, id)).toMatchObject({ state: 'done', hasOld: false });
  await expectWhole(new LibraryLocation(world.dataDir), TEXTS);
});

test('a library of which one folder cannot be read stays where it is', async () => {
  const world = makeWorld(TEXTS);
  const folder = path.dirname(contentPath(world.dataDir, sha('two'), 'png'));
  fs.renameSync(folder, `${world.dataDir}/elsewhere`);
  fs.symlinkSync(`${world.dataDir}/away`, folder);
  const opened = open(world);
  expect(await opened.mover.start({ folder: world.target })).toMatchObject({ error: { code: 'store_unavailable' } });
  expect(fs.existsSync(world.target)).toBe(false);
  fs.renameSync(`${world.dataDir}/elsewhere`, `${world.dataDir}/away`);
  expect(await moved(world, opened)).toMatchObject({ state: 'done' });
  await expectWhole(new LibraryLocation(world.dataDir), TEXTS);
});

test('a copy that is whole is kept where its source was damaged since', async () => {
  const world = makeWorld(TEXTS);
  let first: Opened | undefined;
  class Pausing extends FileThread {
    override hash(file: string) {
      first?.mover.pause(true);
      return super.hash(file);
    }
  }
  first = open(world, { thread: new Pausing() });
  const { id } = await started(first, world.target);
  await vi.waitFor(() => expect(first?.mover.newest()?.paused).toBe(true), WAIT);
  await first.mover.close();
  fs.writeFileSync(contentPath(world.dataDir, sha('two'), 'png'), 'tw');
  const next = open(world);
  next.mover.recover();
  next.mover.pause(false);
  expect(await ended(world, next, id)).toMatchObject({ state: 'done', damaged: 0 });
  await expectWhole(new LibraryLocation(world.dataDir), TEXTS);
});

test('the library of another Dailies that came to the new folder meanwhile is not taken', async () => {
  const world = makeWorld([]);
  class Changing extends FileThread {
    override async list(folder: string) {
      const files = await super.list(folder);
      if (folder === libraryDir(world.target)) await writeMarker(world.target, { id: 'another' });
      return files;
    }
  }
  const opened = open(world, { thread: new Changing() });
  expect(await moved(world, opened)).toMatchObject({ state: 'failed' });
  expect(await markerAt(world.target)).toEqual({ id: 'another' });
  expect(opened.location.home).toBe(world.dataDir);
});

test('closed between two steps of emptying the old folder, it ends at once', async () => {
  const world = makeWorld(Array.from({ length: 450 }, (_, n) => `file ${n}`));
  let closed: Promise<void> | undefined;
  class Closing extends FileThread {
    override async remove(folder: string, names: readonly string[]) {
      const answer = await super.remove(folder, names);
      if (folder === libraryDir(world.dataDir)) closed ??= opened.mover.close();
      return answer;
    }
  }
  const opened: Opened = open(world, { thread: new Closing() });
  await started(opened, world.target);
  await vi.waitFor(() => expect(closed).toBeDefined(), WAIT);
  await closed;
  expect(filesIn(world.dataDir)).toHaveLength(250);
});
