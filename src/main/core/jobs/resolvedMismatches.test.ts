import { describe, expect, test } from 'vitest';
import { aVideo, type EngineHarness, PIXEL } from '../../../../test/helpers/engineHarness.ts';
import { engineHarnesses } from '../../../../test/helpers/engineHarnesses.ts';
import { DOLLAR, EVENING, nightsOfThisFile } from '../../../../test/helpers/nightHarness.ts';
import { TestClock } from '../../../../test/helpers/testPorts.ts';
import type { StudioRequest } from '../../../shared/kinds/index.ts';
import type { SubmitOutcome } from '../gateway/index.ts';
import { sql } from '../store/index.ts';

/** A mismatch is resolved while another job is in flight at the old price. */

const start = engineHarnesses();
const startNight = nightsOfThisFile();

const profile = {
  prices: [
    {
      kind: 'video',
      model: 'video-standard',
      readings: [{ unit: 'second', nano: 100_000_000 }],
      settledReading: null,
      source: 'x',
    },
  ],
  limits: { videosAtOnce: 2 },
};
const eightSeconds = { ...aVideo, config: { durationSeconds: 8 } } as StudioRequest;
const made = (dollars: number): SubmitOutcome => ({
  type: 'done',
  outputs: [{ uri: PIXEL, role: 'output' }],
  stated: { by: 'usage.cost', as: `${dollars} USD`, nano: Math.round(dollars * DOLLAR) },
});

/** Every job but the first is answered when the test decides, in the order in which they were sent. */
function heldAnswers() {
  const answers: ((outcome: SubmitOutcome) => void)[] = [];
  let isKnown = false;
  const submitVideo = () => {
    if (isKnown) return new Promise<SubmitOutcome>((done) => answers.push(done));
    isKnown = true;
    return Promise.resolve(made(0.4));
  };
  return { answers, submitVideo };
}

/** Two requests at once are sent only to a service that has answered before. */
async function bothSent(harness: EngineHarness, second: StudioRequest = aVideo) {
  await harness.untilEnd((await harness.enqueue(aVideo)).id);
  await harness.clock.advance(60_000);
  const [first, other] = [await harness.enqueue(aVideo), await harness.enqueue(second)];
  await harness.clock.advance(10_000);
  expect([first, other].map(({ id }) => harness.job(id).state)).toEqual(['sending', 'sending']);
  return [first, other] as const;
}

/** The first job has stated $0.80 instead of $0.40, and its mismatch is resolved; the second one is not answered yet. */
async function underWay(as: 'adopt' | 'once', second: StudioRequest = aVideo) {
  const { answers, submitVideo } = heldAnswers();
  const harness = start({ profile, script: { gateway: { submitVideo } } });
  const [first, other] = await bothSent(harness, second);
  answers[0]?.(made(0.8));
  await harness.untilEnd(first.id);
  const [mismatch] = harness.engine.priceMismatches.list();
  expect(mismatch).toMatchObject({ jobId: first.id, expectedNano: 400_000_000, statedNano: 800_000_000 });
  expect(harness.engine.priceMismatches.resolve(mismatch?.id ?? '', as)).toMatchObject({ ok: true });
  await harness.clock.advance(1_000);
  const answer = (dollars: number) => {
    answers[1]?.(made(dollars));
    return harness.untilEnd(other.id);
  };
  return { harness, first: first.id, other: other.id, answer };
}

describe('jobs in progress when a mismatch was resolved', () => {
  test.each(['adopt', 'once'] as const)('%s: the known cost blocks nothing again', async (as) => {
    const { harness, answer } = await underWay(as);
    expect((await answer(0.81)).money).toMatchObject({ chargedNano: 810_000_000, statedNano: 810_000_000 });
    expect(harness.engine.priceMismatches.list()).toEqual([]);
  });

  test('agree by quantity: twice the seconds, twice the cost', async () => {
    const { harness, answer } = await underWay('adopt', eightSeconds);
    await answer(1.6);
    expect(harness.engine.priceMismatches.list()).toEqual([]);
  });

  test('block the price again if they state another cost', async () => {
    const { harness, other, answer } = await underWay('once');
    await answer(1.6);
    expect(harness.engine.priceMismatches.list()).toMatchObject([
      { jobId: other, statedNano: 1_600_000_000, state: 'open' },
    ]);
  });

  test('block the price again if the charge was reversed, since nobody has decided about that', async () => {
    const { harness, first, other, answer } = await underWay('once');
    const taken = sql('test.taken', 'UPDATE jobs SET quantity = NULL WHERE id = $id');
    harness.store.transaction((db) => db.run(taken, { id: first }));
    await answer(0.8);
    expect(harness.engine.priceMismatches.list()).toMatchObject([{ jobId: other }]);
  });

  test('end no night that was opened since; a job of that night does', async () => {
    const harness = startNight({ profile, clock: new TestClock(EVENING) });
    const { answers, submitVideo } = heldAnswers();
    harness.service.submit = submitVideo;
    const [first, other] = await bothSent(harness);
    answers[0]?.(made(0.8));
    await harness.untilEnd(first.id);
    harness.engine.priceMismatches.resolve(harness.engine.priceMismatches.list()[0]?.id ?? '', 'once');
    harness.plan({ start: '20:00' });
    const [waiting = ''] = await harness.fill(1);
    answers[1]?.(made(0.8));
    await harness.untilEnd(other.id);
    expect(harness.night.get().current).toMatchObject({ state: 'open' });
    await harness.until(waiting, ({ state }) => state === 'sending');
    answers[2]?.(made(0.8));
    await harness.untilEnd(waiting);
    expect(harness.engine.priceMismatches.list()).toMatchObject([{ jobId: waiting, state: 'open' }]);
    expect(harness.night.get().current).toBeNull();
  });
});
