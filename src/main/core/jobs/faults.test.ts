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
import { engineHarnesses } from '../../../../test/helpers/engineHarnesses.ts';
import { settle, TestClock } from '../../../../test/helpers/testPorts.ts';
import type { StudioRequest } from '../../../shared/kinds/index.ts';
import type { ChatOutcome, SubmitOutcome } from '../gateway/index.ts';
import type { Store } from '../store/index.ts';
import { appendPartial } from './statements.ts';

/** Errors of this machine must lose neither a job nor its answer. */

const start = engineHarnesses();
const aChat: StudioRequest = { kind: 'chat', model: 'language', messages: [{ role: 'user', content: 'x' }] };

test('a listener that fails at every change keeps no job from being sent, polled and finished', async () => {
  const harness = start();
  harness.script.submit = [acceptance(harness.clock)];
  harness.script.poll = [finished()];
  const states: string[] = [];
  harness.onEvent((event) => {
    if (event.type !== 'job.changed') return;
    states.push(event.job.state);
    throw new Error('a page has gone');
  });
  const { id } = await harness.enqueue(aVideo);
  expect(await harness.untilEnd(id)).toMatchObject({
    state: 'succeeded',
    money: { chargedNano: VIDEO_NANO, uncertainNano: 0 },
  });
  expect(states).toEqual(expect.arrayContaining(['sending', 'running', 'succeeded']));
});

test('a chunk of an answer that cannot be written ends nothing: its text is in the complete answer', async () => {
  let end: (outcome: ChatOutcome) => void = () => undefined;
  const wrapStore = (store: Store): Store => ({
    ...store,
    transaction: (work) =>
      store.transaction((db) =>
        work({
          ...db,
          run: (statement, params) => {
            if (statement === appendPartial) throw new Error('a fault that nobody thought of');
            return db.run(statement, params);
          },
        }),
      ),
  });
  const harness = start({
    wrapStore,
    script: {
      gateway: {
        chat: (_order, _options, onDelta) => {
          onDelta({ channel: 'text', text: 'The sea' });
          return new Promise((done) => (end = done));
        },
      },
    },
  });
  const { id } = await harness.enqueue(aChat);
  await harness.clock.advance(1_000);
  expect(harness.job(id).state).toBe('running');
  end({ type: 'answered', complete: true, result: { text: 'The sea', finishReason: 'stop' } });
  expect(await harness.untilEnd(id)).toMatchObject({ state: 'succeeded', result: { text: 'The sea' } });
});

test('a fault after the outcome is written changes nothing about it', async () => {
  const harness = start();
  harness.script.submit = [{ ...finished(), type: 'done' }];
  harness.library.wakeDownloads = () => {
    throw new Error('a fault that nobody thought of');
  };
  const { id } = await harness.enqueue(aVideo);
  const job = await harness.until(id, ({ attempts }) => attempts[0]?.outcome !== 'sending');
  expect(job).toMatchObject({ attempts: [{ outcome: 'done' }], money: { chargedNano: VIDEO_NANO, uncertainNano: 0 } });
});

test('a key that cannot be read delays no other lane', async () => {
  let tries = 0;
  const hasKey = () => {
    tries += 1;
    // The lane of chats is served first.
    if (tries === 1) throw new Error('the keychain is locked');
    return true;
  };
  const harness = start({ hasKey });
  const made = await harness.engine.commands.enqueue({ requests: [aChat, aVideo] });
  await settle();
  const ids = made.ok ? made.data.jobs.map(({ id }) => id) : [];
  expect(harness.job(ids[1] ?? '').attempts).toHaveLength(1);
});

test('a job that is sent again in the moment its answer is lost is awaited at close', async () => {
  let answer: (outcome: SubmitOutcome) => void = () => undefined;
  let sent = 0;
  const submitVideo = (): Promise<SubmitOutcome> => {
    sent += 1;
    return sent === 1 ? Promise.resolve(lostAnswer) : new Promise((done) => (answer = done));
  };
  const harness = startEngine({ script: { gateway: { submitVideo } } });
  harness.onEvent((event) => {
    if (event.type === 'job.changed' && event.job.state === 'uncertain')
      void harness.engine.commands.resolve({ id: event.job.id, as: 'resend' });
  });
  const { id } = await harness.enqueue(aVideo);
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
  harness.engine.commands.announce([]);
  await harness.clock.advance(60_000);
  expect(harness.events).toHaveLength(told);
});

test('no timer outlives the close, whatever is waiting', async () => {
  const clock = new TestClock();
  const open = new Set<object>();
  const after: TestClock['after'] = (ms, run) => {
    const timer = {};
    open.add(timer);
    const cancel = clock.after(ms, () => {
      open.delete(timer);
      run();
    });
    return () => {
      open.delete(timer);
      cancel();
    };
  };
  const harness = startEngine({ clock, time: { now: clock.now, after } });
  const slowDown = refusal({ kind: 'rate_limit', retryable: true, status: 429, retryAfterMs: 60_000 });
  const nobody = refusal({ kind: 'network', retryable: true });
  harness.script.submit = [acceptance(clock), slowDown, nobody];
  await harness.enqueue(aVideo);
  await harness.enqueue(aVideo);
  await harness.enqueue({ kind: 'imagine', prompt: 'a hill' });
  expect(harness.script.sent).toBe(3);
  expect(open.size).toBeGreaterThan(2);
  await harness.close();
  expect(open.size).toBe(0);
});
