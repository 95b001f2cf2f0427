import { describe, expect, test } from 'vitest';
import { aVideo, type EngineHarness } from '../../../../test/helpers/engineHarness.ts';
import { engineHarnesses } from '../../../../test/helpers/engineHarnesses.ts';
import { EVENING, nightsOfThisFile } from '../../../../test/helpers/nightHarness.ts';
import { aPrice, madeFor, nano } from '../../../../test/helpers/prices.ts';
import { TestClock } from '../../../../test/helpers/testPorts.ts';
import type { StudioRequest } from '../../../shared/kinds/index.ts';
import type { SubmitOutcome } from '../gateway/index.ts';
import { sql } from '../store/index.ts';

/** A mismatch is resolved while other jobs are in flight at the old price. */

const start = engineHarnesses();
const startNight = nightsOfThisFile();
const profile = { prices: [aPrice('second', 0.1, { settledReading: null })], limits: { videosAtOnce: 4 } };
const eightSeconds = { ...aVideo, config: { durationSeconds: 8 } } as StudioRequest;

/** The first job is made for its price: two at once are sent only to a service that has answered before. The test answers the others. */
function heldAnswers() {
  const answers: ((outcome: SubmitOutcome) => void)[] = [];
  let isKnown = false;
  const submitVideo = (): Promise<SubmitOutcome> => {
    if (isKnown) return new Promise((done) => answers.push(done));
    isKnown = true;
    return Promise.resolve(madeFor(0.4));
  };
  const inFlight = async (harness: EngineHarness, requests: StudioRequest[]) => {
    await harness.untilEnd((await harness.enqueue(aVideo)).id);
    await harness.clock.advance(60_000);
    const ids: string[] = [];
    for (const request of requests) ids.push((await harness.enqueue(request)).id);
    await harness.clock.advance(10_000);
    for (const id of ids) expect(harness.job(id).state).toBe('sending');
    const answer = async (at: number, dollars: number) => {
      answers[at]?.(madeFor(dollars));
      return harness.untilEnd(ids[at] ?? '');
    };
    const mismatches = () => harness.engine.priceMismatches.list();
    const resolve = (as: 'adopt' | 'dispute' | 'once', id = mismatches()[0]?.id ?? '') =>
      harness.engine.priceMismatches.resolve(id, as);
    return { ...harness, harness, ids, answer, mismatches, resolve };
  };
  return { answers, submitVideo, inFlight };
}

/** Jobs in flight, of which the first has stated $0.80 instead of $0.40. */
async function underWay(...others: StudioRequest[]) {
  const { submitVideo, inFlight } = heldAnswers();
  const under = await inFlight(start({ profile, script: { gateway: { submitVideo } } }), [aVideo, ...others]);
  await under.answer(0, 0.8);
  expect(under.mismatches()).toMatchObject([
    { jobId: under.ids[0], expectedNano: nano(0.4), statedNano: nano(0.8), state: 'open' },
  ]);
  return under;
}

describe('jobs in progress when a mismatch was resolved', () => {
  test.each(['adopt', 'once'] as const)('%s: the known cost blocks nothing again', async (as) => {
    const { clock, answer, mismatches, resolve } = await underWay(aVideo);
    resolve(as);
    await clock.advance(1_000);
    expect((await answer(1, 0.81)).money).toMatchObject({ chargedNano: nano(0.81), statedNano: nano(0.81) });
    expect(mismatches()).toEqual([]);
  });

  test('agree by quantity: twice the seconds, twice the cost', async () => {
    const { answer, mismatches, resolve } = await underWay(eightSeconds);
    resolve('adopt');
    await answer(1, 1.6);
    expect(mismatches()).toEqual([]);
  });

  test('block the price again if they state another cost', async () => {
    const { ids, answer, mismatches, resolve } = await underWay(aVideo);
    resolve('once');
    await answer(1, 1.6);
    expect(mismatches()).toMatchObject([{ jobId: ids[1], statedNano: nano(1.6), state: 'open' }]);
  });

  test('block the price again if the charge was reversed, since nobody has decided about that', async () => {
    const { store, ids, answer, mismatches, resolve } = await underWay(aVideo);
    resolve('once');
    const taken = sql('test.taken', 'UPDATE jobs SET quantity = NULL WHERE id = $id');
    store.transaction((db) => db.run(taken, { id: ids[0] ?? '' }));
    await answer(1, 0.8);
    expect(mismatches()).toMatchObject([{ jobId: ids[1] }]);
  });

  test('end no night that was opened since; a job of that night does', async () => {
    const harness = startNight({ profile, clock: new TestClock(EVENING) });
    const { answers, submitVideo, inFlight } = heldAnswers();
    harness.service.submit = submitVideo;
    const { answer, mismatches, resolve } = await inFlight(harness, [aVideo, aVideo]);
    await answer(0, 0.8);
    resolve('once');
    harness.plan({ start: '20:00' });
    const [waiting = ''] = await harness.fill(1);
    await answer(1, 0.8);
    expect(harness.night.get().current).toMatchObject({ state: 'open' });
    await harness.until(waiting, ({ state }) => state === 'sending');
    answers[2]?.(madeFor(0.8));
    await harness.untilEnd(waiting);
    expect(mismatches()).toMatchObject([{ jobId: waiting, state: 'open' }]);
    expect(harness.night.get().current).toBeNull();
  });

  test('are changed by a dispute the same way, before and after the choice', async () => {
    const { ids, job, sums, entriesOf, answer, mismatches, resolve } = await underWay(aVideo, aVideo, aVideo);
    const money = () => ids.map((id) => job(id).money);
    const expected = 'Expected $0.40, stated $0.80 (usage.cost).';
    const charged = `${expected} The stated amount is charged.`;
    await answer(1, 0.8);
    await answer(2, 0.4);
    expect(money().map(({ note }) => note)).toEqual([charged, charged, undefined, undefined]);
    const id = mismatches()[0]?.id;
    expect(resolve('dispute', id)).toMatchObject({ ok: true });
    await answer(3, 0.8);
    const note = `${expected} Disputed: the price book is charged, any difference is unconfirmed.`;
    const ours = { chargedNano: nano(0.4), uncertainNano: nano(0.4), note };
    expect(money()).toMatchObject([ours, ours, { chargedNano: nano(0.4), uncertainNano: 0 }, ours]);
    expect(sums()).toMatchObject({ settledNano: nano(2), uncertainNano: nano(1.2), reservedNano: 0 });
    for (const [at, jobId] of ids.entries()) {
      const of = (key: 'settledNano' | 'uncertainNano') =>
        entriesOf(jobId).reduce((total, entry) => total + entry[key], 0);
      const { chargedNano, uncertainNano } = money()[at] ?? {};
      expect([of('settledNano'), of('uncertainNano')]).toEqual([chargedNano, uncertainNano]);
    }
    expect(resolve('adopt', id)).toMatchObject({ ok: true });
    const theirs = { chargedNano: nano(0.8), uncertainNano: 0, note: charged };
    expect(money()).toMatchObject([theirs, theirs, { chargedNano: nano(0.4) }, theirs]);
    // What was never disputed is not moved back either.
    expect(money()[2]?.note).toBeUndefined();
    expect(sums()).toMatchObject({ settledNano: nano(3.2), uncertainNano: 0 });
  });

  test('are not disputed with a later job where theirs was accepted once', async () => {
    const { ids, job, answer, resolve } = await underWay(aVideo, aVideo, aVideo);
    resolve('once');
    await answer(1, 0.8);
    await answer(2, 1.2);
    expect(resolve('dispute')).toMatchObject({ ok: true });
    await answer(3, 0.8);
    const money = ids.map((id) => job(id).money);
    expect(money.map(({ chargedNano }) => chargedNano)).toEqual([8e8, 8e8, 4e8, 8e8]);
    expect(money.map(({ uncertainNano }) => uncertainNano)).toEqual([0, 0, 8e8, 0]);
  });
});
