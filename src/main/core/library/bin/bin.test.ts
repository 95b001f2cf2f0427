import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { openTestStore } from '../../../../../test/helpers/emptyDatabase.ts';
import { countingIds, silentLog, TestClock, tempDir } from '../../../../../test/helpers/testPorts.ts';
import { createCoreEvents } from '../../coreEvents.ts';
import { endRecovery, type Store, sql, writeFlag } from '../../store/index.ts';
import { insertAsset } from '../assetColumns.ts';
import { binAssets, restoreAssets } from '../assetMarks.ts';
import { makeLocal } from '../assetTable.ts';
import { ContentInUse, contentPath, type StoredFile } from '../content/contentStore.ts';
import { LibraryLocation } from '../content/location.ts';
import { partialPath, writeMetadata } from '../downloads/partialDownload.ts';
import { Library } from '../library.ts';
import { Bin } from './bin.ts';

const allRows = sql('test.rows', 'SELECT id, state, sha256, mime, emptied FROM assets');
const stores: Store[] = [];
afterEach(() => {
  for (const store of stores.splice(0)) store.close();
});

class Killed extends Error {}

interface World {
  store: Store;
  dataDir: string;
  inUse: ContentInUse;
  named: Set<string>;
  bin: Bin;
}

/** A program on the folder; it is killed before its n-th change of the disk. */
function start(dataDir: string, store: Store, named: Set<string>, killAt = Number.POSITIVE_INFINITY): World {
  let steps = 0;
  const step = () => {
    steps += 1;
    if (steps >= killAt) throw new Killed();
  };
  const killed: Store = {
    ...store,
    transaction: (work) => {
      step();
      return store.transaction(work);
    },
  };
  const inUse = new ContentInUse();
  const removing = { rmSync: fs.rmSync };
  const bin = new Bin({
    store: killed,
    clock: new TestClock(),
    log: silentLog,
    location: new LibraryLocation(dataDir),
    inUse,
    onDeleted: async () => undefined,
    namedBy: [{ reason: 'board', namedInMemory: () => named }],
    remove: async (file) => {
      step();
      removing.rmSync(file, { force: true });
    },
  });
  return { store, dataDir, inUse, named, bin };
}

function world(): World {
  const dataDir = tempDir('bin');
  const store = openTestStore({ dataDir, clock: new TestClock() });
  stores.push(store);
  return start(dataDir, store, new Set());
}

const contentOf = (n: number): StoredFile => ({
  ...{ sha256: String(n).padStart(64, 'c'), bytes: n + 1 },
  ...{ mime: 'image/png', extension: 'png', width: 1, height: 1 },
});

function location(dataDir: string, file: StoredFile): void {
  const target = contentPath(dataDir, file.sha256, file.extension);
  fs.mkdirSync(path.dirname(target), { recursive: true });
  fs.writeFileSync(target, Buffer.alloc(file.bytes));
}

/** Its bytes are on the disk; the row is still to be written. */
function arrive({ dataDir, inUse }: World, n: number): StoredFile {
  const file = contentOf(n);
  inUse.add(file);
  location(dataDir, file);
  return file;
}
const record = ({ store, inUse }: World, id: string, file: StoredFile) =>
  inUse.recorded(file, () =>
    store.transaction((db) => insertAsset(db, { id, state: 'local', role: 'source', name: id, createdAt: 0, file })),
  );

const filesIn = (dataDir: string): string[] =>
  fs
    .globSync('library/**/*.png', { cwd: dataDir })
    .map((name) => path.basename(name, '.png'))
    .sort();

interface Row {
  id: string;
  state: string;
  sha256: string;
  emptied: 0 | 1;
}

/** What is local has its file, and each file has an asset; `arriving` ones have none yet. */
function expectWhole({ store, dataDir }: World, arriving: readonly StoredFile[] = []): void {
  const rows = store.read.all<Row>(allRows);
  const local = rows.filter(({ state }) => state === 'local').map(({ sha256 }) => sha256);
  const wanted = new Set([...local, ...arriving.map(({ sha256 }) => sha256)]);
  expect(filesIn(dataDir)).toEqual([...wanted].sort());
  for (const row of rows.filter(({ emptied }) => emptied === 1)) expect(row.state).toBe('expired');
}

test('counts a clip with its frame as one, whether they go or stay, and a frame that was put there by itself', async () => {
  const one = world();
  const insert = (id: string, n: number, parentId?: string) =>
    one.inUse.recorded(arrive(one, n), () =>
      one.store.transaction((db) => {
        const file = contentOf(n);
        const role = parentId === undefined ? 'output' : 'frame';
        insertAsset(db, { id, state: 'local', role, name: id, createdAt: 0, file, ...(parentId ? { parentId } : {}) });
      }),
    );
  for (const [n, id] of ['clip', 'used', 'other'].entries()) {
    insert(id, 2 * n);
    insert(`${id} frame`, 2 * n + 1, id);
  }
  one.store.transaction((db) => binAssets(db, ['other frame'], 4));
  one.store.transaction((db) => binAssets(db, ['clip', 'used'], 5));
  one.named.add('used');
  const kept = [{ reason: 'board', count: 1 }];
  expect(await one.bin.figures({ ids: ['clip', 'used'] })).toMatchObject({ data: { items: 1, files: 2, kept } });
  expect(await one.bin.figures({})).toMatchObject({ data: { items: 2, files: 3, kept } });
  expect(await one.bin.empty({})).toMatchObject({ data: { items: 2, files: 3, kept } });
  one.named.clear();
  one.named.add('used frame');
  expect(await one.bin.empty({})).toMatchObject({ data: { items: 1, kept } });
  one.named.clear();
  expect(await one.bin.figures({ ids: ['used frame'] })).toMatchObject({ data: { items: 1, files: 1, kept: [] } });
  expect(await one.bin.empty({})).toMatchObject({ data: { items: 1, kept: [] } });
});

test('killed before any step, the next start removes what is left, and nothing else', async () => {
  let kills = 0;
  for (let killAt = 1; ; killAt++) {
    const first = world();
    for (const [id = '', n] of ['a1', 'b1', 'c2', 'd3', 'e3']) record(first, id, arrive(first, Number(n)));
    first.store.transaction((db) => binAssets(db, ['a', 'c', 'd', 'e'], 5));
    const dying = start(first.dataDir, first.store, first.named, killAt);
    const ended = await dying.bin.empty({}).catch((error) => {
      if (!(error instanceof Killed)) throw error;
    });
    const next = start(first.dataDir, first.store, first.named);
    await next.bin.resume();
    expectWhole(next);
    const unbinned = first.store.read.all<Row>(allRows).find(({ id }) => id === 'b');
    expect(unbinned).toMatchObject({ state: 'local', emptied: 0 });
    await next.bin.empty({});
    expectWhole(next);
    expect(filesIn(first.dataDir)).toEqual([contentOf(1).sha256]);
    if (ended) break;
    kills += 1;
  }
  // The rows, a file, the other file, their hashes, the flag.
  expect(kills).toBeGreaterThan(3);
});

/** What is written fails from the n-th transaction on, until `isFull` is false. */
function filling(one: World, after: number, onDeleted: () => Promise<void> = async () => undefined) {
  const disk = { isFull: true };
  let commits = 0;
  const store: Store = {
    ...one.store,
    transaction: (work) => {
      if (disk.isFull && ++commits > after) throw Object.assign(new Error('full'), { code: 'SQLITE_FULL' });
      return one.store.transaction(work);
    },
  };
  const parts = { store, clock: new TestClock(), log: silentLog, inUse: new ContentInUse() };
  const namedBy = [{ reason: 'board', namedInMemory: () => one.named } as const];
  const bin = new Bin({ ...parts, namedBy, location: new LibraryLocation(one.dataDir), onDeleted });
  return { bin, disk };
}

/** So many assets with a file each, in the bin. */
function binned(count: number): World {
  const one = world();
  for (let n = 0; n < count; n++) record(one, `a${n}`, arrive(one, n));
  const ids = Array.from({ length: count }, (_, n) => `a${n}`);
  one.store.transaction((db) => binAssets(db, ids, 5));
  return one;
}

test.each([
  ['rows are deleted', 1],
  ['files are removed', 3],
])('where nothing can be written any more while %s, no deleted file is forgotten', async (_, after) => {
  const one = binned(30);
  const { bin, disk } = filling(one, after);
  await expect(bin.empty({})).rejects.toThrow('full');
  const left = one.store.read.all<Row>(allRows).filter(({ state }) => state === 'local');
  expect(left).toHaveLength(after === 1 ? 5 : 0);
  // Those of the deleted rows have begun to make room.
  expect(filesIn(one.dataDir).length).toBeLessThan(30);
  disk.isFull = false;
  expect(await bin.empty({})).toMatchObject({ ok: true });
  expect(filesIn(one.dataDir)).toEqual([]);
  expectWhole(one);
});

test('a half download that cannot be removed keeps no file', async () => {
  const one = binned(1);
  const bytes = { state: 'remote', role: 'output', name: '', createdAt: 0, remoteUri: 'http://a/b' } as const;
  one.store.transaction((db) => {
    insertAsset(db, { id: 'r', ...bytes });
    binAssets(db, ['r'], 5);
  });
  const { bin } = filling(one, 99, async () => {
    throw Object.assign(new Error('no'), { code: 'EACCES' });
  });
  expect(await bin.empty({})).toMatchObject({ data: { items: 2, files: 1 } });
  expect(filesIn(one.dataDir)).toEqual([]);
});

test('a result that is deleted while the library is not there makes no folder in its place', async () => {
  const one = world();
  const home = path.join(tempDir('away'), 'Film');
  fs.mkdirSync(path.join(home, 'library'), { recursive: true });
  const location = new LibraryLocation(one.dataDir);
  location.switchTo(home, 'lib_1');
  fs.rmSync(home, { recursive: true });
  const library = new Library({
    ...{ store: one.store, clock: new TestClock(), ids: countingIds(), log: silentLog, location },
    ...{
      emit: () => undefined,
      gatewayFor: async () => null,
      downloadsAtOnce: () => 1,
      events: createCoreEvents(),
      namedBy: [],
    },
  });
  one.store.transaction((db) => {
    insertAsset(db, { id: 'r', state: 'remote', role: 'output', name: '', createdAt: 0, remoteUri: 'http://a/b' });
    binAssets(db, ['r'], 5);
  });
  expect(await library.bin.empty({})).toMatchObject({ data: { items: 1 } });
  expect(fs.existsSync(home)).toBe(false);
});

test('a file that is stored and not yet named stays, by its hold or by the note of its download', async () => {
  const one = world();
  record(one, 'a', arrive(one, 1));
  record(one, 'b', arrive(one, 2));
  one.store.transaction((db) => binAssets(db, ['a', 'b'], 5));
  const held = arrive(one, 1);
  const noted = contentOf(2);
  await writeMetadata(await partialPath(one.dataDir, 'x'), { stored: noted });
  expect(await one.bin.empty({})).toMatchObject({ data: { items: 2, files: 0, bytes: 0 } });
  expectWhole(one, [held, noted]);
  record(one, 'c', held);
  fs.rmSync(`${await partialPath(one.dataDir, 'x')}.json`);
  expect(await one.bin.empty({})).toMatchObject({ data: { items: 0, files: 1, bytes: noted.bytes } });
  expectWhole(one);
});

test('while a backup may name it a deleted file stays, and it goes once the user goes on without one', async () => {
  const one = binned(2);
  one.store.transaction((db) => writeFlag(db, 'store:recovering', 'yes'));
  expect(await one.bin.empty({})).toMatchObject({ data: { items: 2, files: 0, bytes: 0 } });
  const restarted = start(one.dataDir, one.store, one.named);
  await restarted.bin.resume();
  expect(filesIn(one.dataDir)).toHaveLength(2);
  one.store.transaction(endRecovery);
  await restarted.bin.resume();
  expectWhole(one);
  expect(filesIn(one.dataDir)).toEqual([]);
});

test('a download that ends after its asset was deleted revives nothing', () => {
  const { store } = world();
  store.transaction((db) => {
    insertAsset(db, { id: 'r', state: 'remote', role: 'output', name: '', createdAt: 0, remoteUri: 'http://a/b' });
    binAssets(db, ['r'], 5);
  });
  store.transaction((db) => db.run(sql('test.empty', `UPDATE assets SET state = 'expired', emptied = 1`)));
  expect(store.transaction((db) => makeLocal(db, 'r', contentOf(1)))).toBe(false);
  expect(store.read.all<Row>(allRows)).toMatchObject([{ state: 'expired', sha256: '' }]);
});

const step = fc.oneof(
  fc.record({ does: fc.constantFrom('come' as const, 'arrive' as const), of: fc.nat(3) }),
  fc.record({ does: fc.constantFrom('bin' as const, 'restore' as const, 'name' as const), of: fc.nat(9) }),
  fc.record({ does: fc.constantFrom('record' as const, 'figures' as const), of: fc.constant(0) }),
  fc.record({ does: fc.constantFrom('empty' as const, 'emptyKilled' as const), of: fc.nat(6) }),
);

test('whatever is brought in, binned, put back, named, deleted and killed: all that is local has its file', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      let one = world();
      let made = 0;
      let arriving: StoredFile[] = [];
      for (const { does, of } of steps) {
        const id = `a${of}`;
        if (does === 'come') record(one, `a${made++}`, arrive(one, of));
        else if (does === 'arrive') arriving.push(arrive(one, of));
        else if (does === 'record') {
          for (const file of arriving) record(one, `a${made++}`, file);
          arriving = [];
        } else if (does === 'bin') one.store.transaction((db) => binAssets(db, [id], 5));
        else if (does === 'restore') one.store.transaction((db) => restoreAssets(db, [id]));
        else if (does === 'name') {
          const row = one.store.read.all<Row>(allRows).find((known) => known.id === id);
          if (row?.emptied === 0) one.named.add(id);
        } else if (does === 'figures' || does === 'empty') {
          const figures = await one.bin.figures({});
          const free = arriving.length === 0;
          if (does === 'empty') {
            const done = await one.bin.empty({});
            if (free) expect(done).toEqual(figures);
          }
        } else {
          await start(one.dataDir, one.store, one.named, of + 1)
            .bin.empty({})
            .catch(() => undefined);
          // What was on its way is lost with the program, or comes again.
          arriving = [];
          one = start(one.dataDir, one.store, one.named);
          await one.bin.resume();
        }
        for (const row of one.store.read.all<Row>(allRows))
          if (row.state === 'local') expect(filesIn(one.dataDir)).toContain(row.sha256);
      }
      for (const row of one.store.read.all<Row>(allRows)) if (one.named.has(row.id)) expect(row.emptied).toBe(0);
    }),
    { numRuns: 40 },
  );
});
