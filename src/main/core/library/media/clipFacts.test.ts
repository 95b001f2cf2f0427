import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { withHiddenFrames } from '../../../../../test/helpers/hiddenFrames.ts';
import { tempDir } from '../../../../../test/helpers/testPorts.ts';
import { readClipFacts } from './clipFacts.ts';
import { probeFile } from './probe.ts';

async function put(bytes: Buffer): Promise<string> {
  const file = path.join(tempDir('edits'), 'clip.mp4');
  fs.writeFileSync(file, bytes);
  return file;
}

test.each([
  [{ before: 5, after: 4, pause: 12 }, 27],
  [{ before: 5 }, 31],
  [{ before: 5, after: 4 }, 27],
  [{ before: 0 }, 36],
])('of a clip with frames that its edit list hides (%o) the others count', async (hidden, frames) => {
  const file = await put(await withHiddenFrames(hidden));
  const { video, joining, seconds } = await readClipFacts(file);
  expect(video).toMatchObject({ frames, rate: { num: 30, den: 1 }, constantRate: true });
  expect(joining).toMatchObject({ frames, hidden: 36 - frames, fps: 30 });
  expect(seconds).toBeCloseTo(frames / 30, 2);
  expect((await probeFile(file))?.seconds).toBeCloseTo(frames / 30, 2);
});

test('of a clip whose sound begins before its pictures, the first frame is held and the length is of both', async () => {
  const file = await put(await withHiddenFrames({ before: 5, after: 4, pause: 12 }, { sound: 1 }));
  const { video, joining, seconds } = await readClipFacts(file);
  expect(video?.frames).toBe(12 + 27);
  expect(joining).toMatchObject({ frames: 12 + 27, hidden: 9, late: 12, pieces: 1 });
  expect(seconds).toBeCloseTo(39 / 30, 2);
  expect((await probeFile(file))?.seconds).toBeCloseTo(39 / 30, 2);
});
