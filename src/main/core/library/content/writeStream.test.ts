import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tempDir } from '../../../../../test/helpers/testPorts.ts';
import { RejectedContent, writeStream } from './writeStream.ts';

const dir = tempDir('write-stream');
let count = 0;
const fresh = (): string => path.join(dir, `${count++}.part`);
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

function bytesOf(length: number, seed: number): Buffer {
  const bytes = Buffer.alloc(length);
  for (let at = 0; at < length; at++) bytes[at] = (at * 31 + seed * 7 + (at >> 8)) & 255;
  return bytes;
}

async function* inPieces(bytes: Buffer, pieces: readonly number[], breaks?: Error): AsyncGenerator<Uint8Array> {
  let at = 0;
  for (let turn = 0; at < bytes.length; turn++) {
    const length = pieces[turn % pieces.length] ?? 1;
    yield bytes.subarray(at, at + length);
    at += length;
  }
  if (breaks) throw breaks;
}

test('for any split of the body and any resume position, the file and its hash are those of the complete body', async () => {
  const aSize = fc.constantFrom(1, 700, 65_536, 300_000, 1_048_576, 2_500_000);
  const sizes = fc.array(aSize, { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(
      sizes,
      fc.integer({ min: 1, max: 5_000_000 }),
      fc.double({ min: 0, max: 1 }),
      async (pieces, length, share) => {
        const bytes = bytesOf(length, pieces.length);
        // Not byte by byte through megabytes.
        const steps = pieces.map((piece) => Math.max(piece, length / 500));
        const file = fresh();
        const from = Number.isNaN(share) ? 0 : Math.floor(length * share);
        // The file is longer than the kept part: it is left from an unfinished write.
        fs.writeFileSync(file, Buffer.concat([bytes.subarray(0, from), Buffer.from('left over')]));
        const body = inPieces(bytes.subarray(from), steps.map(Math.ceil));
        const written = await writeStream(file, body, { from });
        expect(written).toEqual({ ok: true, data: { bytes: length, sha256: sha256(bytes) } });
        expect(fs.readFileSync(file).equals(bytes)).toBe(true);
        fs.rmSync(file);
      },
    ),
    { numRuns: 25 },
  );
});

test('a file that something shortened meanwhile is not taken for the whole body', async () => {
  const file = fresh();
  async function* shortened() {
    yield bytesOf(9, 0);
    fs.truncateSync(file, 4);
  }
  expect(await writeStream(file, shortened(), { from: 0 })).toMatchObject({
    ok: false,
    error: { code: 'unreachable' },
  });
});

test('a body that breaks off leaves every byte that came, so that a connection that always breaks still gets on', async () => {
  const bytes = bytesOf(1_500_000, 1);
  const file = fresh();
  const body = inPieces(bytes, [40_000], new Error('The connection was lost.'));
  const written = await writeStream(file, body, { from: 0 });
  expect(written).toMatchObject({ ok: false, error: { code: 'unreachable', message: 'The connection was lost.' } });
  expect(fs.readFileSync(file).equals(bytes)).toBe(true);
});

test('more bytes than the cap are not written, whatever length was declared', async () => {
  const file = fresh();
  const written = await writeStream(file, inPieces(bytesOf(3_000_000, 1), [100_000]), { from: 0, cap: 1_000_000 });
  expect(written).toMatchObject({ ok: false, error: { code: 'too_large' } });
  expect(fs.statSync(file).size).toBeLessThanOrEqual(1_000_000);
});

test('bytes that are not wanted end it with their sentence', async () => {
  const body = inPieces(bytesOf(10, 1), [10], new RejectedContent('No file.'));
  const written = await writeStream(fresh(), body, { from: 0 });
  expect(written).toMatchObject({ ok: false, error: { code: 'unsupported_media', message: 'No file.' } });
});

test.runIf(fs.existsSync('/dev/full'))(
  'a disk that takes nothing more is said to be full, not to be unreachable',
  async () => {
    const file = fresh();
    fs.symlinkSync('/dev/full', file);
    for (const length of [10, 5_000_000]) {
      const written = await writeStream(file, inPieces(bytesOf(length, 1), [65_536]), { from: 0 });
      expect(written).toMatchObject({ ok: false, error: { code: 'disk_full' } });
    }
  },
);
