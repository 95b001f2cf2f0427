import { expect, test } from 'vitest';
import {
  acceptance,
  aVideo,
  finished,
  lostAnswer,
  refusal,
  startEngine,
  VIDEO_NANO,
} from '../../../../test/helpers/engineHarness.ts';
import { engineHarnesses, jobsOfThisFile } from '../../../../test/helpers/engineHarnesses.ts';
import { settle, TestClock } from '../../../../test/helpers/testPorts.ts';
import type { StudioRequest } from '../../../shared/kinds/index.ts';
import type { ChatOutcome, Gateway, SubmitOutcome } from '../gateway/index.ts';
import type { Store } from '../store/index.ts';
import { appendPartial } from './queries/jobSql.ts';

/** Errors of this machine must lose neither a job nor its answer. */

const start = engineHarnesses();
const aJob = jobsOfThisFile(start);
const aChat: StudioRequest = { kind: 'chat', model: 'language', messages: [{ role: 'user', content: 'x' }] };
const CHARGED = { chargedNano: VIDEO_NANO, uncertainNano: 0 };
const fault = (): never => {
  throw new Error('a fault that nobody thought of');
};

test('a listener that fails at every change keeps no job from being sent, polled and finished', async () => {
  const harness = start();
  harness.script.submit = [acceptance(harness.clock)];
  harness.script.poll = [finished()];
  const states: string[] = [];
  harness.onEvent((event) => {
    if (event.type !== 'job.changed') return;
    states.push(event.job.state);
    fault();
  });
  const { id } = await harness.enqueue(aVideo);
  expect(await harness.untilEnd(id)).toMatchObject({ state: 'succeeded', money: CHARGED });
  await harness.clock.advance(25);
  expect(states).toEqual(expect.arrayContaining(['running', 'succeeded']));
});

test('a chunk of an answer that cannot be written ends nothing: its text is in the complete answer', async () => {
  const { promise, resolve: end } = Promise.withResolvers<ChatOutcome>();
  const wrapStore = (store: Store): Store => ({
    ...store,
    transaction: (work) =>
      store.transaction((db) =>
        work({
          ...db,
          run: (statement, params) => (statement === appendPartial ? fault() : db.run(statement, params)),
        }),
      ),
  });
  const chat: Gateway['chat'] = (_order, _options, onDelta) => {
    onDelta({ channel: 'text', text: 'The sea' });
    return promise;
  };
  const { clock, now, ends } = await aJob({ wrapStore, request: aChat, gateway: { chat } });
  await clock.advance(1_000);
  expect(now().state).toBe('running');
  end({ type: 'answered', complete: true, result: { text: 'The sea', finishReason: 'stop' } });
  expect(await ends()).toMatchObject({ state: 'succeeded', result: { text: 'The sea' } });
});

test('a fault after the outcome is written changes nothing about it', async () => {
  const harness = start();
  harness.script.submit = [{ ...finished(), type: 'done' }];
  harness.library.wakeDownloads = fault;
  const { id } = await harness.enqueue(aVideo);
  const job = await harness.until(id, ({ attempts }) => attempts[0]?.outcome !== 'sending');
  expect(job).toMatchObject({ attempts: [{ outcome: 'done' }], money: CHARGED });
});

test('a key that cannot be read delays no other lane', async () => {
  let tries = 0;
  // The lane of chats is served first.
  const harness = start({ hasKey: () => (++tries === 1 ? fault() : true) });
  const made = await harness.engine.commands.enqueue({ requests: [aChat, aVideo] });
  await settle();
  const [, video] = made.ok ? made.data.jobs : [];
  expect(harness.job(video?.id ?? '').attempts).toHaveLength(1);
});

test('a job that is sent again in the moment its answer is lost is awaited at close', async () => {
  const { promise, resolve: answer } = Promise.withResolvers<SubmitOutcome>();
  let sent = 0;
  const submitVideo = () => (++sent === 1 ? Promise.resolve(lostAnswer) : promise);
  const harness = startEngine({ script: { gateway: { submitVideo } } });
  harness.onEvent((event) => {
    if (event.type === 'job.changed' && event.job.state === 'uncertain')
      void harness.engine.commands.resolve({ id: event.job.id, as: 'resend' });
  });
  const { id } = await harness.enqueue(aVideo);
  await harness.clock.advance(25);
  expect(sent).toBe(2);
  const closing = harness.engine.close();
  await settle();
  answer(acceptance(harness.clock));
  await closing;
  expect(harness.job(id)).toMatchObject({ state: 'running', remoteId: 'task-1' });
  await harness.library.close();
  harness.store.close();
});

test('once closed, nothing is emitted, and nothing is read from the closed database', async () => {
  const harness = startEngine();
  await harness.clock.advance(1_000);
  await harness.close();
  const told = harness.events.length;
  harness.engine.commands.announce();
  await harness.clock.advance(60_000);
  expect(harness.events).toHaveLength(told);
});

test('no timer outlives the close, whatever is waiting', async () => {
  const clock = new TestClock();
  const open = new Set<object>();
  const after: TestClock['after'] = (ms, run) => {
    const timer = {};
    open.add(timer);
    const over = (then: () => void) => () => {
      open.delete(timer);
      then();
    };
    return over(clock.after(ms, over(run)));
  };
  const harness = startEngine({ clock, time: { now: clock.now, after } });
  const slowDown = refusal({ kind: 'rate_limit', retryable: true, status: 429, retryAfterMs: 60_000 });
  const nobody = refusal({ kind: 'network', retryable: true });
  harness.script.submit = [acceptance(clock), slowDown, nobody];
  for (const request of [aVideo, aVideo, { kind: 'imagine' as const, prompt: 'a hill' }])
    await harness.enqueue(request);
  expect(harness.script.sent).toBe(3);
  expect(open.size).toBeGreaterThan(2);
  await harness.close();
  expect(open.size).toBe(0);
});
