import { expect, test } from 'vitest';
import { withHiddenFrames } from '../../test/helpers/hiddenFrames.ts';
import { editEndsOf } from './editList.ts';

const endsOf = async (bytes: Buffer) => [
  ...(await editEndsOf(async (at, length) => bytes.subarray(at, at + length), bytes.length)).values(),
];

test('an edit list of several pieces, or of one without a length, ends nowhere', async () => {
  const bytes = await withHiddenFrames({ before: 5, after: 4 });
  const [end] = await endsOf(bytes);
  expect(end).toBeCloseTo(27 / 30, 3);
  const list = bytes.indexOf('elst');
  for (const [at, value] of [
    [8, 2],
    [8, 0xffffffff],
    [12, 0],
  ] as const) {
    const other = Buffer.from(bytes);
    other.writeUInt32BE(value, list + at);
    expect(await endsOf(other)).toEqual([Number.POSITIVE_INFINITY]);
  }
});

test('a file that is cut off or damaged has no edit list, or one', async () => {
  const bytes = await withHiddenFrames({ before: 5, after: 4 });
  const from = bytes.indexOf('moov') - 4;
  for (let at = from; at < bytes.indexOf('elst') + 24; at++) {
    expect((await endsOf(bytes.subarray(0, at))).length).toBeLessThan(2);
    const other = Buffer.from(bytes);
    other.writeUInt8(0xff, at);
    expect((await endsOf(other)).length).toBeLessThan(2);
  }
});
