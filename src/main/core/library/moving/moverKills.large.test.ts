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
  type Opened,
  open,
  put,
  started,
  stored,
  TEXTS,
  WAIT,
  type World,
} from '../../../../../test/helpers/moverHarness.ts';
import type { Store } from '../../store/index.ts';
import { FileThread } from '../content/fileThread.ts';
import { LibraryLocation, markerPath } from '../content/location.ts';
import { partialPath, writeMetadata } from '../downloads/partialDownload.ts';

/** Thrown by everything that a killed program would have done. */
class Killed extends Error {}

const marks = vi.hoisted(() => ({ step: (): void => undefined }));
vi.mock('../content/location.ts', async (original) => {
  const real = await original<typeof import('../content/location.ts')>();
  const stepped =
    <Args extends unknown[]>(work: (...args: Args) => Promise<void>) =>
    async (...args: Args) => {
      marks.step();
      await work(...args);
    };
  return { ...real, writeMarker: stepped(real.writeMarker), removeMarker: stepped(real.removeMarker) };
});

/** Dies before its n-th step that changes a disk: nothing after it happens. A copy that is killed leaves half a file. */
function dyingAt(world: World, nth: number): Opened & { steps: () => number } {
  let steps = 0;
  const step = (): void => {
    steps += 1;
    if (steps >= nth) throw new Killed();
  };
  marks.step = step;
  class DyingThread extends FileThread {
    override async list(folder: string) {
      step();
      return super.list(folder);
    }
    override async copy(from: string, to: string) {
      try {
        step();
      } catch (error) {
        fs.mkdirSync(path.dirname(to), { recursive: true });
        fs.writeFileSync(`${to}.1.moving`, 'hal');
        throw error;
      }
      return super.copy(from, to);
    }
    override async remove(folder: string, names: readonly string[]) {
      for (const name of names) {
        step();
        await super.remove(folder, [name]);
      }
      return null;
    }
    override async tidy(folder: string) {
      step();
      return super.tidy(folder);
    }
    override async hash(file: string) {
      step();
      return super.hash(file);
    }
  }
  class DyingLocation extends LibraryLocation {
    override switchTo(home: string, id: string): void {
      step();
      super.switchTo(home, id);
      step();
    }
  }
  const store: Store = {
    ...world.store,
    transaction: (work) => {
      step();
      return world.store.transaction(work);
    },
  };
  const opened = open({ ...world, store }, { thread: new DyingThread() }, new DyingLocation(world.dataDir));
  return { ...opened, steps: () => steps };
}

/** The program has died, and nothing of it goes on. */
async function died(opened: Opened): Promise<void> {
  await vi.waitFor(() => expect(opened.mover.isBusy()).toBe(false), WAIT);
  marks.step = () => undefined;
}

/** Files, half a download, and a file that no row names yet. */
async function worldInUse(): Promise<World> {
  const world = makeWorld(TEXTS);
  fs.writeFileSync(await partialPath(world.dataDir, 'as_half'), 'half');
  await writeMetadata(await partialPath(world.dataDir, 'as_whole'), { stored: stored('whole') });
  put(world.dataDir, 'whole');
  return world;
}
const ALL = [...TEXTS, 'whole'];

async function expectMoved(world: World): Promise<void> {
  await expectWhole(new LibraryLocation(world.dataDir), ALL);
  expect(filesIn(world.dataDir)).toEqual([]);
  // Of half a copy of half a download, the start of the downloads disposes.
  expect(filesIn(world.target).filter((name) => !/\.part(\.json)?\.1\.moving$/.test(name))).toEqual(
    [...namesOf(ALL), 'as_half.part', 'as_whole.part.json', 'dailies-library.json'].sort(),
  );
}

test('killed before any step, the library is whole in one place, and the next start ends the move', async () => {
  let unmarked = 0;
  for (let nth = 1, isThrough = false; !isThrough; nth += 1) {
    const world = await worldInUse();
    const dying = dyingAt(world, nth);
    const move = await dying.mover.start({ folder: world.target }).catch(() => undefined);
    await died(dying);
    isThrough = dying.steps() < nth;
    const next = open(world);
    await expectWhole(next.location, ALL);
    const isMarked = fs.existsSync(markerPath(world.target));
    next.mover.recover();
    const id = move?.ok ? move.data.id : next.mover.newest()?.id;
    if (id !== undefined && isMarked) {
      expect((await ended(world, next, id)).state, `killed at ${nth}`).toBe('done');
      await expectMoved(world);
    } else if (id !== undefined) {
      // Nothing tells an unmarked folder from that of a disk that is gone.
      unmarked += 1;
      expect((await ended(world, next, id)).error).toContain('The library was not moved.');
      expect((await moved(world, next)).state).toBe('done');
      await expectMoved(world);
    }
    await world.store.close();
  }
  expect(unmarked).toBe(1);
});

test('killed again and again, each time one step later, the move ends', async () => {
  const world = await worldInUse();
  const first = open(world);
  const { id } = await started(first, world.target);
  await first.mover.close();
  for (let nth = 1, isThrough = false; !isThrough; nth += 1) {
    const dying = dyingAt(world, nth);
    dying.mover.recover();
    await died(dying);
    isThrough = dying.steps() < nth;
    await expectWhole(new LibraryLocation(world.dataDir), ALL);
  }
  expect(open(world).mover.get(id)).toMatchObject({ data: { state: 'done', progress: 100 } });
  await expectMoved(world);
});
