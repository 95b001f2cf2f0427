import { expect, test } from 'vitest';
import {
  acceptance,
  error,
  finished,
  lostAnswer,
  refusal,
  sentRequest,
  startEngine,
  VIDEO_NANO,
} from '../../../../../test/helpers/engineHarness.ts';
import { jobsOfThisFile } from '../../../../../test/helpers/engineHarnesses.ts';
import { settle, TestClock } from '../../../../../test/helpers/testPorts.ts';
import type { Job } from '../../../../shared/jobs/job.ts';
import type { SubmitOutcome } from '../../gateway/index.ts';

/** What is made of a task that is not the one that the job follows: another order, whose result and cost are kept. */

const aJob = jobsOfThisFile();

const profile = { idempotency: { kind: 'documented', source: 'https://gateway.example/docs', windowHours: 24 } };
const CLEAR = { reservedNano: 0, uncertainNano: 0 };
const unknown = { type: 'unknown' as const, error: error({ accepted: 'unknown' }) };
const taken = (id: string) => acceptance(new TestClock(), id);
const done: SubmitOutcome = { ...finished(), type: 'done' };
/** A broken answer that names its task. */
const lostWith = (id: string): SubmitOutcome => ({ ...unknown, task: { id, kind: 'video', acceptedAt: 0 } });

/** A job in doubt at a service that has a request of its own, and a key of its own, for each attempt: `keys` says under which. */
async function inDoubt(submits: SubmitOutcome[], keys = ['K']) {
  let n = 0;
  const polled: string[] = [];
  const ignored: string[] = [];
  const one = await aJob({
    state: 'uncertain',
    profile,
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
  });
  one.coreEvents.on('key.ignored', (profileId) => void ignored.push(profileId));
  const resolve = async (as: 'again' | 'resend') => {
    expect(await one.resolve(as)).toMatchObject({ ok: true });
    await settle();
  };
  const all = (): Job[] =>
    one.store.read
      .all<{ id: string }>({ name: 'test.jobs', text: 'SELECT id FROM jobs ORDER BY seq' })
      .map(({ id }) => one.job(id));
  return {
    ...one,
    polled,
    ignored,
    all,
    /** Asks again, and is answered so. */
    again: async (outcome: SubmitOutcome, replayed = false) => {
      one.script.repeat = [{ outcome, replayed }];
      await resolve('again');
    },
    resentInDoubt: async () => {
      await resolve('resend');
      await one.until(one.id, ({ state, attempts }) => state === 'uncertain' && attempts.length === 2);
    },
    /** Tasks, and how many results each has. */
    allEnd: async () => {
      for (const { id } of all()) await one.untilEnd(id);
      return all().map(({ state, remoteId, outputs }) => [state, remoteId, outputs.length]);
    },
  };
}

test('two tasks in answers to one key: both are followed to their clips and charged, and the profile is told', async () => {
  const { id, script, polled, ignored, sums, all, again, allEnd } = await inDoubt([lostWith('first')]);
  await again(taken('second'));
  expect(ignored).toEqual(['p']);
  expect(sums()).toMatchObject({ settledNano: 0, reservedNano: VIDEO_NANO, uncertainNano: VIDEO_NANO });
  expect(await allEnd()).toEqual([
    ['succeeded', 'first', 1],
    ['succeeded', 'second', 1],
  ]);
  expect(all()[1]?.attempts).toMatchObject([{ outcome: 'accepted', message: expect.stringContaining(id) }]);
  expect(new Set(polled)).toEqual(new Set(['first', 'second']));
  expect(sums()).toMatchObject({ settledNano: 2 * VIDEO_NANO, ...CLEAR });
  expect(script.sent).toBe(0);
});

test('a result at once under another id is kept with its own charge', async () => {
  const { ignored, sums, again, allEnd } = await inDoubt([lostWith('first')]);
  await again({ ...done, remoteId: 'second' } as SubmitOutcome);
  expect(await allEnd()).toEqual([
    ['succeeded', 'first', 1],
    ['succeeded', 'second', 1],
  ]);
  expect(ignored).toEqual(['p']);
  expect(sums()).toMatchObject({ settledNano: 2 * VIDEO_NANO, ...CLEAR });
});

test('the same second request named twice is one more job, and a broken answer that names it counts too', async () => {
  const { sums, all, again } = await inDoubt([lostWith('first')]);
  await again(lostWith('second'));
  await again(taken('second'));
  expect(all().map(({ state, remoteId }) => [state, remoteId])).toEqual([
    ['uncertain', 'first'],
    ['running', 'second'],
  ]);
  expect(sums()).toMatchObject({ reservedNano: VIDEO_NANO, uncertainNano: VIDEO_NANO });
});

test('another id of the answer itself is no other order', async () => {
  const { ignored, sums, again, allEnd } = await inDoubt([lostWith('first')]);
  await again({ ...done, remoteId: 'chatcmpl-2', ofAnswer: true } as SubmitOutcome);
  expect(await allEnd()).toHaveLength(1);
  expect(ignored).toEqual([]);
  expect(sums()).toMatchObject({ settledNano: VIDEO_NANO, ...CLEAR });
});

test('two requests in doubt under two keys: one answer cannot tell what came of both, so neither is asked for', async () => {
  const { now, script, commands, id, sums, resentInDoubt } = await inDoubt(
    [lostWith('of K1'), lostAnswer],
    ['K1', 'K2'],
  );
  await resentInDoubt();
  expect(await commands.resolve({ id, as: 'again' })).toMatchObject({ ok: false, error: { code: 'wrong_state' } });
  expect([now().kept, script.repeated]).toEqual([undefined, []]);
  expect(sums().uncertainNano).toBe(2 * VIDEO_NANO);
});

test('the same key twice is one order: the doubt about both ends with it', async () => {
  const { sums, again, resentInDoubt } = await inDoubt([lostAnswer, lostWith('task')]);
  await resentInDoubt();
  await again(taken('task'));
  expect(sums()).toMatchObject({ reservedNano: VIDEO_NANO, uncertainNano: 0 });
});

test('an end right after it was written loses neither', async () => {
  const { dataDir, clock, all, again } = await inDoubt([lostWith('first')]);
  await again(taken('second'));
  const copy = startEngine({ dataDir, clock, profile });
  expect(all().map(({ id }) => copy.job(id).state)).toEqual(['uncertain', 'running']);
  await copy.close();
});

const stated = { by: 'usage.cost', as: '2 USD', nano: 2_000_000_000 };
const maybeBilled = { type: 'refused' as const, billed: 'unknown' as const };

test.each<[string, SubmitOutcome]>([
  ['broken', unknown],
  ['failed, perhaps billed', { ...maybeBilled, error: error({ accepted: 'unknown', answered: true, status: 500 }) }],
  ['its content refused, and charged', { ...maybeBilled, error: error({ kind: 'moderation', status: 400 }) }],
])('a cost stated in an answer that decides nothing (%s) is in doubt, and is charged in the end', async (_, answer) => {
  const { now, again, ends } = await inDoubt([lostAnswer]);
  await again({ ...answer, stated } as SubmitOutcome);
  const money = { uncertainNano: stated.nano, statedNano: stated.nano, statedBy: stated.by };
  expect(now()).toMatchObject({ state: 'uncertain', money });
  await again(done);
  expect(await ends()).toMatchObject({ money: { chargedNano: stated.nano, uncertainNano: 0 } });
});

test('a cost stated in a definite no is none', async () => {
  const { now, again } = await inDoubt([lostAnswer]);
  await again({ type: 'refused', error: error({ status: 429 }), billed: 'no', stated });
  expect(now()).toMatchObject({ state: 'uncertain', money: { uncertainNano: VIDEO_NANO } });
});
