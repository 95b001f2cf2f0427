import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { TestClock } from '../../../../test/helpers/testPorts.ts';
import { fail, type Result } from '../../../shared/contract/result.ts';
import type { Asset } from '../../../shared/library/asset.ts';
import { ChunkedUploads, chunkFrom } from './chunkedUploads.ts';

const id = '00000000-0000-4000-8000-000000000000';
const asset = { id: 'a' } as Asset;

/** A chunk in pieces of these sizes. */
const bytes = (...sizes: number[]) => Readable.from(sizes.map((size) => Buffer.alloc(size)));

/** A library that reads everything and records what it read and how the reading ended. */
function library() {
  const read: Buffer[] = [];
  const faults: string[] = [];
  return {
    text: () => Buffer.concat(read).toString('latin1'),
    faults,
    async take(body: Readable): Promise<Result<Asset>> {
      try {
        for await (const chunk of body) read.push(chunk as Buffer);
        return { ok: true, data: asset };
      } catch (error) {
        faults.push((error as Error).message);
        return fail('internal', 'cut');
      }
    },
  };
}

test('the chunks are read as one stream, and the last one answers what was made of it', async () => {
  const uploads = new ChunkedUploads(new TestClock());
  const one = library();
  const whole = randomBytes(300_000);
  const answers = [];
  for (let at = 0; at < whole.length; at += 100_000) {
    const bytes = Readable.from([whole.subarray(at, at + 60_000), whole.subarray(at + 60_000, at + 100_000)]);
    answers.push(await uploads.put({ id, at, of: whole.length }, bytes, one.take));
  }
  expect(answers).toEqual([
    { ok: true, data: null },
    { ok: true, data: null },
    { ok: true, data: asset },
  ]);
  expect(one.text()).toBe(whole.toString('latin1'));
});

test('a slow reader is waited for: a chunk is answered once it has been read, not buffered', async () => {
  const uploads = new ChunkedUploads(new TestClock());
  const { promise: mayRead, resolve: read } = Promise.withResolvers<void>();
  const slow = async (body: Readable): Promise<Result<Asset>> => {
    await mayRead;
    for await (const _ of body);
    return { ok: true, data: asset };
  };
  let isAnswered = false;
  const put = uploads.put({ id, at: 0, of: 2_000_000 }, bytes(500_000, 500_000), slow);
  void put.then(() => {
    isAnswered = true;
  });
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(isAnswered).toBe(false);
  read();
  expect(await put).toEqual({ ok: true, data: null });
});

test('what is refused early is answered early, and the rest is not waited for', async () => {
  const uploads = new ChunkedUploads(new TestClock());
  const refusing = async (body: Readable): Promise<Result<Asset>> => {
    body.destroy();
    return fail('unsupported_media', 'no picture');
  };
  const answer = await uploads.put({ id, at: 0, of: 900 }, bytes(10, 10), refusing);
  expect(answer).toMatchObject({ ok: false, error: { code: 'unsupported_media' } });
});

test.each([
  ['one that skips', { id, at: 20, of: 30 }],
  ['one that comes again', { id, at: 0, of: 30 }],
  ['one of another length', { id, at: 10, of: 40 }],
  ['one of an upload that never began', { id: '00000000-0000-4000-8000-000000000001', at: 10, of: 30 }],
])('a piece out of its order is refused: %s', async (_, piece) => {
  const uploads = new ChunkedUploads(new TestClock());
  const one = library();
  await uploads.put({ id, at: 0, of: 30 }, bytes(10), one.take);
  expect(await uploads.put(piece, bytes(10), one.take)).toMatchObject({
    ok: false,
    error: { data: { field: 'at' } },
  });
});

test('more than was announced is cut off, for the reader too', async () => {
  const uploads = new ChunkedUploads(new TestClock());
  const one = library();
  const answer = await uploads.put({ id, at: 0, of: 15 }, bytes(10, 10), one.take);
  expect(answer).toMatchObject({ ok: false, error: { data: { field: 'of' } } });
  await expect.poll(() => one.faults).toEqual(['The upload was cut off.']);
});

test('a page that goes away in the middle leaves nothing open', async () => {
  const clock = new TestClock();
  const uploads = new ChunkedUploads(clock);
  const one = library();
  await uploads.put({ id, at: 0, of: 30 }, bytes(10), one.take);
  await clock.advance(60_000);
  expect(one.faults).toEqual(['The upload was cut off.']);
  const late = await uploads.put({ id, at: 10, of: 30 }, bytes(20), one.take);
  expect(late).toMatchObject({ ok: false });
});

test('a chunk that breaks off frees its slot, and both sides get the error', async () => {
  const uploads = new ChunkedUploads(new TestClock());
  const one = library();
  const broken = () =>
    Readable.from(
      (async function* () {
        yield Buffer.alloc(10);
        throw new Error('gone');
      })(),
    );
  for (let n = 0; n < 40; n += 1) {
    const piece = { id: `00000000-0000-4000-8000-0000000000${10 + n}`, at: 0, of: 30 };
    expect(await uploads.put(piece, broken(), one.take)).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('send the file again') },
    });
  }
  await expect.poll(() => one.faults).toEqual(Array(40).fill('The upload was cut off.'));
  expect(await uploads.put({ id, at: 0, of: 10 }, bytes(10), one.take)).toMatchObject({
    ok: true,
  });
});

test('a slow reader leaves no listener behind for its chunks', async () => {
  const uploads = new ChunkedUploads(new TestClock());
  const counts: number[] = [];
  const slow = async (body: Readable): Promise<Result<Asset>> => {
    for await (const _ of body) {
      counts.push(body.listenerCount('close'));
      await new Promise((resolve) => setImmediate(resolve));
    }
    return { ok: true, data: asset };
  };
  const chunks = Array.from({ length: 40 }, () => Buffer.alloc(100_000));
  expect(await uploads.put({ id, at: 0, of: 4_000_000 }, Readable.from(chunks), slow)).toMatchObject({ ok: true });
  expect(counts.length).toBeGreaterThan(20);
  expect(Math.max(...counts)).toBeLessThan(5);
});

test('a piece that waits for room is let go when the library has answered', async () => {
  const uploads = new ChunkedUploads(new TestClock());
  const { promise, resolve } = Promise.withResolvers<Result<Asset>>();
  const put = uploads.put({ id, at: 0, of: 2_000_000 }, bytes(500_000), () => promise);
  for (let turn = 0; turn < 20; turn += 1) await new Promise((next) => setImmediate(next));
  resolve(fail('unsupported_media', 'no picture'));
  expect(await put).toMatchObject({ ok: false, error: { code: 'unsupported_media' } });
});

test.each([
  ['upload=00000000-0000-4000-8000-000000000000&at=0&of=5', { id, at: 0, of: 5 }],
  ['upload=00000000-0000-4000-8000-000000000000&at=5&of=5', undefined],
  ['upload=00000000-0000-4000-8000-000000000000&at=-1&of=5', undefined],
  ['upload=00000000-0000-4000-8000-000000000000&at=0&of=1e3', undefined],
  ['upload=x&at=0&of=5', undefined],
  ['at=0&of=5', undefined],
])('%s', (query, piece) => {
  expect(chunkFrom(new URLSearchParams(query))).toEqual(piece);
});
