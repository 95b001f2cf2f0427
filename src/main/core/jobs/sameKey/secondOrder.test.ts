import { expect, test } from 'vitest';
import {
  acceptance,
  aVideo,
  type EngineHarness,
  error,
  finished,
  lostAnswer,
  refusal,
  sentRequest,
  startEngine,
  VIDEO_NANO,
} from '../../../../../test/helpers/engineHarness.ts';
import { engineHarnesses } from '../../../../../test/helpers/engineHarnesses.ts';
import { settle, TestClock } from '../../../../../test/helpers/testPorts.ts';
import type { Job } from '../../../../shared/job.ts';
import type { RemoteTask, RepeatOutcome, SubmitOutcome } from '../../gateway/index.ts';

/** What is made of a task that is not the one that the job follows: another order, whose result and cost are kept. */

const start = engineHarnesses();

const DOCUMENTED = { kind: 'documented', source: 'https://gateway.example/docs', windowHours: 24 } as const;
const answer = (outcome: SubmitOutcome, replayed = false): RepeatOutcome => ({ outcome, replayed });
const taskOf = (id: string, clock: TestClock): RemoteTask => ({ id, kind: 'video', acceptedAt: clock.now() });
/** A broken answer that names its task. */
const lostWith = (id: string, clock: TestClock): SubmitOutcome => ({
  type: 'unknown',
  error: error({ accepted: 'unknown' }),
  task: taskOf(id, clock),
});

interface Told extends EngineHarness {
  ignored: string[];
  polled: string[];
  all(): Job[];
  again(id: string): Promise<void>;
  resend(id: string): Promise<void>;
}

/** A service with a request of its own, and a key of its own, for each attempt: `keys` says under which. */
function open(submits: SubmitOutcome[], clock: TestClock, keys = ['K'], options: object = {}): Told {
  let n = 0;
  const polled: string[] = [];
  const harness = start({
    clock,
    profile: { idempotency: DOCUMENTED },
    ...options,
    script: {
      gateway: {
        submitVideo: async (_order, { keep }) => {
          await keep?.(sentRequest(keys[Math.min(n, keys.length - 1)] ?? '', `{"n":${n}}`));
          n += 1;
          return submits.shift() ?? refusal();
        },
        poll: async ({ id }) => {
          polled.push(id);
          return finished();
        },
      },
    },
  });
  const ignored: string[] = [];
  harness.coreEvents.on('key.ignored', (profileId) => void ignored.push(profileId));
  const resolve = async (id: string, as: 'again' | 'resend') => {
    const resolved = await harness.engine.commands.resolve({ id, as });
    if (!resolved.ok) throw new Error(resolved.error.message);
    await settle();
  };
  return Object.assign(harness, {
    ignored,
    polled,
    all: () =>
      harness.store.read
        .all<{ id: string }>({ name: 'test.jobs', text: 'SELECT id FROM jobs ORDER BY seq' })
        .map(({ id }) => harness.job(id)),
    again: (id: string) => resolve(id, 'again'),
    resend: (id: string) => resolve(id, 'resend'),
  });
}

async function inDoubt(harness: EngineHarness): Promise<string> {
  const { id } = await harness.enqueue(aVideo);
  await harness.until(id, ({ state }) => state === 'uncertain');
  return id;
}

const untilAllEnd = async (harness: Told): Promise<Job[]> => {
  for (const { id } of harness.all()) await harness.untilEnd(id);
  return harness.all();
};

test('two tasks in answers to one key: both are followed to their clips and charged, and the profile is told', async () => {
  const clock = new TestClock();
  const harness = open([lostWith('first', clock)], clock);
  const id = await inDoubt(harness);

  harness.script.repeat = [answer(acceptance(clock, 'second'))];
  await harness.again(id);
  expect(harness.ignored).toEqual(['p']);
  expect(harness.sums()).toMatchObject({ settledNano: 0, reservedNano: VIDEO_NANO, uncertainNano: VIDEO_NANO });
  const jobs = await untilAllEnd(harness);
  expect(jobs.map(({ state, remoteId, outputs }) => [state, remoteId, outputs.length])).toEqual([
    ['succeeded', 'first', 1],
    ['succeeded', 'second', 1],
  ]);
  expect(jobs[1]?.attempts).toMatchObject([{ outcome: 'accepted', message: expect.stringContaining(id) }]);
  expect(new Set(harness.polled)).toEqual(new Set(['first', 'second']));
  expect(harness.sums()).toMatchObject({ settledNano: 2 * VIDEO_NANO, reservedNano: 0, uncertainNano: 0 });
  expect(harness.script.sent).toBe(0);
});

test('a result at once under another id is kept with its own charge', async () => {
  const clock = new TestClock();
  const harness = open([lostWith('first', clock)], clock);
  const id = await inDoubt(harness);
  harness.script.repeat = [answer({ ...finished(), type: 'done', remoteId: 'second' })];
  await harness.again(id);
  const jobs = await untilAllEnd(harness);
  expect(jobs.map(({ remoteId, outputs }) => [remoteId, outputs.length])).toEqual([
    ['first', 1],
    ['second', 1],
  ]);
  expect(harness.ignored).toEqual(['p']);
  expect(harness.sums()).toMatchObject({ settledNano: 2 * VIDEO_NANO, reservedNano: 0, uncertainNano: 0 });
});

test('the same second order named twice is one more job, and a broken answer that names it counts too', async () => {
  const clock = new TestClock();
  const harness = open([lostWith('first', clock)], clock);
  const id = await inDoubt(harness);
  harness.script.repeat = [answer(lostWith('second', clock)), answer(acceptance(clock, 'second'))];
  await harness.again(id);
  await harness.again(id);
  expect(harness.all().map(({ state, remoteId }) => [state, remoteId])).toEqual([
    ['uncertain', 'first'],
    ['running', 'second'],
  ]);
  expect(harness.sums()).toMatchObject({ reservedNano: VIDEO_NANO, uncertainNano: VIDEO_NANO });
});

test('another id of the answer itself is no other order', async () => {
  const clock = new TestClock();
  const harness = open([lostWith('first', clock)], clock);
  const id = await inDoubt(harness);
  harness.script.repeat = [answer({ ...finished(), type: 'done', remoteId: 'chatcmpl-2', ofAnswer: true })];
  await harness.again(id);
  await untilAllEnd(harness);
  expect(harness.ignored).toEqual([]);
  expect(harness.all()).toHaveLength(1);
  expect(harness.sums()).toMatchObject({ settledNano: VIDEO_NANO, reservedNano: 0, uncertainNano: 0 });
});

test('a task of another key: both are followed, each with its money, and nobody is accused', async () => {
  const clock = new TestClock();
  const harness = open([lostWith('of K1', clock), lostAnswer], clock, ['K1', 'K2']);
  const id = await inDoubt(harness);
  await harness.resend(id);
  await harness.until(id, ({ state, attempts }) => state === 'uncertain' && attempts.length === 2);
  expect(harness.sums().uncertainNano).toBe(2 * VIDEO_NANO);
  harness.script.repeat = [answer(acceptance(clock, 'of K2'))];
  await harness.again(id);
  expect(harness.script.repeated.map(({ key }) => key)).toEqual(['K2']);
  expect(harness.sums()).toMatchObject({ reservedNano: VIDEO_NANO, uncertainNano: VIDEO_NANO });
  const jobs = await untilAllEnd(harness);
  expect(jobs.map(({ remoteId, outputs }) => [remoteId, outputs.length])).toEqual([
    ['of K1', 1],
    ['of K2', 1],
  ]);
  expect(harness.ignored).toEqual([]);
  expect(harness.sums()).toMatchObject({ settledNano: 2 * VIDEO_NANO, reservedNano: 0, uncertainNano: 0 });
});

test('the doubt about a request under another key stays', async () => {
  const clock = new TestClock();
  const harness = open([lostAnswer, lostWith('of K2', clock)], clock, ['K1', 'K2']);
  const id = await inDoubt(harness);
  await harness.resend(id);
  await harness.until(id, ({ state, attempts }) => state === 'uncertain' && attempts.length === 2);
  harness.script.repeat = [answer(acceptance(clock, 'of K2'))];
  await harness.again(id);
  expect(harness.sums()).toMatchObject({ reservedNano: VIDEO_NANO, uncertainNano: VIDEO_NANO });
  await untilAllEnd(harness);
  expect(harness.job(id).money).toMatchObject({ chargedNano: VIDEO_NANO, uncertainNano: VIDEO_NANO });
});

test('the same key twice is one order: the doubt about both ends with it', async () => {
  const clock = new TestClock();
  const harness = open([lostAnswer, lostWith('task', clock)], clock);
  const id = await inDoubt(harness);
  await harness.resend(id);
  await harness.until(id, ({ state, attempts }) => state === 'uncertain' && attempts.length === 2);
  harness.script.repeat = [answer(acceptance(clock, 'task'))];
  await harness.again(id);
  expect(harness.sums()).toMatchObject({ reservedNano: VIDEO_NANO, uncertainNano: 0 });
});

test('a replayed refusal under one key leaves the task of another key in doubt', async () => {
  const clock = new TestClock();
  const harness = open([lostWith('of K1', clock), lostAnswer], clock, ['K1', 'K2']);
  const id = await inDoubt(harness);
  await harness.resend(id);
  await harness.until(id, ({ state, attempts }) => state === 'uncertain' && attempts.length === 2);
  harness.script.repeat = [answer(refusal({ kind: 'moderation', status: 400 }), true)];
  await harness.again(id);
  expect(harness.job(id)).toMatchObject({ state: 'uncertain', remoteId: 'of K1' });
  expect(harness.sums()).toMatchObject({ uncertainNano: VIDEO_NANO });
  await harness.engine.commands.resolve({ id, as: 'lookup' });
  expect(await harness.untilEnd(id)).toMatchObject({ state: 'succeeded', money: { chargedNano: VIDEO_NANO } });
});

test('an end right after it was written loses neither', async () => {
  const clock = new TestClock();
  const harness = open([lostWith('first', clock)], clock);
  const id = await inDoubt(harness);
  harness.script.repeat = [answer(acceptance(clock, 'second'))];
  await harness.again(id);
  const copy = startEngine({ dataDir: harness.dataDir, clock, profile: { idempotency: DOCUMENTED } });
  const states = harness.all().map((job) => copy.job(job.id).state);
  expect(states).toEqual(['uncertain', 'running']);
  await copy.close();
});

test.each([
  ['broken', { type: 'unknown' as const, error: error({ accepted: 'unknown' as const }) }],
  [
    'failed, perhaps billed',
    {
      type: 'refused' as const,
      error: error({ accepted: 'unknown' as const, answered: true as const, status: 500 }),
      billed: 'unknown' as const,
    },
  ],
  [
    'its content refused, and charged',
    { type: 'refused' as const, error: error({ kind: 'moderation', status: 400 }), billed: 'unknown' as const },
  ],
])(
  'a cost stated in an answer that decides nothing (%s) is in doubt, and is charged in the end',
  async (_, undecided) => {
    const clock = new TestClock();
    const harness = open([lostAnswer], clock);
    const id = await inDoubt(harness);
    const stated = { by: 'usage.cost', as: '2 USD', nano: 2_000_000_000 };
    harness.script.repeat = [answer({ ...undecided, stated }), answer({ ...finished(), type: 'done' })];
    await harness.again(id);
    expect(harness.job(id)).toMatchObject({
      state: 'uncertain',
      money: { uncertainNano: stated.nano, statedNano: stated.nano, statedBy: stated.by },
    });
    await harness.again(id);
    expect(await harness.untilEnd(id)).toMatchObject({ money: { chargedNano: stated.nano, uncertainNano: 0 } });
  },
);

test('a cost stated in a definite no is none', async () => {
  const clock = new TestClock();
  const harness = open([lostAnswer], clock);
  const id = await inDoubt(harness);
  const stated = { by: 'usage.cost', as: '2 USD', nano: 2_000_000_000 };
  harness.script.repeat = [answer({ type: 'refused', error: error({ status: 429 }), billed: 'no', stated })];
  await harness.again(id);
  expect(harness.job(id)).toMatchObject({ state: 'uncertain', money: { uncertainNano: VIDEO_NANO } });
});
