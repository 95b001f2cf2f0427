import { expect, test } from 'vitest';
import { aVideo, refusal, sentRequest } from '../../../../test/helpers/engineHarness.ts';
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

test('a job that is canceled while its request is being kept is not sent, and nothing of it is in doubt', async () => {
  let kept: boolean | undefined;
  const hostReached: unknown[] = [];
  const submitVideo = async (_order: unknown, { keep, idempotencyKey }: SendOptions): Promise<SubmitOutcome> => {
    harness.engine.commands.cancel(id);
    kept = await keep?.(sentRequest(idempotencyKey, '{}'));
    return refusal({ kind: 'network', retryable: true });
  };
  const harness = startEngine({ script: { gateway: { submitVideo } } });
  harness.onEvent((event) => event.type === 'notice' && hostReached.push(event.text));
  let id = '';
  harness.onEvent((event) => {
    if (event.type === 'job.changed') id = event.job.id;
  });
  await harness.enqueue(aVideo);
  const job = await harness.until(id, ({ attempts }) => attempts[0]?.outcome === 'unsent');
  expect(kept).toBe(false);
  expect(job).toMatchObject({ state: 'canceled', money: { uncertainNano: 0, reservedNano: 0, chargedNano: 0 } });
  expect(hostReached, 'nothing is said about the host').toEqual([]);
});
