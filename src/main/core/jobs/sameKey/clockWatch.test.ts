import { expect, test } from 'vitest';
import {
  aVideo,
  type EngineHarness,
  lostAnswer,
  refusal,
  startEngine,
} from '../../../../../test/helpers/engineHarness.ts';
import { engineHarnesses } from '../../../../../test/helpers/engineHarnesses.ts';
import { settle, silentLog } from '../../../../../test/helpers/testPorts.ts';
import { askAgainOf } from '../../../../shared/idempotency.ts';
import { readFlag, type Store } from '../../store/index.ts';
import { ClockWatch } from './clockWatch.ts';

/** How long ago a request was sent is known only while the clock was not set back since. */

const start = engineHarnesses();

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const PROFILE = { idempotency: { kind: 'documented', source: 'https://gateway.example/docs', windowHours: 24 } };

async function inDoubt(open = start): Promise<[EngineHarness, string]> {
  const harness = open({ profile: PROFILE });
  harness.script.body = '{}';
  harness.script.submit = [lostAnswer];
  const { id } = await harness.enqueue(aVideo);
  await harness.until(id, ({ state }) => state === 'uncertain');
  return [harness, id];
}

function whyNot(harness: EngineHarness, id: string): string {
  const offer = askAgainOf(harness.job(id), harness.profile, harness.clock.now());
  return offer.can ? 'it is offered' : offer.why;
}

test('set back while Dailies runs: it is asked for no more, also once the clock has come so far again', async () => {
  const [harness, id] = await inDoubt();
  const { revision } = harness.job(id);
  await harness.clock.advance(20 * HOUR);
  harness.clock.set(harness.clock.now() - 10 * HOUR);
  await harness.clock.advance(2 * MINUTE);
  expect(harness.job(id)).toMatchObject({ kept: { clockSetBack: true } });
  expect(harness.job(id).revision).toBeGreaterThan(revision);
  const shown = {
    type: 'job.changed',
    job: expect.objectContaining({ id, kept: expect.objectContaining({ clockSetBack: true }) }),
  };
  expect(harness.events).toContainEqual(shown);
  await harness.clock.advance(11 * HOUR);
  expect(whyNot(harness, id)).toContain('was set back');
  expect((await harness.engine.commands.resolve({ id, as: 'again' })).ok).toBe(false);
  expect(harness.script.repeated).toEqual([]);
});

test('set back right before it is asked for', async () => {
  const [harness, id] = await inDoubt();
  await harness.clock.advance(2 * HOUR);
  harness.clock.set(harness.clock.now() - HOUR);
  const asked = await harness.engine.commands.resolve({ id, as: 'again' });
  expect(asked.ok ? '' : asked.error.message).toContain('was set back');
  expect(harness.script.repeated).toEqual([]);
});

test('set back while Dailies was closed', async () => {
  const [harness, id] = await inDoubt(startEngine);
  await harness.clock.advance(5 * HOUR);
  await harness.close();
  harness.clock.set(harness.clock.now() - HOUR);
  const next = start({ dataDir: harness.dataDir, clock: harness.clock, profile: PROFILE });
  await settle();
  expect(whyNot(next, id)).toContain('was set back');
});

test('after a kill, by the last time that is on disk', async () => {
  const [harness, id] = await inDoubt();
  await harness.clock.advance(5 * HOUR);
  const now = harness.clock.now();
  harness.clock.set(now - HOUR);
  const next = startEngine({ dataDir: harness.dataDir, clock: harness.clock, profile: PROFILE });
  await settle();
  expect(whyNot(next, id)).toContain('was set back');
  await next.close();
});

test('set forward, its time only ends sooner; a request sent since is young', async () => {
  const [harness, id] = await inDoubt();
  harness.clock.set(harness.clock.now() + 2 * HOUR);
  await harness.clock.advance(2 * MINUTE);
  expect(whyNot(harness, id)).toBe('it is offered');
  harness.clock.set(harness.clock.now() + 22 * HOUR);
  expect(whyNot(harness, id)).toContain('is over');
});

test('set back between an attempt that was turned away and the one whose answer was lost', async () => {
  const harness = start({ profile: PROFILE });
  harness.script.body = '{}';
  const rate = refusal({ kind: 'rate_limit', status: 429, retryable: true, retryAfterMs: 5_000 });
  harness.script.submit = [rate, lostAnswer];
  const { id } = await harness.enqueue(aVideo);
  await harness.until(id, ({ attempts }) => attempts[0]?.outcome === 'unsent');
  harness.clock.set(harness.clock.now() - 10 * HOUR);
  await harness.engine.commands.retry({ id });
  for (let hour = 0; hour < 12 && harness.job(id).state !== 'uncertain'; hour++) await harness.clock.advance(HOUR);
  expect(harness.job(id).attempts).toHaveLength(2);
  expect(whyNot(harness, id)).toContain('was set back');
});

test('a database that cannot be read for a while ends nothing, and the clock is watched on', async () => {
  const disk = { broken: false };
  const wrapStore = (store: Store): Store => ({
    ...store,
    read: {
      all: (statement, params) => store.read.all(statement, params),
      one: (statement, params) => {
        if (disk.broken) throw Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR' });
        return store.read.one(statement, params);
      },
    },
  });
  const [harness, id] = await inDoubt((options) => start({ ...options, wrapStore }));
  disk.broken = true;
  await harness.clock.advance(3 * MINUTE);
  disk.broken = false;
  harness.clock.set(harness.clock.now() - HOUR);
  await harness.clock.advance(2 * MINUTE);
  expect(whyNot(harness, id)).toContain('was set back');
});

test('a small step, as a time server makes it, changes nothing', async () => {
  const [harness, id] = await inDoubt();
  await harness.clock.advance(HOUR);
  harness.clock.set(harness.clock.now() - 2_000);
  await harness.clock.advance(2 * MINUTE);
  expect(whyNot(harness, id)).toBe('it is offered');
});

test('one that never started leaves what an earlier run has seen', async () => {
  const [{ store, clock }] = await inDoubt();
  await clock.advance(HOUR);
  const seen = readFlag(store.read, 'clock:seen');
  new ClockWatch({ store, clock, log: silentLog }, () => undefined).close();
  expect([Number(seen), readFlag(store.read, 'clock:seen')]).toEqual([expect.any(Number), seen]);
  expect(Number(seen)).toBeGreaterThan(0);
});
