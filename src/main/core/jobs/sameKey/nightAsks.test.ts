import { expect, test } from 'vitest';
import { acceptance, error, finished, lostAnswer, VIDEO_NANO } from '../../../../../test/helpers/engineHarness.ts';
import { HOUR, type NightHarness, nightsOfThisFile } from '../../../../../test/helpers/nightHarness.ts';
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

/** Bug: a lost answer to asking again counted as one more failure of the night. */
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

/** Bug: what cannot be asked for was tried four times a second, all night. */
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
