import { describe, expect, test } from 'vitest';
import { lostAnswer, VIDEO_NANO } from '../../../../test/helpers/engineHarness.ts';
import {
  HOUR,
  type NightHarness,
  nightsOfThisFile,
  ONE_AT_ONCE,
  plannedBy,
} from '../../../../test/helpers/nightHarness.ts';
import { openPriceBook } from '../../../../test/helpers/openPriceBook.ts';
import { settle } from '../../../../test/helpers/testPorts.ts';
import { DEFAULT_PRICES } from '../../../shared/money/price.ts';
import { listBudgets } from '../ledger/index.ts';
import { sql } from '../store/index.ts';

/** The budget of a run that counts the lower interpretation of an open price: $0.40 a clip instead of $1.60. */

const start = nightsOfThisFile();
const planned = plannedBy(start);
const LOW_NANO = VIDEO_NANO / 4;

const current = (harness: NightHarness) => {
  const { current: run } = harness.night.get();
  if (!run) throw new Error('no night is planned');
  return run;
};

async function dry(harness: NightHarness) {
  const result = await harness.night.dryRun(undefined);
  if (!result.ok) throw new Error(result.error.message);
  return result.data;
}

/** Reserved for runs at the lower price: by the jobs, and by the stored sum. */
function reservedLow(harness: NightHarness): { jobs: number; kept: number } {
  const sums = sql(
    'test.reservedLow',
    `SELECT (SELECT total(min(reserved_nano, estimate_low_nano)) FROM jobs WHERE money_run IS NOT NULL) AS jobs,
       (SELECT total(reserved_low_nano) FROM spend WHERE scope = 'run') AS kept`,
  );
  return harness.store.read.one<{ jobs: number; kept: number }>(sums) ?? { jobs: -1, kept: -1 };
}

/** What each job that was sent counts against the cap, as the report says. */
const countedOfSent = (harness: NightHarness): number[] => {
  const sums = harness.report().sent.map(({ countedByThenNano }) => countedByThenNano);
  return sums.map((sum, n) => sum - (sums[n - 1] ?? 0));
};

const states = (harness: NightHarness, ids: string[]) =>
  ids.map((id) => harness.job(id)).map(({ state, reason }) => (state === 'blocked' ? reason : state));

describe('at the lower price', () => {
  test('as many fit as its cheaper sums do; each reserves its higher one, and the dry run says the same', async () => {
    const [harness, ids] = await planned({ capNano: 3 * LOW_NANO, capReading: 'low' }, 5);
    expect(states(harness, ids)).toEqual(['window', 'window', 'window', 'budget', 'budget']);
    expect(ids.map((id) => harness.job(id).money.reservedNano)).toEqual([VIDEO_NANO, VIDEO_NANO, VIDEO_NANO, 0, 0]);
    expect(harness.job(ids[3] ?? '').error?.message).toContain('The job may cost $0.40');
    expect(current(harness)).toMatchObject({ countedNano: 3 * LOW_NANO, used: { reservedNano: 3 * VIDEO_NANO } });
    expect(reservedLow(harness)).toEqual({ jobs: 3 * LOW_NANO, kept: 3 * LOW_NANO });
    const budgets = listBudgets(harness.store.read, harness.clock.now(), { runId: current(harness).id });
    expect(budgets).toMatchObject([{ scope: 'run', hardNano: 3 * LOW_NANO, countedNano: 3 * LOW_NANO }]);
    const result = await dry(harness);
    expect(result).toMatchObject({
      capReading: 'low',
      fitCount: 3,
      unfitCount: 2,
      capLeftNano: 0,
      aboveCountedNano: 3 * (VIDEO_NANO - LOW_NANO),
    });
    expect(result.unfit.map(({ byNano, cure }) => [byNano, cure])).toEqual([
      [LOW_NANO, { type: 'cap', capNano: 4 * LOW_NANO }],
      [LOW_NANO, { type: 'cap', capNano: 5 * LOW_NANO }],
    ]);
    harness.allSucceed();
    await harness.clock.advance(4 * HOUR);
    expect(states(harness, ids)).toEqual(['succeeded', 'succeeded', 'succeeded', 'budget', 'budget']);
    expect(current(harness)).toMatchObject({ countedNano: 3 * LOW_NANO, used: { settledNano: 3 * VIDEO_NANO } });
    expect(reservedLow(harness)).toEqual({ jobs: 0, kept: 0 });
    expect(countedOfSent(harness)).toEqual([LOW_NANO, LOW_NANO, LOW_NANO]);
    // As the dry run said: the amount above what counts, at the higher interpretation.
    expect(current(harness).used.settledNano - current(harness).countedNano).toBe(result.aboveCountedNano);
  });

  test('a lost answer counts in full, and what does not fit beside it any more is not sent', async () => {
    const [harness, ids] = await planned(
      { capNano: 5 * LOW_NANO, capReading: 'low', rules: { goOnInDoubt: true } },
      4,
      ONE_AT_ONCE,
    );
    expect(new Set(states(harness, ids))).toEqual(new Set(['window']));
    const answers = [lostAnswer];
    harness.allSucceed();
    const { submit } = harness.service;
    harness.service.submit = () => answers.shift() ?? submit();
    await harness.clock.advance(4 * HOUR);
    // $1.60 of $2.00 are unconfirmed: one more clip fits, at $0.40.
    expect(states(harness, ids).toSorted()).toEqual(['budget', 'budget', 'succeeded', 'uncertain']);
    expect(current(harness)).toMatchObject({ countedNano: VIDEO_NANO + LOW_NANO, used: { uncertainNano: VIDEO_NANO } });
    expect(countedOfSent(harness).toSorted((a, b) => a - b)).toEqual([LOW_NANO, VIDEO_NANO]);
  });

  test.each([
    ['settled at the dearer one', 0, VIDEO_NANO],
    ['settled at the cheaper one', 1, LOW_NANO],
  ])('a price that is %s counts so from then on', async (_, settledReading, eachNano) => {
    const [harness, ids] = await planned({ capNano: 3 * LOW_NANO, capReading: 'low' }, 2);
    const price = DEFAULT_PRICES.find(({ model }) => model === 'video-standard');
    if (!price) throw new Error('it has no price');
    openPriceBook(harness).set(harness.profile, [{ ...price, settledReading }], 'manual');
    harness.engine.commands.announce();
    await settle();
    expect(reservedLow(harness)).toEqual({ jobs: 2 * eachNano, kept: 2 * eachNano });
    expect(current(harness).countedNano).toBe(2 * eachNano);
    harness.allSucceed();
    await harness.clock.advance(4 * HOUR);
    const fits = eachNano === LOW_NANO ? 2 : 0;
    expect(states(harness, ids).filter((state) => state === 'succeeded')).toHaveLength(fits);
  });

  test('the caps of the day and of the project count the higher one all the same', async () => {
    const harness = start();
    harness.plan({ capReading: 'low' });
    harness.setDayCap(2 * VIDEO_NANO);
    const ids = await harness.fill(3);
    expect(states(harness, ids)).toEqual(['window', 'window', 'budget']);
    expect((await dry(harness)).unfit).toMatchObject([{ reason: 'day', byNano: VIDEO_NANO }]);
  });

  test('a plan that is changed to it takes in what it held back, and back again lets no more go than fits', async () => {
    const [harness, ids] = await planned({ capNano: VIDEO_NANO }, 4, ONE_AT_ONCE);
    expect(states(harness, ids)).toEqual(['window', 'budget', 'budget', 'budget']);
    harness.plan({ capNano: VIDEO_NANO, capReading: 'low' });
    await settle();
    expect(states(harness, ids)).toEqual(['window', 'window', 'window', 'window']);
    harness.plan({ capNano: VIDEO_NANO });
    harness.allSucceed();
    await harness.clock.advance(4 * HOUR);
    expect(harness.script.sent).toBe(1);
  });

  test('a night that opens again counts as the one before', async () => {
    const harness = start();
    harness.plan({ capReading: 'low', days: [0, 1, 2, 3, 4, 5, 6] });
    await harness.clock.advance(12 * HOUR);
    expect(current(harness)).toMatchObject({ number: 2, state: 'planned', capReading: 'low' });
  });
});
