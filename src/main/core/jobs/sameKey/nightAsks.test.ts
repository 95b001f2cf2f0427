import { describe, expect, test } from 'vitest';
import {
  acceptance,
  error,
  finished,
  lostAnswer,
  refusal,
  VIDEO_NANO,
} from '../../../../../test/helpers/engineHarness.ts';
import { HOUR, type NightHarness, nightsOfThisFile } from '../../../../../test/helpers/nightHarness.ts';
import { settle } from '../../../../../test/helpers/testPorts.ts';
import { askAgainOf } from '../../../../shared/idempotency.ts';
import type { RepeatOutcome } from '../../gateway/index.ts';

const start = nightsOfThisFile();

const MINUTE = 60_000;
const DOCUMENTED = { kind: 'documented', source: 'https://gateway.example/docs', windowHours: 24 };
const answer = (outcome: RepeatOutcome['outcome']): RepeatOutcome => ({ outcome, replayed: false });

/** One video of tonight whose answer is lost at the start of the night. */
async function inDoubt(
  idempotency: object = DOCUMENTED,
  options: { hasKey?: () => boolean } = {},
): Promise<[NightHarness, string]> {
  const harness = start({ profile: { idempotency }, ...options });
  harness.script.body = '{}';
  harness.plan({ rules: { goOnInDoubt: true } });
  harness.service.submit = () => lostAnswer;
  const [id = ''] = await harness.fill(1);
  await harness.clock.advance(3 * HOUR);
  expect(harness.job(id)).toMatchObject({ state: 'uncertain', money: { uncertainNano: VIDEO_NANO } });
  return [harness, id];
}

test('a night asks again by itself until the first order comes back, and says so in the morning', async () => {
  const [harness, id] = await inDoubt();
  const busy = error({ kind: 'invalid', status: 409, accepted: 'unknown' });
  harness.script.repeat = [answer({ type: 'unknown', error: busy }), answer(acceptance(harness.clock))];
  harness.service.poll = () => finished();
  await harness.clock.advance(MINUTE);
  expect(harness.script.repeated).toHaveLength(1);
  await harness.clock.advance(3 * MINUTE);
  expect(harness.script.repeated).toHaveLength(2);
  expect(await harness.untilEnd(id)).toMatchObject({
    state: 'succeeded',
    money: { chargedNano: VIDEO_NANO, uncertainNano: 0 },
  });
  await harness.clock.advance(10 * HOUR);
  expect(harness.report()).toMatchObject({
    made: 1,
    inDoubt: 0,
    askedAgain: { jobs: 1, answered: 1 },
    spent: { settledNano: VIDEO_NANO },
  });
  const notices = harness.events.map((event) => (event.type === 'notice' ? event.text : ''));
  expect(notices.join()).toContain('Asked again after a lost answer: 1, answered: 1.');
});

test('it asks a few times and less and less often, then leaves it to the user; its money stays under the cap', async () => {
  const [harness, id] = await inDoubt();
  harness.script.repeat = Array.from({ length: 20 }, () => answer(lostAnswer));
  await harness.clock.advance(7 * HOUR);
  expect(harness.script.repeated).toHaveLength(6);
  expect(harness.job(id)).toMatchObject({ state: 'uncertain', money: { reservedNano: 0, uncertainNano: VIDEO_NANO } });
  expect(harness.report()).toMatchObject({
    inDoubt: 1,
    askedAgain: { jobs: 1, answered: 0 },
    spent: { uncertainNano: VIDEO_NANO },
  });
});

test('asking again in vain is no second failure', async () => {
  const [harness] = await inDoubt();
  const failures = () => harness.night.get().current?.inRow.failures;
  const before = failures();
  harness.script.repeat = [answer(lostAnswer)];
  await harness.clock.advance(MINUTE);
  expect(harness.script.repeated).toHaveLength(1);
  expect(failures()).toBe(before);
});

test.each([
  ['the profile keeps nights from it', { ...DOCUMENTED, night: false }],
  ['nothing is documented', { kind: 'none' }],
])('it does not where %s', async (_, idempotency) => {
  const [harness] = await inDoubt(idempotency);
  await harness.clock.advance(7 * HOUR);
  expect(harness.script.repeated).toEqual([]);
});

test('what is damaged on disk is found once and told, and another way out is open', async () => {
  const [harness, id] = await inDoubt();
  harness.store.transaction((db) => db.run({ name: 'test', text: `UPDATE sent_requests SET body = 'other'` }));
  await harness.clock.advance(HOUR);
  expect(harness.job(id).kept?.missing).toContain('damaged');
  expect(harness.script.repeated).toEqual([]);
  expect(askAgainOf(harness.job(id), harness.profile, harness.clock.now())).toMatchObject({ can: false });
});

test('a night that cannot ask tries less and less often', async () => {
  let opened = 0;
  let hasKey = true;
  const [harness] = await inDoubt(DOCUMENTED, {
    hasKey: () => {
      opened += 1;
      return hasKey;
    },
  });
  hasKey = false;
  opened = 0;
  await harness.clock.advance(2 * HOUR);
  expect(opened).toBeGreaterThan(2);
  expect(opened).toBeLessThan(12);
  expect(harness.script.repeated).toEqual([]);
  hasKey = true;
  await harness.clock.advance(HOUR);
  expect(harness.script.repeated.length).toBeGreaterThan(0);
});

test('by day nothing is asked for by itself', async () => {
  const harness = start({ profile: { idempotency: DOCUMENTED } });
  harness.script.body = '{}';
  harness.service.submit = () => lostAnswer;
  const { id } = await harness.enqueue({ kind: 'video', model: 'video-standard', prompt: 'A quay' });
  await harness.clock.advance(2 * HOUR);
  expect(harness.job(id).state).toBe('uncertain');
  expect(harness.script.repeated).toEqual([]);
});

/** Two videos of tonight whose answers are lost: asked for again, the first is answered by the test, and the second is taken at once. */
async function twoInDoubt(options: Parameters<typeof start>[0] = {}, rules: object = {}) {
  const first = Promise.withResolvers<RepeatOutcome>();
  const asked: string[] = [];
  const repeat = ({ key }: { key: string }): Promise<RepeatOutcome> => {
    asked.push(key);
    return asked.length === 1 ? first.promise : Promise.resolve(answer(acceptance(harness.clock, 'task-2')));
  };
  const harness = start({ profile: { idempotency: DOCUMENTED }, ...options, script: { gateway: { repeat } } });
  harness.script.body = '{}';
  harness.plan({ rules: { goOnInDoubt: true, ...rules } });
  harness.service.submit = () => lostAnswer;
  const ids = await harness.fill(2);
  await harness.clock.advance(3 * HOUR + MINUTE);
  return { harness, ids, asked, answerFirst: first.resolve };
}

describe('one after the other', () => {
  const busy = answer(refusal({ kind: 'rate_limit', status: 429, retryable: true, retryAfterMs: 60_000 }));
  const lost = answer(lostAnswer);

  test('the next job is asked for once the answer about the one before is there', async () => {
    const { harness, ids, asked, answerFirst } = await twoInDoubt();
    expect(asked).toHaveLength(1);
    answerFirst(answer(acceptance(harness.clock, 'task-1')));
    await harness.clock.advance(10_000);
    expect(asked).toHaveLength(2);
    await settle();
    expect(ids.map((id) => harness.job(id).state)).toEqual(['running', 'running']);
  });

  test('an answer that asks to wait holds back the next one too', async () => {
    const { harness, asked, answerFirst } = await twoInDoubt();
    answerFirst(busy);
    await harness.clock.advance(30_000);
    expect(asked).toHaveLength(1);
    await harness.clock.advance(90_000);
    expect(asked.length).toBeGreaterThan(1);
  });

  test.each<[string, (harness: NightHarness) => unknown]>([
    ['the queue is paused', (harness) => harness.engine.commands.setPaused(true)],
    ['the night is stopped', (harness) => harness.night.stop()],
    [
      'the cap is below what is in doubt',
      (harness) => harness.plan({ capNano: VIDEO_NANO, rules: { goOnInDoubt: true } }),
    ],
    ['a cap of the day is below it', (harness) => harness.setDayCap(VIDEO_NANO)],
  ])('not where meanwhile %s', async (_, change) => {
    const { harness, asked, answerFirst } = await twoInDoubt();
    await change(harness);
    answerFirst(lost);
    await harness.clock.advance(HOUR);
    expect(asked).toHaveLength(1);
  });

  test('nor where the disk has reached its floor, which ends the night', async () => {
    let freeBytes = 1e12;
    const { harness, asked, answerFirst } = await twoInDoubt({ freeBytes: () => freeBytes }, { diskFloorBytes: 1e9 });
    freeBytes = 1e8;
    answerFirst(lost);
    await harness.clock.advance(HOUR);
    expect(asked).toHaveLength(1);
    expect(harness.night.get().last?.endedBy).toBe('disk');
  });

  test('one that cannot be asked for does not keep the others from it', async () => {
    const { harness, ids, asked, answerFirst } = await twoInDoubt();
    answerFirst(lost);
    harness.store.transaction((db) =>
      db.run({ name: 'test', text: `UPDATE sent_requests SET body = '{ }' WHERE job_id = $id` }, { id: ids[0] ?? '' }),
    );
    await harness.clock.advance(10 * MINUTE);
    expect(asked).toHaveLength(2);
  });
});

test('once a service that failed is found healthy, it is asked at once', async () => {
  const [healthyAt, askedAt]: number[][] = [[], []];
  const isHealthy = async () => {
    healthyAt?.push(harness.clock.now());
    return { steps: [] };
  };
  const repeat = async () => {
    askedAt?.push(harness.clock.now());
    return answer(lostAnswer);
  };
  const gateway = { test: isHealthy, repeat };
  const harness = start({ profile: { idempotency: DOCUMENTED }, script: { gateway } });
  harness.script.body = '{}';
  harness.plan({ rules: { goOnInDoubt: true } });
  harness.service.submit = () => lostAnswer;
  await harness.fill(4);
  await harness.clock.advance(6 * HOUR);
  const [at = 0] = healthyAt ?? [];
  expect(at).toBeGreaterThan(0);
  expect(askedAt?.filter((time) => time >= at && time < at + 10_000)).toHaveLength(1);
});
