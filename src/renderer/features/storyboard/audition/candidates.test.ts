import { expect, test } from 'vitest';
import type { Asset } from '../../../../shared/asset.ts';
import type { Job } from '../../../../shared/job.ts';
import type { TakeView } from '../model/take.ts';
import { auditionOff, candidatesOf, firstChoice, toggled } from './candidates.ts';

function take(number: number, clips: number): TakeView {
  const outputs = Array.from(
    { length: clips },
    (_, index) => ({ id: `a${number}${index}`, mime: 'video/mp4', role: 'output', state: 'local' }) as Asset,
  );
  const job = { id: `j${number}`, outputs, state: clips > 0 ? 'succeeded' : 'running' } as unknown as Job;
  return { jobId: `j${number}`, number, job, clips: outputs, clip: outputs[0], clipIndex: 0 };
}

test('takes and candidates of a take are compared alike, newest take first', () => {
  const takes = [take(1, 1), take(2, 0), take(3, 2)];
  expect(candidatesOf({ takes }).map(({ words }) => words)).toEqual(['take 3, 1 of 2', 'take 3, 2 of 2', 'take 1']);
});

test('what plays for the shot is among the first four however old it is', () => {
  const takes = [1, 2, 3, 4, 5, 6].map((number) => take(number, 1));
  const all = candidatesOf({ takes });
  expect(firstChoice({ active: takes[0] }, all)).toEqual(['j1 0', 'j6 0', 'j5 0', 'j4 0']);
  expect(firstChoice({ active: undefined }, all)).toEqual(['j6 0', 'j5 0', 'j4 0', 'j3 0']);
});

test('never fewer than two and never more than four', () => {
  expect(toggled(['a', 'b'], 'a')).toEqual(['a', 'b']);
  expect(toggled(['a', 'b', 'c'], 'a')).toEqual(['b', 'c']);
  expect(toggled(['a', 'b', 'c', 'd'], 'e')).toEqual(['a', 'b', 'c', 'e']);
});

test('a shot with fewer than two clips says why there is no audition', () => {
  expect(auditionOff({ number: 3, takes: [take(1, 1), take(2, 0)] })).toContain('Shot 3 has one');
  expect(auditionOff({ number: 3, takes: [take(1, 2)] })).toBeUndefined();
});
