import { describe, expect, test } from 'vitest';
import {
  acceptance,
  aVideo,
  finished,
  refusal,
  startEngine,
  VIDEO_NANO,
} from '../../../../test/helpers/engineHarness.ts';
import { engineHarnesses } from '../../../../test/helpers/engineHarnesses.ts';
import { TestClock } from '../../../../test/helpers/testPorts.ts';
import type { Gateway } from '../gateway/index.ts';

const start = engineHarnesses();

describe('restart', () => {
  test('jobs being sent are in doubt, accepted ones are polled, waiting ones go on in order', async () => {
    const clock = new TestClock();
    const never = new Promise<never>(() => undefined);
    const before = start({ clock, profile: { limits: { videosAtOnce: 2 } } });
    before.script.submit = [acceptance(clock, 'kept')];
    const running = await before.enqueue(aVideo);
    before.script.gateway.submitVideo = () => never;
    const dead = startEngine({ clock, dataDir: before.dataDir, script: { gateway: { submitVideo: () => never } } });
    const sending = await dead.enqueue(aVideo);
    expect(dead.job(sending.id).state).toBe('sending');
    // Killed here: neither of the two is closed properly.
    const after = start({ clock, dataDir: before.dataDir, script: { poll: [finished()] } });
    expect(after.job(sending.id)).toMatchObject({ state: 'uncertain', money: { uncertainNano: VIDEO_NANO } });
    expect(after.script.sent).toBe(0);
    expect((await after.untilEnd(running.id)).state).toBe('succeeded');
  });
});

test('a job that depends on an answer that a restart cut off fails with it, in whatever order the queue is', async () => {
  const chat: Gateway['chat'] = (_order, _options, onDelta) => {
    onDelta({ channel: 'text', text: 'The sea' });
    return new Promise(() => undefined);
  };
  const dead = startEngine({ script: { gateway: { chat } } });
  const first = await dead.enqueue({ kind: 'chat', model: 'language', messages: [{ role: 'user', content: 'x' }] });
  await dead.until(first.id, ({ state }) => state === 'running');
  const second = await dead.enqueue(aVideo, { dependsOn: [first.id] });
  const third = await dead.enqueue(aVideo, { dependsOn: [second.id] });
  dead.engine.commands.move(third.id, second.id);
  // Killed here.
  const after = start({ clock: new TestClock(dead.clock.now()), dataDir: dead.dataDir });
  expect([first, second, third].map(({ id }) => after.job(id).state)).toEqual(['failed', 'failed', 'failed']);
  expect(after.job(third.id).money.reservedNano).toBe(0);
});

test('after close nothing uses the database, and jobs in flight are in doubt at the next start', async () => {
  const clock = new TestClock();
  let answer: (outcome: ReturnType<typeof refusal>) => void = () => undefined;
  const gateway = { submitVideo: () => new Promise<ReturnType<typeof refusal>>((resolve) => (answer = resolve)) };
  const harness = startEngine({ clock, script: { gateway } });
  const { id } = await harness.enqueue(aVideo);
  const closing = harness.close();
  await clock.advance(10_000);
  await closing;
  answer(refusal());
  await clock.advance(10_000);
  const after = start({ clock, dataDir: harness.dataDir });
  expect(after.job(id).state).toBe('uncertain');
});

test('what was streamed right before a close is stored, and what comes after it is told to nobody', async () => {
  const clock = new TestClock();
  let say: (text: string) => void = () => undefined;
  const chat: Gateway['chat'] = (_order, _options, onDelta) => {
    say = (text) => onDelta({ channel: 'text', text });
    say('The sea');
    return new Promise(() => undefined);
  };
  const harness = startEngine({ clock, script: { gateway: { chat } } });
  let told = '';
  harness.coreEvents.on('stream.delta', (_id, { text }) => {
    told += text;
  });
  const { id } = await harness.enqueue({ kind: 'chat', model: 'language', messages: [{ role: 'user', content: 'x' }] });
  await harness.until(id, ({ state }) => state === 'running');
  const closing = harness.close();
  await clock.advance(3_990);
  say(' is calm');
  await clock.advance(10);
  await closing;
  say(' and wide');
  await clock.advance(1_000);
  const after = start({ clock, dataDir: harness.dataDir });
  expect([told, after.job(id).result?.text]).toEqual(['The sea is calm', 'The sea is calm']);
});

test('the limit per minute holds over a restart', async () => {
  const clock = new TestClock();
  const profile = { limits: { videosAtOnce: 100 }, models: [{ id: 'soon', kind: 'video', preview: true }] };
  const soon = { ...aVideo, model: 'soon' } as typeof aVideo;
  const before = start({ clock, profile });
  before.script.submit = Array.from({ length: 6 }, (_, n) => acceptance(clock, `a-${n}`));
  for (let n = 0; n < 6; n++) await before.enqueue(soon);
  const after = start({ clock, profile, dataDir: before.dataDir });
  after.script.submit = Array.from({ length: 10 }, (_, n) => acceptance(clock, `b-${n}`));
  for (let n = 0; n < 10; n++) await after.enqueue(soon);
  expect(after.script.sent).toBe(4);
});

test('after a restart no attempt is shown as being sent: not of a canceled job, not of an incomplete answer', async () => {
  const clock = new TestClock();
  const gateway: Partial<Gateway> = {
    submitVideo: () => new Promise(() => undefined),
    chat: (_order, _options, onDelta) => {
      onDelta({ channel: 'text', text: 'The sea' });
      return new Promise(() => undefined);
    },
  };
  const dead = startEngine({ clock, script: { gateway } });
  const { id } = await dead.enqueue(aVideo);
  const canceled = dead.engine.commands.cancel(id);
  expect(canceled.ok && canceled.data.attempts).toMatchObject([{ outcome: 'sending' }]);
  const chat = await dead.enqueue({ kind: 'chat', model: 'language', messages: [{ role: 'user', content: 'x' }] });
  await dead.until(chat.id, ({ state }) => state === 'running');
  // Killed here.
  const after = start({ clock, dataDir: dead.dataDir });
  expect(after.job(id)).toMatchObject({ state: 'canceled', attempts: [{ outcome: 'unknown' }] });
  expect(after.job(chat.id)).toMatchObject({ state: 'failed', attempts: [{ outcome: 'unknown' }] });
});

test('once nothing more is to be sent, what is under way is answered and the rest waits for the next start', async () => {
  const harness = start({ profile: { limits: { videosAtOnce: 1 } } });
  harness.script.submit = [acceptance(harness.clock)];
  harness.script.poll = [finished()];
  const first = await harness.enqueue(aVideo);
  const second = await harness.enqueue(aVideo);
  harness.engine.stopSending();
  expect((await harness.untilEnd(first.id)).state).toBe('succeeded');
  const third = await harness.enqueue(aVideo);
  await harness.clock.advance(600_000);
  expect([second, third].map(({ id }) => harness.job(id).state)).toEqual(['queued', 'queued']);
  expect(harness.script.sent).toBe(1);
});

test('nor does a start send that comes to its end after that', async () => {
  const harness = start();
  harness.engine.stopSending();
  const { id } = await harness.enqueue(aVideo);
  harness.engine.start();
  await harness.clock.advance(600_000);
  expect(harness.job(id).state).toBe('queued');
});
