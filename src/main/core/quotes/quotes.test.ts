import { Readable } from 'node:stream';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { testPng } from '../../../../test/helpers/png.ts';
import { TestClock } from '../../../../test/helpers/testPorts.ts';
import { studiosOfThisFile } from '../../../../test/helpers/testStudios.ts';
import { DEFAULT_PRICES } from '../../../shared/money/price.ts';
import type { Quote } from '../../../shared/money/quote.ts';
import { databaseFile } from '../store/index.ts';

/** What a program outside asks for becomes that order at that price, once, by the user's approval; or nothing. */

const openStudio = studiosOfThisFile();
const HOUR = 3_600_000;
const NOW = new Date(2026, 10, 21, 12).getTime();
const VIDEO = { kind: 'video', model: 'video-standard', prompt: 'A quay', config: { durationSeconds: 4 } } as const;

async function start(request: object = VIDEO) {
  const clock = new TestClock(NOW);
  const studio = await openStudio({ ports: { clock } });
  await studio.ask('profiles.save', { id: 'gateway', name: 'Gateway', baseUrl: 'http://127.0.0.1:9' });
  await studio.ask('profiles.save', { id: 'gateway', prices: [...DEFAULT_PRICES] });
  await studio.ask('profiles.activate', { id: 'gateway' });
  await studio.ask('queue.pause', {});
  const quote = await studio.ask('quotes.create', { request: request as never, client: 'A program' });
  const jobs = async () => (await studio.ask('jobs.list', {})).jobs;
  return { ...studio, clock, quote, jobs };
}

const shownOf = ({ estimateNano, lowNano }: Quote) => ({ estimateNano, lowNano, unpriced: 0 });

/** Opened beside the studio. */
function changeRow(dataDir: string, statement: string, ...values: unknown[]): void {
  const db = new Database(databaseFile(dataDir));
  db.prepare(statement).run(...values);
  db.close();
}

test('asking makes and reserves nothing; approved, it is the request that was asked for, at its price and with its seed', async () => {
  const { ask, quote, jobs, events } = await start();
  expect(quote).toMatchObject({ state: 'open', asker: { client: 'A program' }, expiresAt: NOW + 24 * 3_600_000 });
  expect(quote.id).toMatch(/^[0-9a-f]{64}$/);
  expect(await jobs()).toEqual([]);
  expect((await ask('ledger.totals', { groupBy: 'kind' })).sum.reservedNano).toBe(0);
  const { job, quote: after } = await ask('quotes.approve', { id: quote.id, shown: shownOf(quote) });
  expect(job.request).toEqual(quote.request);
  expect(quote.request).toHaveProperty('config.seed');
  expect(job.money.estimateNano).toBe(quote.estimateNano);
  expect(after).toMatchObject({ state: 'approved', jobId: job.id });
  expect(events.filter(({ type }) => type === 'quotes.changed')).toHaveLength(2);
});

test('approved twice, one after the other and at once, it is one job', async () => {
  const { ask, quote, jobs } = await start();
  const answers = await Promise.all([
    ask('quotes.approve', { id: quote.id }),
    ask('quotes.approve', { id: quote.id, requestKey: 'the key of a page' }),
  ]);
  const again = await ask('quotes.approve', { id: quote.id });
  expect(new Set([...answers, again].map(({ job }) => job.id)).size).toBe(1);
  expect(await jobs()).toHaveLength(1);
});

test('another price voids it: nothing is sent, and the price coming back does not open it again', async () => {
  const { ask, call, quote, jobs } = await start();
  const settled = DEFAULT_PRICES.map((price) => (price.kind === 'video' ? { ...price, settledReading: 1 } : price));
  await ask('profiles.save', { id: 'gateway', prices: settled });
  const refused = { ok: false, error: { code: 'conflict', data: { voidBecause: 'price' } } };
  expect(await call('quotes.approve', { id: quote.id })).toMatchObject(refused);
  await ask('profiles.save', { id: 'gateway', prices: [...DEFAULT_PRICES] });
  expect(await call('quotes.approve', { id: quote.id })).toMatchObject(refused);
  expect(await ask('quotes.get', { id: quote.id })).toMatchObject({ state: 'void', voidBecause: 'price' });
  expect(await jobs()).toEqual([]);
});

test.each([
  ['the prompt', '$.order.request.prompt', 'A pier'],
  ['the model', '$.order.request.model', 'video-pro'],
  ['the price that stands in it', '$.price.estimateNano', 1],
  ['its time', '$.expiresAt', NOW + 48 * 3_600_000],
  ['who asked', '$.asker.client', 'Another program'],
])('a changed byte voids it: %s', async (_, path, value) => {
  const { ask, call, quote, jobs, dataDir } = await start();
  changeRow(dataDir, 'UPDATE quotes SET document = json_set(document, ?, ?) WHERE id = ?', path, value, quote.id);
  expect(await call('quotes.approve', { id: quote.id })).toMatchObject({
    ok: false,
    error: { code: 'conflict', data: { voidBecause: 'order' } },
  });
  expect(await jobs()).toEqual([]);
  expect((await ask('quotes.get', { id: quote.id })).state).toBe('void');
});

test('another address of its gateway voids it, and so does another file under the same id', async () => {
  const { ask, call, quote, studio, dataDir, jobs } = await start();
  const up = await studio.media.upload({ name: 'a.png', body: Readable.from([testPng(1280, 720)]) } as never);
  const assetId = up.ok ? up.data.id : '';
  const withFile = await ask('quotes.create', { request: { ...VIDEO, image: { assetId } }, client: 'A program' });
  expect(withFile.files).toEqual([{ field: 'image', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }]);
  changeRow(dataDir, 'UPDATE assets SET sha256 = ? WHERE id = ?', 'ab'.repeat(32), assetId);
  expect(await call('quotes.approve', { id: withFile.id })).toMatchObject({ error: { code: 'conflict' } });
  await ask('profiles.save', { id: 'gateway', baseUrl: 'http://127.0.0.1:10' });
  expect(await call('quotes.approve', { id: quote.id })).toMatchObject({ error: { code: 'conflict' } });
  expect(await jobs()).toEqual([]);
});

test.each<[string, object]>([
  ['the vendor', { vendor: 'another' }],
  ['the spelling of fields', { fieldCase: 'snake' }],
  ['a field that is left out', { omittedFields: ['generateAudio'] }],
  ['the place of the seed', { seedPlacement: 'beside' }],
  ['a header', { extraHeaders: { 'x-team': 'film' } }],
  ['where it is called back', { webhookBase: 'https://hooks.example' }],
])('another dialect voids it: %s', async (_, change) => {
  const { ask, call, quote, jobs } = await start();
  await ask('profiles.save', { id: 'gateway', name: 'Another name' });
  await ask('profiles.save', { id: 'gateway', ...change });
  const refused = { ok: false, error: { code: 'conflict', data: { voidBecause: 'order' } } };
  expect(await call('quotes.approve', { id: quote.id })).toMatchObject(refused);
  expect(await jobs()).toEqual([]);
});

test('what of a gateway changes no request keeps it open: its name and its limits', async () => {
  const { ask, quote } = await start();
  await ask('profiles.save', { id: 'gateway', name: 'Another name', limits: { videosAtOnce: 3 } });
  expect((await ask('quotes.approve', { id: quote.id })).quote.state).toBe('approved');
});

test('it holds for a day', async () => {
  const { ask, call, quote, clock, jobs } = await start();
  await clock.advance(24 * 3_600_000);
  expect((await ask('quotes.list', { state: 'open' })).quotes).toEqual([]);
  expect(await call('quotes.approve', { id: quote.id })).toMatchObject({
    error: { code: 'conflict', data: { voidBecause: 'expired' } },
  });

  expect(await jobs()).toEqual([]);
});

test.each([
  ['looked at then', async () => undefined],
  ['looked at once its day is over', async (clock: TestClock) => clock.advance(4.1 * HOUR)],
])('a clock that is set back makes no quote live longer: %s', async (_, wait) => {
  const { call, ask, quote, clock, jobs } = await start();
  await clock.advance(20 * HOUR);
  clock.set(NOW + HOUR);
  await wait(clock);
  expect(await call('quotes.approve', { id: quote.id })).toMatchObject({
    error: { data: { voidBecause: 'expired' } },
  });
  expect((await ask('quotes.list', { state: 'open' })).quotes).toEqual([]);
  expect(await jobs()).toEqual([]);
  const next = await ask('quotes.create', { request: { ...VIDEO, prompt: 'A pier' }, client: 'A program' });
  expect((await ask('quotes.approve', { id: next.id })).quote.state).toBe('approved');
});

test('nor does one that is set back while Dailies is closed; a step of a time server is none', async () => {
  const { dataDir, clock, quote, ask, close } = await start();
  clock.set(NOW - 2_000);
  expect((await ask('quotes.get', { id: quote.id })).state).toBe('open');
  await clock.advance(20 * HOUR);
  await close();
  clock.set(NOW + HOUR);
  const again = await openStudio({ dataDir, ports: { clock } });
  expect(await again.ask('quotes.get', { id: quote.id })).toMatchObject({ state: 'void', voidBecause: 'expired' });
});

test('a crash between the job and its quote leaves neither, and the next approval makes one job', async () => {
  const { ask, call, quote, jobs, dataDir } = await start();
  const trap = `CREATE TRIGGER crash BEFORE UPDATE OF state ON quotes BEGIN SELECT RAISE(ABORT, 'the machine stops'); END`;
  changeRow(dataDir, trap);
  expect(await call('quotes.approve', { id: quote.id })).toMatchObject({ ok: false });
  expect(await jobs()).toEqual([]);
  expect((await ask('quotes.get', { id: quote.id })).state).toBe('open');
  changeRow(dataDir, 'DROP TRIGGER crash');
  const { job } = await ask('quotes.approve', { id: quote.id });
  expect((await ask('quotes.approve', { id: quote.id })).job.id).toBe(job.id);
  expect(await jobs()).toHaveLength(1);
});

test('a price other than the one on the button is refused, and the quote stays', async () => {
  const { ask, call, quote } = await start();
  const shown = { ...shownOf(quote), estimateNano: 1 };
  expect(await call('quotes.approve', { id: quote.id, shown })).toMatchObject({ error: { data: { field: 'shown' } } });
  expect((await ask('quotes.get', { id: quote.id })).state).toBe('open');
});

test('for another gateway than the active one it waits', async () => {
  const { ask, call, quote, jobs } = await start();
  await ask('profiles.activate', { id: 'sandbox' });
  expect(await call('quotes.approve', { id: quote.id })).toMatchObject({ ok: false });
  expect([(await ask('quotes.get', { id: quote.id })).state, await jobs()]).toEqual(['open', []]);
});

test('declined, it is never made', async () => {
  const { ask, call, quote, jobs } = await start();
  expect((await ask('quotes.decline', { id: quote.id })).state).toBe('declined');
  expect(await call('quotes.approve', { id: quote.id })).toMatchObject({ error: { code: 'wrong_state' } });
  expect(await jobs()).toEqual([]);
});

test.each([
  ['what cannot be made, by its field', { ...VIDEO, config: { durationSeconds: 5 } }, 'invalid_input'],
  ['a file that is not there', { ...VIDEO, image: { assetId: 'none' } }, 'invalid_input'],
  [
    'more than an order has',
    { kind: 'chat', model: 'language', messages: [{ role: 'user', content: 'a'.repeat(70_000) }] },
    'too_large',
  ],
])('%s is refused', async (_, request, code) => {
  const { call } = await start();
  expect(await call('quotes.create', { request: request as never, client: 'A program' })).toMatchObject({
    ok: false,
    error: { code },
  });
});

test('a program that asks without end is stopped at fifty, and all of them at a hundred', async () => {
  const { ask, call } = await start();
  const request = (n: number) => ({ ...VIDEO, prompt: `A quay ${n}` });
  // Those that tell nothing of their connection count as one, by whatever name.
  for (let n = 1; n < 50; n++) await ask('quotes.create', { request: request(n), client: `Program ${n}` });
  expect(await call('quotes.create', { request: request(50), client: 'A new name' })).toMatchObject({
    error: { code: 'wrong_state', message: expect.stringContaining('50 orders of “A new name”') },
  });
  const run = 'a-connection-of-its-own';
  for (let n = 50; n < 100; n++) await ask('quotes.create', { request: request(n), client: `Program ${n % 3}`, run });
  expect(await call('quotes.create', { request: VIDEO, client: 'A third' })).toMatchObject({
    error: { code: 'wrong_state', message: expect.stringContaining('100 orders') },
  });
  expect((await ask('quotes.list', { state: 'open' })).open).toBe(100);
});

test('two programs of one name are told apart by what only each of them knows, which nobody is told', async () => {
  const { ask } = await start();
  const by = async (run: string, n: number) =>
    (await ask('quotes.create', { request: { ...VIDEO, prompt: `A pier ${n}` }, client: 'Writer', run })).asker;
  const [one, again, other] = [await by('a'.repeat(43), 1), await by('a'.repeat(43), 2), await by('b'.repeat(43), 3)];
  expect(one).toEqual({ client: 'Writer', mark: expect.stringMatching(/^[0-9a-f]{6}$/) });
  expect(again).toEqual(one);
  expect(other).not.toEqual(one);
  expect(JSON.stringify(await ask('quotes.list', {}))).not.toContain('a'.repeat(43));
});

test('what waits here alone is not hidden by drafts', async () => {
  const { ask, quote, dataDir } = await start();
  const draft = `INSERT INTO quotes (id, document, draft_id, created_at) SELECT ?, document, 'draft', created_at FROM quotes`;
  changeRow(dataDir, draft, 'ab'.repeat(32));
  const { quotes, open } = await ask('quotes.list', { state: 'open', limit: 1 });
  expect([quotes.map(({ id }) => id), open]).toEqual([[quote.id], 2]);
});
