import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { clipOf } from '../../../../test/helpers/clip.ts';
import { acceptance, aVideo, finished } from '../../../../test/helpers/engineHarness.ts';
import { jobsOfThisFile } from '../../../../test/helpers/engineHarnesses.ts';
import { testPng } from '../../../../test/helpers/png.ts';
import { TestClock } from '../../../../test/helpers/testPorts.ts';
import { profileSchema } from '../../../shared/gateway/profile.ts';
import type { StudioRequest } from '../../../shared/kinds/index.ts';
import type { AssetRow } from '../library/index.ts';
import { type ReadDb, type Store, sql } from '../store/index.ts';
import { jobTable } from './queries/jobTable.ts';
import { clipUri, wireMedia } from './references.ts';

/** A picture goes by the service's own link while that lives, else as its bytes; a link of another service never leaves. */

const HOUR = 3_600_000;
const clock = new TestClock();
const now = clock.now();

const row = (fields: Partial<AssetRow>): AssetRow =>
  ({
    id: 'picture',
    state: 'local',
    sha256: 'ab'.repeat(32),
    mime: 'image/png',
    remote_uri: 'https://cdn.example/a.png',
    profile_id: 'p',
    expires_at: null,
    created_at: now,
    refusal: null,
    ...fields,
  }) as AssetRow;

function sentAs(fields: Partial<AssetRow>, profile: { baseUrl?: string; pictures?: 'link' | 'bytes' } = {}) {
  const read = { one: () => row(fields) } as unknown as ReadDb;
  const deps = {
    store: { read } as Store,
    library: { location: { pathOf: () => '/data/a.png', fault: () => undefined, look: async () => undefined } },
    clock,
  };
  const service = profileSchema.parse({ id: 'p', name: 'P', baseUrl: 'https://api.example', ...profile });
  const media = wireMedia(deps, 'image', { assetId: 'picture' }, { ...service, id: 'p' });
  if (!media.ok) return media.error.code;
  if (!('uri' in media.data)) return 'bytes';
  return media.data.file ? [media.data.uri, media.data.file.mime] : media.data.uri;
}

const BY_LINK = ['https://cdn.example/a.png', 'image/png'];

test.each([
  ['its expiry is not stated and it is new', {}, BY_LINK],
  ['it lives for hours', { expires_at: now + HOUR }, BY_LINK],
  ['it ends before the service may have fetched it', { expires_at: now + 60_000 }, 'bytes'],
  ['it has ended', { expires_at: now - 1 }, 'bytes'],
  ['its expiry is not stated and it is a day old', { created_at: now - 24 * HOUR }, 'bytes'],
  ['another service made it', { profile_id: 'other' }, 'bytes'],
  ['the user brought it', { profile_id: null, remote_uri: null }, 'bytes'],
  ['it came as its bytes', { remote_uri: 'data:image/png;base64,AAAA' }, 'bytes'],
  ['it is no address', { remote_uri: 'file:///etc/passwd' }, 'bytes'],
  ['it is on loopback and the service is not', { remote_uri: 'http://127.0.0.1:9/a.png' }, 'bytes'],
  ['it is in object storage, however old', { remote_uri: 'gs://b/a', created_at: 0 }, ['gs://b/a', 'image/png']],
  ['only the service has it', { state: 'remote' as const }, 'https://cdn.example/a.png'],
  ['only another service has it', { state: 'remote' as const, profile_id: 'other' }, 'not_found'],
  ['the service refused it', { state: 'expired' as const, refusal: 'moderation' as const }, 'not_found'],
  ['nobody has it', { state: 'expired' as const, remote_uri: null }, 'not_found'],
])('a link where %s', (_, fields, expected) => {
  expect(sentAs(fields)).toEqual(expected);
});

test('a service on loopback is given its own links, and none of its port before', () => {
  const baseUrl = 'http://127.0.0.1:4000';
  expect(sentAs({ remote_uri: `${baseUrl}/a.png` }, { baseUrl })).toEqual([`${baseUrl}/a.png`, 'image/png']);
  expect(sentAs({ remote_uri: 'http://127.0.0.1:4001/a.png' }, { baseUrl })).toBe('bytes');
});

test('the address of a clip is given to the gateway that made it alone', () => {
  const of = (fields: Partial<AssetRow>) =>
    clipUri({ one: () => row(fields) } as unknown as ReadDb, { assetId: 'picture' }, 'p');
  expect(of({})).toBe('https://cdn.example/a.png');
  expect(of({ profile_id: 'other' })).toBeUndefined();
  expect(of({ profile_id: 'other', remote_uri: 'gs://b/a' })).toBeUndefined();
});

test('a profile may want bytes always', () => {
  expect(sentAs({}, { pictures: 'bytes' })).toBe('bytes');
});

/** A take records the media it was made from: a slot or a job's result may change afterwards. */

const aJob = jobsOfThisFile();
const hash = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const frame = testPng(16, 16);
const WAITS = { state: 'blocked', reason: 'dependency' };

/** A take whose clip is here, and what starts from its last frame. */
async function withClip() {
  const clip = await clipOf({ seconds: 4 });
  const recorded: string[] = [];
  const one = await aJob({ state: 'running' });
  one.coreEvents.on('results.recorded', (jobId) => recorded.push(jobId));
  one.script.poll = [finished(`data:video/mp4;base64,${clip.toString('base64')}`)];
  await one.ends();
  await one.clock.advance(0);
  one.script.submit = [acceptance(one.clock, 'task-2')];
  const { library, store } = one;
  const change = (text: string, params = {}) => store.transaction((db) => db.run(sql(`test.${text}`, text), params));
  const toBin = (id = '') => change('UPDATE assets SET binned_at = 1 WHERE id = $id', { id });
  return {
    ...one,
    recorded,
    change,
    toBin,
    fromLastFrame: { ...aVideo, image: { jobId: one.id, frame: 'last' } } as StudioRequest,
    shown: () => one.now().outputs[0],
    /** What a media page does of its tasks. */
    takeFrames: async (bytes = frame) => {
      for (let task = library.mediaWork.claim(); task; task = library.mediaWork.claim()) {
        if (task.kind === 'lastFrame')
          await library.upload({ name: 'frame.png', body: Readable.from([bytes]), taskId: task.id });
        library.mediaWork.finish(task.id, {});
      }
    },
    deleted: async (id = '') => {
      toBin(id);
      expect(await library.bin.empty({ ids: [id] })).toMatchObject({ ok: true, data: { items: 1 } });
    },
    sent: async (id: string) => {
      await one.commands.setPaused(false);
      return one.until(id, ({ state }) => state === 'running');
    },
  };
}
/** The same, after its last frame was taken and then deleted. */
async function withoutFrame() {
  const one = await withClip();
  await one.takeFrames();
  await one.deleted(one.shown()?.lastFrameId);
  return one;
}

test('the last frame of a take is recorded by its hash and by the output that it was taken from', async () => {
  const { id, fromLastFrame, shown, enqueue, takeFrames, sent, now } = await withClip();
  expect(now().inputs, 'of text only it has none').toBeUndefined();
  await takeFrames();
  const { inputs } = await sent((await enqueue(fromLastFrame)).id);
  const assetId = shown()?.lastFrameId;
  expect(inputs).toEqual([{ field: 'image', assetId, sha256: hash(frame), jobId: id, output: 0 }]);
});

test('a clip that came inside an answer is announced to the media page, and to who measures a night', async () => {
  const { id, events, recorded } = await withClip();
  expect(events.filter(({ type }) => type === 'media.work')).toHaveLength(1);
  expect(recorded).toEqual([id]);
});

test('a last frame that was deleted is taken again once a take starts from it', async () => {
  const { library, clock, events, job, fromLastFrame, shown, enqueue, takeFrames, deleted, sent } = await withClip();
  await takeFrames();
  const before = shown();
  await deleted(before?.lastFrameId);
  expect(shown()?.lastFrameId).toBeUndefined();
  expect(shown()?.revision).toBeGreaterThan(before?.revision ?? 0);
  expect(library.mediaWork.claim()).toBeNull();
  events.length = 0;
  const { id } = await enqueue(fromLastFrame);
  expect(job(id)).toMatchObject(WAITS);
  await clock.advance(1);
  expect(events).toContainEqual({ type: 'media.work' });
  await takeFrames();
  expect((await sent(id)).inputs).toMatchObject([{ assetId: shown()?.lastFrameId, sha256: hash(frame) }]);
  expect(shown()?.lastFrameId).not.toBe(before?.lastFrameId);
});

test('a last frame that was deleted is taken again for a waiting job that is edited to start from it', async () => {
  const { library, commands, enqueue, job, fromLastFrame } = await withoutFrame();
  await commands.setPaused(true);
  const { id } = await enqueue(aVideo);
  expect(await commands.edit({ id, request: fromLastFrame })).toMatchObject({ ok: true });
  expect(job(id)).toMatchObject(WAITS);
  expect(library.mediaWork.claim()).toMatchObject({ kind: 'lastFrame' });
});

test('a frame that the user made of a clip is never its last one', async () => {
  const { id: jobId, library, shown, takeFrames, deleted } = await withClip();
  const body = Readable.from([frame]);
  const own = await library.upload({ name: 'own.png', body, role: 'frame', parentId: shown()?.id ?? '' });
  expect(shown()?.lastFrameId).toBeUndefined();
  // Of the same content, and of the clip’s job.
  await takeFrames();
  const taken = shown()?.lastFrameId ?? '';
  expect(library.get(taken)).toMatchObject({ data: { role: 'frame', jobId } });
  expect(own.ok && own.data.id).not.toBe(taken);
  await deleted(taken);
  expect(shown()?.lastFrameId).toBeUndefined();
});

test('a last frame that is made again is not in the bin', async () => {
  const { library, toBin } = await withClip();
  const upload = async () => {
    const task = library.mediaWork.claim();
    expect(task?.kind).toBe('lastFrame');
    const made = await library.upload({ name: '', body: Readable.from([frame]), taskId: task?.id ?? '' });
    return made.ok ? made.data : undefined;
  };
  const before = await upload();
  toBin(before?.id);
  library.mediaWork.reopen();
  const again = await upload();
  expect(again).toMatchObject({ role: 'frame' });
  expect(again).not.toHaveProperty('binnedAt');
  // What went there with its clip is the clip’s still.
  for (const id of [again?.id, again?.parentId]) toBin(id);
  library.mediaWork.reopen();
  expect(await upload()).toMatchObject({ parentId: again?.parentId, binnedAt: 1 });
});

test('a last frame that was deleted stays so where nothing is ordered', async () => {
  const { library, commands, profile, fromLastFrame } = await withoutFrame();
  expect(await commands.reasons(profile, fromLastFrame)).toEqual([]);
  expect(library.mediaWork.claim()).toBeNull();
  const requests = [fromLastFrame, { ...aVideo, image: { jobId: 'none' } } as StudioRequest];
  expect(await commands.enqueue({ requests })).toMatchObject({ ok: false });
  expect(library.mediaWork.claim()).toBeNull();
});

test('the user’s image is recorded by its hash, and not before it is sent', async () => {
  const { library, commands, enqueue, sent } = await withClip();
  const picture = testPng(320, 180);
  const asset = await library.upload({ name: 'a.png', body: Readable.from([picture]) });
  const assetId = asset.ok ? asset.data.id : '';
  commands.setPaused(true);
  const { id, inputs } = await enqueue({ ...aVideo, image: { assetId } } as StudioRequest);
  expect(inputs).toBeUndefined();
  expect((await sent(id)).inputs).toEqual([{ field: 'image', assetId, sha256: hash(picture) }]);
});

test('what starts from the clip of a canceled job that is here is sent, also where its last frame was deleted', async () => {
  const { id, store, change, enqueue, fromLastFrame, takeFrames, sent } = await withoutFrame();
  change(`UPDATE jobs SET state = 'canceled' WHERE id = $id`, { id });
  const waits = await enqueue(fromLastFrame);
  expect(waits).toMatchObject(WAITS);
  // A night that it belongs to is planned with it.
  change(`UPDATE jobs SET run_id = 'night' WHERE id = $id`, { id: waits.id });
  const dependencies = store.transaction((db) => jobTable.dependenciesOfNight(db, 'night'));
  expect(dependencies).toMatchObject([{ onId: id, state: 'succeeded' }]);
  change('UPDATE jobs SET run_id = NULL WHERE id = $id', { id: waits.id });
  await takeFrames();
  await sent(waits.id);
});

const FAILS = { state: 'failed', error: { kind: 'invalid' } };
test.each([
  ['lost', 'failed', 'expired', FAILS],
  ['lost', 'canceled', 'expired', FAILS],
  ['still to come', 'canceled', 'remote', WAITS],
])(
  'where another result is %s, what builds on a job that %s waits or is not sent',
  async (_, state, other, expected) => {
    const { id, coreEvents, change, enqueue, fromLastFrame, takeFrames, sent } = await withClip();
    await takeFrames();
    change('UPDATE jobs SET state = $state WHERE id = $id', { id, state });
    change(
      `INSERT INTO assets (id, sha256, mime, width, height, bytes, state, fetchable, remote_uri, job_id, output_index, role, name, created_at)
     VALUES ('other', '', '', 0, 0, 0, $other, 1, 'https://cdn.example/b.mp4', $id, 1, 'output', 'b', 0)`,
      { id, other },
    );
    const waits = await enqueue(fromLastFrame);
    expect(waits).toMatchObject(expected);
    if (other !== 'remote') return;
    change(`UPDATE assets SET state = 'local' WHERE id = 'other'`);
    coreEvents.emit('output.settled', id);
    await sent(waits.id);
  },
);

test('nothing starts from the clip of a canceled job that is not here', async () => {
  const { id, library, commands, change, shown, fromLastFrame, deleted } = await withClip();
  await deleted(shown()?.id);
  change(`UPDATE jobs SET state = 'canceled' WHERE id = $id`, { id });
  expect(await commands.enqueue({ requests: [fromLastFrame] })).toMatchObject({ ok: false });
  expect(library.mediaWork.claim()).toBeNull();
});
