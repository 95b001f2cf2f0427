import { expect, it, onTestFinished } from 'vitest';
import {
  formatBytes,
  formatDay,
  formatLength,
  formatSeconds,
  formatSpan,
  formatStamp,
  formatWhen,
  plural,
} from './format.ts';

const at = (text: string): number => new Date(text).getTime();

it('writes units with a space and does not round up to look tidy', () => {
  expect([0, 999, 24_600_000, 38_200_000_000].map(formatBytes)).toEqual(['0 B', '999 B', '24.6 MB', '38.2 GB']);
  expect([6, 6.04, 65, 119.9, 10_774].map(formatSeconds)).toEqual(['6 s', '6.04 s', '1:05', '1:59', '2:59:34']);
  expect([31, 724.6, 3_599.6, 10_774].map(formatLength)).toEqual(['0:31', '12:05', '1:00:00', '2:59:34']);
  expect([41_000, 725_000, 3_729_000].map(formatSpan)).toEqual(['0:41', '12:05', '1:02:09']);
  expect([plural(1, 'job'), plural(1_200, 'job')]).toEqual(['1 job', '1,200 jobs']);
});

it('tells a day as people do: clock today, weekday this week, date before', () => {
  const now = at('2026-11-21T07:42');
  expect(formatWhen(at('2026-11-21T07:38'), now)).toBe('07:38');
  expect(formatWhen(at('2026-11-20T18:20'), now)).toBe('Fri');
  expect(formatWhen(at('2026-11-11T18:20'), now)).toBe('11 Nov');
  expect(formatWhen(at('2025-11-11T18:20'), now)).toBe('11 Nov 2025');
  expect(formatStamp(at('2026-11-11T18:20'), now)).toBe('Wed 11 Nov 18:20');
  expect(formatStamp(at('2023-11-24T05:34'), now)).toBe('Fri 24 Nov 2023 05:34');
  expect([formatDay(now, now), formatDay(at('2026-11-20T23:59'), now)]).toEqual(['Today', 'Yesterday']);
  expect(formatDay(at('2026-11-14T12:00'), now)).toBe('Saturday 14 November');
});

it('tells the day on days on which the clock is changed', () => {
  const zone = process.env.TZ;
  onTestFinished(() => {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  });
  process.env.TZ = 'Europe/Berlin';
  expect(formatWhen(at('2026-10-25T23:30'), at('2026-10-25T23:45'))).toMatch(/^\d\d:\d\d$/);
  expect(formatWhen(at('2026-10-25T00:30'), at('2026-10-31T12:00'))).toMatch(/^[A-Z][a-z]{2}$/);
  expect(formatWhen(at('2026-03-28T23:30'), at('2026-04-04T12:00'))).toBe('28 Mar');
});
