import { expect, test } from 'vitest';
import { aVideo, refusal } from '../../../../test/helpers/engineHarness.ts';
import { engineHarnesses } from '../../../../test/helpers/engineHarnesses.ts';
import type { SendOptions, SubmitOutcome } from '../gateway/index.ts';

const startEngine = engineHarnesses();

test('a job that is canceled while the service refuses a spelling is not sent in another spelling', async () => {
  let asked: SendOptions | undefined;
  let answer: (outcome: SubmitOutcome) => void = () => undefined;
  const submitVideo = (_order: unknown, options: SendOptions): Promise<SubmitOutcome> => {
    asked = options;
    return new Promise((resolve) => {
      answer = resolve;
    });
  };
  const harness = startEngine({ script: { gateway: { submitVideo } } });
  const { id } = await harness.enqueue(aVideo);
  await harness.until(id, ({ state }) => state === 'sending');
  expect(asked?.mayRetry?.(), 'wanted so far').toBe(true);
  harness.engine.commands.cancel(id);
  expect(asked?.mayRetry?.()).toBe(false);
  answer(refusal({ kind: 'invalid' }));
  const job = await harness.until(id, ({ money }) => money.uncertainNano === 0);
  expect(job.state).toBe('canceled');
});
