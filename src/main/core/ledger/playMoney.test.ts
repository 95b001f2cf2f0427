import { expect, test } from 'vitest';
import {
  aVideo,
  type EngineHarness,
  finished,
  lostAnswer,
  VIDEO_NANO,
} from '../../../../test/helpers/engineHarness.ts';
import { engineHarnesses } from '../../../../test/helpers/engineHarnesses.ts';
import { aPlan, DOLLAR, nightsOfThisFile } from '../../../../test/helpers/nightHarness.ts';
import { NO_MONEY } from '../../../shared/ledger.ts';
import { entries, listBudgets, setBudget, totals } from './index.ts';

/** Play money and real money are never in one sum, under one cap or in one night's figures. */

const startEngine = engineHarnesses();
const startNight = nightsOfThisFile();

const made = { ...finished(), type: 'done' as const };
const sumOf = (harness: EngineHarness, play: boolean, profileIds?: string[]) =>
  totals(harness.store.read, 'kind', { play, profileIds }).sum;

test('what the sandbox makes is in no sum of real money, and the other way round', async () => {
  const harness = startEngine({ script: { submit: [made, made, lostAnswer] } });
  harness.activate('sandbox');
  await harness.untilEnd((await harness.enqueue(aVideo)).id);
  expect(sumOf(harness, false)).toEqual(NO_MONEY);
  expect(sumOf(harness, true)).toMatchObject({ settledNano: VIDEO_NANO });
  harness.activate('p');
  await harness.untilEnd((await harness.enqueue(aVideo)).id);
  const { id } = await harness.enqueue(aVideo);
  await harness.until(id, ({ state }) => state === 'uncertain');
  expect(sumOf(harness, false)).toMatchObject({ settledNano: VIDEO_NANO, uncertainNano: VIDEO_NANO });
  expect(sumOf(harness, true)).toMatchObject({ settledNano: VIDEO_NANO, uncertainNano: 0 });
  expect(sumOf(harness, false, ['another'])).toEqual(NO_MONEY);
  expect(sumOf(harness, false, ['p', 'sandbox'])).toMatchObject({ settledNano: VIDEO_NANO });
  const jobsOf = (play: boolean) =>
    new Set(
      entries(harness.store.read, { play, limit: 100 }).entries.map(({ jobId = '' }) => harness.job(jobId).profileId),
    );
  expect([jobsOf(true), jobsOf(false)]).toEqual([new Set(['sandbox']), new Set(['p'])]);
});

test('a hard cap applies to the side it was set on, and is used up by that side only', async () => {
  const harness = startEngine();
  harness.store.transaction((db) => setBudget(db, { scope: 'day', hardNano: VIDEO_NANO }));
  harness.engine.commands.setPaused(true);
  harness.activate('sandbox');
  const play = [(await harness.enqueue(aVideo)).id, (await harness.enqueue(aVideo)).id];
  harness.activate('p');
  const real = [(await harness.enqueue(aVideo)).id, (await harness.enqueue(aVideo)).id];
  expect(play.map((id) => harness.job(id).reason)).toEqual(['paused', 'paused']);
  expect(real.map((id) => harness.job(id).reason)).toEqual(['paused', 'budget']);
  harness.store.transaction((db) => setBudget(db, { scope: 'day', hardNano: 3 * VIDEO_NANO, play: true }));
  harness.activate('sandbox');
  expect(harness.job((await harness.enqueue(aVideo)).id).reason).toBe('paused');
  expect(harness.job((await harness.enqueue(aVideo)).id).reason).toBe('budget');
  const used = (isPlay: boolean, profileIds?: string[]) =>
    listBudgets(harness.store.read, harness.clock.now(), { play: isPlay, profileIds }).map((budget) => [
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
  const harness = startNight();
  harness.activate('sandbox');
  harness.plan({ capNano: VIDEO_NANO });
  const [sandboxed = ''] = await harness.fill(1);
  expect(harness.night.get().current).toMatchObject({ play: true, used: { reservedNano: VIDEO_NANO } });
  harness.activate('p');
  const [first = '', second = ''] = await harness.fill(2);
  expect([sandboxed, first, second].map((id) => harness.job(id).reason)).toEqual(['window', 'window', 'budget']);
  expect(harness.night.get().current).toMatchObject({ play: false, used: { reservedNano: VIDEO_NANO } });
  const dry = await harness.night.dryRun(aPlan({ capNano: 2 * DOLLAR }));
  expect(dry).toMatchObject({ data: { fitCount: 2, totalNano: VIDEO_NANO, unfitCount: 1 } });
});
