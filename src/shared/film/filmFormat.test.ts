import { expect, test } from 'vitest';
import { shotSchema } from '../board/board.ts';
import { filmFrameOf } from './filmFormat.ts';

const shot = (config: object, more: object = {}) => shotSchema.parse({ id: 'a', config, ...more });

test('a film has the picture of its first shot that plays, unless another is chosen', () => {
  const upright = shot({ aspectRatio: '9:16', resolution: '1080p' });
  const skipped = shot({ aspectRatio: '16:9' }, { skipped: true });
  expect(filmFrameOf({ shots: [skipped, upright] })).toMatchObject({ width: 1080, height: 1920 });
  expect(filmFrameOf({ shots: [upright], format: { aspectRatio: '16:9' } })).toMatchObject({
    width: 1920,
    height: 1080,
  });
  expect(filmFrameOf({ shots: [upright], format: { resolution: '720p' } })).toMatchObject({ width: 720, height: 1280 });
  expect(filmFrameOf({ shots: [] })).toEqual({ aspectRatio: '16:9', resolution: '720p', width: 1280, height: 720 });
});
