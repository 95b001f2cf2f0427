import { describe, expect, test } from 'vitest';
import {
  acceptance,
  error,
  finished,
  lostAnswer,
  PIXEL,
  startEngine,
  VIDEO_NANO,
} from '../../../../test/helpers/engineHarness.ts';
import { engineHarnesses, type JobOptions, jobsOfThisFile } from '../../../../test/helpers/engineHarnesses.ts';
import { countingIds, memoryKeys, memorySettings, TestClock } from '../../../../test/helpers/testPorts.ts';
import { NO_MONEY } from '../../../shared/money/ledger.ts';
import type { Gateway, PollOutcome, RemoteTask, SubmitOutcome } from '../gateway/index.ts';
import { Profiles } from '../profiles/index.ts';

/** Answers that arrive twice, or for an attempt that was followed by another: money moves once, and for the right attempt. */

const start = engineHarnesses();
const aJob = jobsOfThisFile(start);
const readings = [{ unit: 'image', nano: 50_000_000 }];
const profile = { prices: [{ kind: 'image', model: '*', readings, settledReading: 0, source: 'set by you' }] };
const request = { kind: 'imagine', prompt: 'a hill' } as const;
const CHARGED = { chargedNano: 50_000_000, uncertainNano: 0 };
const namesTask = '{"id":"178"}';
const away: PollOutcome = { type: 'unreachable', error: error({ kind: 'network' }) };
const failed: PollOutcome = { type: 'failed', error: error({ accepted: 'yes' }), billed: 'no' };

/** An image that is being sent: the test answers it. */
async function inFlight(options: JobOptions = {}) {
  const { promise, resolve: answer } = Promise.withResolvers<SubmitOutcome>();
  const one = await aJob({ request, profile, gateway: { submitImagine: () => promise }, ...options });
  return { ...one, answer, hook: () => one.coreEvents.emit('webhook.bodyReceived', one.id, namesTask) };
}

test('canceled while in flight, found by a poll and then answered too: one charge', async () => {
  const { id, script, clock, coreEvents, hook, answer, cancel, charged, now, sums } = await inFlight();
  hook();
  cancel();
  script.poll = [finished()];
  coreEvents.emit('webhook.received', id);
  await charged();
  answer({ type: 'done', outputs: [{ uri: PIXEL, role: 'output' }] });
  await clock.advance(5_000);
  expect(now()).toMatchObject({ state: 'canceled', money: CHARGED });
  expect(sums()).toEqual({ ...NO_MONEY, settledNano: 50_000_000, settledLowNano: 50_000_000 });
});

test('a webhook names the task before the answer is lost: the task is polled, and the picture is here', async () => {
  const { script, clock, hook, answer, ends } = await inFlight();
  hook();
  await clock.advance(5_000);
  expect(script.polled, 'its answer may still come').toBe(0);
  script.poll = [{ type: 'running' }, finished()];
  answer(lostAnswer);
  expect(await ends()).toMatchObject({ state: 'succeeded', money: CHARGED });
});

test('a webhook names the task before Dailies ends: the task is polled at the next start', async () => {
  const { id, clock, dataDir, hook } = await inFlight({ open: startEngine });
  hook();
  // Killed here.
  const after = start({ clock: new TestClock(clock.now()), dataDir, script: { poll: [finished()] } });
  expect(await after.untilEnd(id)).toMatchObject({ state: 'succeeded', money: { uncertainNano: 0 } });
});

test('canceled while in flight, and the answer lost: a webhook still names the task, which is polled', async () => {
  const { id, engine, script, clock, hook, answer, cancel, charged } = await inFlight();
  cancel();
  answer(lostAnswer);
  await clock.advance(5_000);
  script.poll = [finished()];
  expect(engine.queries.lacksTaskId(id)).toBe(true);
  hook();
  expect(await charged()).toMatchObject({ state: 'canceled', money: CHARGED, outputs: [{}] });
});

describe('a webhook names the task of a lost answer', () => {
  test.each<[string, PollOutcome]>([
    ['the network is away', away],
    ['the service does not know it yet', { type: 'missing' }],
  ])('and %s: it is asked for again', async (_, answer) => {
    const poll = [...Array<PollOutcome>(8).fill(answer), finished()];
    const { id, coreEvents, ends } = await aJob({ state: 'uncertain', request, poll });
    coreEvents.emit('webhook.bodyReceived', id, namesTask);
    expect((await ends()).state).toBe('succeeded');
  });

  test.each<[string, PollOutcome, number]>([
    ['a day without an answer', away, 24 * 3_600_000],
    ['a minute in which the service does not know it', { type: 'missing' }, 60_000],
  ])('it is not asked for without end: %s', async (_, answer, ms) => {
    let last = 0;
    const poll = async () => {
      last = clock.now();
      return answer;
    };
    const { id, clock, coreEvents, now } = await aJob({ state: 'uncertain', request, gateway: { poll } });
    const named = clock.now();
    coreEvents.emit('webhook.bodyReceived', id, namesTask);
    await clock.advance(26 * 3_600_000);
    expect(last - named).toBeLessThan(ms + 90_000);
    expect(now().state).toBe('uncertain');
  });
});

describe('ordered again, while an earlier task of it is known', () => {
  const again = async (open?: typeof startEngine) => {
    const answers: ((outcome: SubmitOutcome) => void)[] = [];
    const polled: string[] = [];
    let isAgain = false;
    const gateway: Partial<Gateway> = {
      submitImagine: () => new Promise<SubmitOutcome>((done) => answers.push(done)),
      poll: async ({ id }) => {
        if (!isAgain) return { type: 'missing' };
        polled.push(id);
        return id === 'old' ? failed : finished();
      },
    };
    const one = await aJob({ request, profile, gateway, ...(open ? { open } : {}) });
    const tell = async (outcome: SubmitOutcome) => {
      answers.shift()?.(outcome);
      await one.clock.advance(5_000);
    };
    await tell({ ...lostAnswer, task: { id: 'old', kind: 'image', acceptedAt: one.clock.now() } } as SubmitOutcome);
    await one.resolve('resend');
    await one.is('sending');
    isAgain = true;
    return { ...one, tell, polled };
  };

  test('and its answer is lost: the earlier task is not asked for, and both stay in doubt', async () => {
    const { now, tell, polled } = await again();
    await tell(lostAnswer);
    expect(polled).toEqual([]);
    expect(now()).toMatchObject({ state: 'uncertain', money: { uncertainNano: 100_000_000 } });
  });

  test('and Dailies ends before its answer: as well', async () => {
    const { id, clock, dataDir } = await again(startEngine);
    // Killed here.
    const after = start({ clock: new TestClock(clock.now()), dataDir });
    await after.clock.advance(10_000);
    expect(after.script.polled).toBe(0);
    expect(after.job(id).state).toBe('uncertain');
  });

  test.each(['lost', 'accepted'] as const)(
    'its task comes by a webhook, and its answer is %s: its result is here, the earlier one stays in doubt',
    async (how) => {
      const { id, clock, coreEvents, tell, polled, ends } = await again();
      coreEvents.emit('webhook.bodyReceived', id, namesTask);
      await tell(how === 'lost' ? lostAnswer : acceptance(clock, '178'));
      const money = { chargedNano: 50_000_000, uncertainNano: 50_000_000 };
      expect(await ends()).toMatchObject({ state: 'succeeded', money });
      expect(polled).not.toContain('old');
    },
  );
});

test('canceled, and done by the service: its gateway stays, with its address, until the result is here', async () => {
  let type: 'unreachable' | 'gone' = 'unreachable';
  const fetchMedia: Gateway['fetchMedia'] = async () => ({ type, error: error({ kind: 'network' }) });
  const { id, engine, until, charged } = await aJob({
    state: 'canceled',
    poll: [finished('https://cdn.example/a.png')],
    gateway: { fetchMedia },
  });
  const settings = memorySettings();
  settings.write('profiles', [{ id: 'p', name: 'P', baseUrl: 'http://one.example' }]);
  const profiles = new Profiles({
    keys: memoryKeys(),
    settings,
    ids: countingIds(),
    openGateway: () => ({}) as never,
    hide: () => undefined,
    jobs: engine.queries,
  });
  expect((await charged()).outputs).toMatchObject([{ state: 'remote' }]);
  const isOpen = { error: { code: 'wrong_state' } };
  expect(await profiles.remove('p')).toMatchObject(isOpen);
  expect(await profiles.save({ id: 'p', baseUrl: 'http://two.example' })).toMatchObject(isOpen);
  type = 'gone';
  await until(id, (job) => job.outputs[0]?.state === 'expired');
  expect(await profiles.remove('p')).toMatchObject({ ok: true });
});

test.each<[string, PollOutcome]>([
  ['failed', failed],
  ['was made', finished()],
])('a look that began before it was ordered again says that the old order %s: the new one goes on', async (_, old) => {
  const looks: ((outcome: PollOutcome) => void)[] = [];
  const poll = async ({ id }: RemoteTask) =>
    id === 'old' && looks.length > 0 ? away : new Promise<PollOutcome>((done) => looks.push(done));
  const clock = new TestClock();
  const first = { ...lostAnswer, task: { id: 'old', kind: 'video', acceptedAt: clock.now() } } as SubmitOutcome;
  const { id, now, is, resolve, until, ends, sums } = await aJob({
    clock,
    submit: [first, acceptance(clock, 'new')],
    gateway: { poll },
  });
  await is('uncertain');
  await clock.advance(500);
  expect(looks.length).toBe(1);
  await resolve('resend');
  await until(id, ({ remoteId, state }) => remoteId === 'new' && state === 'running');
  const before = now().money;
  expect(before).toMatchObject({ reservedNano: VIDEO_NANO, uncertainNano: 0 });
  looks[0]?.(old);
  await clock.advance(0);
  expect(now()).toMatchObject({ state: 'running', remoteId: 'new', money: before });
  for (let step = 0; step < 100 && looks.length < 2; step++) await clock.advance(1_000);
  looks[1]?.(finished());
  expect(await ends()).toMatchObject({ state: 'succeeded', money: { chargedNano: VIDEO_NANO, uncertainNano: 0 } });
  expect(sums()).toMatchObject({ uncertainNano: VIDEO_NANO });
});
