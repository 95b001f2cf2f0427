import { expect, test } from 'vitest';
import { acceptance, aVideo, error, finished, VIDEO_NANO } from '../../../../../test/helpers/engineHarness.ts';
import { engineHarnesses } from '../../../../../test/helpers/engineHarnesses.ts';
import type { PollOutcome } from '../../gateway/index.ts';

const start = engineHarnesses();
const MINUTE_MS = 60_000;
const running: PollOutcome = { type: 'running' };
const silent: PollOutcome = { type: 'unreachable', error: error({ kind: 'network', retryable: true }) };

/** A video whose service has it; each poll from now on is answered so. */
async function polledVideo(...answers: PollOutcome[]) {
  const harness = start();
  harness.script.submit = [acceptance(harness.clock)];
  harness.script.poll = answers;
  const { id } = await harness.enqueue(aVideo);
  await harness.until(id, ({ state }) => state === 'running');
  return { harness, id };
}

test('canceled, and the service silent: its task is asked for until it answers, once a minute', async () => {
  const { harness, id } = await polledVideo(...Array(2_000).fill(running));
  await harness.clock.advance(50 * MINUTE_MS);
  harness.engine.commands.cancel(id);
  harness.script.poll = Array(2_000).fill(silent);
  await harness.clock.advance(8 * 60 * MINUTE_MS);
  const asked = harness.script.polled;
  await harness.clock.advance(30 * MINUTE_MS);
  expect(harness.script.polled - asked).toBeLessThan(40);
  harness.script.poll = [finished()];
  const known = await harness.until(id, ({ money }) => money.uncertainNano === 0);
  expect(known).toMatchObject({ state: 'canceled', money: { chargedNano: VIDEO_NANO }, outputs: [{}] });
});

test('canceled, and the service still at it: the 65 minutes begin then', async () => {
  const { harness, id } = await polledVideo(...Array(5_000).fill(running));
  await harness.clock.advance(60 * MINUTE_MS);
  harness.engine.commands.cancel(id);
  await harness.clock.advance(60 * MINUTE_MS);
  harness.script.poll = [finished()];
  expect((await harness.until(id, ({ money }) => money.uncertainNano === 0)).outputs).toHaveLength(1);
});

test('canceled, and the service back after hours and still at it: it has the 65 minutes from then', async () => {
  const { harness, id } = await polledVideo(running);
  harness.engine.commands.cancel(id);
  harness.script.poll = Array(2_000).fill(silent);
  await harness.clock.advance(3 * 60 * MINUTE_MS);
  harness.script.poll = Array(2_000).fill(running);
  await harness.clock.advance(30 * MINUTE_MS);
  harness.script.poll = [finished()];
  expect((await harness.until(id, ({ money }) => money.uncertainNano === 0)).outputs).toHaveLength(1);
});
