import { describe, expect, it } from 'vitest';
import { memorySettings, tempDir } from '../../../test/helpers/testPorts.ts';
import { studiosOfThisFile } from '../../../test/helpers/testStudios.ts';
import { activateService, serviceKeys, servicesOfThisFile } from '../../../test/helpers/wireServices.ts';
import { MAX_PRICES, type Price } from '../../shared/price.ts';
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

async function withService(list: () => object = () => listing) {
  const { baseUrl } = await startService(() => ({ body: list() }));
  const studio = await openStudio({ ports: { keys: serviceKeys() } });
  await activateService(studio, baseUrl);
  return { ...studio, host: new URL(baseUrl).host };
}

const entry = (prices: readonly Price[], model: string, kind = 'video') =>
  prices.find((price) => price.model === model && price.kind === kind);

describe('a list', () => {
  it('is shown beside the book first: the current price, the new one, and what was refused', async () => {
    const { ask, host } = await withService();
    await ask('prices.set', {
      price: { kind: 'video', model: 'video-pro', readings: [{ unit: 'video', nano: 2e9 }], settledReading: 0 },
    });
    const preview = await ask('prices.preview', {});
    expect(preview.from).toBe(`${host}/v1/models`);
    expect(preview.refused).toEqual([{ model: 'odd', why: 'price_per_frame has a unit that is not known' }]);
    const shown = preview.changes.map(({ listed, change, yours, used }) => [listed, change, yours, used]);
    expect(shown).toEqual([
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
    const mine: Price = {
      kind: 'video',
      model: 'video-pro',
      readings: [{ unit: 'video', nano: 2e9 }],
      settledReading: 0,
      source: 'set by you',
    };
    await ask('prices.set', { price: mine });
    const { id } = await ask('prices.preview', {});
    const chosen = [
      { kind: 'video' as const, listed: 'video-standard' },
      { kind: 'image' as const, listed: 'mj_fast' },
      { kind: 'image' as const, listed: 'mj_turbo' },
    ];
    const { prices } = await ask('prices.import', { previewId: id, chosen });
    const source = `imported from ${host}/v1/models on ${dayOf(Date.UTC(2026, 10, 21, 12))}`;
    expect(entry(prices, 'video-pro')).toEqual(mine);
    expect(entry(prices, 'video-standard')).toEqual({
      kind: 'video',
      model: 'video-standard',
      readings: [{ unit: 'second', nano: 5e8 }],
      settledReading: null,
      source,
    });
    expect(entry(prices, '*', 'image')).toMatchObject({ readings: [{ nano: 5e7 }, { nano: 1e8 }], source });
    const estimate = await ask('ledger.estimate', { requests: [{ kind: 'imagine', prompt: 'x' }] });
    expect(estimate).toMatchObject({ estimateNano: 1e8, lowNano: 5e7, settled: false });
  });

  it('is imported as it was shown, not as the service publishes it by then', async () => {
    let dollars = '0.5';
    const { ask, call } = await withService(() => ({
      data: [{ id: 'video-standard', type: 'video', price_per_second: dollars }],
    }));
    const { id } = await ask('prices.preview', {});
    dollars = '50';
    const chosen = [{ kind: 'video' as const, listed: 'video-standard' }];
    const { prices } = await ask('prices.import', { previewId: id, chosen });
    expect(entry(prices, 'video-standard')?.readings).toEqual([{ unit: 'second', nano: 5e8 }]);
    await ask('prices.preview', {});
    expect(await call('prices.import', { previewId: id, chosen })).toMatchObject({ error: { code: 'conflict' } });
  });

  it('has only what it has', async () => {
    const { ask, call } = await withService();
    const { id } = await ask('prices.preview', {});
    const chosen = [{ kind: 'video' as const, listed: 'nothing' }];
    expect(await call('prices.import', { previewId: id, chosen })).toMatchObject({
      error: { message: 'chosen: nothing is not in the list.', data: { field: 'chosen' } },
    });
    expect(await call('prices.import', { previewId: 'other', chosen })).toMatchObject({ error: { code: 'conflict' } });
  });

  it('makes no book of more entries than one may have, nor does a single price', async () => {
    const settings = memorySettings();
    const { baseUrl } = await startService(() => ({ body: listing }));
    const { ask, call } = await openStudio({ ports: { keys: serviceKeys(), settings } });
    const priced = (model: string, nano = 1): Price => ({
      ...{ kind: 'video', model, readings: [{ unit: 'video', nano }], settledReading: 0, source: 'set by you' },
    });
    const more = Array.from({ length: MAX_PRICES - 1 }, (_, n) => priced(`m${n}`));
    await activateService({ ask }, baseUrl, { prices: [priced('video-standard'), ...more] });
    const refused = {
      error: {
        code: 'invalid_input',
        message: 'price: the price book holds at most 500 entries. Nothing was changed.',
      },
    };
    expect(await call('prices.set', { price: priced('one more') })).toMatchObject(refused);
    const { id } = await ask('prices.preview', {});
    const imported = (listed: string) =>
      call('prices.import', { previewId: id, chosen: [{ kind: 'video' as const, listed }] });
    expect(await imported('video-pro')).toMatchObject(refused);
    // What is there already takes no more room.
    expect(await call('prices.set', { price: priced('m1', 2) })).toMatchObject({ ok: true });
    expect(await imported('video-standard')).toMatchObject({ ok: true });
    const others = Array.from({ length: MAX_PRICES }, (_, n) => priced(`other${n}`));
    await ask('profiles.save', { id: 'p', prices: others });
    const next = await openStudio({ ports: { keys: serviceKeys(), settings } });
    const { profiles } = await next.ask('profiles.list', {});
    expect(profiles.find(({ id: own }) => own === 'p')?.prices).toEqual(others);
  });

  it('reports the waiting jobs whose cost changes', async () => {
    const { ask, events } = await withService();
    await ask('queue.pause', {});
    await ask('jobs.enqueue', {
      requests: [{ kind: 'video', model: 'video-standard', prompt: 'x', config: { durationSeconds: 4 } }],
    });
    const { id } = await ask('prices.preview', {});
    await ask('prices.import', { previewId: id, chosen: [{ kind: 'video', listed: 'video-standard' }] });
    const notice = 'One waiting job may now cost $2.00 instead of $1.60: the price was changed.';
    expect(events).toContainEqual({ type: 'notice', level: 'info', text: notice });
    expect(await ask('ledger.totals', { groupBy: 'kind' })).toMatchObject({ sum: { reservedNano: 2e9 } });
  });

  it('may be missing, which is reported', async () => {
    const { call } = await withService(() => ({ data: [{ id: 'language' }] }));
    expect(await call('prices.preview', {})).toMatchObject({ ok: false, error: { code: 'not_found' } });
    expect(await call('prices.preview', { profileId: 'sandbox' })).toMatchObject({
      ok: false,
      error: { code: 'unreachable' },
    });
    expect(await call('prices.preview', { profileId: 'nobody' })).toMatchObject({
      ok: false,
      error: { code: 'not_found' },
    });
  });
});

describe('prices that come with a profile', () => {
  const mine: Price = {
    kind: 'video',
    model: 'video-standard',
    readings: [{ unit: 'video', nano: 3e9 }],
    settledReading: 0,
    source: 'set by you',
  };

  it('change as if they were set one by one: what waits is estimated again', async () => {
    const { ask } = await withService();
    await ask('queue.pause', {});
    await ask('jobs.enqueue', {
      requests: [{ kind: 'video', model: 'video-standard', prompt: 'x', config: { durationSeconds: 4 } }],
    });
    const { profiles } = await ask('profiles.list', {});
    const { baseUrl = '' } = profiles.find(({ id }) => id === 'p') ?? {};
    const saved = await ask('profiles.save', { id: 'p', baseUrl, prices: [mine] });
    expect(saved.prices).toEqual([mine]);
    expect(await ask('ledger.totals', { groupBy: 'kind' })).toMatchObject({ sum: { reservedNano: 3e9 } });
    await ask('profiles.save', { id: 'p', baseUrl, prices: [] });
    expect(await ask('ledger.totals', { groupBy: 'kind' })).toMatchObject({ sum: { reservedNano: 1.6e9 } });
  });

  it('stay where a profile is saved without them', async () => {
    const { ask } = await openStudio();
    await ask('profiles.save', { id: 'q', baseUrl: 'http://127.0.0.1:9', prices: [mine] });
    expect((await ask('profiles.save', { id: 'q', baseUrl: 'http://127.0.0.1:9', name: 'Q' })).prices).toEqual([mine]);
  });

  it('are refused where the settled reading is none', async () => {
    const { call } = await openStudio();
    const broken = { ...mine, settledReading: 2 };
    expect(await call('profiles.save', { id: 'q', baseUrl: 'http://127.0.0.1:9', prices: [broken] })).toMatchObject({
      ok: false,
      error: { data: { field: 'price.settledReading' } },
    });
  });
});

it('a waiting chat is estimated anew when its gateway has another limit of output', async () => {
  const { ask, call } = await withService();
  await ask('queue.pause', {});
  const request = { kind: 'chat' as const, model: 'language', messages: [{ role: 'user' as const, content: 'x' }] };
  const { jobs } = await ask('jobs.enqueue', { requests: [request] });
  const id = jobs[0]?.id ?? '';
  const estimated = async () => (await ask('jobs.get', { id })).money;
  const before = await estimated();
  await ask('profiles.save', { id: 'p', limits: { outputTokens: 64_000 } });
  const { estimateNano } = await ask('ledger.estimate', { requests: [request] });
  expect(estimateNano).toBeGreaterThan(before.estimateNano);
  expect(await estimated()).toMatchObject({ estimateNano, reservedNano: estimateNano });
  await ask('profiles.save', { id: 'p', limits: { outputTokens: 4_096 } });
  expect(await estimated()).toEqual(before);
  const dear: Price = {
    ...{ kind: 'chat', model: 'language', settledReading: 0, source: 'set by you' },
    readings: [{ unit: 'token', inputNano: 1, outputNano: 1e10 }],
  };
  await ask('prices.set', { price: dear });
  expect(await call('profiles.save', { id: 'p', limits: { outputTokens: 1_000_000 } })).toMatchObject({
    ok: false,
    error: { code: 'too_large', data: { field: 'limits.outputTokens' } },
  });
});

it('the balance of an account is shown if its service publishes it, and is null otherwise', async () => {
  const { ask, call } = await withService(() => ({ data: { total_credits: 2, total_usage: 0.5 } }));
  expect(await ask('profiles.balance', { id: 'p' })).toMatchObject({ balanceNano: 1_500_000_000 });
  expect(await ask('profiles.balance', { id: 'sandbox' })).toMatchObject({ balanceNano: null });
  expect(await call('profiles.balance', { id: 'nobody' })).toMatchObject({ ok: false });
});

it('a price whose settings could not be written is there after the next start', async () => {
  const dataDir = tempDir('prices-mended');
  const settings = memorySettings();
  let full = false;
  const write: typeof settings.write = (name, value) => {
    if (full) throw new Error('ENOSPC');
    settings.write(name, value);
  };
  const first = await openStudio({ ports: { settings: { read: settings.read, write } }, dataDir });
  const price: Price = {
    kind: 'video',
    model: 'video-pro',
    readings: [{ unit: 'video', nano: 2e9 }],
    settledReading: 0,
    source: 'set by you',
  };
  full = true;
  expect(await first.call('prices.set', { price })).toMatchObject({ ok: true });
  await first.close();
  const stillFull = await openStudio({ ports: { settings: { read: settings.read, write } }, dataDir });
  await stillFull.close();
  full = false;
  const second = await openStudio({ ports: { settings }, dataDir });
  expect(entry((await second.ask('prices.list', {})).prices, 'video-pro')).toEqual(price);
});
