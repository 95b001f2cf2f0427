import { expect, test } from 'vitest';
import { aVideo, finished, lostAnswer, type Rig, VIDEO_NANO } from '../../../../test/helpers/engineRig.ts';
import { aPlan, DOLLAR, nightsOfThisFile } from '../../../../test/helpers/nightRig.ts';
import { rigsOfThisFile } from '../../../../test/helpers/rigsOfThisFile.ts';
import { NO_MONEY } from '../../../shared/ledger.ts';
import { entries, listBudgets, setBudget, totals } from './index.ts';

/** Play money and real money are never in one sum, under one cap or in one night's figures. */

const startRig = rigsOfThisFile();
const startNight = nightsOfThisFile();

const made = { ...finished(), type: 'done' as const };
const sumOf = (rig: Rig, play: boolean, profileIds?: string[]) =>
  totals(rig.store.read, 'kind', { play, profileIds }).sum;

test('what the sandbox makes is in no sum of real money, and the other way round', async () => {
  const rig = startRig({ script: { submit: [made, made, lostAnswer] } });
  rig.activate('sandbox');
  await rig.untilEnd((await rig.enqueue(aVideo)).id);
  expect(sumOf(rig, false)).toEqual(NO_MONEY);
  expect(sumOf(rig, true)).toMatchObject({ settledNano: VIDEO_NANO });
  rig.activate('p');
  await rig.untilEnd((await rig.enqueue(aVideo)).id);
  const { id } = await rig.enqueue(aVideo);
  await rig.until(id, ({ state }) => state === 'uncertain');
  expect(sumOf(rig, false)).toMatchObject({ settledNano: VIDEO_NANO, uncertainNano: VIDEO_NANO });
  expect(sumOf(rig, true)).toMatchObject({ settledNano: VIDEO_NANO, uncertainNano: 0 });
  expect(sumOf(rig, false, ['another'])).toEqual(NO_MONEY);
  expect(sumOf(rig, false, ['p', 'sandbox'])).toMatchObject({ settledNano: VIDEO_NANO });
  const jobsOf = (play: boolean) =>
    new Set(entries(rig.store.read, { play, limit: 100 }).entries.map(({ jobId }) => rig.job(jobId).profileId));
  expect([jobsOf(true), jobsOf(false)]).toEqual([new Set(['sandbox']), new Set(['p'])]);
});

test('a hard cap holds on the side it was set on, and is filled by that side only', async () => {
  const rig = startRig();
  rig.store.transaction((db) => setBudget(db, { scope: 'day', hardNano: VIDEO_NANO }));
  rig.engine.setPaused(true);
  rig.activate('sandbox');
  const play = [(await rig.enqueue(aVideo)).id, (await rig.enqueue(aVideo)).id];
  rig.activate('p');
  const real = [(await rig.enqueue(aVideo)).id, (await rig.enqueue(aVideo)).id];
  expect(play.map((id) => rig.job(id).reason)).toEqual(['paused', 'paused']);
  expect(real.map((id) => rig.job(id).reason)).toEqual(['paused', 'budget']);
  rig.store.transaction((db) => setBudget(db, { scope: 'day', hardNano: 3 * VIDEO_NANO, play: true }));
  rig.activate('sandbox');
  expect(rig.job((await rig.enqueue(aVideo)).id).reason).toBe('paused');
  expect(rig.job((await rig.enqueue(aVideo)).id).reason).toBe('budget');
  const used = (isPlay: boolean, profileIds?: string[]) =>
    listBudgets(rig.store.read, rig.clock.now(), { play: isPlay, profileIds }).map((budget) => [
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
  const rig = startNight();
  rig.activate('sandbox');
  rig.plan({ capNano: VIDEO_NANO });
  const [sandboxed = ''] = await rig.fill(1);
  expect(rig.night.get().current).toMatchObject({ play: true, used: { reservedNano: VIDEO_NANO } });
  rig.activate('p');
  const [first = '', second = ''] = await rig.fill(2);
  expect([sandboxed, first, second].map((id) => rig.job(id).reason)).toEqual(['window', 'window', 'budget']);
  expect(rig.night.get().current).toMatchObject({ play: false, used: { reservedNano: VIDEO_NANO } });
  const dry = await rig.night.dryRun(aPlan({ capNano: 2 * DOLLAR }));
  expect(dry).toMatchObject({ data: { fitCount: 2, totalNano: VIDEO_NANO, unfitCount: 1 } });
});
