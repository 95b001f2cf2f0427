import { decode, encode } from 'fast-png';
import { afterEach, expect, test } from 'vitest';
import { clipOf } from '../../../../test/helpers/clip.ts';
import {
  type FamilyServer,
  type FamilyServerOptions,
  familyServer,
  HANG_UP,
} from '../../../../test/helpers/gateway/familyServer.ts';
import { PATIENCE_MS } from '../../../../test/helpers/patience.ts';
import { testPng } from '../../../../test/helpers/png.ts';
import { TestClock } from '../../../../test/helpers/testPorts.ts';
import { openStudio, type TestStudio } from '../../../../test/helpers/testStudio.ts';
import type { CallInput } from '../../../shared/contract/contract.ts';
import type { Job } from '../../../shared/jobs/job.ts';
import type { StudioRequest } from '../../../shared/kinds/index.ts';
import type { Protocols } from '../../../shared/wire/protocols.ts';

/** Jobs of the API formats beside the specification's own: from the request to the file and the ledger. */

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

const PRICE: CallInput<'prices.set'>['price'] = {
  kind: 'image',
  model: 'picture-1',
  readings: [{ unit: 'image', nano: 40_000_000 }],
};
const CLIP_PRICE: typeof PRICE = {
  kind: 'video',
  model: 'clip-1',
  readings: [{ unit: 'second', nano: 100_000_000 }],
};

async function studioAt(server: FamilyServer, protocols: Protocols, clock: TestClock): Promise<TestStudio> {
  const studio = await openStudio({ ports: { clock } });
  open.push(studio);
  const models = [
    { id: 'clip-1', kind: 'video' as const },
    { id: 'picture-1', kind: 'image' as const },
  ];
  await studio.ask('profiles.save', { id: 'relay', baseUrl: server.url, protocols, models });
  await studio.ask('profiles.setKey', { id: 'relay', apiKey: 'sk-relay-0123456789' });
  await studio.ask('profiles.activate', { id: 'relay' });
  for (const price of [PRICE, CLIP_PRICE]) await studio.ask('prices.set', { profileId: 'relay', price });
  return studio;
}

async function served(options: FamilyServerOptions, protocols: Protocols) {
  const server = await familyServer(options);
  open.push(server);
  const clock = new TestClock();
  const studio = await studioAt(server, protocols, clock);
  const until = async (id: string, state: Job['state']): Promise<Job> => {
    const job = () => studio.ask('jobs.get', { id });
    // Files are read by a process of its own, which takes real time.
    const stateLater = async () => {
      await clock.advance(5_000);
      return (await job()).state;
    };
    await expect.poll(stateLater, { timeout: PATIENCE_MS, interval: 50 }).toBe(state);
    return job();
  };
  return { server, studio, until };
}

const CLIP: StudioRequest = { kind: 'video', model: 'clip-1', prompt: 'A boat', config: { durationSeconds: 4 } };
const PICTURE: StudioRequest = { kind: 'imagine', model: 'picture-1', prompt: 'A boat' };

test.each(['openaiVideos', 'relayVideos', 'openRouterVideos'])(
  'a clip in %s is made, kept and charged once',
  async (video) => {
    const { server, studio, until } = await served({ speaks: [video], clip: await clipOf({ seconds: 4 }) }, { video });
    const [id = ''] = await studio.enqueue(CLIP);
    const job = await until(id, 'succeeded');
    expect(job).toMatchObject({
      money: { chargedNano: 400_000_000, reservedNano: 0 },
      outputs: [{ state: 'local' }],
    });
    expect(server.bill).toHaveLength(1);
  },
);

test.each(['openaiImages', 'chatImages'])('a picture in %s is kept and charged once', async (image) => {
  const { server, studio, until } = await served({ speaks: [image], picture: testPng(8, 8) }, { image });
  const [id = ''] = await studio.enqueue(PICTURE);
  const job = await until(id, 'succeeded');
  expect(job).toMatchObject({
    money: { chargedNano: 40_000_000, reservedNano: 0 },
    outputs: [{ state: 'local' }],
  });
  expect(server.bill).toHaveLength(1);
});

test('of pictures that were ordered and did not come it is unknown whether they are billed', async () => {
  const { studio, until } = await served(
    { speaks: ['openaiImages'], picture: testPng(8, 8) },
    { image: 'openaiImages' },
  );
  const [id = ''] = await studio.enqueue({ ...PICTURE, n: 3 } as StudioRequest);
  const job = await until(id, 'succeeded');
  expect(job.money).toMatchObject({ chargedNano: 40_000_000, uncertainNano: 80_000_000 });
});

test('a lost reply leaves a picture unconfirmed, and it is not sent again', async () => {
  const instead: FamilyServerOptions['instead'] = ({ method }) => (method === 'POST' ? HANG_UP : undefined);
  const { server, studio, until } = await served({ speaks: ['openaiImages'], instead }, { image: 'openaiImages' });
  const [id = ''] = await studio.enqueue(PICTURE);
  const job = await until(id, 'uncertain');
  expect(job).toMatchObject({ money: { chargedNano: 0, uncertainNano: 40_000_000 } });
  expect(server.bill).toHaveLength(1);
});

test.each([
  ['lastFrame', 'openaiVideos', 'OpenAI videos has no last frame.'],
  ['referenceImages', 'relayVideos', 'Relay videos has no references.'],
] as const)('%s in %s is a reason before anything is sent', async (field, video, rule) => {
  const { server, studio } = await served({ speaks: [video] }, { video });
  const { id: assetId } = await studio.upload('frame.png', testPng(16, 9), { role: 'source' });
  const frame = { assetId };
  const pictures = field === 'lastFrame' ? { image: frame, lastFrame: frame } : { referenceImages: [frame] };
  const refused = await studio.call('jobs.enqueue', { requests: [{ ...CLIP, ...pictures } as StudioRequest] });
  expect(refused).toMatchObject({ ok: false, error: { code: 'invalid_input', message: `${field}: ${rule}` } });
  expect(server.bill).toEqual([]);
});

test('a length is judged by the format, and by what the model is known to make', async () => {
  const { studio } = await served({ speaks: ['openaiVideos'] }, { video: 'openaiVideos' });
  const with12 = { ...CLIP, config: { durationSeconds: 12 } } as StudioRequest;
  expect(await studio.call('jobs.enqueue', { requests: [with12] })).toMatchObject({ ok: true });
  const with6 = { ...CLIP, config: { durationSeconds: 6 } } as StudioRequest;
  expect(await studio.call('jobs.enqueue', { requests: [with6] })).toMatchObject({
    ok: false,
    error: { data: { field: 'config.durationSeconds' } },
  });
});

/** White at the left, black at the right. */
const LEFT_HALF = new Uint8Array(16).map((_, at) => (at % 4 < 2 ? 255 : 0));

test('a picture that was not made there is edited by a mask whose white is transparent', async () => {
  const { server, studio, until } = await served({ speaks: ['openaiImages'] }, { image: 'openaiImages' });
  const base = await studio.upload('quay.png', testPng(4, 4), { role: 'source' });
  const mask = await studio.upload('mask.png', encode({ width: 4, height: 4, channels: 1, data: LEFT_HALF }));
  const edit = {
    kind: 'edit',
    model: 'picture-1',
    prompt: 'A kite',
    base: { assetId: base.id },
    mask: { assetId: mask.id },
  };
  const [id = ''] = await studio.enqueue(edit as StudioRequest);
  await until(id, 'succeeded');
  expect(server.bill).toHaveLength(1);
  expect(server.bill[0]?.path).toBe('/v1/images/edits');
  const sent = server.requests.findLast(({ path }) => path === '/v1/images/edits')?.bytes ?? Buffer.alloc(0);
  const from = sent.lastIndexOf('\x89PNG', undefined, 'latin1');
  const { data, channels } = decode(sent.subarray(from, sent.indexOf('IEND', from, 'latin1') + 8));
  const alphas = Array.from({ length: 16 }, (_, at) => data[at * channels + channels - 1]);
  expect([channels, ...alphas]).toEqual([4, ...[...LEFT_HALF].map((white) => 255 - white)]);
});
