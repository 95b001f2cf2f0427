import { expect, test } from 'vitest';
import { TestClock } from '../../../test/helpers/testPorts.ts';
import { studiosOfThisFile } from '../../../test/helpers/testStudios.ts';

const openStudio = studiosOfThisFile();
const HOUR = 3_600_000;

async function open(hour: number) {
  const clock = new TestClock(new Date(2026, 10, 21, hour).getTime());
  const checks: number[] = [];
  let at: number | undefined;
  const updater = {
    check: async () => {
      checks.push(clock.now());
      return null;
    },
    download: async () => undefined,
    quitAndInstall: () => undefined,
    checkedAt: () => at,
    noteCheck: (now: number) => {
      at = now;
    },
    found: () => undefined,
    noteFound: () => undefined,
  };
  return { clock, checks, ...(await openStudio({ ports: { clock, updater } })) };
}

const everyDay = { start: '23:00', end: '07:00', days: [0, 1, 2, 3, 4, 5, 6], capNano: 1_000_000_000 };

test('a night that opens again leaves the day between for updates', async () => {
  const { clock, checks, ask, call } = await open(12);
  await ask('night.plan', everyDay);
  expect(await call('updates.check')).toMatchObject({ ok: true });
  await clock.advance(3 * 24 * HOUR);
  expect(checks.length).toBeGreaterThanOrEqual(3);
  for (const check of checks) expect(new Date(check).getHours()).toBeGreaterThanOrEqual(7);
  for (const check of checks) expect(new Date(check).getHours()).toBeLessThan(21);
});

test.each([
  [21, 'Overnight run 1: the update waits until 07:00.'],
  [23, 'Overnight run 1: the update waits until 07:00.'],
])('from two hours before a night to its end they wait, and say for what (%i:00)', async (hour, message) => {
  const { ask, call, checks } = await open(hour);
  await ask('night.plan', everyDay);
  expect(await call('updates.check')).toMatchObject({ error: { code: 'wrong_state', message } });
  expect(checks).toEqual([]);
});
