import { expect, test } from 'vitest';
import { acceptance, startEngine, VIDEO_NANO } from '../../../../../test/helpers/engineHarness.ts';
import { engineHarnesses, jobsOfThisFile } from '../../../../../test/helpers/engineHarnesses.ts';
import { settle, TestClock } from '../../../../../test/helpers/testPorts.ts';
import { KEY_UNREADABLE } from '../../../../shared/gateway/profile.ts';
import { atGateways } from '../gatewayLastSeen.ts';

const start = engineHarnesses();
const aJob = jobsOfThisFile(start);
const MINUTE_MS = 61_000;
const WAITS = { state: 'blocked', reason: 'key' };

/** A key that is in this state until the test changes it. */
function key(is: boolean | 'unreadable') {
  const state = { is };
  return { state, hasKey: () => state.is };
}

test('jobs that waited for a key go on at a start that has it', async () => {
  const { id, clock, dataDir, close } = await aJob({ open: startEngine, hasKey: () => false });
  await close();
  const next = start({ dataDir, clock, script: { submit: [acceptance(clock)] } });
  await settle();
  expect(next.job(id).state).toBe('running');
});

test('while the key cannot be read a job waits and says so, and goes on by itself afterwards', async () => {
  const { state, hasKey } = key('unreadable');
  const { clock, now } = await aJob({ hasKey, submit: [acceptance(new TestClock())] });
  expect(now()).toMatchObject({ ...WAITS, error: { message: KEY_UNREADABLE } });
  await clock.advance(2 * MINUTE_MS);
  expect(now()).toMatchObject(WAITS);
  state.is = true;
  await clock.advance(MINUTE_MS);
  expect([now().state, now().error]).toEqual(['running', undefined]);
});

test('a key that a page saw to be unreadable is tried again, and pages read it then', async () => {
  const { state, hasKey } = key('unreadable');
  const { clock, coreEvents, events } = start({ hasKey });
  coreEvents.emit('key.unreadable', 'p');
  const told = () => events.filter(({ type }) => type === 'profiles.changed').length;
  await clock.advance(MINUTE_MS);
  expect(told()).toBe(0);
  state.is = true;
  await clock.advance(MINUTE_MS);
  expect(told()).toBe(1);
});

test('what is being made waits for the key, also after a restart, is never given up for that, and goes on with the key', async () => {
  const { state, hasKey } = key(true);
  const { id, clock, dataDir, now, engine, close } = await aJob({ open: startEngine, state: 'running', hasKey });
  const waits = { state: 'running', reason: 'key', money: { reservedNano: VIDEO_NANO } };
  state.is = false;
  await clock.advance(66 * MINUTE_MS);
  expect(now()).toMatchObject(waits);
  expect([engine.queries.openJobs('p'), engine.queries.jobsAtService('p')]).toEqual([1, 1]);
  await close();
  const next = start({ dataDir, clock, hasKey });
  await clock.advance(5_000);
  expect(next.job(id)).toMatchObject(waits);
  state.is = 'unreadable';
  await clock.advance(3 * 3_600_000);
  expect(next.job(id)).toMatchObject(waits);
  state.is = true;
  await clock.advance(MINUTE_MS);
  expect(next.job(id).state).toBe('running');
  expect(next.job(id).reason).toBeUndefined();
});

test('when its gateway was last heard of about a job is kept over a restart without the key', async () => {
  const { id, clock, dataDir, close } = await aJob({ open: startEngine, submit: [acceptance(new TestClock())] });
  await clock.advance(10_000);
  const seen = clock.now();
  await close();
  await clock.advance(12 * 60_000);
  const next = start({ dataDir, clock, hasKey: () => false });
  await settle();
  expect(next.job(id).state).toBe('running');
  expect(atGateways(next.store.read)[next.job(id).profileId]?.seenAt).toBeGreaterThan(seen - MINUTE_MS);
  expect(atGateways(next.store.read)[next.job(id).profileId]?.seenAt).toBeLessThanOrEqual(seen);
});
