import { expect, test } from 'vitest';
import { aVideo, refusal } from '../../../../test/helpers/engineRig.ts';
import { rigsOfThisFile } from '../../../../test/helpers/rigsOfThisFile.ts';
import type { SendOptions, SubmitOutcome } from '../gateway/index.ts';

const startRig = rigsOfThisFile();

test('an order that is canceled while the service refuses its spelling is not sent in another one', async () => {
  let asked: SendOptions | undefined;
  let answer: (outcome: SubmitOutcome) => void = () => undefined;
  const submitVideo = (_order: unknown, options: SendOptions): Promise<SubmitOutcome> => {
    asked = options;
    return new Promise((resolve) => {
      answer = resolve;
    });
  };
  const rig = startRig({ script: { gateway: { submitVideo } } });
  const { id } = await rig.enqueue(aVideo);
  await rig.until(id, ({ state }) => state === 'sending');
  expect(asked?.mayGoOn?.(), 'wanted so far').toBe(true);
  rig.engine.cancel(id);
  expect(asked?.mayGoOn?.()).toBe(false);
  answer(refusal({ kind: 'invalid' }));
  const job = await rig.until(id, ({ money }) => money.uncertainNano === 0);
  expect(job.state).toBe('canceled');
});
