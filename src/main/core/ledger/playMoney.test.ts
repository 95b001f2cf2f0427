import { expect, test } from 'vitest';
import { type EngineHarness, lostAnswer, VIDEO_NANO } from '../../../../test/helpers/engineHarness.ts';
import { engineHarnesses } from '../../../../test/helpers/engineHarnesses.ts';
import { aPlan, DOLLAR, made, nightsOfThisFile } from '../../../../test/helpers/nightHarness.ts';
import { NO_MONEY } from '../../../shared/money/ledger.ts';
import { entries, listBudgets, setBudget, totals } from './index.ts';

/** Test money and real money never share a sum, a budget or a run's figures. */

const startEngine = engineHarnesses();
const startNight = nightsOfThisFile();

const sumOf = ({ store }: EngineHarness, play: boolean, profileIds?: string[]) =>
  totals(store.read, 'kind', { play, profileIds }).sum;

test('what the sandbox makes is in no sum of real money, and the other way round', async () => {
  const harness = startEngine({ script: { submit: [made(), made(), lostAnswer] } });
  const { store, job, many, untilEnd } = harness;
  harness.activate('sandbox');
  for (const id of await many(1)) await untilEnd(id);
  expect(sumOf(harness, false)).toEqual(NO_MONEY);
  expect(sumOf(harness, true)).toMatchObject({ settledNano: VIDEO_NANO });
  harness.activate('p');
  for (const id of await many(1)) await untilEnd(id);
  await many(1);
  expect(sumOf(harness, false)).toMatchObject({ settledNano: VIDEO_NANO, uncertainNano: VIDEO_NANO });
  expect(sumOf(harness, true)).toMatchObject({ settledNano: VIDEO_NANO, uncertainNano: 0 });
  expect(sumOf(harness, false, ['another'])).toEqual(NO_MONEY);
  expect(sumOf(harness, false, ['p', 'sandbox'])).toMatchObject({ settledNano: VIDEO_NANO });
  const gateways = (play: boolean) =>
    new Set(entries(store.read, { play, limit: 100 }).entries.map(({ jobId = '' }) => job(jobId).profileId));
  expect([gateways(true), gateways(false)]).toEqual([new Set(['sandbox']), new Set(['p'])]);
});

test('a hard cap applies to the side it was set on, and is used up by that side only', async () => {
  const harness = startEngine();
  const { store, clock, engine } = harness;
  const cap = (hardNano: number, play: boolean) =>
    store.transaction((db) => setBudget(db, { scope: 'day', hardNano, play }));
  const reasons = async (side: 'p' | 'sandbox') => {
    harness.activate(side);
    return (await harness.many(2)).map((id) => harness.job(id).reason);
  };
  cap(VIDEO_NANO, false);
  engine.commands.setPaused(true);
  expect(await reasons('sandbox')).toEqual(['paused', 'paused']);
  expect(await reasons('p')).toEqual(['paused', 'budget']);
  cap(3 * VIDEO_NANO, true);
  expect(await reasons('sandbox')).toEqual(['paused', 'budget']);
  const used = (play: boolean, profileIds?: string[]) =>
    listBudgets(store.read, clock.now(), { play, profileIds }).map((budget) => [
      budget.play,
      budget.hardNano,
      budget.used.reservedNano,
    ]);
  expect(used(true)).toEqual([[true, 3 * VIDEO_NANO, 3 * VIDEO_NANO]]);
  expect(used(false)).toEqual([[false, VIDEO_NANO, VIDEO_NANO]]);
  expect(used(false, ['p'])).toEqual(used(false));
  expect(used(false, ['another'])).toEqual([[false, VIDEO_NANO, 0]]);
});

test("a night counts real money from its first real job on, and play money is not in that job's way", async () => {
  const { night, activate, plan, fill, job } = startNight();
  activate('sandbox');
  plan({ capNano: VIDEO_NANO });
  const ids = await fill(1);
  expect(night.get().current).toMatchObject({ play: true, used: { reservedNano: VIDEO_NANO } });
  activate('p');
  ids.push(...(await fill(2)));
  expect(ids.map((id) => job(id).reason)).toEqual(['window', 'window', 'budget']);
  expect(night.get().current).toMatchObject({ play: false, used: { reservedNano: VIDEO_NANO } });
  const dry = await night.dryRun(aPlan({ capNano: 2 * DOLLAR }));
  expect(dry).toMatchObject({ data: { fitCount: 2, totalNano: VIDEO_NANO, unfitCount: 1 } });
});
