import { describe, expect, test } from 'vitest';
import { aVideo, VIDEO_NANO } from '../../../../test/helpers/engineHarness.ts';
import { openPriceBook } from '../../../../test/helpers/openPriceBook.ts';
import { aPrice } from '../../../../test/helpers/prices.ts';
import { bill, holds, openStatements } from '../../../../test/helpers/statementHarness.ts';
import type { StudioRequest } from '../../../shared/kinds/index.ts';
import type { Price } from '../../../shared/money/price.ts';

const aPicture: StudioRequest = { kind: 'imagine', prompt: 'a hill' };
const PICTURE_NANO = 50_000_000;
test('a month of two gateways is reconciled with both bills to the nano-dollar, line by line', async () => {
  const harness = openStatements();
  const { make, sum, readText, readLines, adopt, keep, undo } = harness;
  const fine = await make('2026-11-03T10:00:00Z', 'v-1', aVideo);
  await make('2026-11-09T10:00:00Z', 'v-2', aVideo);
  const extra = await make('2026-11-12T10:00:00Z', 'v-3', aVideo);
  const lost = await harness.lose('2026-11-13T03:12:00Z', aVideo);
  harness.activate('sandbox');
  await make('2026-11-04T10:00:00Z', 'i-1', aPicture);
  await make('2026-11-20T10:00:00Z', 'i-2', aPicture);
  const unbilled = await make('2026-11-25T10:00:00Z', 'i-3', aPicture);
  expect(sum(false)).toEqual([3 * VIDEO_NANO, VIDEO_NANO]);
  expect(sum(true)).toEqual([3 * PICTURE_NANO, 0]);

  const real = await readText(
    bill(
      '2026-11-03T10:00:01Z,v-1,video-standard,1.600000000',
      '2026-11-09T10:00:01Z,v-2,video-standard,1.750000001',
      '2026-11-13T03:12:20Z,op-7f21,video-standard,0.4',
      '2026-11-18T11:40:00Z,,video-standard,0.400000007',
    ),
    { profileId: 'p' },
  );
  expect(real).toMatchObject({
    matched: 1,
    play: false,
    sums: {
      bill: 4_150_000_008,
      matched: VIDEO_NANO,
      onlyBill: 800_000_007,
      differs: 1_750_000_001,
      onlyLedger: VIDEO_NANO,
    },
    onlyBill: [
      { jobId: lost.id, finding: { type: 'doubt' }, isClear: true, billNano: 400_000_000 },
      { finding: { type: 'unknown' } },
    ],
    differs: [{ remoteId: 'v-2', billNano: 1_750_000_001, ledgerNano: VIDEO_NANO, finding: { type: 'noReading' } }],
    onlyLedger: [{ jobId: extra.id, ledgerNano: VIDEO_NANO, finding: { type: 'notBilled' } }],
  });
  expect(holds(real)).toBe(true);
  const before = harness.entries();

  const lines = [...real.onlyBill, ...real.differs, ...real.onlyLedger].map(({ id }) => id);
  const settled = await adopt(real.id, lines);
  expect(settled).toMatchObject({ matched: 4, open: 0, onlyBill: [], differs: [], onlyLedger: [], decided: 4 });
  expect(settled.sums.bill).toBe(settled.sums.matched);
  expect(sum(false)).toEqual([real.sums.bill, 0]);
  expect(harness.entries().slice(0, before.length)).toEqual(before);
  expect(harness.job(fine.id).money.chargedNano).toBe(VIDEO_NANO);
  expect(harness.job(extra.id).money).toMatchObject({ chargedNano: 0 });
  expect(harness.job(lost.id)).toMatchObject({
    state: 'failed',
    money: { chargedNano: 400_000_000, uncertainNano: 0 },
  });
  expect(sum(true)).toEqual([3 * PICTURE_NANO, 0]);

  const toy = await readLines(
    '2026-11-04T10:00:00Z,i-1,image-v6,0.05',
    '2026-11-20T10:00:00Z,i-2,image-v6,0.05',
    '2026-11-30,,,0.00',
  );
  expect(toy).toMatchObject({ play: true, profileId: 'sandbox', matched: 3, onlyLedger: [{ jobId: unbilled.id }] });
  const entry = [toy.onlyLedger[0]?.id ?? ''];
  expect(await keep(toy.id, entry)).toMatchObject({ open: 0, onlyLedger: [{ decided: { as: 'keep' } }] });
  expect(sum(true)).toEqual([3 * PICTURE_NANO, 0]);
  expect(await undo(toy.id, entry)).toMatchObject({ open: 1 });
  await adopt(toy.id, entry);
  expect(sum(true)).toEqual([toy.sums.bill, 0]);
});

describe('decisions', () => {
  test('a bill that is read again settles nothing twice, nor does a second click', async () => {
    const harness = openStatements();
    const { make, sum, readText, adopt } = harness;
    await make('2026-11-03T10:00:00Z', 'v-1', aVideo);
    const text = bill('2026-11-03T10:00:01Z,v-1,video-standard,1.5', '2026-11-03T18:00:01Z,x,other,0.25');
    const read = await readText(text);
    const lines = [...read.onlyBill, ...read.differs].map(({ id }) => id);
    await Promise.all([1, 2].map(() => adopt(read.id, lines)));
    expect(sum(false)).toEqual([1_750_000_000, 0]);
    const count = harness.entries().length;
    const again = await readText(text);
    expect(again).toMatchObject({ id: read.id, matched: 2, open: 0 });
    const longer = await readText(`${text}\n2026-11-04T10:00:01Z,y,other,0.5`);
    expect(longer).toMatchObject({ matched: 2, open: 1, onlyBill: [{ billNano: 500_000_000 }] });
    await adopt(longer.id, lines.slice(0, 1));
    expect(harness.entries()).toHaveLength(count);
  });
});

test('what is taken back already is refused, and a decision of another bill stays', async () => {
  const { answer, sum, readLines, adopt, undo } = openStatements();
  const x = '2026-11-05T10:00:00Z,x-1,video-standard,0.4';
  const first = await readLines(x);
  await adopt(first.id, ['b2']);
  const second = await readLines('2026-11-03T10:00:00Z,y-1,video-standard,0.7', x);
  await adopt(second.id, ['b2']);
  expect(sum(false)).toEqual([1_100_000_000, 0]);
  await undo(second.id, ['b2']);
  expect(await answer('statement.undo', { id: second.id, lines: ['b2'] })).toMatchObject({
    ok: false,
    error: { code: 'wrong_state', message: expect.stringContaining('Nothing was changed') },
  });
  expect(sum(false)).toEqual([400_000_000, 0]);
  // Under the number that it has here, the other bill's decision is shown here and can be taken back here.
  await undo(second.id, ['b3']);
  expect(sum(false)).toEqual([0, 0]);
});

test('a line of another bill is no line of this one', async () => {
  const { answer, readLines, adopt } = openStatements();
  const [x, y] = ['2026-11-05T10:00:00Z,x-1,video-standard,0.4', '2026-11-03T10:00:00Z,y-1,video-standard,0.7'];
  const both = await readLines(y, x);
  await adopt(both.id, ['b3']);
  const one = await readLines(x);
  expect(await answer('statement.settle', { id: one.id, lines: ['b3'], as: 'adopt' })).toMatchObject({
    ok: false,
    error: { code: 'not_found' },
  });
});

test('two lines of a job that was charged nothing are entered once', async () => {
  const { lose, keyOf, look, sum, readLines, adopt, undo } = openStatements();
  const { id: jobId } = await lose('2026-11-03T10:00:00Z', aVideo);
  const without = await readLines('2026-11-02T10:00:00Z,,other,0.1', '2026-11-05T10:00:00Z,,other,0.1');
  await adopt(without.id, [`d:${jobId}`]);
  expect(sum(false)).toEqual([0, 0]);
  const lines = ['0.2', '0.3'].map((cost) => `2026-11-03T10:00:01Z,${keyOf(jobId)},video-standard,${cost}`);
  const read = await readLines(...lines);
  expect(await adopt(read.id, ['b2', 'b3'])).toMatchObject({ matched: 2, open: 0 });
  expect(sum(false)).toEqual([500_000_000, 0]);
  expect(await look(read.id)).toMatchObject({ matched: 2, open: 0 });
  await undo(read.id, ['b2', 'b3']);
  expect(sum(false)).toEqual([0, 0]);
});

test('a job that is not over, or can still be looked up, is not settled', async () => {
  const harness = openStatements();
  const { answer, sum, readLines } = harness;
  harness.script.submit.push({ type: 'accepted', task: { id: 'v-9', kind: 'video', acceptedAt: harness.clock.now() } });
  const { id } = await harness.enqueue(aVideo);
  await harness.until(id, ({ state }) => state === 'running');
  const at = new Date(harness.clock.now()).toISOString();
  const read = await readLines(`${at},v-9,video-standard,1.6`);
  expect(read).toMatchObject({ differs: [{ jobId: id, finding: { type: 'running' } }], clear: { count: 0 } });
  const lines = [read.differs[0]?.id ?? ''];
  expect(await answer('statement.settle', { id: read.id, lines, as: 'adopt' })).toMatchObject({
    ok: false,
    error: {
      code: 'wrong_state',
      message: 'Line 2: Its job is not done. Confirm the line when it is. Nothing was changed.',
    },
  });
  expect(sum(false)).toEqual([0, 0]);
});

test('a line at the lower price agrees, the price can be settled by it, and entering it is a decision', async () => {
  const harness = openStatements();
  const { make, ask, sum, readLines, adopt } = harness;
  await make('2026-11-03T10:00:00Z', 'v-1', aVideo);
  await make('2026-11-03T11:00:00Z', 'v-2', aVideo);
  const read = await readLines(
    '2026-11-03T10:00:01Z,v-1,video-standard,0.40',
    '2026-11-03T11:00:01Z,v-2,video-standard,0.40',
  );
  expect(read).toMatchObject({
    matched: 2,
    open: 0,
    cheaper: { lines: 2, billNano: 800_000_000, ledgerNano: 2 * VIDEO_NANO },
    settles: [{ kind: 'video', model: 'video-standard', reading: 1, lines: 2 }],
  });
  expect(sum(false)).toEqual([2 * VIDEO_NANO, 0]);
  const page = await ask('statement.lines', { id: read.id, group: 'cheaper', limit: 10 });
  const settled = await adopt(
    read.id,
    page.lines.map(({ id }) => id),
  );
  expect(settled).toMatchObject({ matched: 2, cheaper: { lines: 0 }, settles: [] });
  expect(sum(false)).toEqual([800_000_000, 0]);
});

describe('a line settles no price', () => {
  const SECOND = { unit: 'second', nano: 400_000_000 } as const;
  const EACH = { unit: 'video', nano: 400_000_000 } as const;
  const open = (model: string, ...readings: Price['readings']) =>
    aPrice('video', 0.4, { model, readings, settledReading: null });
  const start = () => {
    const harness = openStatements();
    const list = (price: Price) => openPriceBook(harness).set(harness.profile, [price], 'import');
    const settled = async (model: string, ...tasks: string[]) => {
      const lines = tasks.map((task) => `2026-11-03T10:00:01Z,${task},${model},1.6`);
      return (await harness.readLines(...lines)).settles.map((one) => [one.model, one.reading]);
    };
    return { ...harness, list, settled };
  };

  test('of other readings than those that its job was charged at', async () => {
    const { make, list, settled } = start();
    const model = 'video-standard';
    await make('2026-11-03T10:00:00Z', 'v-1', aVideo);
    expect(await settled(model, 'v-1')).toEqual([[model, 0]]);
    list(open(model, { unit: 'second', nano: 150_000_000 }));
    expect(await settled(model, 'v-1')).toEqual([]);
    list(open(model, EACH, SECOND));
    expect(await settled(model, 'v-1')).toEqual([]);
    await make('2026-11-03T10:00:00Z', 'v-2', aVideo);
    expect(await settled(model, 'v-2')).toEqual([[model, 1]]);
    // Settled, it would be the price of the first too.
    expect(await settled(model, 'v-1', 'v-2')).toEqual([]);
  });

  test('that holds for its job no longer', async () => {
    const { make, list, settled } = start();
    list(open('*', SECOND, EACH));
    await make('2026-11-03T10:00:00Z', 'v-1', { ...aVideo, model: 'another' } as StudioRequest);
    expect(await settled('another', 'v-1')).toEqual([['*', 0]]);
    list(open('another', SECOND, EACH));
    expect(await settled('another', 'v-1')).toEqual([]);
  });
});

test('a bill whose reading ends in the middle is read again, whole', async () => {
  let left = Number.POSITIVE_INFINITY;
  const harness = openStatements({
    wrapStore: (store) => {
      const { transaction } = store;
      store.transaction = (work) => {
        left -= 1;
        // The changes of a transaction that is not committed are gone.
        return transaction.call(store, (db) => {
          const done = work(db);
          if (left < 0) throw new Error('ended');
          return done;
        }) as ReturnType<typeof work>;
      };
      return store;
    },
  });
  const { make, ask, answer, readText } = harness;
  await make('2026-11-03T10:00:00Z', 'v-1', aVideo);
  const more = Array.from({ length: 1_500 }, (_, at) => `2026-11-04T10:00:01Z,x-${at},other,0.01`);
  const text = bill('2026-11-03T10:00:01Z,v-1,video-standard,1.5', '2026-11-03T18:00:01Z,x,other,0.25', ...more);
  for (const steps of [0, 1, 2, 3]) {
    left = steps;
    await expect(answer('statement.read', { text })).rejects.toThrow('ended');
    expect(await ask('statement.list', {})).toEqual({ statements: [] });
  }
  left = Number.POSITIVE_INFINITY;
  const read = await readText(text);
  expect(read.counts.bill).toBe(1_502);
});
