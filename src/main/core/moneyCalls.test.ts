import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { memoryKeys } from '../../../test/helpers/testPorts.ts';
import { studiosOfThisFile } from '../../../test/helpers/testStudios.ts';
import { quantityOf, type StudioRequest } from '../../shared/kinds/index.ts';
import type { Estimate, ShownPrice } from '../../shared/ledger.ts';
import type { Studio } from './createStudio.ts';

/** The calls about money as a page or a tool makes them: which side they mean, and what they say of an unknown price. */

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await new Promise((done) => server.close(done));
});
const openStudio = studiosOfThisFile();

async function open(): Promise<Studio> {
  const ports = { freeBytes: () => 1e12, keys: memoryKeys({ real: 'sk-0123456789abcdef' }) };
  const { studio, ask } = await openStudio({ ports });
  await ask('profiles.save', { id: 'real', name: 'Real', baseUrl: 'http://127.0.0.1:9' });
  await ask('queue.pause');
  return studio;
}

async function asked<T>(studio: Studio, name: string, input: object = {}): Promise<T> {
  const answer = await studio.call(name, input);
  if (!answer.ok) throw new Error(`${name}: ${answer.error.message}`);
  return answer.data as T;
}

const image = { kind: 'imagine', prompt: 'a lamp' };
const chat = { kind: 'chat', model: 'language', messages: [{ role: 'user', content: 'hello' }] };

test('without a word of it, sums and budgets are those of the side of the active profile', async () => {
  const studio = await open();
  await asked(studio, 'jobs.enqueue', { requests: [chat, image] });
  await asked(studio, 'budgets.set', { scope: 'day', hardNano: 5e9 });
  const totals = (input: object = {}) =>
    asked<{ play: boolean; sum: { reservedNano: number } }>(studio, 'ledger.totals', { groupBy: 'day', ...input });
  const toy = await totals();
  expect(toy).toMatchObject({ play: true, sum: { unpriced: 0 } });
  expect(toy.sum.reservedNano).toBeGreaterThan(50_000_000);
  expect(await totals({ play: false })).toMatchObject({ play: false, rows: [], sum: { reservedNano: 0 } });
  expect(await asked(studio, 'budgets.list', { play: false })).toEqual({ budgets: [] });

  await asked(studio, 'profiles.activate', { id: 'real' });
  expect(await totals()).toMatchObject({ play: false, sum: { reservedNano: 0 } });
  expect(await totals({ play: true })).toEqual(toy);
  expect(await asked(studio, 'budgets.list')).toEqual({ budgets: [] });
  const set = await asked(studio, 'budgets.set', { scope: 'day', play: true, softNano: 2e9 });
  expect(set).toMatchObject({ budgets: [{ play: true, hardNano: 5e9, softNano: 2e9, used: toy.sum }] });
  const { jobs } = await asked<{ jobs: { id: string }[] }>(studio, 'jobs.enqueue', { requests: [chat] });
  const entries = (input: object) =>
    asked<{ entries: unknown[] }>(studio, 'ledger.entries', input).then((page) => page.entries.length);
  expect(await entries({})).toBe(1);
  expect(await entries({ play: true })).toBe(2);
  expect(await entries({ profileIds: ['sandbox'] })).toBe(0);
  await asked(studio, 'profiles.activate', { id: 'sandbox' });
  expect(await entries({ jobId: jobs[0]?.id })).toBe(1);
});

test('an unknown price is named for each item and counted beside the sum, never added as nothing', async () => {
  const studio = await open();
  const estimate = (profileId: string) =>
    asked<{ items: Estimate[]; estimateNano: number; unpriced: number; settled: boolean }>(studio, 'ledger.estimate', {
      requests: [image, chat, image],
      profileId,
    });
  const toy = await estimate('sandbox');
  expect(toy).toMatchObject({ unpriced: 0, items: [{ nano: 50_000_000 }, {}, { nano: 50_000_000 }] });
  const real = await estimate('real');
  expect(real).toMatchObject({ unpriced: 2, settled: false });
  expect(real.items.map(({ unpriced }) => unpriced)).toEqual([true, undefined, true]);
  expect(real.estimateNano).toBe(real.items[1]?.nano);
  const { prices } = await asked<{ prices: { kind: string }[] }>(studio, 'prices.list', { profileId: 'real' });
  expect(prices.some(({ kind }) => kind === 'image')).toBe(false);
});

test('a quantity has the price that requests of it have, for every kind', async () => {
  const studio = await open();
  const mask = { assetId: 'a' };
  const clip = { kind: 'video', model: 'video-pro', prompt: 'x', config: { durationSeconds: 6, sampleCount: 3 } };
  const edit = { kind: 'edit', base: mask, mask };
  const requests = [chat, clip, image, edit] as StudioRequest[];
  const quantities = requests.map((request) => ({
    kind: request.kind,
    ...('model' in request ? { model: request.model } : {}),
    quantity: quantityOf(request, 4_096),
  }));
  for (const profileId of ['sandbox', 'real']) {
    const priced = await asked(studio, 'ledger.estimate', { requests, profileId });
    expect(await asked(studio, 'ledger.estimate', { quantities, profileId })).toEqual(priced);
  }
  const clips = { kind: 'video', model: 'video-standard', quantity: { seconds: 8, videos: 1 } };
  expect(await asked(studio, 'ledger.estimate', { quantities: [clips] })).toMatchObject({
    estimateNano: 3_200_000_000,
    lowNano: 400_000_000,
  });
});

test.each([
  [{}, 'requests: are needed where neither quantities nor a jobId are given, and only there'],
  [{ requests: [image], quantities: [{ kind: 'imagine', quantity: { images: 1 } }] }, /^requests: are needed/],
  [{ quantities: [{ kind: 'sound', quantity: {} }] }, /^quantities\.0\.kind: must be 'chat'/],
  [{ quantities: [{ kind: 'video', model: 'm', quantity: { videos: 1 } }] }, /^quantities\.0\.quantity\.seconds: /],
  [
    { quantities: [{ kind: 'chat', model: 'm', quantity: { inputTokens: 9 } }] },
    /^quantities\.0\.quantity\.outputTokens: /,
  ],
  [
    { quantities: [{ kind: 'imagine', quantity: { images: -1 } }] },
    'quantities.0.quantity.images: must not be negative',
  ],
  [
    { quantities: [{ kind: 'edit', quantity: { images: 1, videos: 1 } }] },
    /^quantities\.0\.quantity\.videos: there is no/,
  ],
  [{ quantities: [{ kind: 'video', quantity: { seconds: 4, videos: 1 } }] }, 'quantities.0.model: must be a model id'],
  [
    { quantities: [{ kind: 'imagine', model: 'm', quantity: { images: 1 } }] },
    /^quantities\.0\.model: there is no such/,
  ],
])('an estimate of %j is refused with the field and its rule', async (input, sentence) => {
  const studio = await open();
  const answer = await studio.call('ledger.estimate', input);
  expect(answer.ok ? '' : answer.error.message).toMatch(sentence);
});

test('waiting jobs are priced when a price is set, and blocked until then if a hard cap applies', async () => {
  const studio = await open();
  await asked(studio, 'profiles.activate', { id: 'real' });
  await asked(studio, 'budgets.set', { scope: 'month', hardNano: 5e9 });
  const { jobs } = await asked<{ jobs: { id: string }[] }>(studio, 'jobs.enqueue', { requests: [image, image] });
  const [first, second] = jobs.map(({ id }) => ({ id }));
  const job = (which: object | undefined) => asked<object>(studio, 'jobs.get', which);
  expect(await job(first)).toMatchObject({ state: 'blocked', reason: 'budget', money: { unpriced: true } });
  expect(await asked(studio, 'jobs.allowUnpriced', first)).toMatchObject({ reason: 'paused' });
  const readings = [{ unit: 'image', nano: 7_000_000 }];
  await asked(studio, 'prices.set', { price: { kind: 'image', model: '*', readings } });
  for (const one of [first, second])
    expect(await job(one)).toMatchObject({
      reason: 'paused',
      money: { estimateNano: 7_000_000, reservedNano: 7_000_000 },
    });
  expect(await asked(studio, 'ledger.totals', { groupBy: 'kind' })).toMatchObject({
    sum: { reservedNano: 14_000_000, unpriced: 0 },
  });
});

test('a request whose shown price is not the book’s is refused in every call, and nothing is written', async () => {
  const studio = await open();
  await asked(studio, 'profiles.activate', { id: 'real' });
  const setPrice = (nano: number) =>
    asked(studio, 'prices.set', { price: { kind: 'image', model: '*', readings: [{ unit: 'image', nano }] } });
  const shownOf = async (input: object) => {
    const { estimateNano, lowNano, unpriced } = await asked<ShownPrice>(studio, 'ledger.estimate', input);
    return { estimateNano, lowNano, unpriced };
  };
  const unknown = await shownOf({ requests: [image] });
  expect(unknown).toEqual({ estimateNano: 0, lowNano: 0, unpriced: 1 });
  await setPrice(7_000_000);
  const old = await shownOf({ requests: [image] });
  const order = (shown: object) => studio.call('jobs.enqueue', { requests: [image], shown });
  expect(await order(unknown)).toMatchObject({ ok: false, error: { code: 'conflict' } });
  const first = await order(old);
  const id = (first.ok ? (first.data as { jobs: { id: string }[] }).jobs[0]?.id : undefined) ?? '';
  await asked(studio, 'jobs.cancel', { id });
  expect(await shownOf({ jobId: id })).toEqual(old);
  await setPrice(9_000_000);
  const message = 'The price is $0.0090 by now; $0.0070 was shown.';
  const refused = {
    ok: false,
    error: { code: 'conflict', message, data: { field: 'shown', estimateNano: 9_000_000 } },
  };
  expect(await order(old)).toMatchObject(refused);
  expect(await studio.call('jobs.retry', { id, shown: old })).toMatchObject(refused);
  const { total } = await asked<{ total: number }>(studio, 'jobs.list', {});
  expect(total).toBe(1);
  expect(await studio.call('jobs.retry', { id, shown: await shownOf({ jobId: id }) })).toMatchObject({ ok: true });
});

test('a chat and a take are refused at an old price as well, and nothing of them is written', async () => {
  const studio = await open();
  const { id: projectId } = await asked<{ id: string }>(studio, 'projects.create', { name: 'Film' });
  const shots = [{ id: 'one', prompt: 'A quay', model: 'video-standard', config: { durationSeconds: 4 } }];
  await asked(studio, 'storyboard.save', { projectId, revision: 0, shots });
  const { conversationId } = await asked<{ conversationId: string }>(studio, 'chat.create', {});
  const shown = { estimateNano: 1, lowNano: 1 };
  const conflict = { ok: false, error: { code: 'conflict' } };
  const take = (price?: object) => studio.call('storyboard.makeTake', { projectId, shotId: 'one', shown: price });
  const say = (price?: object) =>
    studio.call('chat.send', { conversationId, text: 'Hello', model: 'language', shown: price });
  expect(await take(shown)).toMatchObject(conflict);
  expect(await say(shown)).toMatchObject(conflict);
  expect(await asked(studio, 'jobs.list', {})).toMatchObject({ total: 0 });
  expect(await asked(studio, 'chat.get', { conversationId })).toMatchObject({ messages: [] });
  const hello = { kind: 'chat', model: 'language', messages: [{ role: 'user', content: 'Hello' }] };
  const { estimateNano, lowNano } = await asked<ShownPrice>(studio, 'ledger.estimate', { requests: [hello] });
  expect(await say({ estimateNano, lowNano })).toMatchObject({ ok: true });
  expect(await take()).toMatchObject({ ok: true });
});

test('a waiting job is released at the price that was shown, alone and in a night, or stays waiting', async () => {
  const studio = await open();
  await asked(studio, 'profiles.activate', { id: 'real' });
  await asked(studio, 'budgets.set', { scope: 'month', hardNano: 5e9 });
  const { jobs } = await asked<{ jobs: { id: string }[] }>(studio, 'jobs.enqueue', { requests: [image, image] });
  const ids = jobs.map(({ id }) => id);
  const id = ids[0] ?? '';
  const conflict = { ok: false, error: { code: 'conflict', data: { field: 'shown' } } };
  const unknown = { estimateNano: 0, lowNano: 0, unpriced: 1 };
  const allow = (shown: object) => studio.call('jobs.allowUnpriced', { id, shown });
  expect(await allow({ ...unknown, unpriced: 0 })).toMatchObject(conflict);
  expect(await asked(studio, 'jobs.get', { id })).not.toHaveProperty('money.unpricedAllowed');
  const readings = [{ unit: 'image', nano: 7_000_000 }];
  await asked(studio, 'prices.set', { price: { kind: 'image', model: '*', readings } });
  expect(await allow(unknown)).toMatchObject(conflict);

  await asked(studio, 'night.plan', { start: '23:00', end: '06:00', capNano: 5e9 });
  const both = { estimateNano: 14_000_000, lowNano: 14_000_000 };
  const assign = (night: boolean, shown: object) => studio.call('night.assign', { ids: [...ids, id], night, shown });
  const runs = async () =>
    (await asked<{ jobs: { runId?: string }[] }>(studio, 'jobs.list', {})).jobs.map(({ runId }) => runId !== undefined);
  expect(await assign(true, { estimateNano: 7_000_000, lowNano: 7_000_000 })).toMatchObject(conflict);
  expect(await runs()).toEqual([false, false]);
  expect(await assign(true, both)).toMatchObject({ ok: true });
  expect(await assign(false, { ...both, unpriced: 1 })).toMatchObject(conflict);
  expect(await runs()).toEqual([true, true]);
  expect(await assign(false, both)).toMatchObject({ ok: true });
  expect(await runs()).toEqual([false, false]);
});

test('a request in doubt is sent again at the price that was shown, or stays in doubt', async () => {
  const studio = await open();
  let orders = 0;
  const server = createServer((request) => {
    orders += 1;
    request.socket.destroy();
  });
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await asked(studio, 'profiles.save', { id: 'real', name: 'Real', baseUrl });
  await asked(studio, 'profiles.setKey', { id: 'real', apiKey: 'sk-0123456789abcdef' });
  await asked(studio, 'profiles.activate', { id: 'real' });
  const setPrice = (nano: number) =>
    asked(studio, 'prices.set', { price: { kind: 'image', model: '*', readings: [{ unit: 'image', nano }] } });
  const uncertain = () =>
    new Promise<string>((resolve) => {
      const stop = studio.subscribe((event) => {
        if (event.type !== 'job.changed' || event.job.state !== 'uncertain') return;
        stop();
        resolve(event.job.id);
      });
    });
  await setPrice(7_000_000);
  const lost = uncertain();
  await asked(studio, 'jobs.enqueue', { requests: [image] });
  await asked(studio, 'queue.resume');
  const id = await lost;
  await setPrice(9_000_000);
  const resend = (nano: number) =>
    studio.call('jobs.resolve', { id, as: 'resend', shown: { estimateNano: nano, lowNano: nano } });
  expect(await resend(7_000_000)).toMatchObject({ ok: false, error: { code: 'conflict' } });
  expect(await asked(studio, 'jobs.get', { id })).toMatchObject({ state: 'uncertain', attempts: [{}] });
  expect(orders).toBe(1);
  const again = uncertain();
  expect(await resend(9_000_000)).toMatchObject({ ok: true });
  expect(await again).toBe(id);
  expect(orders).toBe(2);
});
