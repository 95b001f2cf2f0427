import { describe, expect, test } from 'vitest';
import {
  acceptance,
  error,
  finished,
  lostAnswer,
  refusal,
  VIDEO_NANO,
} from '../../../../../test/helpers/engineHarness.ts';
import { noticesOf } from '../../../../../test/helpers/limitedService.ts';
import { HOUR, type NightHarness, nightsOfThisFile } from '../../../../../test/helpers/nightHarness.ts';
import type { Gateway, RepeatOutcome } from '../../gateway/index.ts';

const start = nightsOfThisFile();

const MINUTE = 60_000;
const DOCUMENTED = { kind: 'documented', source: 'https://gateway.example/docs', windowHours: 24 };
const answer = (outcome: RepeatOutcome['outcome']): RepeatOutcome => ({ outcome, replayed: false });
const lost = answer(lostAnswer);

interface Doubt extends NonNullable<Parameters<typeof start>[0]> {
  idempotency?: object;
  jobs?: number;
  rules?: object;
  gateway?: Partial<Gateway>;
}

/** Videos of tonight whose answers are lost at the start of the night. */
async function inDoubt({ idempotency = DOCUMENTED, jobs = 1, rules, gateway, ...options }: Doubt = {}) {
  const harness = start({ profile: { idempotency }, ...options, script: { gateway: gateway ?? {} } });
  harness.script.body = '{}';
  harness.plan({ rules: { goOnInDoubt: true, ...rules } });
  harness.service.submit = () => lostAnswer;
  const ids = await harness.fill(jobs);
  await harness.clock.advance(3 * HOUR);
  const [id = ''] = ids;
  expect(harness.job(id)).toMatchObject({ state: 'uncertain', money: { uncertainNano: VIDEO_NANO } });
  return { ...harness, harness, ids, id, now: () => harness.job(id) };
}

test('a night asks again by itself until the first request comes back, and says so in the morning', async () => {
  const { script, service, clock, events, id, untilEnd, report } = await inDoubt();
  const busy = error({ kind: 'invalid', status: 409, accepted: 'unknown' });
  script.repeat = [answer({ type: 'unknown', error: busy }), answer(acceptance(clock))];
  service.poll = () => finished();
  await clock.advance(MINUTE);
  expect(script.repeated).toHaveLength(1);
  await clock.advance(3 * MINUTE);
  expect(script.repeated).toHaveLength(2);
  const money = { chargedNano: VIDEO_NANO, uncertainNano: 0 };
  expect(await untilEnd(id)).toMatchObject({ state: 'succeeded', money });
  await clock.advance(10 * HOUR);
  const spent = { settledNano: VIDEO_NANO };
  expect(report()).toMatchObject({ made: 1, inDoubt: 0, askedAgain: { jobs: 1, answered: 1 }, spent });
  expect(noticesOf(events).join()).toContain('Asked again after a lost answer: 1, answered: 1.');
});

test('it asks a few times and less and less often, then leaves it to the user; its money stays under the cap', async () => {
  const { harness, script, clock, now, report } = await inDoubt();
  const failures = () => harness.night.get().current?.inRow.failures;
  const before = failures();
  script.repeat = Array.from({ length: 20 }, () => lost);
  await clock.advance(MINUTE);
  expect([script.repeated.length, failures()], 'asking in vain is no second failure').toEqual([1, before]);
  await clock.advance(7 * HOUR);
  expect(script.repeated).toHaveLength(6);
  expect(now()).toMatchObject({ state: 'uncertain', money: { reservedNano: 0, uncertainNano: VIDEO_NANO } });
  const spent = { uncertainNano: VIDEO_NANO };
  expect(report()).toMatchObject({ inDoubt: 1, askedAgain: { jobs: 1, answered: 0 }, spent });
});

test.each([
  ['the profile keeps nights from it', { ...DOCUMENTED, night: false }],
  ['nothing is documented', { kind: 'none' }],
])('it does not where %s', async (_, idempotency) => {
  const { script, clock } = await inDoubt({ idempotency });
  await clock.advance(7 * HOUR);
  expect(script.repeated).toEqual([]);
});

test('a night that cannot ask tries rarely', async () => {
  const key = { opened: 0, has: true };
  const hasKey = () => {
    key.opened += 1;
    return key.has;
  };
  const { script, clock } = await inDoubt({ hasKey });
  Object.assign(key, { opened: 0, has: false });
  await clock.advance(2 * HOUR);
  expect(key.opened).toBeGreaterThan(2);
  expect(key.opened).toBeLessThan(12);
  expect(script.repeated).toEqual([]);
  key.has = true;
  await clock.advance(HOUR);
  expect(script.repeated.length).toBeGreaterThan(0);
});

test('by day nothing is asked for by itself', async () => {
  const { script, service, clock, enqueue, job } = start({ profile: { idempotency: DOCUMENTED } });
  script.body = '{}';
  service.submit = () => lostAnswer;
  const { id } = await enqueue({ kind: 'video', model: 'video-standard', prompt: 'A quay' });
  await clock.advance(2 * HOUR);
  expect(job(id).state).toBe('uncertain');
  expect(script.repeated).toEqual([]);
});

describe('one after the other', () => {
  const busy = answer(refusal({ kind: 'rate_limit', status: 429, retryable: true, retryAfterMs: 60_000 }));

  /** Asked for again, the first of two is answered by the test, and the second is taken at once. */
  async function twoInDoubt(options: Doubt = {}) {
    const first = Promise.withResolvers<RepeatOutcome>();
    const asked: string[] = [];
    const repeat = ({ key }: { key: string }): Promise<RepeatOutcome> => {
      asked.push(key);
      return asked.length === 1 ? first.promise : Promise.resolve(answer(acceptance(two.clock, 'task-2')));
    };
    const two = await inDoubt({ ...options, jobs: 2, gateway: { repeat } });
    await two.clock.advance(MINUTE);
    expect(asked).toHaveLength(1);
    return { ...two, asked, answerFirst: first.resolve };
  }

  test('the next job is asked for once the answer about the one before is there', async () => {
    const { clock, ids, job, asked, answerFirst } = await twoInDoubt();
    answerFirst(answer(acceptance(clock, 'task-1')));
    await clock.advance(10_000);
    expect(asked).toHaveLength(2);
    expect(ids.map((id) => job(id).state)).toEqual(['running', 'running']);
  });

  test('an answer that asks to wait holds back the next one too', async () => {
    const { clock, asked, answerFirst } = await twoInDoubt();
    answerFirst(busy);
    await clock.advance(30_000);
    expect(asked).toHaveLength(1);
    await clock.advance(90_000);
    expect(asked.length).toBeGreaterThan(1);
  });

  test.each<[string, (harness: NightHarness) => unknown]>([
    ['the queue is paused', ({ engine }) => engine.commands.setPaused(true)],
    ['the night is stopped', ({ night }) => night.stop()],
    ['the cap is below what is in doubt', ({ plan }) => plan({ capNano: VIDEO_NANO, rules: { goOnInDoubt: true } })],
    ['a cap of the day is below it', ({ setDayCap }) => setDayCap(VIDEO_NANO)],
  ])('not where meanwhile %s', async (_, change) => {
    const { harness, clock, asked, answerFirst } = await twoInDoubt();
    await change(harness);
    answerFirst(lost);
    await clock.advance(50 * MINUTE);
    expect(asked).toHaveLength(1);
  });

  test('nor where the disk has reached its floor, which ends the night', async () => {
    let free = 1e12;
    const { night, clock, asked, answerFirst } = await twoInDoubt({
      freeBytes: () => free,
      rules: { diskFloorBytes: 1e9 },
    });
    free = 1e8;
    answerFirst(lost);
    await clock.advance(HOUR);
    expect(asked).toHaveLength(1);
    expect(night.get().last?.endedBy).toBe('disk');
  });

  test('one that cannot be asked for does not keep the others from it', async () => {
    const { store, clock, id, asked, answerFirst } = await twoInDoubt();
    answerFirst(lost);
    const damage = { name: 'test', text: `UPDATE sent_requests SET body = '{ }' WHERE job_id = $id` };
    store.transaction((db) => db.run(damage, { id }));
    await clock.advance(10 * MINUTE);
    expect(asked).toHaveLength(2);
  });
});

test('once a service that failed is found healthy, it is asked at once', async () => {
  const healthyAt: number[] = [];
  const askedAt: number[] = [];
  const gateway: Partial<Gateway> = {
    test: async () => {
      healthyAt.push(four.clock.now());
      return { steps: [] };
    },
    repeat: async () => {
      askedAt.push(four.clock.now());
      return lost;
    },
  };
  const four = await inDoubt({ jobs: 4, gateway });
  await four.clock.advance(3 * HOUR);
  const [at = 0] = healthyAt;
  expect(at).toBeGreaterThan(0);
  expect(askedAt.filter((time) => time >= at && time < at + 10_000)).toHaveLength(1);
});
