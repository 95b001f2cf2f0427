import { describe, expect, test } from 'vitest';
import { aVideo, PIXEL, type Rig } from '../../../../test/helpers/engineRig.ts';
import { DOLLAR, EVENING, nightsOfThisFile } from '../../../../test/helpers/nightRig.ts';
import { rigsOfThisFile } from '../../../../test/helpers/rigsOfThisFile.ts';
import { TestClock } from '../../../../test/helpers/testPorts.ts';
import type { StudioRequest } from '../../../shared/kinds/index.ts';
import type { SubmitOutcome } from '../gateway/index.ts';
import { sql } from '../store/index.ts';

/** A stated cost is decided about while another order is under way at the old price. */

const start = rigsOfThisFile();
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

/** Every order but the first is answered when the test says so, in the order in which they were sent. */
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

/** Two at once are sent only to a service that has answered before. */
async function bothSent(rig: Rig, second: StudioRequest = aVideo) {
  await rig.untilEnd((await rig.enqueue(aVideo)).id);
  await rig.clock.advance(60_000);
  const [first, other] = [await rig.enqueue(aVideo), await rig.enqueue(second)];
  await rig.clock.advance(10_000);
  expect([first, other].map(({ id }) => rig.job(id).state)).toEqual(['sending', 'sending']);
  return [first, other] as const;
}

/** The first has stated $0.80 for $0.40, and was decided about; the second is still to be answered. */
async function underWay(as: 'adopt' | 'once', second: StudioRequest = aVideo) {
  const { answers, submitVideo } = heldAnswers();
  const rig = start({ profile, script: { gateway: { submitVideo } } });
  const [first, other] = await bothSent(rig, second);
  answers[0]?.(made(0.8));
  await rig.untilEnd(first.id);
  const [mismatch] = rig.engine.priceStops.list();
  expect(mismatch).toMatchObject({ jobId: first.id, expectedNano: 400_000_000, statedNano: 800_000_000 });
  expect(rig.engine.priceStops.resolve(mismatch?.id ?? '', as)).toMatchObject({ ok: true });
  await rig.clock.advance(1_000);
  const answer = (dollars: number) => {
    answers[1]?.(made(dollars));
    return rig.untilEnd(other.id);
  };
  return { rig, first: first.id, other: other.id, answer };
}

describe('what was under way by then', () => {
  test.each(['adopt', 'once'] as const)('%s: the cost that was seen stops nothing again', async (as) => {
    const { rig, answer } = await underWay(as);
    expect((await answer(0.81)).money).toMatchObject({ chargedNano: 810_000_000, statedNano: 810_000_000 });
    expect(rig.engine.priceStops.list()).toEqual([]);
  });

  test('agrees by what it counts: twice the seconds, twice the cost', async () => {
    const { rig, answer } = await underWay('adopt', eightSeconds);
    await answer(1.6);
    expect(rig.engine.priceStops.list()).toEqual([]);
  });

  test('stops again where it states another cost than the one that was seen', async () => {
    const { rig, other, answer } = await underWay('once');
    await answer(1.6);
    expect(rig.engine.priceStops.list()).toMatchObject([{ jobId: other, statedNano: 1_600_000_000, state: 'open' }]);
  });

  test('stops again where the charge was taken back: nobody has decided about that', async () => {
    const { rig, first, other, answer } = await underWay('once');
    const taken = sql('test.taken', 'UPDATE jobs SET quantity = NULL WHERE id = $id');
    rig.store.transaction((db) => db.run(taken, { id: first }));
    await answer(0.8);
    expect(rig.engine.priceStops.list()).toMatchObject([{ jobId: other }]);
  });

  test('ends no night that was opened since; what that night orders stops it', async () => {
    const rig = startNight({ profile, clock: new TestClock(EVENING) });
    const { answers, submitVideo } = heldAnswers();
    rig.service.submit = submitVideo;
    const [first, other] = await bothSent(rig);
    answers[0]?.(made(0.8));
    await rig.untilEnd(first.id);
    rig.engine.priceStops.resolve(rig.engine.priceStops.list()[0]?.id ?? '', 'once');
    rig.plan({ start: '20:00' });
    const [waiting = ''] = await rig.fill(1);
    answers[1]?.(made(0.8));
    await rig.untilEnd(other.id);
    expect(rig.night.get().current).toMatchObject({ state: 'open' });
    await rig.until(waiting, ({ state }) => state === 'sending');
    answers[2]?.(made(0.8));
    await rig.untilEnd(waiting);
    expect(rig.engine.priceStops.list()).toMatchObject([{ jobId: waiting, state: 'open' }]);
    expect(rig.night.get().current).toBeNull();
  });
});
