import fs from 'node:fs';
import { expect, test, vi } from 'vitest';
import { libraryIn } from '../../../../test/helpers/libraryHarness.ts';
import { testPng } from '../../../../test/helpers/png.ts';
import { sql } from '../store/index.ts';
import { libraryDir } from './content/contentStore.ts';
import { PictureSizes } from './pictureSizes.ts';

/** 40 × 30 as it is stored, and held upright (Exif 2.32, 4.6.4). */
function uprightPhoto(number: number): Buffer {
  const exif = '457869660000' + '4d4d002a00000008' + '0001' + '011200030000000100060000' + '00000000';
  const app1 = `ffe1${(2 + exif.length / 2).toString(16).padStart(4, '0')}${exif}`;
  const note = `fffe0004${number.toString(16).padStart(4, '0')}`;
  return Buffer.from(`ffd8${app1}${note}ffc0000b08001e002801011100ffda0008010100003f000909ffd9`, 'hex');
}

const older = sql('test.older', 'UPDATE assets SET width = $width, height = $height WHERE id = $id');
const MINUTE_MS = 60_000;

function world() {
  const one = libraryIn();
  const { store, library, parts } = one;
  /** A picture that an earlier version has given this size. */
  const add = async (bytes: Buffer, [width, height]: [number, number]) => {
    const { id } = await one.add('a', bytes);
    store.transaction((db) => db.run(older, { id, width, height }));
    return id;
  };
  const sizeOf = (id: string) => {
    const asset = library.get(id);
    return asset.ok && [asset.data.width, asset.data.height];
  };
  const start = () => {
    const sizes = new PictureSizes(parts);
    sizes.start();
    return sizes;
  };
  return { ...one, add, sizeOf, start };
}

test('sizes that an earlier version read are read again, once the start is over', async () => {
  const { clock, events, add, sizeOf, start } = world();
  const photo = await add(uprightPhoto(1), [40, 30]);
  const unread = await add(uprightPhoto(2), [0, 0]);
  const right = await add(testPng(3, 2), [3, 2]);
  start();
  await clock.advance(MINUTE_MS - 1);
  expect(sizeOf(photo)).toEqual([40, 30]);
  events.length = 0;
  await clock.advance(1);
  expect([sizeOf(photo), sizeOf(unread), sizeOf(right)]).toEqual([
    [30, 40],
    [30, 40],
    [3, 2],
  ]);
  const told = events.flatMap((event) => (event.type === 'asset.changed' ? event.asset.id : []));
  expect(told.toSorted()).toEqual([photo, unread].toSorted());
});

test('they are read some at a time, each once, on from where the last run has come to', async () => {
  const { clock, store, add, sizeOf, start } = world();
  const ids: string[] = [];
  for (let number = 0; number < 60; number += 1) ids.push(await add(uprightPhoto(number), [40, 30]));
  const first = start();
  await clock.advance(MINUTE_MS);
  expect(ids.filter((id) => sizeOf(id)?.toString() === '30,40')).toHaveLength(50);
  first.close();
  const [known = '', left = ''] = [ids[0], ids[59]];
  store.transaction((db) => db.run(older, { id: known, width: 1, height: 1 }));
  start();
  await clock.advance(2 * MINUTE_MS);
  expect([sizeOf(left), sizeOf(known)]).toEqual([
    [30, 40],
    [1, 1],
  ]);
  store.transaction((db) => db.run(older, { id: left, width: 1, height: 1 }));
  start();
  await clock.advance(2 * MINUTE_MS);
  expect(sizeOf(left)).toEqual([1, 1]);
});

test('a library without pictures has nothing to read, and what comes in later is right already', async () => {
  const { clock, store, add, sizeOf, start } = world();
  start();
  const later = await add(uprightPhoto(1), [1, 1]);
  const written = vi.spyOn(store, 'transaction');
  start();
  expect(written).not.toHaveBeenCalled();
  await clock.advance(2 * MINUTE_MS);
  expect(sizeOf(later)).toEqual([1, 1]);
});

test('what is not there keeps the size that it has, and a disk that is away is waited for', async () => {
  const { dataDir, clock, location, add, sizeOf, start } = world();
  const gone = await add(uprightPhoto(1), [40, 30]);
  fs.rmSync(libraryDir(dataDir), { recursive: true });
  const photo = await add(uprightPhoto(2), [40, 30]);
  location.fault = () => 'The library folder is not there.';
  start();
  await clock.advance(2 * MINUTE_MS);
  expect(sizeOf(photo)).toEqual([40, 30]);
  location.fault = () => undefined;
  await clock.advance(10 * MINUTE_MS);
  expect([sizeOf(gone), sizeOf(photo)]).toEqual([
    [40, 30],
    [30, 40],
  ]);
});
