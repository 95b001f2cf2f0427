import { expect, test } from 'vitest';
import { SoundTimeline } from './soundTimeline.ts';

const PACKET = 1024 / 48_000;

/** Places the packets of clips of these lengths, each with `count` packets from `first` on; returns the result per clip. */
function placed(clips: readonly { seconds: number; count: number; first?: number }[]) {
  const timeline = new SoundTimeline();
  let start = 0;
  return clips.map(({ seconds, count, first = 0 }, index) => {
    const place = { start, end: start + seconds, isFirst: index === 0, isLast: index === clips.length - 1 };
    const packets = Array.from({ length: count }, (_, packet) =>
      timeline.place(place, first + packet * PACKET, PACKET),
    );
    start += seconds;
    return packets;
  });
}

test('packets keep their exact times where there is room', () => {
  const [, second = []] = placed([
    { seconds: 4, count: 187 },
    { seconds: 4, count: 187 },
  ]);
  expect(second.map((packet) => packet?.time)).toEqual(second.map((_, index) => 4 + index * PACKET));
  expect(second.flatMap((packet) => packet?.silences ?? [])).toEqual([]);
});

test('sound that is longer than its picture is cut, and never runs backwards', () => {
  const all = placed(Array.from({ length: 5 }, () => ({ seconds: 4, count: 192 })));
  const times = all.flat().flatMap((packet) => packet?.time ?? []);
  expect(times.every((time, index) => index === 0 || time >= (times[index - 1] ?? 0) + PACKET - 1e-9)).toBe(true);
  for (const [index, clip] of all.entries()) {
    expect(Math.abs((clip[0]?.time ?? 0) - index * 4)).toBeLessThanOrEqual(PACKET / 2 + 1e-9);
  }
});

test('the run-up of an encoder is kept in the first clip only', () => {
  const [first = [], second = []] = placed([
    { seconds: 1, count: 40, first: -PACKET },
    { seconds: 1, count: 40, first: -PACKET },
  ]);
  expect(first[0]?.time).toBe(-PACKET);
  expect([second[0], second[1]?.time]).toEqual([null, 1]);
});

test('a single clip keeps every packet', () => {
  const [only = []] = placed([{ seconds: 1, count: 60, first: -PACKET }]);
  expect(only.every((packet) => packet !== null)).toBe(true);
});

test('a silent shot is filled with packets, end to end', () => {
  const [, , third = []] = placed([
    { seconds: 2, count: 94 },
    { seconds: 2, count: 0 },
    { seconds: 2, count: 94 },
  ]);
  const silences = third[0]?.silences ?? [];
  expect(silences[0]).toBeCloseTo(94 * PACKET, 6);
  expect(silences).toHaveLength(Math.floor((4 - 94 * PACKET) / PACKET));
});

test('many short gaps never add up to what the ear notices', () => {
  const all = placed(Array.from({ length: 40 }, () => ({ seconds: 4, count: 187 })));
  let played = 0;
  for (const packet of all.flat()) {
    if (!packet) continue;
    played += packet.silences.length * PACKET;
    expect(packet.time - played).toBeLessThan(0.045 + 1e-6);
    played += PACKET;
  }
});
