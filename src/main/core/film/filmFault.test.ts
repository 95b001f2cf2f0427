import { expect, test } from 'vitest';
import type { MoviePlan } from '../../../shared/film/filmExport.ts';
import { encodedSize } from '../../../shared/film/filmFormat.ts';
import type { ClipFacts } from '../library/index.ts';
import { faultOfFilm } from './movieTasks.ts';

const plan = {
  fps: { num: 24, den: 1 },
  ...{ width: 853, height: 480 },
  segments: [{ frames: 48 }],
  mix: { sources: [] },
} as unknown as MoviePlan;
const made = (width: number, height: number) => ({ seconds: 2, video: { frames: 48, width, height } }) as ClipFacts;

test('a film of clips with an odd side is encoded with an even one, and is that film', () => {
  expect([encodedSize({ width: 853, height: 480 }), encodedSize({ width: 1_280, height: 720 })]).toEqual([
    { width: 854, height: 480 },
    { width: 1_280, height: 720 },
  ]);
  expect([faultOfFilm(plan, made(854, 480)), faultOfFilm(plan, made(853, 480))]).toEqual([undefined, undefined]);
  expect(faultOfFilm(plan, made(852, 480))).toBe('it is 852 × 480 instead of 853 × 480.');
});

const fault = (seconds: number, { clips = 2, fps = 60, planned = 8, sampleRate = 48_000, clipSeconds = 0 }) => {
  const frames = planned * fps;
  const segments = Array.from({ length: clips }, () => ({ frames: frames / clips }));
  const film = { ...plan, fps: { num: fps, den: 1 }, segments };
  const audio = { codec: 'mp4a.40.2', sampleRate, channels: 2 };
  return faultOfFilm(
    film as MoviePlan,
    { ...made(853, 480), seconds, audio, video: { ...made(853, 480).video, frames } } as ClipFacts,
    clipSeconds,
  );
};

test('the sound of a film ends with its last packet, which may be longer than a frame', () => {
  expect(fault(7.018667, { planned: 7 })).toBeUndefined();
  expect(fault(7.032, { planned: 7, sampleRate: 16_000 })).toBeUndefined();
  expect(fault(7.1, { planned: 7 })).toBe('it lasts 7.100 s instead of 7.000 s.');
});

test('a film of one clip may be as long as that clip, and no longer', () => {
  expect(fault(8.3, { clips: 1, fps: 24, clipSeconds: 8.3 })).toBeUndefined();
  expect(fault(8.5, { clips: 1, fps: 24, clipSeconds: 8.3 })).toBe('it lasts 8.500 s instead of 8.000 s.');
  expect(fault(8.3, { fps: 24 })).toBe('it lasts 8.300 s instead of 8.000 s.');
});
