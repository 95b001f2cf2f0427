import { describe, expect, test } from 'vitest';
import { memoryKeys } from '../../../../test/helpers/testPorts.ts';
import { studiosOfThisFile } from '../../../../test/helpers/testStudios.ts';
import type { CallInput } from '../../../shared/contract/contract.ts';
import type { StudioRequest } from '../../../shared/kinds/index.ts';
import type { ShownPrice } from '../../../shared/money/ledger.ts';

/** The calls about money: which side they mean, and how they report an unset price. */

const openStudio = studiosOfThisFile();
const image = { kind: 'imagine', prompt: 'a lamp' } as const;
const chat: StudioRequest = { kind: 'chat', model: 'language', messages: [{ role: 'user', content: 'hello' }] };
const CONFLICT = { ok: false, error: { code: 'conflict' } };
const shownAt = (nano: number): ShownPrice => ({ estimateNano: nano, lowNano: nano, unpriced: 0 });

/** A studio whose queue is paused, with the sandbox or a real gateway active. */
async function open(active: 'sandbox' | 'real' = 'sandbox') {
  const ports = { freeBytes: () => 1e12, keys: memoryKeys({ real: 'sk-0123456789abcdef' }) };
  const program = await openStudio({ ports });
  const { ask } = program;
  await ask('profiles.save', { id: 'real', name: 'Real', baseUrl: 'http://127.0.0.1:9' });
  await ask('queue.pause');
  await ask('profiles.activate', { id: active });
  return {
    ...program,
    job: (id: string) => ask('jobs.get', { id }),
    setPrice: (nano: number) =>
      ask('prices.set', {
        price: {
          ...{ kind: 'image', model: '*', source: 'set by you', settledReading: 0 },
          readings: [{ unit: 'image', nano }],
        },
      }),
    shownOf: async (input: CallInput<'ledger.estimate'>): Promise<ShownPrice> => {
      const { estimateNano, lowNano, unpriced } = await ask('ledger.estimate', input);
      return { estimateNano, lowNano, unpriced };
    },
  };
}

test('without a word of it, sums and budgets are those of the side of the active profile', async () => {
  const { ask, enqueue } = await open();
  await enqueue(chat, image);
  await ask('budgets.set', { scope: 'day', hardNano: 5e9 });
  const totals = (input: object = {}) => ask('ledger.totals', { groupBy: 'day', ...input });
  const toy = await totals();
  expect(toy).toMatchObject({ play: true, sum: { unpriced: 0 } });
  expect(toy.sum.reservedNano).toBeGreaterThan(50_000_000);
  expect(await totals({ play: false })).toMatchObject({ play: false, rows: [], sum: { reservedNano: 0 } });
  expect(await ask('budgets.list', { play: false })).toEqual({ budgets: [] });

  await ask('profiles.activate', { id: 'real' });
  expect(await totals()).toMatchObject({ play: false, sum: { reservedNano: 0 } });
  expect(await totals({ play: true })).toEqual(toy);
  expect(await ask('budgets.list', {})).toEqual({ budgets: [] });
  const set = await ask('budgets.set', { scope: 'day', play: true, softNano: 2e9 });
  expect(set).toMatchObject({ budgets: [{ play: true, hardNano: 5e9, softNano: 2e9, used: toy.sum }] });
  const [jobId = ''] = await enqueue(chat);
  const entries = async (input: object) => (await ask('ledger.entries', input)).entries.length;
  expect([await entries({}), await entries({ play: true })]).toEqual([1, 2]);
  expect(await entries({ profileIds: ['sandbox'] })).toBe(0);
  await ask('profiles.activate', { id: 'sandbox' });
  expect(await entries({ jobId })).toBe(1);
});

test('an unknown price is named for each item and counted beside the sum, never added as nothing', async () => {
  const { ask } = await open();
  const requests = [image, chat, image] as StudioRequest[];
  const estimate = (profileId: string) => ask('ledger.estimate', { requests, profileId });
  const items = [{ nano: 50_000_000 }, {}, { nano: 50_000_000 }];
  expect(await estimate('sandbox')).toMatchObject({ unpriced: 0, items });
  const real = await estimate('real');
  expect(real).toMatchObject({ unpriced: 2, settled: false });
  expect(real.items.map(({ unpriced }) => unpriced)).toEqual([true, undefined, true]);
  expect(real.estimateNano).toBe(real.items[1]?.nano);
  const { prices } = await ask('prices.list', { profileId: 'real' });
  expect(prices.some(({ kind }) => kind === 'image')).toBe(false);
});

const ofQuantity = (...quantities: object[]) => ({ quantities });
test.each<[object, string | RegExp]>([
  [{}, 'requests: are needed where neither quantities nor a jobId are given, and only there'],
  [{ requests: [image], ...ofQuantity({ kind: 'imagine', quantity: { images: 1 } }) }, /^requests: are needed/],
  [ofQuantity({ kind: 'sound', quantity: {} }), /^quantities\.0\.kind: must be 'chat'/],
  [ofQuantity({ kind: 'video', model: 'm', quantity: { videos: 1 } }), /^quantities\.0\.quantity\.seconds: /],
  [ofQuantity({ kind: 'chat', model: 'm', quantity: { inputTokens: 9 } }), /^quantities\.0\.quantity\.outputTokens: /],
  [ofQuantity({ kind: 'imagine', quantity: { images: -1 } }), 'quantities.0.quantity.images: must be at least 0'],
  [ofQuantity({ kind: 'edit', quantity: { images: 1, videos: 1 } }), /^quantities\.0\.quantity\.videos: there is no/],
  [
    ofQuantity({ kind: 'video', quantity: { seconds: 4, videos: 1 } }),
    'quantities.0.model: is missing; it must be text',
  ],
])('an estimate of %j is refused with the field and its rule', async (input, sentence) => {
  const answer = await (await open()).studio.call('ledger.estimate', input);
  expect(answer.ok ? '' : answer.error.message).toMatch(sentence);
});

describe('a call that shows a price that is not the book’s is refused, and nothing is written', () => {
  test('a request and a job that is retried', async () => {
    const { ask, call, setPrice, shownOf } = await open('real');
    const unknown = await shownOf({ requests: [image] });
    expect(unknown).toEqual({ estimateNano: 0, lowNano: 0, unpriced: 1 });
    await setPrice(7_000_000);
    const old = await shownOf({ requests: [image] });
    const enqueueAt = (shown: ShownPrice) => call('jobs.enqueue', { requests: [image], shown });
    expect(await enqueueAt(unknown)).toMatchObject(CONFLICT);
    const first = await enqueueAt(old);
    const id = (first.ok ? first.data.jobs[0]?.id : undefined) ?? '';
    await ask('jobs.cancel', { id });
    expect(await shownOf({ jobId: id })).toEqual(old);
    await setPrice(9_000_000);
    const message = 'The price is $0.0090 by now; $0.0070 was shown.';
    const data = { field: 'shown', estimateNano: 9_000_000 };
    const refused = { ok: false, error: { code: 'conflict', message, data } };
    expect(await enqueueAt(old)).toMatchObject(refused);
    expect(await call('jobs.retry', { id, shown: old })).toMatchObject(refused);
    expect((await ask('jobs.list')).total).toBe(1);
    expect(await call('jobs.retry', { id, shown: await shownOf({ jobId: id }) })).toMatchObject({ ok: true });
  });

  test('a chat and a take', async () => {
    const { ask, studio, shownOf } = await open();
    const { id: projectId } = await ask('projects.create', { name: 'Film' });
    const shots = [{ id: 'one', prompt: 'A quay', model: 'video-standard', config: { durationSeconds: 4 as const } }];
    await ask('storyboard.save', { projectId, revision: 0, shots });
    const { conversationId } = await ask('chat.create', {});
    const take = (shown?: object) => studio.call('storyboard.makeTake', { projectId, shotId: 'one', shown });
    const say = (shown?: object) =>
      studio.call('chat.send', { conversationId, text: 'hello', model: 'language', shown });
    expect(await take(shownAt(1))).toMatchObject(CONFLICT);
    expect(await say(shownAt(1))).toMatchObject(CONFLICT);
    expect((await ask('jobs.list')).total).toBe(0);
    expect(await ask('chat.get', { conversationId })).toMatchObject({ messages: [] });
    const { estimateNano, lowNano } = await shownOf({ requests: [chat] });
    expect(await say({ estimateNano, lowNano })).toMatchObject({ ok: true });
    expect(await take()).toMatchObject({ ok: true });
  });

  test('a waiting job that is let go, alone and in a night', async () => {
    const { ask, call, enqueue, job, setPrice } = await open('real');
    await ask('budgets.set', { scope: 'month', hardNano: 5e9 });
    const ids = await enqueue(image, image);
    const [id = ''] = ids;
    const conflict = { ok: false, error: { code: 'conflict', data: { field: 'shown' } } };
    const allow = (unpriced: number) => call('jobs.allowUnpriced', { id, shown: { ...shownAt(0), unpriced } });
    expect(await allow(0)).toMatchObject(conflict);
    expect(await job(id)).not.toHaveProperty('money.unpricedAllowed');
    await setPrice(7_000_000);
    expect(await allow(1)).toMatchObject(conflict);

    await ask('night.plan', { start: '23:00', end: '06:00', capNano: 5e9 });
    const both = shownAt(14_000_000);
    const assign = (night: boolean, shown: ShownPrice) => call('night.assign', { ids: [...ids, id], night, shown });
    const inNight = async () => (await ask('jobs.list')).jobs.map(({ runId }) => runId !== undefined);
    expect(await assign(true, shownAt(7_000_000))).toMatchObject(conflict);
    expect(await inNight()).toEqual([false, false]);
    expect(await assign(true, both)).toMatchObject({ ok: true });
    expect(await assign(false, { ...both, unpriced: 1 })).toMatchObject(conflict);
    expect(await inNight()).toEqual([true, true]);
    expect(await assign(false, both)).toMatchObject({ ok: true });
    expect(await inNight()).toEqual([false, false]);
  });
});
