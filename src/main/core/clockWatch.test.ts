import { expect, test } from 'vitest';
import { lostAnswer, refusal, startEngine } from '../../../test/helpers/engineHarness.ts';
import { engineHarnesses, type JobOptions, jobsOfThisFile } from '../../../test/helpers/engineHarnesses.ts';
import { settle, silentLog } from '../../../test/helpers/testPorts.ts';
import { retryOfferOf } from '../../shared/gateway/idempotency.ts';
import { ClockWatch } from './clockWatch.ts';
import { readFlag } from './store/index.ts';

/** The age of a request is known only while the clock was not set back since. */

const start = engineHarnesses();
const aJob = jobsOfThisFile(start);

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const profile = { idempotency: { kind: 'documented', source: 'https://gateway.example/docs', windowHours: 24 } };
const SET_BACK = expect.stringContaining('was set back');

async function inDoubt(options: JobOptions = {}) {
  const one = await aJob({ state: 'uncertain', body: '{}', profile, ...options });
  const { clock } = one;
  const moved = async (ms: number) => {
    clock.set(clock.now() + ms);
    await clock.advance(2 * MINUTE);
  };
  const whyNot = (harness = one.harness) => {
    const offer = retryOfferOf(harness.job(one.id), harness.profile, clock.now());
    return offer.can ? 'it is offered' : offer.why;
  };
  return { ...one, moved, whyNot };
}

test('set back while Dailies runs: it is asked for no more, also once the clock has come so far again', async () => {
  const { id, script, clock, events, now, moved, whyNot, resolve } = await inDoubt();
  const { revision } = now();
  await clock.advance(20 * HOUR);
  await moved(-10 * HOUR);
  const kept = expect.objectContaining({ clockSetBack: true });
  expect(now()).toMatchObject({ kept });
  expect(now().revision).toBeGreaterThan(revision);
  expect(events).toContainEqual({ type: 'job.changed', job: expect.objectContaining({ id, kept }) });
  await clock.advance(11 * HOUR);
  expect(whyNot()).toEqual(SET_BACK);
  expect((await resolve('again')).ok).toBe(false);
  expect(script.repeated).toEqual([]);
});

test('set back right before it is asked for', async () => {
  const { script, clock, resolve } = await inDoubt();
  await clock.advance(2 * HOUR);
  clock.set(clock.now() - HOUR);
  expect(await resolve('again')).toMatchObject({ error: { message: SET_BACK } });
  expect(script.repeated).toEqual([]);
});

test.each([
  ['while Dailies was closed', true],
  ['after a kill, by the last time that is on disk', false],
])('set back %s', async (_, isClosed) => {
  const { clock, dataDir, whyNot, close } = await inDoubt({ open: startEngine });
  await clock.advance(5 * HOUR);
  if (isClosed) await close();
  clock.set(clock.now() - HOUR);
  const next = start({ dataDir, clock, profile });
  await settle();
  expect(whyNot(next)).toEqual(SET_BACK);
});

test('set back after a kill to before the last ask, which is later than the last time on disk', async () => {
  const { clock, dataDir, script, resolve, whyNot, now } = await inDoubt({ open: startEngine });
  script.repeat = [{ outcome: lostAnswer, replayed: false }];
  await clock.advance(4 * MINUTE);
  await resolve('again');
  await settle();
  clock.set((now().attempts[0]?.at ?? 0) + 2 * MINUTE);
  const next = start({ dataDir, clock, profile });
  await settle();
  expect(whyNot(next)).toEqual(SET_BACK);
});

test('set forward, its time only ends sooner; a request sent since is young', async () => {
  const { clock, moved, whyNot } = await inDoubt();
  await moved(2 * HOUR);
  expect(whyNot()).toBe('it is offered');
  clock.set(clock.now() + 22 * HOUR);
  expect(whyNot()).toContain('forgets');
});

test('set back between an attempt that was turned away and the one whose answer was lost', async () => {
  const rate = refusal({ kind: 'rate_limit', status: 429, retryable: true, retryAfterMs: 5_000 });
  const { id, clock, now, commands, profile: own } = await aJob({ profile, body: '{}', submit: [rate, lostAnswer] });
  clock.set(clock.now() - 10 * HOUR);
  await commands.retry({ id });
  for (let hour = 0; hour < 12 && now().state !== 'uncertain'; hour++) await clock.advance(HOUR);
  expect(now().attempts).toHaveLength(2);
  expect(retryOfferOf(now(), own, clock.now())).toMatchObject({ why: SET_BACK });
});

test('a small step, as a time server makes it, changes nothing', async () => {
  const { clock, moved, whyNot } = await inDoubt();
  await clock.advance(HOUR);
  await moved(-2_000);
  expect(whyNot()).toBe('it is offered');
});

test('one that never started leaves what an earlier run has seen', async () => {
  const { store, clock } = await inDoubt();
  await clock.advance(HOUR);
  const seen = readFlag(store.read, 'clock:seen');
  const ages = { flag: 'clock:seen', isWatched: () => true, setBack: () => () => undefined };
  new ClockWatch({ store, clock, log: silentLog }, ages).close();
  expect(readFlag(store.read, 'clock:seen')).toBe(seen);
  expect(Number(seen)).toBeGreaterThan(0);
});
