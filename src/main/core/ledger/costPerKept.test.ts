import { expect, test } from 'vitest';
import { DOLLAR, type LedgerHarness, ledgersOfThisFile } from '../../../../test/helpers/ledgerHarness.ts';
import { TestClock } from '../../../../test/helpers/testPorts.ts';
import type { Quantity } from '../../../shared/money/quantity.ts';
import { sql } from '../store/index.ts';
import { costPerKept } from './costPerKept.ts';
import { totals } from './reports.ts';

/** `spend.kept` covers the clips and pictures of `ledger.totals`, and a kept second costs all that was spent for it. */

const judge = sql('test.judge', 'UPDATE jobs SET verdict = $verdict, state = $state WHERE id = $id');
const openLedger = ledgersOfThisFile();
const NOVEMBER = new Date(2026, 10, 21, 12).getTime();
const DECEMBER = new Date(2026, 11, 2, 12).getTime();

interface Made extends NonNullable<Parameters<LedgerHarness['job']>[0]> {
  statedDollars?: number;
  verdict?: 'keep' | 'maybe' | 'no';
  state?: string;
}

function openKept() {
  const harness = openLedger(new TestClock(NOVEMBER));
  const make = (quantity: Quantity, { statedDollars, verdict, state = 'succeeded', ...fields }: Made) => {
    const id = harness.job(fields);
    harness.write(id, (db, row) => {
      harness.ledger.reserve(db, row);
      harness.ledger.charge(
        db,
        row,
        quantity,
        statedDollars === undefined ? {} : { statedNano: statedDollars * DOLLAR },
      );
    });
    harness.store.transaction((db) => db.run(judge, { id, verdict: verdict ?? null, state }));
    return id;
  };
  const kept = (by: Parameters<typeof costPerKept>[1], period = {}) => costPerKept(harness.store.read, by, period);
  return { ...harness, make, kept };
}

const clip = (seconds: number): Quantity => ({ seconds, videos: 1 });

/** By hand: 41.60 dollars for 104 s of which 25 s are kept is 1.664 a kept second. */
test('a kept second costs everything that was spent on clips', () => {
  const { make, kept } = openKept();
  make(clip(25), { projectId: 'ferry', statedDollars: 10, verdict: 'keep' });
  make(clip(52), { projectId: 'ferry', statedDollars: 20.8, verdict: 'no' });
  make(clip(27), { projectId: 'ferry', statedDollars: 10.8 });
  make({ images: 4 }, { projectId: 'ferry', kind: 'imagine', model: 'imagine', statedDollars: 2, verdict: 'keep' });
  make({ images: 1 }, { projectId: 'ferry', kind: 'edit', model: 'edit', statedDollars: 1, verdict: 'maybe' });
  expect(kept('project')).toEqual([
    {
      key: 'ferry',
      madeSeconds: 104,
      madeImages: 5,
      keptSeconds: 25,
      keptImages: 4,
      spentNano: 44.6 * DOLLAR,
      spentLowNano: 44.6 * DOLLAR,
      perKeptSecondNano: 1.664 * DOLLAR,
      perKeptSecondLowNano: 1.664 * DOLLAR,
      perKeptImageNano: 0.75 * DOLLAR,
      perKeptImageLowNano: 0.75 * DOLLAR,
      notKeptNano: 32.6 * DOLLAR,
      notKept: [
        { verdict: 'no', seconds: 52, images: 0, nano: 20.8 * DOLLAR },
        { verdict: 'maybe', seconds: 0, images: 1, nano: DOLLAR },
        { verdict: 'none', seconds: 27, images: 0, nano: 10.8 * DOLLAR },
      ],
      unpriced: 0,
    },
  ]);
});

test('nothing kept has no price, and an amount that does not divide is rounded up', () => {
  const { make, kept } = openKept();
  make(clip(3), { model: 'a', statedDollars: 1, verdict: 'keep' });
  make(clip(4), { model: 'b', statedDollars: 1 });
  const [a, b] = kept('model').sort((one, two) => (one.key < two.key ? -1 : 1));
  expect([a?.perKeptSecondNano, b?.perKeptSecondNano, b && 'perKeptSecondNano' in b]).toEqual([
    333_333_334,
    undefined,
    false,
  ]);
});

test('a price that is not settled is kept at both readings', () => {
  const { make, kept } = openKept();
  make(clip(4), { verdict: 'keep' });
  expect(kept('project')).toMatchObject([
    {
      spentNano: 1.6 * DOLLAR,
      spentLowNano: 0.4 * DOLLAR,
      perKeptSecondNano: 0.4 * DOLLAR,
      perKeptSecondLowNano: 0.1 * DOLLAR,
    },
  ]);
});

test('what has no project has an empty key, and a chat counts nowhere', () => {
  const { make, kept } = openKept();
  make(clip(4), { statedDollars: 1 });
  make({ inputTokens: 5 }, { kind: 'chat', model: 'language', statedDollars: 7, projectId: 'ferry' });
  expect(kept('project').map(({ key, spentNano }) => [key, spentNano])).toEqual([['', DOLLAR]]);
});

test('a charge that brought no result is spent and not kept', () => {
  const { make, kept } = openKept();
  make(clip(4), { statedDollars: 1, state: 'failed' });
  make(clip(4), { statedDollars: 2, verdict: 'keep' });
  const [row] = kept('project');
  expect(row).toMatchObject({ spentNano: 3 * DOLLAR, notKeptNano: DOLLAR, perKeptSecondNano: 0.75 * DOLLAR });
  expect(row?.notKept).toEqual([{ verdict: 'failed', seconds: 4, images: 0, nano: DOLLAR }]);
});

test('a job without a known price is counted apart, and its seconds make no other second cheaper', () => {
  const { make, kept } = openKept();
  make(clip(4), { statedDollars: 2, verdict: 'keep' });
  make(clip(8), { price: null, estimateNano: 0, verdict: 'keep' });
  expect(kept('project')).toMatchObject([
    { unpriced: 1, keptSeconds: 4, madeSeconds: 4, perKeptSecondNano: 0.5 * DOLLAR },
  ]);
});

test('by month: the seconds belong to the month of the charge, a later entry has its amount alone', () => {
  const { make, kept, does, clock } = openKept();
  const id = make(clip(4), { statedDollars: 2, verdict: 'keep' });
  clock.set(DECEMBER);
  does(id, 'billOneMore', 3 * DOLLAR, 'billed twice');
  make(clip(2), { statedDollars: 1, verdict: 'keep' });
  expect(kept('month').map(({ key, keptSeconds, spentNano }) => [key, keptSeconds, spentNano])).toEqual([
    ['2026-12', 2, 4 * DOLLAR],
    ['2026-11', 4, 2 * DOLLAR],
  ]);
  expect(kept('project', { from: DECEMBER - 86_400_000 })).toMatchObject([{ keptSeconds: 2, spentNano: 4 * DOLLAR }]);
  expect(kept('project')).toMatchObject([{ keptSeconds: 6, spentNano: 6 * DOLLAR }]);
});

test('test money and other gateways stay apart, and the sums are those of the totals', () => {
  const { make, kept, store } = openKept();
  make(clip(4), { statedDollars: 2, profileId: 'one', model: 'a' });
  make(clip(4), { statedDollars: 3, profileId: 'two', model: 'b' });
  make(clip(4), { statedDollars: 5, play: true, profileId: 'sandbox' });
  expect(kept('project', { play: true })).toMatchObject([{ spentNano: 5 * DOLLAR }]);
  expect(kept('project', { profileIds: ['two'] })).toMatchObject([{ spentNano: 3 * DOLLAR }]);
  const settled = totals(store.read, 'model', {}).rows.map(({ key, settledNano }) => [key, settledNano]);
  expect(
    kept('model')
      .map(({ key, spentNano }) => [key, spentNano])
      .sort(),
  ).toEqual(settled.sort());
});
