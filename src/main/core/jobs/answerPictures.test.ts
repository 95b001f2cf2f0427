import { expect, test } from 'vitest';
import { error, PIXEL, startEngine } from '../../../../test/helpers/engineHarness.ts';
import { engineHarnesses, jobsOfThisFile } from '../../../../test/helpers/engineHarnesses.ts';
import { TestClock } from '../../../../test/helpers/testPorts.ts';
import type { StudioRequest } from '../../../shared/kinds/index.ts';
import type { ChatOutcome, Gateway } from '../gateway/index.ts';

/** Pictures of an answer are kept as they arrive, whatever becomes of the answer. */

const start = engineHarnesses();
const aJob = jobsOfThisFile(start);
const aChat: StudioRequest = { kind: 'chat', model: 'language', messages: [{ role: 'user', content: 'Draw a fox' }] };
const ADDRESS = 'https://cdn.example/fox.png';
const usage = { promptTokens: 5, completionTokens: 1_300, totalTokens: 1_305 };

/** Says a word, brings these pictures, and then ends so. */
const bringing =
  (pictures: string[], end: () => Promise<ChatOutcome>): Gateway['chat'] =>
  (_order, _options, onDelta, onPicture) => {
    onDelta({ channel: 'text', text: 'A fox' });
    for (const uri of pictures) onPicture?.({ uri, role: 'output' });
    return end();
  };
const never = () => new Promise<never>(() => undefined);

test('a kill in the middle of an answer leaves the picture that had come, and its cost in doubt', async () => {
  const chat = bringing([PIXEL, PIXEL.replace('QuYmC', 'QuYmD')], never);
  const { id, clock, dataDir, until } = await aJob({ open: startEngine, request: aChat, gateway: { chat } });
  await until(id, ({ outputs, result }) => outputs.length === 2 && result !== undefined);
  // Killed here.
  const after = start({ clock: new TestClock(clock.now()), dataDir });
  expect(after.job(id)).toMatchObject({
    state: 'failed',
    result: { text: 'A fox' },
    outputs: [
      { state: 'local', outputIndex: 0 },
      { state: 'local', outputIndex: 1 },
    ],
  });
  expect(after.job(id).money.uncertainNano).toBeGreaterThan(0);
});

test('an answer that breaks off keeps its picture, and is charged for what was counted', async () => {
  const cut: ChatOutcome = {
    type: 'answered',
    complete: false,
    result: { text: 'A fox', finishReason: 'cut', pictures: 1, usage },
    error: error({ kind: 'network', accepted: 'yes' }),
  };
  const { ends } = await aJob({ request: aChat, gateway: { chat: bringing([PIXEL], async () => cut) } });
  const job = await ends();
  expect(job).toMatchObject({ state: 'failed', outputs: [{ state: 'local' }], money: { uncertainNano: 0 } });
  expect(job.money.chargedNano).toBeGreaterThan(0);
});

test.each(['succeeded', 'canceled'] as const)(
  '%s: an address that refuses takes nothing of the answer or its charge',
  async (state) => {
    const done: ChatOutcome = {
      type: 'answered',
      complete: true,
      result: { text: 'A fox', finishReason: 'stop', pictures: 1, usage },
    };
    const { promise, resolve } = Promise.withResolvers<ChatOutcome>();
    const refusing: Gateway['fetchMedia'] = async () => ({
      type: 'failed',
      error: error({ kind: 'moderation', accepted: 'yes' }),
    });
    const gateway = { chat: bringing([ADDRESS], () => promise), fetchMedia: refusing };
    const { id, cancel, until } = await aJob({ request: aChat, gateway });
    if (state === 'canceled') cancel();
    resolve(done);
    const job = await until(id, ({ outputs, money }) => outputs[0]?.state === 'expired' && money.chargedNano > 0);
    expect(job).toMatchObject({ state, result: { text: 'A fox' }, money: { uncertainNano: 0 } });
  },
);
