import { expect, test } from 'vitest';
import { acceptance, aVideo, refusal } from '../../../../test/helpers/engineHarness.ts';
import { engineHarnesses } from '../../../../test/helpers/engineHarnesses.ts';

const start = engineHarnesses();

const DAY = 24 * 3_600_000;
const answers = [
  ['slow down', refusal({ kind: 'rate_limit', status: 429, retryable: true, retryAfterMs: 5_000 })],
  ['too slow', refusal({ kind: 'timeout', status: 408, retryable: true })],
] as const;

test.each(answers)('one that was answered with %s goes on, though the clock is set back', async (_, answer) => {
  const harness = start();
  harness.script.submit = [answer, acceptance(harness.clock)];
  const { id } = await harness.enqueue(aVideo);
  expect(harness.job(id)).toMatchObject({ state: 'blocked', nextAt: expect.any(Number) });
  harness.clock.set(harness.clock.now() - DAY);
  await harness.clock.advance(60_000);
  expect(harness.job(id).state).toBe('running');
});

test('it goes on after a restart too', async () => {
  const before = start();
  before.script.submit = [answers[0][1]];
  const { id } = await before.enqueue(aVideo);
  await before.close();
  const { clock } = before;
  clock.set(clock.now() - DAY);
  const after = start({ clock, dataDir: before.dataDir, script: { submit: [acceptance(clock)] } });
  await clock.advance(60_000);
  expect(after.job(id).state).toBe('running');
});
