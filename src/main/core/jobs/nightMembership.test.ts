import { expect, test } from 'vitest';
import { acceptance, aVideo, VIDEO_NANO } from '../../../../test/helpers/engineHarness.ts';
import { EVENING, HOUR, nightsOfThisFile } from '../../../../test/helpers/nightHarness.ts';
import { countingIds } from '../../../../test/helpers/testPorts.ts';
import { SANDBOX_PRICES } from '../../../shared/money/price.ts';
import { LedgerWriter } from '../ledger/index.ts';
import { sql } from '../store/index.ts';
import { claim } from './sending/scheduler.ts';

const start = nightsOfThisFile();

const ONE_AT_ONCE = { profile: { limits: { videosAtOnce: 1 } } };

test('the claim itself checks the window: outside it a queued job is not claimed, and waits again', async () => {
  const harness = start(ONE_AT_ONCE);
  harness.plan();
  harness.service.submit = () => acceptance(harness.clock);
  const [, second = ''] = await harness.fill(2);
  await harness.clock.advance(3 * HOUR + 1_000);
  const claimAt = (now: number) =>
    harness.store.transaction((db) => {
      const clock = { ...harness.clock, now: () => now };
      const deps = { clock, ledger: new LedgerWriter({ clock, ids: countingIds() }), freeBytes: () => 1e12 };
      return claim(deps, db, 'video:p', { limit: 9, max: 9 }).map(({ id, state }) => ({ id, state }));
    });
  expect(harness.job(second).state).toBe('queued');
  expect(claimAt(EVENING)).toEqual([]);
  expect(claimAt(EVENING + 11 * HOUR)).toEqual([{ id: second, state: 'blocked' }]);
  expect(claimAt(EVENING + 4 * HOUR)).toEqual([]);
});

test('money reserved for tomorrow’s night counts against the day on which it opens, not against today', async () => {
  const harness = start({ profile: { prices: SANDBOX_PRICES } });
  harness.plan({ start: '01:00', end: '05:00' });
  harness.setDayCap(VIDEO_NANO);
  const [first = '', second = ''] = await harness.fill(2);
  expect([harness.job(first).reason, harness.job(second).reason]).toEqual(['window', 'budget']);
  const today = await harness.enqueue({ kind: 'imagine', prompt: 'now' });
  expect(harness.job(today.id).reason).not.toBe('budget');
});

test('money reserved for a night goes with it to the day on which it opens now, and back', async () => {
  const harness = start();
  harness.setDayCap(VIDEO_NANO);
  harness.plan();
  const [id = ''] = await harness.fill(1);
  const reservedOn = (day: string) =>
    harness.store.read.one<{ nano: number }>(
      sql('test.reserved', "SELECT reserved_nano AS nano FROM spend WHERE scope = 'day' AND play = 0 AND key = $day"),
      { day },
    )?.nano ?? 0;
  const reserved = () => [reservedOn('2026-11-21'), reservedOn('2026-11-22')];
  expect(reserved()).toEqual([VIDEO_NANO, 0]);
  harness.plan({ start: '01:00', end: '05:00' });
  expect(reserved()).toEqual([0, VIDEO_NANO]);
  harness.plan();
  expect(reserved()).toEqual([VIDEO_NANO, 0]);
  const beside = await harness.enqueue(aVideo);
  expect(harness.job(beside.id).reason).toBe('budget');
  harness.plan({ start: '01:00', end: '05:00' });
  expect([harness.job(id).reason, reservedOn('2026-11-22')]).toEqual(['window', VIDEO_NANO]);
  expect(harness.job(beside.id).reason).not.toBe('budget');
});

test.each([1, 60])('%i for a night whose hours are just over are refused, and nothing is written', async (count) => {
  const harness = start();
  harness.plan();
  await harness.clock.advance(4 * HOUR);
  // The check at its end has not run yet, as when the machine wakes up.
  harness.clock.set(EVENING + 11 * HOUR + 1_000);
  const order = { requests: Array.from({ length: count }, () => aVideo), night: true };
  expect(await harness.engine.commands.enqueue(order)).toMatchObject({
    ok: false,
    error: { code: 'wrong_state', data: { field: 'night' } },
  });
  expect(harness.engine.queries.list({ limit: 1 }, harness.isPlay()).total).toBe(0);
});
