import { expect, test } from 'vitest';
import { runningWords } from './runningWords.ts';
import { useStudio } from './state/studio.ts';

const NOW = 10_000_000;
const words = (progress: number, spent?: number, usualMs?: number) =>
  runningWords(
    {
      progress,
      profileId: 'p',
      ...(spent === undefined ? {} : { sentAt: NOW - spent }),
      ...(usualMs === undefined ? {} : { usualMs }),
    },
    NOW,
  );

test('a running job says about how long it still needs, by its own progress or by what such jobs took', () => {
  expect([words(62, 65_000), words(50, 90_000), words(80, 4_000)]).toEqual([
    'about 40 s left',
    'about 2 min left',
    'about 5 s left',
  ]);
  expect([words(0, 12_000, 40_000), words(1, 12_000, 40_000), words(96, 12_000, 40_000)]).toEqual(
    Array(3).fill('about 30 s left'),
  );
});

test('where neither tells, it has a clock', () => {
  expect([words(0, 12_000), words(4, 12_000), words(0, 65_000, 60_000), words(0)]).toEqual([
    '0:12 so far',
    '0:12 so far',
    '1:05 so far',
    '',
  ]);
  expect([words(96, 190_000), words(99, 3_800_000, 60_000)]).toEqual([
    'finishing, 3:10 so far',
    'finishing, 1:03:20 so far',
  ]);
});

test('a job that cannot be asked for says when its gateway was last heard of, and no figure', () => {
  const job = { progress: 95, sentAt: 0, reason: 'key' as const, profileId: 'p' };
  expect(runningWords(job, 60_000)).toBe('At the gateway');
  useStudio.setState({ atGateway: { p: { seenAt: NOW - 12 * 60_000 } } });
  expect(runningWords(job, NOW)).toBe('At the gateway, last seen 12 min ago');
  expect(runningWords(job, NOW + 10 * 3_600_000)).toBe('At the gateway, last seen 10 h ago');
});
