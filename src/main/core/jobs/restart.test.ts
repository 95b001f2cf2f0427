import { expect, test } from 'vitest';
import {
  acceptance,
  aVideo,
  finished,
  refusal,
  startEngine,
  VIDEO_NANO,
} from '../../../../test/helpers/engineHarness.ts';
import { engineHarnesses, jobsOfThisFile } from '../../../../test/helpers/engineHarnesses.ts';
import { TestClock } from '../../../../test/helpers/testPorts.ts';
import type { StudioRequest } from '../../../shared/kinds/index.ts';
import type { Gateway, SubmitOutcome } from '../gateway/index.ts';

const start = engineHarnesses();
const aJob = jobsOfThisFile(start);
const open = startEngine;
const aChat: StudioRequest = { kind: 'chat', model: 'language', messages: [{ role: 'user', content: 'x' }] };
const never = () => new Promise<never>(() => undefined);
/** Says so much, and does not end. */
const streaming: Gateway['chat'] = (_order, _options, onDelta) => {
  onDelta({ channel: 'text', text: 'The sea' });
  return never();
};

test('jobs being sent are in doubt, accepted ones are polled, waiting ones go on in order', async () => {
  const { id: running, clock, dataDir } = await aJob({ state: 'running', profile: { limits: { videosAtOnce: 2 } } });
  const sending = await aJob({ open, clock, dataDir, gateway: { submitVideo: never } });
  expect(sending.now().state).toBe('sending');
  // Killed here: neither of the two is closed properly.
  const after = start({ clock, dataDir, script: { poll: [finished()] } });
  expect(after.job(sending.id)).toMatchObject({ state: 'uncertain', money: { uncertainNano: VIDEO_NANO } });
  expect(after.script.sent).toBe(0);
  expect((await after.untilEnd(running)).state).toBe('succeeded');
});

test('a job that depends on an answer that a restart cut off fails with it, in whatever order the queue is', async () => {
  const { id, clock, dataDir, is, enqueue, commands } = await aJob({
    open,
    request: aChat,
    gateway: { chat: streaming },
  });
  await is('running');
  const second = await enqueue(aVideo, { dependsOn: [id] });
  const third = await enqueue(aVideo, { dependsOn: [second.id] });
  commands.move(third.id, second.id);
  // Killed here.
  const after = start({ clock: new TestClock(clock.now()), dataDir });
  expect([id, second.id, third.id].map((each) => after.job(each).state)).toEqual(['failed', 'failed', 'failed']);
  expect(after.job(third.id).money.reservedNano).toBe(0);
});

test('after close nothing uses the database, and jobs in flight are in doubt at the next start', async () => {
  const { promise, resolve: answer } = Promise.withResolvers<SubmitOutcome>();
  const { id, clock, dataDir, close } = await aJob({ open, gateway: { submitVideo: () => promise } });
  const closing = close();
  await clock.advance(10_000);
  await closing;
  answer(refusal());
  await clock.advance(10_000);
  expect(start({ clock, dataDir }).job(id).state).toBe('uncertain');
});

test('what was streamed right before a close is stored, and what comes after it is told to nobody', async () => {
  let say: (text: string) => void = () => undefined;
  const chat: Gateway['chat'] = (_order, _options, onDelta) => {
    say = (text) => onDelta({ channel: 'text', text });
    say('The sea');
    return never();
  };
  const { id, clock, dataDir, coreEvents, is, close } = await aJob({ open, request: aChat, gateway: { chat } });
  let told = 'The sea';
  coreEvents.on('stream.delta', (_id, { text }) => {
    told += text;
  });
  await is('running');
  const closing = close();
  await clock.advance(3_990);
  say(' is calm');
  await clock.advance(10);
  await closing;
  say(' and wide');
  await clock.advance(1_000);
  expect([told, start({ clock, dataDir }).job(id).result?.text]).toEqual(['The sea is calm', 'The sea is calm']);
});

test('preview models are sent ten requests a minute, also over a restart', async () => {
  const clock = new TestClock();
  const profile = { limits: { videosAtOnce: 100 }, models: [{ id: 'soon', kind: 'video', preview: true }] };
  const sent = async (count: number, dataDir?: string) => {
    const harness = start({ clock, profile, ...(dataDir ? { dataDir } : {}) });
    harness.script.submit = Array.from({ length: count }, (_, n) => acceptance(clock, `${dataDir}-${n}`));
    for (let n = 0; n < count; n++) await harness.enqueue({ ...aVideo, model: 'soon' } as StudioRequest);
    return harness;
  };
  const { dataDir } = await sent(6);
  const { script } = await sent(10, dataDir);
  for (const [ms, count] of [
    [0, 4],
    [59_000, 4],
    [2_000, 10],
  ] as const) {
    await clock.advance(ms);
    expect(script.sent).toBe(count);
  }
});

test('after a restart no attempt is shown as being sent: not of a canceled job, not of an incomplete answer', async () => {
  const gateway = { submitVideo: never, chat: streaming };
  const { id, clock, dataDir, enqueue, until, commands } = await aJob({ open, gateway });
  const canceled = commands.cancel(id);
  expect(canceled.ok && canceled.data.attempts).toMatchObject([{ outcome: 'sending' }]);
  const chat = await enqueue(aChat);
  await until(chat.id, ({ state }) => state === 'running');
  // Killed here.
  const after = start({ clock, dataDir });
  expect(after.job(id)).toMatchObject({ state: 'canceled', attempts: [{ outcome: 'unknown' }] });
  expect(after.job(chat.id)).toMatchObject({ state: 'failed', attempts: [{ outcome: 'unknown' }] });
});

test('once nothing more is to be sent, what is under way is answered and the rest waits for the next start', async () => {
  const { engine, script, clock, enqueue, job, ends } = await aJob({
    state: 'running',
    poll: [finished()],
    profile: { limits: { videosAtOnce: 1 } },
  });
  const second = await enqueue(aVideo);
  engine.stopSending();
  expect((await ends()).state).toBe('succeeded');
  const third = await enqueue(aVideo);
  await clock.advance(600_000);
  expect([second, third].map(({ id }) => job(id).state)).toEqual(['queued', 'queued']);
  expect(script.sent).toBe(1);
});

test('a start that comes to its end after that sends nothing, and a repeated one takes nothing for its own', async () => {
  const harness = start();
  harness.engine.stopSending();
  const { id } = await harness.enqueue(aVideo);
  harness.engine.start();
  await harness.clock.advance(600_000);
  expect(harness.job(id).state).toBe('queued');

  const { promise, resolve: answer } = Promise.withResolvers<SubmitOutcome>();
  const { engine, clock, now, ends } = await aJob({ poll: [finished()], gateway: { submitVideo: () => promise } });
  engine.start();
  expect(now().state).toBe('sending');
  answer(acceptance(clock));
  expect(await ends()).toMatchObject({ state: 'succeeded', money: { chargedNano: VIDEO_NANO } });
});
