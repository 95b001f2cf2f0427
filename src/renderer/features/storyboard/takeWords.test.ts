import { expect, test } from 'vitest';
import type { Job } from '../../../shared/jobs/job.ts';
import type { TakeView } from './model/view.ts';
import { spokenMoney, spokenTake } from './takeWords.ts';

const money = { chargedNano: 0, chargedLowNano: 0, uncertainNano: 0, estimateNano: 0, estimateLowNano: 0 };
const take = (number: number, job: Partial<Job>): TakeView =>
  ({ number, jobId: 'j', clips: [], clip: undefined, clipIndex: 0, job: job as Job }) as TakeView;

test('a take is spoken with its shot, verdict and price', () => {
  const charged = { ...money, chargedNano: 2_400_000_000, chargedLowNano: 400_000_000, reservedNano: 0 };
  const kept = take(4, { state: 'succeeded', verdict: 'keep', money: charged });
  expect(spokenTake(3, kept, true)).toBe('Take 4 of shot 3, Keep, Selected take, At most 2 dollars 40');
  const doubt = { ...money, uncertainNano: 2_800_000_000, reservedNano: 0 };
  expect(spokenTake(4, take(2, { state: 'uncertain', money: doubt }), false)).toBe(
    'Take 2 of shot 4, Unconfirmed, 2 dollars 80 unconfirmed',
  );
  const refused = take(5, { state: 'failed', money: { ...money, reservedNano: 0 } });
  expect(spokenTake(3, refused, false)).toBe('Take 5 of shot 3, Failed, 0 dollars');
});

test('money is spoken in dollars, small amounts with their decimals', () => {
  expect([1_000_000_000, 4_100_000, 30_000_000_000].map(spokenMoney)).toEqual([
    '1 dollar',
    '0.0041 dollars',
    '30 dollars',
  ]);
});
