import { expect, test } from 'vitest';
import type { DryRun } from '../../../../shared/jobs/night.ts';
import { rowsOf } from './plannedBars.ts';

const HOUR = 3_600_000;
const sent = (jobId: string, from: number, to: number) => ({
  ...{ jobId, lane: 'video:p', state: 'succeeded' as const, startsAt: from * HOUR, endsAt: to * HOUR },
  ...{ nano: 0, lowNano: 0, countedByThenNano: 0 },
});
const drawn = (rows: ReturnType<typeof rowsOf>) =>
  rows.map(({ name, note, bars }) => [name, note, bars.map((b) => b.jobId)]);

test('what was made at once stands in rows of its own, also where no dry run knows the lane any more', () => {
  const jobs = [sent('a', 0, 2), sent('b', 0, 1), sent('c', 1, 3)];
  expect(drawn(rowsOf(undefined, jobs, 9 * HOUR, () => []))).toEqual([
    ['Video 1', '', ['a']],
    ['Video 2', '', ['b', 'c']],
  ]);
});

test('the facts of a lane stand beside its rows, one each, with what would be added', () => {
  const fits = [0, 1].map((slot) => ({
    ...{ jobId: `f${slot}`, nano: 0, lowNano: 0, startsAt: 0, endsAt: HOUR, lane: 'video:p', slot },
  }));
  const lane = { lane: 'video:p', name: 'video', atOnce: 2, jobs: 2, shortestMs: 1, longestMs: 1 };
  const added = { fits: [{ ...fits[0], title: 'Line 1', startsAt: HOUR, endsAt: 2 * HOUR }] };
  const dry = { lanes: [lane], fits, added } as unknown as DryRun;
  expect(drawn(rowsOf(dry, [], 0, () => ['24 min each', '2 at once']))).toEqual([
    ['Video 1', '24 min each', ['f0', 'added 0']],
    ['Video 2', '2 at once', ['f1']],
  ]);
});
