import { expect, test } from 'vitest';
import { RateWindow } from './lanes.ts';

const HOUR = 3_600_000;

test('what a lane sent before its clock was set back holds it no longer', () => {
  const now = 10 * HOUR;
  const before = [now - 1, now];
  const window = new RateWindow((lane) => (lane === 'read' ? before : []));
  for (let sent = 0; sent < 2; sent++) window.record('sent', now);
  for (const lane of ['sent', 'read']) {
    expect(window.waitMs(lane, 2, now)).toBeGreaterThan(0);
    expect(window.waitMs(lane, 2, now - 2 * HOUR)).toBe(0);
  }
});
