import { expect, test } from 'vitest';
import { withHiddenFrames } from '../../../test/helpers/hiddenFrames.ts';
import { editListsOf } from './mp4EditList.ts';

const editsOf = async (bytes: Buffer) => [
  ...(await editListsOf(async (at, length) => bytes.subarray(at, at + length), bytes.length)).values(),
];

test('an edit list of several pieces, or of one without a length, ends nowhere', async () => {
  const bytes = await withHiddenFrames({ before: 5, after: 4 });
  const [edit] = await editsOf(bytes);
  expect(edit).toEqual({ from: 0, to: expect.closeTo(27 / 30, 3), pieces: 1 });
  const list = bytes.indexOf('elst');
  for (const [at, value, pieces] of [
    [8, 2, 2],
    [8, 0xffffffff, 0xffffffff],
    [12, 0, 1],
  ] as const) {
    const other = Buffer.from(bytes);
    other.writeUInt32BE(value, list + at);
    expect(await editsOf(other)).toEqual([{ from: 0, to: Number.POSITIVE_INFINITY, pieces }]);
  }
});

test('a piece behind a pause is shown from the end of the pause on', async () => {
  const [edit] = await editsOf(await withHiddenFrames({ before: 5, after: 4, pause: 12 }));
  expect(edit).toEqual({ from: expect.closeTo(12 / 30, 3), to: expect.closeTo(39 / 30, 3), pieces: 1 });
});

test('a file that is cut off or damaged has no edit list, or one', async () => {
  const bytes = await withHiddenFrames({ before: 5, after: 4 });
  const from = bytes.indexOf('moov') - 4;
  for (let at = from; at < bytes.indexOf('elst') + 24; at++) {
    expect((await editsOf(bytes.subarray(0, at))).length).toBeLessThan(2);
    const other = Buffer.from(bytes);
    other.writeUInt8(0xff, at);
    expect((await editsOf(other)).length).toBeLessThan(2);
  }
});
