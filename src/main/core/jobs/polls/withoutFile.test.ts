import { expect, test } from 'vitest';
import { finished, VIDEO_NANO } from '../../../../../test/helpers/engineHarness.ts';
import { jobsOfThisFile } from '../../../../../test/helpers/engineHarnesses.ts';
import type { PollOutcome } from '../../gateway/index.ts';

/** A service that reports success without a file: it is quoted at once, and nothing that it makes is lost. */

const aJob = jobsOfThisFile();
const MINUTE_MS = 60_000;
const said = 'The gateway reports success without a file.';
const times = (outcome: PollOutcome) => Array<PollOutcome>(1_000).fill(outcome);
const withoutFile: PollOutcome = { type: 'missing', said, succeeded: true };
const QUOTED = { error: { message: said } };

test('is quoted as soon as it says so, until it names the file', async () => {
  const { script, clock, now, ends } = await aJob({ state: 'running', poll: times(withoutFile) });
  await clock.advance(12_000);
  expect(now()).toMatchObject({ state: 'running', ...QUOTED });
  script.poll = times({ type: 'running', progress: 50 });
  await clock.advance(12_000);
  expect(now()).toMatchObject({ state: 'running', progress: 50 });
  expect(now()).not.toHaveProperty('error');
  script.poll = [withoutFile, finished()];
  expect(await ends()).toMatchObject({ state: 'succeeded', money: { uncertainNano: 0 } });
  expect(now()).not.toHaveProperty('error');
});

test('is unconfirmed after a minute, and asked on for a file that comes later', async () => {
  const { script, clock, now, ends } = await aJob({ state: 'running', poll: times(withoutFile) });
  await clock.advance(2 * MINUTE_MS);
  expect(now()).toMatchObject({ state: 'uncertain', ...QUOTED, money: { uncertainNano: VIDEO_NANO } });
  await clock.advance(30 * MINUTE_MS);
  script.poll = [finished()];
  expect(await ends()).toMatchObject({ state: 'succeeded', money: { chargedNano: VIDEO_NANO, uncertainNano: 0 } });
  expect(script.sent).toBe(1);
});

test('is asked no more once it has said so for 65 minutes', async () => {
  const { script, clock, now } = await aJob({ state: 'running', poll: times(withoutFile) });
  await clock.advance(67 * MINUTE_MS);
  const asked = script.polled;
  await clock.advance(30 * MINUTE_MS);
  expect([script.polled, now().state]).toEqual([asked, 'uncertain']);
});

test('is quoted after 65 minutes where the success may be that of the call alone', async () => {
  const { clock, now } = await aJob({ state: 'running', poll: times({ type: 'running', said }) });
  await clock.advance(30 * MINUTE_MS);
  expect(now()).toMatchObject({ state: 'running', ...QUOTED });
  await clock.advance(36 * MINUTE_MS);
  expect(now()).toMatchObject({ state: 'uncertain', ...QUOTED });
});
