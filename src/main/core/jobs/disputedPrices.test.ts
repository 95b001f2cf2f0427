import { expect, test } from 'vitest';
import { aVideo, PIXEL } from '../../../../test/helpers/engineHarness.ts';
import { engineHarnesses } from '../../../../test/helpers/engineHarnesses.ts';
import type { SubmitOutcome } from '../gateway/index.ts';
import { entries, totals } from '../ledger/index.ts';

const start = engineHarnesses();

const price = { kind: 'video', model: 'video-standard', readings: [{ unit: 'video', nano: 400_000_000 }] };
const profile = { prices: [{ ...price, settledReading: null, source: 'x' }], limits: { videosAtOnce: 4 } };
const made = (dollars: number): SubmitOutcome => ({
  type: 'done',
  outputs: [{ uri: PIXEL, role: 'output' }],
  stated: { by: 'usage.cost', as: `${dollars} USD`, nano: Math.round(dollars * 1e9) },
});

/** Four jobs in flight at one price; the test decides when their answers arrive. */
async function four() {
  const answers: ((outcome: SubmitOutcome) => void)[] = [];
  const submitVideo = () => new Promise<SubmitOutcome>((done) => answers.push(done));
  const harness = start({ profile, script: { gateway: { submitVideo } } });
  harness.engine.commands.setPaused(true);
  const ids: string[] = [];
  for (let n = 0; n < 4; n++) ids.push((await harness.enqueue(aVideo)).id);
  harness.engine.commands.setPaused(false);
  await Promise.all(ids.map((id) => harness.until(id, ({ state }) => state === 'sending')));
  const answer = async (at: number, dollars: number) => {
    answers[at]?.(made(dollars));
    await harness.untilEnd(ids[at] ?? '');
  };
  const money = () => ids.map((id) => harness.job(id).money);
  const sum = () => totals(harness.store.read, 'kind', {}).sum;
  return { harness, ids, answer, money, sum };
}

const KEPT = 'Expected $0.40, stated $0.80 (usage.cost). Disputed: the price book is kept, the rest is in doubt.';
const CHARGED = 'Expected $0.40, stated $0.80 (usage.cost). What is stated is charged.';

test('a dispute concerns the price: jobs in progress at it are changed the same way, before and after the choice', async () => {
  const { harness, ids, answer, money, sum } = await four();
  await answer(0, 0.8);
  await answer(1, 0.8);
  await answer(2, 0.4);
  expect(money().map(({ note }) => note)).toEqual([CHARGED, CHARGED, undefined, undefined]);
  const [mismatch] = harness.engine.priceMismatches.list();
  const id = mismatch?.id ?? '';
  expect(harness.engine.priceMismatches.resolve(id, 'dispute')).toMatchObject({ ok: true });
  await answer(3, 0.8);
  const ours = { chargedNano: 400_000_000, uncertainNano: 400_000_000, note: KEPT };
  expect(money()).toMatchObject([ours, ours, { chargedNano: 400_000_000, uncertainNano: 0 }, ours]);
  expect(sum()).toMatchObject({ settledNano: 1_600_000_000, uncertainNano: 1_200_000_000, reservedNano: 0 });
  for (const [at, jobId] of ids.entries()) {
    const { entries: lines } = entries(harness.store.read, { limit: 100, jobId });
    const of = (key: 'settledNano' | 'uncertainNano') => lines.reduce((total, line) => total + line[key], 0);
    const { chargedNano, uncertainNano } = money()[at] ?? {};
    expect([of('settledNano'), of('uncertainNano')]).toEqual([chargedNano, uncertainNano]);
  }

  expect(harness.engine.priceMismatches.resolve(id, 'adopt')).toMatchObject({ ok: true });
  const theirs = { chargedNano: 800_000_000, uncertainNano: 0, note: CHARGED };
  expect(money()).toMatchObject([theirs, theirs, { chargedNano: 400_000_000 }, theirs]);
  // What was never disputed is not moved back either.
  expect(harness.job(ids[2] ?? '').money.note).toBeUndefined();
  expect(sum()).toMatchObject({ settledNano: 2_800_000_000, uncertainNano: 0 });
});

test('a mismatch that was accepted once is not disputed with a later job', async () => {
  const { harness, answer, money } = await four();
  await answer(0, 0.8);
  harness.engine.priceMismatches.resolve(harness.engine.priceMismatches.list()[0]?.id ?? '', 'once');
  await answer(1, 0.8);
  await answer(2, 1.2);
  const [mismatch] = harness.engine.priceMismatches.list();
  expect(harness.engine.priceMismatches.resolve(mismatch?.id ?? '', 'dispute')).toMatchObject({ ok: true });
  await answer(3, 0.8);
  expect(money().map(({ chargedNano }) => chargedNano)).toEqual([8e8, 8e8, 4e8, 8e8]);
  expect(money().map(({ uncertainNano }) => uncertainNano)).toEqual([0, 0, 8e8, 0]);
});
