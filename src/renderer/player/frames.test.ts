import { expect, test } from 'vitest';
import { frameAt, timecode, timeOfFrame } from './frames.ts';

test('times and frames agree at 24 frames a second, and at others', () => {
  expect(timecode(14 + 7 / 24)).toBe('00:00:14:07');
  expect(timecode(3_661.5)).toBe('01:01:01:12');
  expect([timecode(61, 25), timecode(-1)]).toEqual(['00:01:01:00', '00:00:00:00']);
  for (const fps of [24, 25, 30]) {
    for (let frame = 0; frame < 500; frame++) {
      expect(frameAt(timeOfFrame(frame, fps), fps)).toBe(frame);
      expect(frameAt(frame / fps, fps)).toBe(frame);
    }
  }
});
