import { describe, expect, test } from 'vitest';
import {
  acceptance,
  aVideo,
  error,
  finished,
  lostAnswer,
  PIXEL,
  startEngine,
  VIDEO_NANO,
} from '../../../../test/helpers/engineHarness.ts';
import { engineHarnesses } from '../../../../test/helpers/engineHarnesses.ts';
import { countingIds, memoryKeys, memorySettings, TestClock } from '../../../../test/helpers/testPorts.ts';
import { NO_MONEY } from '../../../shared/ledger.ts';
import type { Price } from '../../../shared/price.ts';
import type { Gateway, PollOutcome, RemoteTask, SubmitOutcome } from '../gateway/index.ts';
import { totals } from '../ledger/index.ts';
import { Profiles } from '../profiles/index.ts';

/** Answers that arrive twice, or for an attempt that was followed by another: money moves once, and for the right attempt. */

const start = engineHarnesses();
const perImage: Price = {
  kind: 'image',
  model: '*',
  readings: [{ unit: 'image', nano: 50_000_000 }],
  settledReading: 0,
  source: 'set by you',
};

const namesTask = '{"id":"178"}';
const away: PollOutcome = { type: 'unreachable', error: error({ kind: 'network' }) };

test('canceled while in flight, found by a poll and then answered too: one charge', async () => {
  let answer: (outcome: SubmitOutcome) => void = () => undefined;
  const submitImagine = () => new Promise<SubmitOutcome>((done) => (answer = done));
  const harness = start({ profile: { prices: [perImage] }, script: { gateway: { submitImagine } } });
  const { id } = await harness.enqueue({ kind: 'imagine', prompt: 'a hill' });
  harness.coreEvents.emit('webhook.bodyReceived', id, namesTask);
  harness.engine.commands.cancel(id);
  harness.script.poll = [finished()];
  harness.coreEvents.emit('webhook.received', id);
  await harness.until(id, ({ money }) => money.chargedNano > 0);
  answer({ type: 'done', outputs: [{ uri: PIXEL, role: 'output' }] });
  await harness.clock.advance(5_000);
  expect(harness.job(id)).toMatchObject({ state: 'canceled', money: { chargedNano: 50_000_000, uncertainNano: 0 } });
  expect(totals(harness.store.read, 'kind', {}).sum).toEqual({
    ...NO_MONEY,
    settledNano: 50_000_000,
    settledLowNano: 50_000_000,
  });
});

test('a webhook names the task before the answer is lost: the task is polled, and the picture is here', async () => {
  let answer: (outcome: SubmitOutcome) => void = () => undefined;
  const submitImagine = () => new Promise<SubmitOutcome>((done) => (answer = done));
  const harness = start({ profile: { prices: [perImage] }, script: { gateway: { submitImagine } } });
  const { id } = await harness.enqueue({ kind: 'imagine', prompt: 'a hill' });
  harness.coreEvents.emit('webhook.bodyReceived', id, namesTask);
  await harness.clock.advance(5_000);
  expect(harness.script.polled, 'its answer may still come').toBe(0);
  harness.script.poll = [{ type: 'running' }, finished()];
  answer(lostAnswer);
  const { state, money } = await harness.untilEnd(id);
  expect({ state, money }).toMatchObject({ state: 'succeeded', money: { chargedNano: 50_000_000, uncertainNano: 0 } });
});

test.each<[string, PollOutcome[]]>([
  ['the network is away', Array.from({ length: 8 }, () => away)],
  ['the service does not know it yet', Array.from({ length: 8 }, () => ({ type: 'missing' }))],
])('a webhook names the task, and %s: it is asked for again', async (_, poll) => {
  const harness = start({ script: { submit: [lostAnswer], poll: [...poll, finished()] } });
  const { id } = await harness.enqueue({ kind: 'imagine', prompt: 'a hill' });
  harness.coreEvents.emit('webhook.bodyReceived', id, namesTask);
  expect((await harness.untilEnd(id)).state).toBe('succeeded');
});

test('it is not asked for without end: a day without an answer, a minute in which the service does not know it', async () => {
  for (const [answer, ms] of [
    [away, 24 * 3_600_000],
    [{ type: 'missing' as const }, 60_000],
  ] as const) {
    const polls: number[] = [];
    const poll = async () => {
      polls.push(harness.clock.now());
      return answer;
    };
    const harness = start({ script: { submit: [lostAnswer], gateway: { poll } } });
    const { id } = await harness.enqueue({ kind: 'imagine', prompt: 'a hill' });
    const named = harness.clock.now();
    harness.coreEvents.emit('webhook.bodyReceived', id, namesTask);
    await harness.clock.advance(26 * 3_600_000);
    expect((polls.at(-1) ?? 0) - named).toBeLessThan(ms + 90_000);
    expect(harness.job(id).state).toBe('uncertain');
  }
});

describe('ordered again, while an earlier task of it is known', () => {
  const again = async (begin = start) => {
    const answers: ((outcome: SubmitOutcome) => void)[] = [];
    const submitImagine = () => new Promise<SubmitOutcome>((done) => answers.push(done));
    const polled: string[] = [];
    const clock = new TestClock();
    let isAgain = false;
    const poll = async ({ id }: RemoteTask): Promise<PollOutcome> => {
      if (!isAgain) return { type: 'missing' };
      polled.push(id);
      return id === 'old' ? { type: 'failed', error: error({ accepted: 'yes' }), billed: 'no' } : finished();
    };
    const harness = begin({ clock, profile: { prices: [perImage] }, script: { gateway: { submitImagine, poll } } });
    const { id } = await harness.enqueue({ kind: 'imagine', prompt: 'a hill' });
    const tell = async (outcome: SubmitOutcome) => {
      answers.shift()?.(outcome);
      await harness.clock.advance(5_000);
    };
    await tell({ ...lostAnswer, task: { id: 'old', kind: 'image', acceptedAt: clock.now() } } as SubmitOutcome);
    await harness.engine.commands.resolve({ id, as: 'resend' });
    await harness.until(id, ({ state }) => state === 'sending');
    isAgain = true;
    return { harness, id, tell, polled };
  };

  test('and its answer is lost: the earlier task is not asked for, and both stay in doubt', async () => {
    const { harness, id, tell, polled } = await again();
    await tell(lostAnswer);
    expect(polled).toEqual([]);
    expect(harness.job(id)).toMatchObject({ state: 'uncertain', money: { uncertainNano: 100_000_000 } });
  });

  test('and Dailies ends before its answer: as well', async () => {
    const { harness: dead, id } = await again(startEngine);
    // Killed here.
    const after = start({ clock: new TestClock(dead.clock.now()), dataDir: dead.dataDir });
    await after.clock.advance(10_000);
    expect(after.script.polled).toBe(0);
    expect(after.job(id).state).toBe('uncertain');
  });

  test.each(['lost', 'accepted'] as const)(
    'its task comes by a webhook, and its answer is %s: its result is here, the earlier one stays in doubt',
    async (how) => {
      const { harness, id, tell, polled } = await again();
      harness.coreEvents.emit('webhook.bodyReceived', id, namesTask);
      await tell(how === 'lost' ? lostAnswer : acceptance(harness.clock, '178'));
      expect(await harness.untilEnd(id)).toMatchObject({
        state: 'succeeded',
        money: { chargedNano: 50_000_000, uncertainNano: 50_000_000 },
      });
      expect(polled).not.toContain('old');
    },
  );
});

test('a webhook names the task before Dailies ends: the task is polled at the next start', async () => {
  const submitImagine = () => new Promise<never>(() => undefined);
  const dead = startEngine({ script: { gateway: { submitImagine } } });
  const { id } = await dead.enqueue({ kind: 'imagine', prompt: 'a hill' });
  dead.coreEvents.emit('webhook.bodyReceived', id, namesTask);
  // Killed here.
  const after = start({
    clock: new TestClock(dead.clock.now()),
    dataDir: dead.dataDir,
    script: { poll: [finished()] },
  });
  expect(await after.untilEnd(id)).toMatchObject({ state: 'succeeded', money: { uncertainNano: 0 } });
});

test('canceled while in flight, and the answer lost: a webhook still names the task, which is polled', async () => {
  let answer: (outcome: SubmitOutcome) => void = () => undefined;
  const submitImagine = () => new Promise<SubmitOutcome>((done) => (answer = done));
  const harness = start({ profile: { prices: [perImage] }, script: { gateway: { submitImagine } } });
  const { id } = await harness.enqueue({ kind: 'imagine', prompt: 'a hill' });
  harness.engine.commands.cancel(id);
  answer(lostAnswer);
  await harness.clock.advance(5_000);
  harness.script.poll = [finished()];
  expect(harness.engine.queries.lacksTaskId(id)).toBe(true);
  harness.coreEvents.emit('webhook.bodyReceived', id, namesTask);
  const { state, money, outputs } = await harness.until(id, ({ money }) => money.chargedNano > 0);
  expect({ state, money, count: outputs.length }).toMatchObject({
    state: 'canceled',
    money: { chargedNano: 50_000_000, uncertainNano: 0 },
    count: 1,
  });
});

test('canceled, and done by the service: its gateway stays, with its address, until the result is here', async () => {
  let type: 'unreachable' | 'gone' = 'unreachable';
  const fetchMedia: Gateway['fetchMedia'] = async () => ({ type, error: error({ kind: 'network' }) });
  const harness = start({ script: { gateway: { fetchMedia } } });
  const settings = memorySettings();
  settings.write('profiles', [{ id: 'p', name: 'P', baseUrl: 'http://one.example' }]);
  const profiles = new Profiles({
    keys: memoryKeys(),
    settings,
    ids: countingIds(),
    openGateway: () => ({}) as never,
    hide: () => undefined,
    jobs: harness.engine.queries,
  });
  harness.script.submit = [acceptance(harness.clock)];
  const { id } = await harness.enqueue(aVideo);
  harness.engine.commands.cancel(id);
  harness.script.poll = [finished('https://cdn.example/a.png')];
  const { outputs } = await harness.until(id, ({ money }) => money.chargedNano > 0);
  expect(outputs).toMatchObject([{ state: 'remote' }]);
  expect(await profiles.remove('p')).toMatchObject({
    error: { code: 'wrong_state', message: expect.stringMatching(/^One job of this profile is still open/) },
  });
  expect(await profiles.save({ id: 'p', baseUrl: 'http://two.example' })).toMatchObject({
    error: { code: 'wrong_state' },
  });
  type = 'gone';
  await harness.until(id, (job) => job.outputs[0]?.state === 'expired');
  expect(await profiles.remove('p')).toMatchObject({ ok: true });
});

/** During the poll of a lost attempt the job is sent again, and the service accepts it: another job follows the first order from then on. */
async function sentAgainDuringALook() {
  const looks: ((outcome: PollOutcome) => void)[] = [];
  const poll = async ({ id }: RemoteTask) =>
    id === 'old' && looks.length > 0 ? away : new Promise<PollOutcome>((done) => looks.push(done));
  const clock = new TestClock();
  const first = { ...lostAnswer, task: { id: 'old', kind: 'video' as const, acceptedAt: clock.now() } };
  const harness = start({ clock, script: { submit: [first, acceptance(clock, 'new')], gateway: { poll } } });
  const { id } = await harness.enqueue(aVideo);
  await harness.until(id, ({ state }) => state === 'uncertain');
  await harness.clock.advance(500);
  expect(looks.length).toBe(1);
  await harness.engine.commands.resolve({ id, as: 'resend' });
  await harness.until(id, ({ remoteId, state }) => remoteId === 'new' && state === 'running');
  const tell = async (outcome: PollOutcome) => {
    looks[0]?.(outcome);
    await harness.clock.advance(0);
  };
  const next = async (outcome: PollOutcome) => {
    for (let step = 0; step < 100 && looks.length < 2; step++) await harness.clock.advance(1_000);
    looks[1]?.(outcome);
    return harness.untilEnd(id);
  };
  return { harness, id, tell, next };
}

test.each<[string, PollOutcome]>([
  ['failed', { type: 'failed', error: error({ accepted: 'yes' }), billed: 'no' }],
  ['was made', finished()],
])(
  'a look that began before it was ordered again says that the old order %s: the new one goes on',
  async (_, outcome) => {
    const { harness, id, tell, next } = await sentAgainDuringALook();
    const before = harness.job(id).money;
    expect(before).toMatchObject({ reservedNano: VIDEO_NANO, uncertainNano: 0 });
    await tell(outcome);
    expect(harness.job(id)).toMatchObject({ state: 'running', remoteId: 'new', money: before });
    const job = await next(finished());
    expect(job).toMatchObject({ state: 'succeeded', money: { chargedNano: VIDEO_NANO, uncertainNano: 0 } });
    expect(totals(harness.store.read, 'kind', {}).sum).toMatchObject({ uncertainNano: VIDEO_NANO });
  },
);
