import { describe, expect, test } from 'vitest';
import {
  acceptance,
  aVideo,
  type EngineHarness,
  error,
  finished,
  lostAnswer,
  VIDEO_NANO,
} from '../../../../test/helpers/engineHarness.ts';
import { engineHarnesses } from '../../../../test/helpers/engineHarnesses.ts';
import { settle } from '../../../../test/helpers/testPorts.ts';
import type { PollOutcome, SubmitOutcome } from '../gateway/index.ts';
import { totals } from '../ledger/index.ts';

const start = engineHarnesses();
const sums = (harness: EngineHarness) => totals(harness.store.read, 'kind', {}).sum;

describe('settling by the bill', () => {
  test('a canceled job is not settled while its answer is awaited, which would be charged in addition', async () => {
    let answer: (outcome: SubmitOutcome) => void = () => undefined;
    const submitVideo = () => new Promise<SubmitOutcome>((done) => (answer = done));
    const harness = start({ script: { gateway: { submitVideo } } });
    const { id } = await harness.enqueue(aVideo);
    harness.engine.commands.cancel(id);
    expect(harness.engine.commands.settleDoubt(id, VIDEO_NANO)).toMatchObject({
      ok: false,
      error: { code: 'wrong_state' },
    });
    answer({ ...finished('gs://made/one.mp4'), type: 'done' });
    await settle();
    expect(harness.job(id).money).toMatchObject({ chargedNano: VIDEO_NANO, uncertainNano: 0 });
    expect(harness.engine.commands.settleDoubt(id, VIDEO_NANO).ok).toBe(false);
  });

  test('nor while its task is asked for: its result is fetched, and charged once', async () => {
    const harness = start();
    harness.script.submit = [acceptance(harness.clock)];
    const { id } = await harness.enqueue(aVideo);
    harness.engine.commands.cancel(id);
    expect(harness.engine.commands.settleDoubt(id, VIDEO_NANO)).toMatchObject({
      ok: false,
      error: { code: 'wrong_state' },
    });
    harness.script.poll = [finished()];
    const job = await harness.until(id, ({ outputs }) => outputs.length > 0);
    expect(job.money).toMatchObject({ chargedNano: VIDEO_NANO, uncertainNano: 0 });
  });

  test('one whose task gave no answer for an hour is settled by the bill', async () => {
    const harness = start();
    harness.script.submit = [acceptance(harness.clock)];
    const { id } = await harness.enqueue(aVideo);
    harness.engine.commands.cancel(id);
    await harness.clock.advance(2 * 3_600_000);
    expect(harness.engine.commands.settleDoubt(id, VIDEO_NANO)).toMatchObject({ ok: true });
    expect(harness.job(id).money).toMatchObject({ chargedNano: VIDEO_NANO, uncertainNano: 0 });
  });

  /** Such a task is still asked for, as long as what it made is kept; the bill does not have to wait for that. */
  test('one whose service is silent is settled by the bill after an hour, and not before', async () => {
    const silent = async (): Promise<PollOutcome> => ({ type: 'unreachable', error: error({ kind: 'network' }) });
    const harness = start({ script: { gateway: { poll: silent } } });
    harness.script.submit = [acceptance(harness.clock)];
    const { id } = await harness.enqueue(aVideo);
    harness.engine.commands.cancel(id);
    await harness.clock.advance(50 * 60_000);
    expect(harness.engine.commands.settleDoubt(id, VIDEO_NANO).ok).toBe(false);
    await harness.clock.advance(20 * 60_000);
    expect(harness.engine.commands.settleDoubt(id, VIDEO_NANO).ok).toBe(true);
  });

  test('a written-off job is settled by the bill, and is listed until then', async () => {
    const harness = start();
    harness.script.submit = [lostAnswer];
    const { id } = await harness.enqueue(aVideo);
    expect(harness.engine.commands.settleDoubt(id, 0)).toMatchObject({ ok: false, error: { code: 'wrong_state' } });
    await harness.engine.commands.resolve({ id, as: 'lost' });
    expect(
      harness.engine.queries.list({ limit: 10, costInDoubt: true }, harness.isPlay()).jobs.map((job) => job.id),
    ).toEqual([id]);
    harness.engine.commands.settleDoubt(id, 1_234_567_891);
    expect(harness.job(id)).toMatchObject({ state: 'failed', money: { chargedNano: 1_234_567_891, uncertainNano: 0 } });
    expect(sums(harness)).toMatchObject({
      settledNano: 1_234_567_891,
      settledLowNano: 1_234_567_891,
      uncertainNano: 0,
    });
    expect(harness.engine.queries.list({ limit: 10, costInDoubt: true }, harness.isPlay()).total).toBe(0);
    expect(harness.engine.commands.settleDoubt(id, 1)).toMatchObject({ ok: false, error: { code: 'wrong_state' } });
  });

  test('a job sent twice by the user: the first attempt was not billed, the second keeps its charge', async () => {
    const harness = start({ script: { gateway: { poll: async () => finished('gs://made/one.mp4') } } });
    harness.script.submit = [lostAnswer, acceptance(harness.clock)];
    const { id } = await harness.enqueue(aVideo);
    await harness.engine.commands.resolve({ id, as: 'resend' });
    expect(await harness.untilEnd(id)).toMatchObject({ money: { chargedNano: VIDEO_NANO, uncertainNano: VIDEO_NANO } });
    harness.engine.commands.settleDoubt(id, 0);
    expect(sums(harness)).toMatchObject({ settledNano: VIDEO_NANO, reservedNano: 0, uncertainNano: 0 });
  });
});
