import { expect, test } from 'vitest';
import {
  error,
  finished,
  refusal,
  sentRequest,
  startEngine,
  VIDEO_NANO,
} from '../../../../test/helpers/engineHarness.ts';
import { engineHarnesses, jobsOfThisFile } from '../../../../test/helpers/engineHarnesses.ts';
import { noticesOf } from '../../../../test/helpers/limitedService.ts';
import { jobsListSchema } from '../../../shared/jobs/lists.ts';
import type { PollOutcome, SendOptions, SubmitOutcome } from '../gateway/index.ts';

/** A job that is canceled after it was sent: what is made of it, and what it costs. */

const start = engineHarnesses();
const aJob = jobsOfThisFile(start);
const MINUTE_MS = 60_000;
const running = Array<PollOutcome>(5_000).fill({ type: 'running' });
const silent = Array<PollOutcome>(2_000).fill({
  type: 'unreachable',
  error: error({ kind: 'network', retryable: true }),
});
const MADE = { state: 'canceled', money: { chargedNano: VIDEO_NANO, uncertainNano: 0 }, outputs: [{}] };

test('while the service refuses a spelling, it is not sent in another spelling', async () => {
  let asked: SendOptions | undefined;
  const { promise, resolve: answer } = Promise.withResolvers<SubmitOutcome>();
  const submitVideo = (_order: unknown, options: SendOptions): Promise<SubmitOutcome> => {
    asked = options;
    return promise;
  };
  const { id, cancel, until } = await aJob({ gateway: { submitVideo } });
  expect(asked?.mayRetry?.(), 'wanted so far').toBe(true);
  cancel();
  expect(asked?.mayRetry?.()).toBe(false);
  answer(refusal({ kind: 'invalid' }));
  expect((await until(id, ({ money }) => money.uncertainNano === 0)).state).toBe('canceled');
});

test('while its request is being kept, it is not sent, and nothing of it is in doubt', async () => {
  let kept: boolean | undefined;
  const submitVideo = async (_order: unknown, { keep, idempotencyKey }: SendOptions): Promise<SubmitOutcome> => {
    const [sending] = harness.engine.queries.list(jobsListSchema.parse({}), false).jobs;
    harness.engine.commands.cancel(sending?.id ?? '');
    kept = await keep?.(sentRequest(idempotencyKey, '{}'));
    return refusal({ kind: 'network', retryable: true });
  };
  const harness = start({ script: { gateway: { submitVideo } } });
  const { id } = await harness.enqueue({ kind: 'video', model: 'video-standard', prompt: 'A quay' });
  const job = await harness.until(id, ({ attempts }) => attempts[0]?.outcome === 'unsent');
  expect(kept).toBe(false);
  expect(job).toMatchObject({ state: 'canceled', money: { uncertainNano: 0, reservedNano: 0, chargedNano: 0 } });
  expect(noticesOf(harness.events), 'nothing is said about the host').toEqual([]);
});

test('a cancel that looks like a failure is canceled, and costs nothing', async () => {
  const { script, clock, now } = await aJob({ state: 'canceled' });
  script.poll = [{ type: 'failed', error: error({ accepted: 'yes' }), billed: 'no' }];
  await clock.advance(30_000);
  expect(now()).toMatchObject({ state: 'canceled', money: { uncertainNano: 0, chargedNano: 0 } });
});

test('the service still at it: it is asked for 65 minutes from then, also after a restart, and no longer', async () => {
  const { id, script, clock, dataDir, now, cancel, close } = await aJob({
    open: startEngine,
    state: 'running',
    poll: running,
  });
  await clock.advance(60 * MINUTE_MS);
  cancel();
  await clock.advance(60 * MINUTE_MS);
  const asked = script.polled;
  await clock.advance(3 * MINUTE_MS);
  expect(script.polled).toBeGreaterThan(asked);
  await clock.advance(60 * MINUTE_MS);
  const all = script.polled;
  await clock.advance(60 * MINUTE_MS);
  expect(script.polled).toBe(all);
  expect(now()).toMatchObject({ state: 'canceled', money: { uncertainNano: VIDEO_NANO } });
  await close();
  const next = start({ clock, dataDir });
  await clock.advance(66 * MINUTE_MS);
  const again = next.script.polled;
  expect(again).toBeGreaterThan(100);
  await clock.advance(60 * MINUTE_MS);
  expect(next.script.polled).toBe(again);
  expect(next.job(id).state).toBe('canceled');
});

test('the service back after hours and still at it: it has the 65 minutes from then', async () => {
  const { script, clock, charged } = await aJob({ state: 'canceled', poll: silent });
  await clock.advance(3 * 60 * MINUTE_MS);
  script.poll = [...running];
  await clock.advance(30 * MINUTE_MS);
  script.poll = [finished()];
  expect(await charged()).toMatchObject(MADE);
});
