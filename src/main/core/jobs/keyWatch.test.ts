import { expect, test } from 'vitest';
import { acceptance, aVideo, startEngine } from '../../../../test/helpers/engineHarness.ts';
import { engineHarnesses } from '../../../../test/helpers/engineHarnesses.ts';
import { settle, tempDir } from '../../../../test/helpers/testPorts.ts';
import { KEY_UNREADABLE } from '../../../shared/profile.ts';

const start = engineHarnesses();

test('jobs that waited for a key go on at a start that has it', async () => {
  const dataDir = tempDir('engine');
  const before = startEngine({ dataDir, hasKey: () => false });
  const { id } = await before.enqueue(aVideo);
  await before.close();
  const harness = start({ dataDir, clock: before.clock, script: { submit: [acceptance(before.clock)] } });
  await settle();
  expect(harness.job(id).state).toBe('running');
});

test('while the key cannot be read a job waits and says so, and goes on by itself afterwards', async () => {
  let hasKey: 'unreadable' | boolean = 'unreadable';
  const harness = start({ hasKey: () => hasKey });
  harness.script.submit = [acceptance(harness.clock)];
  const { id } = await harness.enqueue(aVideo);
  expect(harness.job(id)).toMatchObject({ state: 'blocked', reason: 'key', error: { message: KEY_UNREADABLE } });
  await harness.clock.advance(120_000);
  expect(harness.job(id)).toMatchObject({ state: 'blocked', reason: 'key' });
  hasKey = true;
  await harness.clock.advance(61_000);
  expect(harness.job(id).state).toBe('running');
  expect(harness.job(id).error).toBeUndefined();
});

test('a key that a page saw to be unreadable is tried again, and pages read it then', async () => {
  let hasKey: 'unreadable' | boolean = 'unreadable';
  const harness = start({ hasKey: () => hasKey });
  harness.coreEvents.emit('key.unreadable', 'p');
  const told = () => harness.events.filter(({ type }) => type === 'profiles.changed').length;
  await harness.clock.advance(61_000);
  expect(told()).toBe(0);
  hasKey = true;
  await harness.clock.advance(61_000);
  expect(told()).toBe(1);
});

test('a keychain that answers that there is no key leaves the job waiting for one', async () => {
  let hasKey: 'unreadable' | boolean = 'unreadable';
  const harness = start({ hasKey: () => hasKey });
  const { id } = await harness.enqueue(aVideo);
  hasKey = false;
  await harness.clock.advance(61_000);
  expect(harness.job(id)).toMatchObject({ state: 'blocked', reason: 'key' });
  expect(harness.job(id).error).toBeUndefined();
});

test('what is being made says that it waits for the key, is never given up for that, and goes on with the key', async () => {
  const dataDir = tempDir('engine');
  const before = startEngine({ dataDir });
  before.script.submit = [acceptance(before.clock)];
  const { id } = await before.enqueue(aVideo);
  await before.close();
  let hasKey: 'unreadable' | boolean = false;
  const harness = start({
    dataDir,
    clock: before.clock,
    hasKey: () => hasKey,
    script: { gateway: { poll: async () => ({ type: 'running' }) } },
  });
  await harness.clock.advance(5_000);
  expect(harness.job(id)).toMatchObject({ state: 'running', reason: 'key' });
  hasKey = 'unreadable';
  await harness.clock.advance(3 * 3_600_000);
  expect(harness.job(id)).toMatchObject({ state: 'running', reason: 'key' });
  hasKey = true;
  await harness.clock.advance(60_000);
  expect(harness.job(id).state).toBe('running');
  expect(harness.job(id).reason).toBeUndefined();
});
