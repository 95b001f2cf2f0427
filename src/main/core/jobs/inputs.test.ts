import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { clipOf } from '../../../../test/helpers/clip.ts';
import { acceptance, aVideo, finished, startRig } from '../../../../test/helpers/engineRig.ts';
import { testPng } from '../../../../test/helpers/png.ts';
import type { StudioRequest } from '../../../shared/kinds/index.ts';

/** A take keeps what it was made from: a slot or a job's result may be another one afterwards. */

const hash = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

async function withClip() {
  const rig = startRig();
  const clip = await clipOf({ seconds: 4 });
  rig.script.submit = [acceptance(rig.clock)];
  rig.script.poll = [finished(`data:video/mp4;base64,${clip.toString('base64')}`)];
  const source = await rig.enqueue(aVideo);
  await rig.untilEnd(source.id);
  return { rig, clip, source: rig.job(source.id) };
}

test('the last frame of a take is kept by its hash, and by the candidate that it is of', async () => {
  const { rig, source } = await withClip();
  const frame = testPng(16, 16);
  for (let task = rig.library.claimTask(); task; task = rig.library.claimTask()) {
    if (task.kind === 'lastFrame')
      await rig.library.upload({ name: 'frame.png', body: Readable.from([frame]), taskId: task.id });
    rig.library.finishTask(task.id, undefined);
  }
  rig.script.submit = [acceptance(rig.clock, 'task-2')];
  const request = { ...aVideo, image: { jobId: source.id, frame: 'last' } } as StudioRequest;
  const waits = await rig.enqueue(request);
  const sent = await rig.until(waits.id, ({ state }) => state === 'running');
  const [clip] = rig.job(source.id).outputs;
  expect(sent.inputs).toEqual([
    { field: 'image', assetId: clip?.lastFrameId, sha256: hash(frame), jobId: source.id, output: 0 },
  ]);
  await rig.close();
});

test('a picture of the user’s is kept by its hash, and nothing before it is sent', async () => {
  const { rig } = await withClip();
  const picture = testPng(320, 180);
  const asset = await rig.library.upload({ name: 'a.png', body: Readable.from([picture]) });
  if (!asset.ok) throw new Error(asset.error.message);
  rig.engine.setPaused(true);
  const job = await rig.enqueue({ ...aVideo, image: { assetId: asset.data.id } } as StudioRequest);
  expect(job.inputs).toBeUndefined();
  rig.script.submit = [acceptance(rig.clock, 'task-2')];
  rig.engine.setPaused(false);
  const sent = await rig.until(job.id, ({ state }) => state === 'running');
  expect(sent.inputs).toEqual([{ field: 'image', assetId: asset.data.id, sha256: hash(picture) }]);
  await rig.close();
});

test('words alone are no input', async () => {
  const { rig, source } = await withClip();
  expect(source.inputs).toBeUndefined();
  await rig.close();
});
