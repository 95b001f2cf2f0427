import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import {
  closeAfterEach,
  file,
  HOUR,
  made,
  PICTURE,
  serve,
  startDownloadHarness,
  until,
} from '../../../../../test/helpers/downloadHarness.ts';
import type { EngineHarness } from '../../../../../test/helpers/engineHarness.ts';
import { settle } from '../../../../../test/helpers/testPorts.ts';

/** Downloads beside places that send slowly. */

closeAfterEach();

/** A place that brings a little now and then and never comes to an end. */
async function slowPlace() {
  const sending: Socket[] = [];
  const server = await serve((_request, socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-type: image/png\r\ncontent-length: 50000000\r\n\r\n');
    socket.write(PICTURE);
    sending.push(socket);
  });
  return {
    ...server,
    sending,
    goOn: () => {
      for (const socket of sending) socket.write(Buffer.alloc(70_000));
    },
  };
}

const fastPlace = () => serve((_request, socket) => socket.end(file(PICTURE, { connection: 'close' })));

const many = (count: number, url: string, expiresAt: number) =>
  Array.from({ length: count }, (_, n) => ({ uri: `${url}/${n}`, expiresAt }));

/** So many results of a slow place, two of which are being sent, beside one that answers at once. */
async function besideSlow(count: number, begin = 'http://127.0.0.1') {
  const [slow, other] = [await slowPlace(), await fastPlace()];
  const harness = startDownloadHarness(slow);
  const now = harness.clock.now();
  await made(harness, ...many(count, `${begin}:${slow.port}`, now + HOUR / 2));
  await until(harness, () => slow.sending.length === 2);
  return { slow, other, harness, now };
}

/** For `minutes`, or until the job has succeeded. */
async function pass(
  harness: EngineHarness,
  places: readonly { goOn(): void }[],
  { minutes, until: id }: { minutes: number; until?: string },
): Promise<void> {
  for (let turn = 0; turn < minutes; turn += 1) {
    if (id !== undefined && harness.job(id).state === 'succeeded') return;
    for (const location of places) location.goOn();
    await settle();
    await harness.clock.advance(60_000);
  }
}

test.each([
  ['profile', 'sandbox'],
  ['place', 'p'],
] as const)('a slow place does not keep the results of another %s waiting for their end', async (_what, profile) => {
  const { slow, other, harness, now } = await besideSlow(5);
  harness.activate(profile);
  const fine = await made(harness, ...many(3, other.url, now + HOUR));
  await pass(harness, [slow], { minutes: 15, until: fine });
  expect(harness.job(fine).state).toBe('succeeded');
  expect(slow.requests).toHaveLength(2);
});

test.each(['HTTP://127.0.0.1', 'http://user@127.0.0.1'])('%s is the same place', async (begin) => {
  const { slow, other, harness, now } = await besideSlow(40, begin);
  await pass(harness, [slow], { minutes: 5 });
  expect(slow.requests).toHaveLength(2);
  const fine = await made(harness, ...many(1, other.url, now + HOUR));
  await pass(harness, [slow], { minutes: 5, until: fine });
  expect(harness.job(fine).state).toBe('succeeded');
  expect(slow.requests).toHaveLength(2);
});

test('a host that does not answer gets one attempt at a time, however its links name it', async () => {
  const [dead, own] = [await fastPlace(), await fastPlace()];
  const harness = startDownloadHarness(own);
  await dead.close();
  const stuck = await made(harness, ...many(40, `HTTP://127.0.0.1:${dead.port}`, harness.clock.now() + HOUR));
  const tried = () => harness.job(stuck).outputs.filter(({ fault }) => fault !== undefined).length;
  await until(harness, () => tried() > 0);
  await harness.clock.advance(120_000);
  expect(tried()).toBeLessThan(12);
});

test('a clock that is set back meanwhile does not keep the results of another place waiting', async () => {
  const { slow, other, harness, now } = await besideSlow(5);
  const fine = await made(harness, ...many(1, other.url, now + HOUR));
  await until(harness, () => harness.job(fine).state === 'fetching');
  await pass(harness, [slow], { minutes: 1 });
  harness.clock.set(harness.clock.now() - 5_000);
  await pass(harness, [slow], { minutes: 15, until: fine });
  expect(harness.job(fine).state).toBe('succeeded');
});

test('slow places of one gateway do not keep those of another place waiting; of many, one more than profiles is beside them', async () => {
  const slow = await Promise.all(Array.from({ length: 5 }, slowPlace));
  const other = await fastPlace();
  const harness = startDownloadHarness(other);
  const now = harness.clock.now();
  const [first, second] = slow;
  await made(harness, ...many(1, first?.url ?? '', now + HOUR), ...many(1, second?.url ?? '', now + HOUR));
  await until(harness, () => first?.sending.length === 1 && second?.sending.length === 1);
  const fine = await made(harness, ...many(3, other.url, now + 2 * HOUR));
  await pass(harness, slow, { minutes: 15, until: fine });
  expect(harness.job(fine).state).toBe('succeeded');
  await made(harness, ...slow.slice(2).flatMap(({ url }) => many(2, url, now + HOUR)));
  await pass(harness, slow, { minutes: 15 });
  expect(slow.map(({ requests }) => requests.length)).toEqual([1, 1, 1, 1, 0]);
});
