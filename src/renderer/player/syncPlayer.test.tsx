import { expect, test, vi } from 'vitest';
import { correctionOf, SyncPlayer } from './syncPlayer.ts';

test('a clip that is ahead is slowed, one that is behind is hurried, and neither so much that it is heard', () => {
  expect(correctionOf(0.05, 1)).toEqual({ rate: 0.95 });
  expect(correctionOf(-0.05, 1)).toEqual({ rate: 1.05 });
  expect(correctionOf(0.2, 2)).toEqual({ rate: 1.84 });
});

test('within half a frame nothing is changed; far away it is sought', () => {
  expect(correctionOf(0.02, 2)).toEqual({ rate: 2 });
  expect(correctionOf(-0.3, 1)).toEqual({ seek: true });
  expect(correctionOf(0.3, 1)).toEqual({ seek: true });
});

test('corrected so, a drift dies away and does not swing', () => {
  for (const begin of [0.24, -0.24]) {
    let drift = begin;
    for (let frame = 0; frame < 240; frame++) {
      const correction = correctionOf(drift, 1);
      const next = 'rate' in correction ? drift + (correction.rate - 1) / 24 : 0;
      expect(Math.abs(next)).toBeLessThanOrEqual(Math.abs(drift));
      drift = next;
    }
    expect(Math.abs(drift)).toBeLessThan(0.5 / 24 + 0.001);
  }
});

/** A video element that stays where it is put. */
class FakeVideo extends EventTarget {
  currentTime = 0;
  paused = true;
  muted = true;
  volume = 1;
  requestVideoFrameCallback = () => 0;
  cancelVideoFrameCallback = () => undefined;
  play = async () => void Object.assign(this, { paused: false });
  pause = () => void Object.assign(this, { paused: true });
}
const fakeVideo = () => new FakeVideo() as unknown as HTMLVideoElement;

/** The two clips of a link: the first ends where the second begins. */
function aroundLink() {
  const player = new SyncPlayer();
  const [before, after] = [fakeVideo(), fakeVideo()];
  const sides = [
    { video: before, seconds: 4, start: -4 },
    { video: after, seconds: 4 },
  ];
  player.load(sides, 'link', { from: -1, to: 1 });
  const times = () => [before, after].map(({ currentTime }) => Math.floor(currentTime * 24));
  return { player, before, after, times };
}

test('around a link the last frame stands beside the first, and each side stays there while the other one is stepped', () => {
  const { player, times } = aroundLink();
  expect(times()).toEqual([95, 0]);
  player.step(2);
  expect(times()).toEqual([95, 2]);
  player.step(-4);
  expect(times()).toEqual([94, 0]);
});

test('a link is played from a second before it, and what is stepped to from there', () => {
  vi.stubGlobal(
    'AudioContext',
    class {
      resume = () => new Promise(() => undefined);
      close = () => undefined;
    },
  );
  const { player, before, after } = aroundLink();
  player.play();
  expect([before.paused, after.paused, player.state().seconds]).toEqual([false, true, -1]);
  player.step(6);
  player.play();
  expect(player.state().seconds).toBeCloseTo(-0.73, 2);
  player.dispose();
});

test('both sides of a link have the gains that the film plays with, and nothing is heard that is not named', () => {
  const { player, before, after } = aroundLink();
  after.currentTime = 0.25;
  const rising = [
    { at: 0, gain: 0.2 },
    { at: 0.5, gain: 1 },
  ];
  player.hear(
    new Map([
      [before, [{ at: 0, gain: 0.5 }]],
      [after, rising],
    ]),
  );
  expect([before.volume, after.volume]).toEqual([0.5, expect.closeTo(0.6, 9)]);
  expect([before.muted, after.muted]).toEqual([false, false]);
  player.hear(new Map([[after, rising]]));
  expect([before.muted, after.muted]).toEqual([true, false]);
  player.mute(true);
  expect([before.muted, after.muted]).toEqual([true, true]);
});
