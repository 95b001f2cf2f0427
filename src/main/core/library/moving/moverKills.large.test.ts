import fs from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import {
  ended,
  expectWhole,
  filesIn,
  makeWorld,
  namesOf,
  type Opened,
  open,
  TEXTS,
  WAIT,
  type World,
} from '../../../../../test/helpers/moverHarness.ts';
import type { Store } from '../../store/index.ts';
import { FileThread } from '../content/fileThread.ts';
import { LibraryPlace } from '../content/place.ts';

/** Thrown by everything that a killed program would have done. */
class Killed extends Error {}

/** Dies before its n-th step that changes a disk: nothing after it happens. A copy that is killed leaves half a file. */
function dyingAt(world: World, nth: number): Opened & { steps: () => number } {
  let steps = 0;
  const step = (): void => {
    steps += 1;
    if (steps >= nth) throw new Killed();
  };
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
  class DyingPlace extends LibraryPlace {
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
  const opened = open({ ...world, store }, { thread: new DyingThread() }, new DyingPlace(world.dataDir));
  return { ...opened, steps: () => steps };
}

test('killed before any step, the library is whole in one place, and the next start ends the move', async () => {
  for (let nth = 1, isThrough = false; !isThrough; nth += 1) {
    const world = makeWorld(TEXTS);
    const dying = dyingAt(world, nth);
    const move = await dying.mover.start({ folder: world.target }).catch(() => undefined);
    await vi.waitFor(() => expect(dying.mover.isBusy()).toBe(false), WAIT);
    isThrough = dying.steps() < nth;
    const next = open(world);
    await expectWhole(next.place, TEXTS);
    next.mover.recover();
    const id = move?.ok ? move.data.id : next.mover.newest()?.id;
    if (id !== undefined) expect((await ended(world, next, id)).state, `killed at ${nth}`).toBe('done');
    await expectWhole(new LibraryPlace(world.dataDir), TEXTS);
    if (id !== undefined)
      expect([filesIn(world.dataDir), filesIn(world.target).filter((name) => name.endsWith('.png'))]).toEqual([
        [],
        namesOf(TEXTS),
      ]);
    await world.store.close();
  }
});
