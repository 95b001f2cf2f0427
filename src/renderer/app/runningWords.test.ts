import { expect, test } from 'vitest';
import { labels } from '../../../test/labels.ts';
import { runningWords } from './runningWords.ts';

test('a running job has a clock, and above 95 % no figure that promises an end', () => {
  const words = (progress: number, spent?: number) =>
    runningWords({ progress, ...(spent === undefined ? {} : { sentAt: 1_000_000 - spent }) }, 1_000_000);
  expect([words(0, 12_000), words(62.7, 65_000), words(95, 65_000)]).toEqual(['0:12', '62 %, 1:05', '95 %, 1:05']);
  expect([words(96, 190_000), words(99, 3_800_000)]).toEqual(['finishing, 3:10', 'finishing, 1:03:20']);
  expect(words(0)).toBe('');
});

test('a job that nobody asks for says why, and no figure', () => {
  expect(runningWords({ progress: 95, sentAt: 0, reason: 'key' }, 60_000)).toBe(labels.waitingForTheApiKey);
});
