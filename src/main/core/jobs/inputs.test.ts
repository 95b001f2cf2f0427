import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { clipOf } from '../../../../test/helpers/clip.ts';
import {
  acceptance,
  aVideo,
  type EngineHarness,
  finished,
  startEngine,
} from '../../../../test/helpers/engineHarness.ts';
import { testPng } from '../../../../test/helpers/png.ts';
import type { StudioRequest } from '../../../shared/kinds/index.ts';
import { sql } from '../store/index.ts';
import { jobTable } from './jobTable.ts';

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

/** What a media page does of its tasks. */
async function takeFrames({ library }: EngineHarness, frame: Buffer): Promise<void> {
  for (let task = library.mediaWork.claim(); task; task = library.mediaWork.claim()) {
    if (task.kind === 'lastFrame')
      await library.upload({ name: 'frame.png', body: Readable.from([frame]), taskId: task.id });
    library.mediaWork.finish(task.id, {});
  }
}

const toBin = ({ store }: EngineHarness, id: string): unknown =>
  store.transaction((db) => db.run(sql('test.binned', 'UPDATE assets SET binned_at = 1 WHERE id = $id'), { id }));

async function deleteAsset(harness: EngineHarness, id = ''): Promise<void> {
  toBin(harness, id);
  const { library } = harness;
  library.bin.nameBy([]);
  expect(await library.bin.empty({ ids: [id] })).toMatchObject({ ok: true, data: { items: 1 } });
}

test('the last frame of a take is recorded by its hash and by the output that it was taken from', async () => {
  const { harness, source } = await withClip();
  const frame = testPng(16, 16);
  await takeFrames(harness, frame);
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

test('a clip that came inside an answer is announced to the media page, and to who measures a night', async () => {
  const harness = startEngine();
  const recorded: string[] = [];
  harness.coreEvents.on('results.recorded', (jobId) => recorded.push(jobId));
  const clip = await clipOf({ seconds: 4 });
  harness.script.submit = [acceptance(harness.clock)];
  harness.script.poll = [finished(`data:video/mp4;base64,${clip.toString('base64')}`)];
  const { id } = await harness.enqueue(aVideo);
  await harness.untilEnd(id);
  await harness.clock.advance(0);
  expect(harness.events.filter(({ type }) => type === 'media.work')).toHaveLength(1);
  expect(recorded).toEqual([id]);
  await harness.close();
});

test('a last frame that was deleted is taken again once a take starts from it', async () => {
  const { harness, source } = await withClip();
  const frame = testPng(16, 16);
  await takeFrames(harness, frame);
  const shown = () => harness.job(source.id).outputs[0];
  const before = shown();
  await deleteAsset(harness, before?.lastFrameId);
  expect(shown()?.lastFrameId).toBeUndefined();
  expect(shown()?.revision).toBeGreaterThan(before?.revision ?? 0);
  expect(harness.library.mediaWork.claim()).toBeNull();

  harness.events.length = 0;
  const request = { ...aVideo, image: { jobId: source.id, frame: 'last' } } as StudioRequest;
  const waits = await harness.enqueue(request);
  expect(harness.job(waits.id)).toMatchObject({ state: 'blocked', reason: 'dependency' });
  await harness.clock.advance(1);
  expect(harness.events).toContainEqual({ type: 'media.work' });
  harness.script.submit = [acceptance(harness.clock, 'task-2')];
  await takeFrames(harness, frame);
  const sent = await harness.until(waits.id, ({ state }) => state === 'running');
  expect(sent.inputs).toMatchObject([{ assetId: shown()?.lastFrameId, sha256: hash(frame) }]);
  expect(shown()?.lastFrameId).not.toBe(before?.lastFrameId);
  await harness.close();
});

test('a last frame that was deleted is taken again for a waiting job that is edited to start from it', async () => {
  const { harness, source } = await withClip();
  await takeFrames(harness, testPng(16, 16));
  await deleteAsset(harness, harness.job(source.id).outputs[0]?.lastFrameId);
  const { commands } = harness.engine;
  await commands.setPaused(true);
  const { id } = await harness.enqueue(aVideo);
  const request = { ...aVideo, image: { jobId: source.id, frame: 'last' } } as StudioRequest;
  expect(await commands.edit({ id, request })).toMatchObject({ ok: true });
  expect(harness.job(id)).toMatchObject({ state: 'blocked', reason: 'dependency' });
  expect(harness.library.mediaWork.claim()).toMatchObject({ kind: 'lastFrame' });
  await harness.close();
});

test('a frame that the user made of a clip is never its last one', async () => {
  const { harness, source } = await withClip();
  const { library } = harness;
  const shown = () => harness.job(source.id).outputs[0];
  const [bytes, parentId = ''] = [testPng(16, 16), shown()?.id];
  const own = await library.upload({ name: 'own.png', body: Readable.from([bytes]), role: 'frame', parentId });
  expect(shown()?.lastFrameId).toBeUndefined();
  // Of the same content, and of the clip’s job.
  await takeFrames(harness, bytes);
  const taken = shown()?.lastFrameId ?? '';
  expect(library.get(taken)).toMatchObject({ data: { role: 'frame', jobId: source.id } });
  expect(own.ok && own.data.id).not.toBe(taken);
  await deleteAsset(harness, taken);
  expect(shown()?.lastFrameId).toBeUndefined();
  await harness.close();
});

test('a last frame that is made again is not in the bin', async () => {
  const { harness } = await withClip();
  const { library } = harness;
  const upload = async () => {
    const task = library.mediaWork.claim();
    expect(task?.kind).toBe('lastFrame');
    const made = await library.upload({ name: '', body: Readable.from([testPng(16, 16)]), taskId: task?.id ?? '' });
    return made.ok ? made.data : undefined;
  };
  const before = await upload();
  toBin(harness, before?.id ?? '');
  library.mediaWork.reopen();
  const again = await upload();
  expect(again).toMatchObject({ role: 'frame' });
  expect(again).not.toHaveProperty('binnedAt');
  // What went there with its clip is the clip’s still.
  for (const id of [again?.id ?? '', again?.parentId ?? '']) toBin(harness, id);
  library.mediaWork.reopen();
  expect(await upload()).toMatchObject({ parentId: again?.parentId, binnedAt: 1 });
  await harness.close();
});

test('a last frame that was deleted stays so where nothing is ordered', async () => {
  const { harness, source } = await withClip();
  await takeFrames(harness, testPng(16, 16));
  await deleteAsset(harness, harness.job(source.id).outputs[0]?.lastFrameId);
  const { commands } = harness.engine;
  const request = { ...aVideo, image: { jobId: source.id, frame: 'last' } } as StudioRequest;
  expect(await commands.reasons(harness.profile, request)).toEqual([]);
  expect(harness.library.mediaWork.claim()).toBeNull();
  const requests = [request, { ...aVideo, image: { jobId: 'none' } } as StudioRequest];
  expect(await commands.enqueue({ requests })).toMatchObject({ ok: false });
  expect(harness.library.mediaWork.claim()).toBeNull();
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

test('what starts from the clip of a canceled job that is here is sent, also where its last frame was deleted', async () => {
  const { harness, source } = await withClip();
  await takeFrames(harness, testPng(16, 16));
  await deleteAsset(harness, harness.job(source.id).outputs[0]?.lastFrameId);
  harness.store.transaction((db) =>
    db.run(sql('test.canceled', `UPDATE jobs SET state = 'canceled' WHERE id = $id`), { id: source.id }),
  );
  harness.script.submit = [acceptance(harness.clock, 'task-2')];
  const request = { ...aVideo, image: { jobId: source.id, frame: 'last' } } as StudioRequest;
  const waits = await harness.enqueue(request);
  expect(waits).toMatchObject({ state: 'blocked', reason: 'dependency' });
  // A night that it belongs to is planned with it.
  const ofNight = sql('test.ofNight', `UPDATE jobs SET run_id = 'night' WHERE id = $id`);
  harness.store.transaction((db) => {
    db.run(ofNight, { id: waits.id });
    expect(jobTable.dependenciesOfNight(db, 'night')).toMatchObject([{ onId: source.id, state: 'succeeded' }]);
    db.run(sql('test.ofNone', 'UPDATE jobs SET run_id = NULL WHERE id = $id'), { id: waits.id });
  });
  await takeFrames(harness, testPng(16, 16));
  await harness.until(waits.id, ({ state }) => state === 'running');
  await harness.close();
});

test.each([
  ['lost', 'failed', 'expired', { state: 'failed', error: { kind: 'invalid' } }],
  ['lost', 'canceled', 'expired', { state: 'failed', error: { kind: 'invalid' } }],
  ['still to come', 'canceled', 'remote', { state: 'blocked', reason: 'dependency' }],
])(
  'where another result is %s, what builds on a job that %s waits or is not sent',
  async (_, state, other, expected) => {
    const { harness, source } = await withClip();
    await takeFrames(harness, testPng(16, 16));
    const addOther = sql(
      'test.other',
      `INSERT INTO assets (id, sha256, mime, width, height, bytes, state, fetchable, remote_uri, job_id, output_index, role, name, created_at)
     VALUES ('other', '', '', 0, 0, 0, $other, 1, 'https://cdn.example/b.mp4', $id, 1, 'output', 'b', 0)`,
    );
    harness.store.transaction((db) => {
      db.run(sql('test.ended', 'UPDATE jobs SET state = $state WHERE id = $id'), { id: source.id, state });
      db.run(addOther, { id: source.id, other });
    });
    const request = { ...aVideo, image: { jobId: source.id, frame: 'last' } } as StudioRequest;
    const waits = await harness.enqueue(request);
    expect(waits).toMatchObject(expected);
    if (other === 'remote') {
      harness.script.submit = [acceptance(harness.clock, 'task-2')];
      const come = sql('test.come', `UPDATE assets SET state = 'local' WHERE id = 'other'`);
      harness.store.transaction((db) => db.run(come));
      harness.coreEvents.emit('output.settled', source.id);
      await harness.until(waits.id, ({ state: now }) => now === 'running');
    }
    await harness.close();
  },
);

test('nothing starts from the clip of a canceled job that is not here', async () => {
  const { harness, source } = await withClip();
  await deleteAsset(harness, harness.job(source.id).outputs[0]?.id);
  harness.store.transaction((db) =>
    db.run(sql('test.canceled', `UPDATE jobs SET state = 'canceled' WHERE id = $id`), { id: source.id }),
  );
  const request = { ...aVideo, image: { jobId: source.id, frame: 'last' } } as StudioRequest;
  expect(await harness.engine.commands.enqueue({ requests: [request] })).toMatchObject({ ok: false });
  expect(harness.library.mediaWork.claim()).toBeNull();
  await harness.close();
});
