import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { clipOf } from '../../../../test/helpers/clip.ts';
import { acceptance, aVideo, finished, startEngine } from '../../../../test/helpers/engineHarness.ts';
import { testPng } from '../../../../test/helpers/png.ts';
import type { StudioRequest } from '../../../shared/kinds/index.ts';

/** A take records the media it was made from: a slot or a job's result may change afterwards. */

const hash = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

async function withClip() {
  const harness = startEngine();
  const clip = await clipOf({ seconds: 4 });
  harness.script.submit = [acceptance(harness.clock)];
  harness.script.poll = [finished(`data:video/mp4;base64,${clip.toString('base64')}`)];
  const source = await harness.enqueue(aVideo);
  await harness.untilEnd(source.id);
  return { harness, clip, source: harness.job(source.id) };
}

test('the last frame of a take is recorded by its hash and by the output that it was taken from', async () => {
  const { harness, source } = await withClip();
  const frame = testPng(16, 16);
  for (let task = harness.library.mediaWork.claim(); task; task = harness.library.mediaWork.claim()) {
    if (task.kind === 'lastFrame')
      await harness.library.upload({ name: 'frame.png', body: Readable.from([frame]), taskId: task.id });
    harness.library.mediaWork.finish(task.id, {});
  }
  harness.script.submit = [acceptance(harness.clock, 'task-2')];
  const request = { ...aVideo, image: { jobId: source.id, frame: 'last' } } as StudioRequest;
  const waits = await harness.enqueue(request);
  const sent = await harness.until(waits.id, ({ state }) => state === 'running');
  const [clip] = harness.job(source.id).outputs;
  expect(sent.inputs).toEqual([
    { field: 'image', assetId: clip?.lastFrameId, sha256: hash(frame), jobId: source.id, output: 0 },
  ]);
  await harness.close();
});

test('the user’s image is recorded by its hash, and not before it is sent', async () => {
  const { harness } = await withClip();
  const picture = testPng(320, 180);
  const asset = await harness.library.upload({ name: 'a.png', body: Readable.from([picture]) });
  if (!asset.ok) throw new Error(asset.error.message);
  harness.engine.commands.setPaused(true);
  const job = await harness.enqueue({ ...aVideo, image: { assetId: asset.data.id } } as StudioRequest);
  expect(job.inputs).toBeUndefined();
  harness.script.submit = [acceptance(harness.clock, 'task-2')];
  harness.engine.commands.setPaused(false);
  const sent = await harness.until(job.id, ({ state }) => state === 'running');
  expect(sent.inputs).toEqual([{ field: 'image', assetId: asset.data.id, sha256: hash(picture) }]);
  await harness.close();
});

test('a request of text only has no inputs', async () => {
  const { harness, source } = await withClip();
  expect(source.inputs).toBeUndefined();
  await harness.close();
});
