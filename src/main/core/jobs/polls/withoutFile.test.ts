import { expect, test } from 'vitest';
import { acceptance, aVideo, finished, VIDEO_NANO } from '../../../../../test/helpers/engineHarness.ts';
import { engineHarnesses } from '../../../../../test/helpers/engineHarnesses.ts';
import type { PollOutcome } from '../../gateway/index.ts';

/** A service that reports success without a file: it is quoted at once, and nothing that it makes is lost. */

const start = engineHarnesses();
const MINUTE_MS = 60_000;
const said = 'The gateway reports success without a file.';
const times = (outcome: PollOutcome) => Array.from({ length: 1_000 }, () => outcome);
const withoutFile: PollOutcome = { type: 'missing', said, succeeded: true };

/** A video that was accepted just now. */
async function accepted(poll: PollOutcome[]) {
  const harness = start({ script: { poll } });
  harness.script.submit = [acceptance(harness.clock)];
  const { id } = await harness.enqueue(aVideo);
  await harness.until(id, ({ state }) => state === 'running');
  return { harness, id };
}

test('is quoted as soon as it says so, until it names the file', async () => {
  const { harness, id } = await accepted(times(withoutFile));
  await harness.clock.advance(12_000);
  expect(harness.job(id)).toMatchObject({ state: 'running', error: { message: said } });
  harness.script.poll = times({ type: 'running', progress: 50 });
  await harness.clock.advance(12_000);
  expect(harness.job(id)).toMatchObject({ state: 'running', progress: 50 });
  expect(harness.job(id)).not.toHaveProperty('error');
  harness.script.poll = [withoutFile, finished()];
  expect(await harness.untilEnd(id)).toMatchObject({ state: 'succeeded', money: { uncertainNano: 0 } });
  expect(harness.job(id)).not.toHaveProperty('error');
});

test('is unconfirmed after a minute, and asked on for a file that comes later', async () => {
  const { harness, id } = await accepted(times(withoutFile));
  await harness.clock.advance(2 * MINUTE_MS);
  expect(harness.job(id)).toMatchObject({
    state: 'uncertain',
    error: { message: said },
    money: { uncertainNano: VIDEO_NANO },
  });
  await harness.clock.advance(30 * MINUTE_MS);
  harness.script.poll = [finished()];
  expect(await harness.untilEnd(id)).toMatchObject({
    state: 'succeeded',
    money: { chargedNano: VIDEO_NANO, uncertainNano: 0 },
  });
  expect(harness.script.sent).toBe(1);
});

test('is asked no more once it has said so for 65 minutes', async () => {
  const { harness, id } = await accepted(times(withoutFile));
  await harness.clock.advance(67 * MINUTE_MS);
  const asked = harness.script.polled;
  await harness.clock.advance(30 * MINUTE_MS);
  expect(harness.script.polled).toBe(asked);
  expect(harness.job(id).state).toBe('uncertain');
});

test('is quoted after 65 minutes where the success may be that of the call alone', async () => {
  const { harness, id } = await accepted(times({ type: 'running', said }));
  await harness.clock.advance(30 * MINUTE_MS);
  expect(harness.job(id)).toMatchObject({ state: 'running', error: { message: said } });
  await harness.clock.advance(36 * MINUTE_MS);
  expect(harness.job(id)).toMatchObject({ state: 'uncertain', error: { message: said } });
});
