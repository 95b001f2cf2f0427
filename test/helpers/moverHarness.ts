import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { expect, vi } from 'vitest';
import { contentPath, libraryDir } from '../../src/main/core/library/content/contentStore.ts';
import { FileThread } from '../../src/main/core/library/content/fileThread.ts';
import { LibraryLocation } from '../../src/main/core/library/content/location.ts';
import { Mover, type MoverDeps } from '../../src/main/core/library/moving/mover.ts';
import type { Store } from '../../src/main/core/store/index.ts';
import type { LibraryMove } from '../../src/shared/library/libraryFolder.ts';
import { openTestStore } from './emptyDatabase.ts';
import { PATIENCE_MS } from './patience.ts';
import { countingIds, silentLog, TestClock, tempDir } from './testPorts.ts';

/** A library of a few text files, and the program that moves it. */

export const WAIT = { timeout: PATIENCE_MS, interval: 1 };
export const TEXTS = ['one', 'two', 'three', 'four', 'five'];

export const sha = (text: string): string => createHash('sha256').update(text).digest('hex');
export const stored = (text: string) => ({
  sha256: sha(text),
  bytes: text.length,
  mime: 'image/png',
  extension: 'png',
  width: 1,
  height: 1,
});

export function put(home: string, text: string): string {
  const file = contentPath(home, sha(text), 'png');
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
  return file;
}

export interface World {
  dataDir: string;
  target: string;
  store: Store;
  clock: TestClock;
  contents: Set<string>;
}

export function makeWorld(contents: readonly string[]): World {
  const dataDir = tempDir('move');
  const clock = new TestClock();
  for (const text of contents) put(dataDir, text);
  const store = openTestStore({ dataDir, clock });
  return { dataDir, clock, store, target: path.join(tempDir('move-to'), 'Film'), contents: new Set(contents) };
}

export interface Opened {
  location: LibraryLocation;
  mover: Mover;
  moves: LibraryMove[];
}

/** Starts a program on the world's folder. */
export function open(
  { dataDir, store, clock, contents }: World,
  more: Partial<MoverDeps> = {},
  location = new LibraryLocation(dataDir),
): Opened {
  const moves: LibraryMove[] = [];
  const mover = new Mover({
    store,
    clock,
    ids: { ...countingIds(), id: (prefix) => `${prefix}_${Math.random().toString(36).slice(2)}` },
    log: silentLog,
    location,
    emit: (event) => {
      if (event.type === 'export.changed') moves.push(event.export as LibraryMove);
    },
    freeBytes: () => 1e12,
    floorBytes: () => 0,
    isPending: () => true,
    isNamed: (sha256) => [...contents].some((text) => sha(text) === sha256),
    inTurn: (work) => work(),
    thread: new FileThread(),
    wakeDownloads: () => undefined,
    isReadSince: () => false,
    leaveOld: async () => undefined,
    ...more,
  });
  return { location, mover, moves };
}

/** Waits until the move has ended; time passes where it waits. */
export async function ended({ clock }: World, { mover }: Opened, id: string): Promise<LibraryMove> {
  await vi.waitFor(async () => {
    await clock.advance(1_000);
    expect(mover.isBusy()).toBe(false);
  }, WAIT);
  const move = mover.get(id);
  if (!move.ok) throw new Error(move.error.message);
  return move.data;
}

export async function started(opened: Opened, folder: string, keepOld = false): Promise<LibraryMove> {
  const move = await opened.mover.start({ folder, keepOld });
  if (!move.ok) throw new Error(move.error.message);
  return move.data;
}

/** Moves the library and waits for the end. */
export const moved = async (world: World, opened: Opened, folder = world.target, keepOld = false) =>
  ended(world, opened, (await started(opened, folder, keepOld)).id);

/** Empties the old folder. */
export async function removedOld(world: World, opened: Opened): Promise<LibraryMove> {
  const removing = await opened.mover.removeOld();
  if (!removing.ok) throw new Error(removing.error.message);
  return ended(world, opened, removing.data.id);
}

export const filesIn = (home: string): string[] =>
  fs.existsSync(libraryDir(home))
    ? fs
        .readdirSync(libraryDir(home), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ name }) => name)
        .sort()
    : [];
export const namesOf = (contents: Iterable<string>): string[] => [...contents].map((text) => `${sha(text)}.png`).sort();

export async function expectWhole(location: LibraryLocation, contents: Iterable<string>): Promise<void> {
  expect(await location.look()).toBeUndefined();
  for (const text of contents) expect(fs.readFileSync(contentPath(location.home, sha(text), 'png'), 'utf8')).toBe(text);
}
