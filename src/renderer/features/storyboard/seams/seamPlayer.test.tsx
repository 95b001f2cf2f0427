import { expect, test } from 'vitest';
import { SeamPlayer } from './seamPlayer.ts';

const video = (currentTime: number) => ({ currentTime, paused: true, volume: 1, pause: () => undefined });

test('both sides of a seam have the gains that the film plays with', () => {
  const player = new SeamPlayer();
  const [before, after] = [video(0), video(0)];
  const side = (of: object) => ({ video: of as HTMLVideoElement, seconds: 4 });
  player.load(side(before), side(after));
  after.currentTime = 0.25;
  player.setGains(
    [{ at: 0, gain: 0.5 }],
    [
      { at: 0, gain: 0.2 },
      { at: 0.5, gain: 1 },
    ],
  );
  expect([before.volume, after.volume]).toEqual([0.5, expect.closeTo(0.6, 9)]);
});
