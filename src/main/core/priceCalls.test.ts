import { describe, expect, it } from 'vitest';
import { memorySettings } from '../../../test/helpers/testPorts.ts';
import { studiosOfThisFile } from '../../../test/helpers/testStudios.ts';
import { activateService, serviceKeys, servicesOfThisFile } from '../../../test/helpers/wireServices.ts';
import type { StudioRequest } from '../../shared/kinds/index.ts';
import { MAX_PRICES, type Price } from '../../shared/money/price.ts';
import { dayOf } from './ledger/index.ts';

/** The price book through the contract: a service's published prices, previewed and imported. */

const openStudio = studiosOfThisFile();
const startService = servicesOfThisFile();

const listing = {
  data: [
    { id: 'video-standard', type: 'video', price_per_second: '0.5' },
    { id: 'video-pro', type: 'video', price_per_video: '1.5' },
    { id: 'language', pricing: { prompt: '0.00000022', completion: '0.00000035' } },
    { id: 'another', pricing: { prompt: '0.000001', completion: '0.000002' } },
    { id: 'mj_fast', type: 'image', price_per_image: 0.05 },
    { id: 'mj_turbo', type: 'image', price_per_image: 0.1 },
    { id: 'odd', type: 'video', price_per_frame: 1 },
  ],
};
const aClip = { kind: 'video', model: 'video-standard', prompt: 'x', config: { durationSeconds: 4 } } as const;
const perVideo = (model: string, nano: number): Price => ({
  ...{ kind: 'video', model, readings: [{ unit: 'video', nano }], settledReading: 0, source: 'set by you' },
});
const listed = (...names: string[]) =>
  names.map((name) => ({ kind: name.startsWith('mj') ? ('image' as const) : ('video' as const), listed: name }));

async function withService(list: () => object = () => listing) {
  const { baseUrl } = await startService(() => ({ body: list() }));
  const studio = await openStudio({ ports: { keys: serviceKeys() } });
  await activateService(studio, baseUrl);
  const { ask } = studio;
  const reserved = async () => (await ask('ledger.totals', { groupBy: 'kind' })).sum.reservedNano;
  return { ...studio, reserved, baseUrl, host: new URL(baseUrl).host };
}

const entry = (prices: readonly Price[], model: string, kind = 'video') =>
  prices.find((price) => price.model === model && price.kind === kind);

describe('a list', () => {
  it('is shown beside the book first: the current price, the new one, and what was refused', async () => {
    const { ask, host } = await withService();
    await ask('prices.set', { price: perVideo('video-pro', 2e9) });
    const { from, refused, changes } = await ask('prices.preview', {});
    expect(from).toBe(`${host}/v1/models`);
    expect(refused).toEqual([{ model: 'odd', why: 'Unknown price unit: price_per_frame' }]);
    expect(changes.map((shown) => [shown.listed, shown.change, shown.yours, shown.used])).toEqual([
      ['language', 'cheaper', false, true],
      ['video-pro', 'cheaper', true, true],
      ['video-standard', 'dearer', false, true],
      ['mj_fast', 'new', false, false],
      ['mj_turbo', 'new', false, false],
      ['another', 'dearer', false, false],
    ]);
    const { prices } = await ask('prices.list', {});
    expect(prices.filter(({ source }) => source.startsWith('imported'))).toEqual([]);
  });

  it('gives what was chosen and nothing else, with its source; the others stay', async () => {
    const { ask, host } = await withService();
    const mine = perVideo('video-pro', 2e9);
    await ask('prices.set', { price: mine });
    const { id } = await ask('prices.preview', {});
    const chosen = listed('video-standard', 'mj_fast', 'mj_turbo');
    const { prices } = await ask('prices.import', { previewId: id, chosen });
    const source = `imported from ${host}/v1/models on ${dayOf(Date.UTC(2026, 10, 21, 12))}`;
    expect(entry(prices, 'video-pro')).toEqual(mine);
    const readings = [{ unit: 'second', nano: 5e8 }];
    const standard = { kind: 'video', model: 'video-standard', readings, settledReading: null, source };
    expect(entry(prices, 'video-standard')).toEqual(standard);
    expect(entry(prices, '*', 'image')).toMatchObject({ readings: [{ nano: 5e7 }, { nano: 1e8 }], source });
    const estimate = await ask('ledger.estimate', { requests: [{ kind: 'imagine', prompt: 'x' }] });
    expect(estimate).toMatchObject({ estimateNano: 1e8, lowNano: 5e7, settled: false });
  });

  it('is imported as it was shown, not as the gateway publishes it by then, and has only what it has', async () => {
    let dollars = '0.5';
    const { ask, call } = await withService(() => ({
      data: [{ id: 'video-standard', type: 'video', price_per_second: dollars }],
    }));
    const { id: previewId } = await ask('prices.preview', {});
    const nothing = { message: 'chosen: nothing is not in the list.', data: { field: 'chosen' } };
    expect(await call('prices.import', { previewId, chosen: listed('nothing') })).toMatchObject({ error: nothing });
    dollars = '50';
    const chosen = listed('video-standard');
    const { prices } = await ask('prices.import', { previewId, chosen });
    expect(entry(prices, 'video-standard')?.readings).toEqual([{ unit: 'second', nano: 5e8 }]);
    await ask('prices.preview', {});
    for (const gone of [previewId, 'other'])
      expect(await call('prices.import', { previewId: gone, chosen })).toMatchObject({ error: { code: 'conflict' } });
  });

  it('makes no book of more entries than one may have, nor does a single price', async () => {
    const settings = memorySettings();
    const { baseUrl } = await startService(() => ({ body: listing }));
    const { ask, call } = await openStudio({ ports: { keys: serviceKeys(), settings } });
    const many = (name: string, count: number) => Array.from({ length: count }, (_, n) => perVideo(`${name}${n}`, 1));
    await activateService({ ask }, baseUrl, { prices: [perVideo('video-standard', 1), ...many('m', MAX_PRICES - 1)] });
    const message = 'price: the price book holds at most 500 entries. Nothing was changed.';
    const refused = { error: { code: 'invalid_input', message } };
    expect(await call('prices.set', { price: perVideo('one more', 1) })).toMatchObject(refused);
    const { id } = await ask('prices.preview', {});
    const imported = (name: string) => call('prices.import', { previewId: id, chosen: listed(name) });
    expect(await imported('video-pro')).toMatchObject(refused);
    // What is there already takes no more room.
    expect(await call('prices.set', { price: perVideo('m1', 2) })).toMatchObject({ ok: true });
    expect(await imported('video-standard')).toMatchObject({ ok: true });
    const prices = many('other', MAX_PRICES);
    await ask('profiles.save', { id: 'p', prices });
    const next = await openStudio({ ports: { keys: serviceKeys(), settings } });
    const { profiles } = await next.ask('profiles.list', {});
    expect(profiles.find(({ id: own }) => own === 'p')?.prices).toEqual(prices);
  });

  it.each([
    ['of a gateway that has none', {}, 'not_found'],
    ['of one that cannot be reached', { profileId: 'sandbox' }, 'unreachable'],
    ['of nobody', { profileId: 'nobody' }, 'not_found'],
  ])('may be missing, which is reported: %s', async (_, input, code) => {
    const { call } = await withService(() => ({ data: [{ id: 'language' }] }));
    expect(await call('prices.preview', input)).toMatchObject({ ok: false, error: { code } });
  });
});

describe('prices that come with a profile', () => {
  const mine = perVideo('video-standard', 3e9);

  it('change as if they were set one by one: what waits is estimated again', async () => {
    const { ask, enqueue, reserved, baseUrl } = await withService();
    await ask('queue.pause');
    await enqueue(aClip);
    expect((await ask('profiles.save', { id: 'p', baseUrl, prices: [mine] })).prices).toEqual([mine]);
    expect(await reserved()).toBe(3e9);
    await ask('profiles.save', { id: 'p', baseUrl, prices: [] });
    expect(await reserved()).toBe(1.6e9);
  });

  it('stay where a profile is saved without them, and are refused where the settled reading is none', async () => {
    const { ask, call } = await openStudio();
    const own = { id: 'q', baseUrl: 'http://127.0.0.1:9' };
    await ask('profiles.save', { ...own, prices: [mine] });
    expect((await ask('profiles.save', { ...own, name: 'Q' })).prices).toEqual([mine]);
    const broken = await call('profiles.save', { ...own, prices: [{ ...mine, settledReading: 2 }] });
    expect(broken).toMatchObject({ ok: false, error: { data: { field: 'price.settledReading' } } });
  });
});

it('a waiting chat is estimated anew when its gateway has another limit of output', async () => {
  const { ask, call, enqueue } = await withService();
  await ask('queue.pause');
  const request: StudioRequest = { kind: 'chat', model: 'language', messages: [{ role: 'user', content: 'x' }] };
  const [id = ''] = await enqueue(request);
  const estimated = async () => (await ask('jobs.get', { id })).money;
  const limited = (outputTokens: number) => call('profiles.save', { id: 'p', limits: { outputTokens } });
  const before = await estimated();
  await limited(64_000);
  const { estimateNano } = await ask('ledger.estimate', { requests: [request] });
  expect(estimateNano).toBeGreaterThan(before.estimateNano);
  expect(await estimated()).toMatchObject({ estimateNano, reservedNano: estimateNano });
  await limited(4_096);
  expect(await estimated()).toEqual(before);
  const readings: Price['readings'] = [{ unit: 'token', inputNano: 1, outputNano: 1e10 }];
  await ask('prices.set', { price: { ...perVideo('language', 1), kind: 'chat', readings } });
  const tooLarge = { code: 'too_large', data: { field: 'limits.outputTokens' } };
  expect(await limited(1_000_000)).toMatchObject({ ok: false, error: tooLarge });
});

it('the balance of an account is shown if its gateway publishes it, and is null otherwise', async () => {
  const { ask, call } = await withService(() => ({ data: { total_credits: 2, total_usage: 0.5 } }));
  expect(await ask('profiles.balance', { id: 'p' })).toMatchObject({ balanceNano: 1_500_000_000 });
  expect(await ask('profiles.balance', { id: 'sandbox' })).toMatchObject({ balanceNano: null });
  expect(await call('profiles.balance', { id: 'nobody' })).toMatchObject({ ok: false });
});
