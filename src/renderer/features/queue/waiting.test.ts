import { expect, it } from 'vitest';
import type { Job } from '../../../shared/job.ts';
import { BLOCK_REASONS } from '../../../shared/job.ts';
import type { Budget } from '../../../shared/ledger.ts';
import { leftOf, tightestBudget, waitOf } from './waiting.ts';

const NOW = 1_000_000;
const job = (more: Partial<Job>): Job =>
  ({
    id: 'j',
    kind: 'video',
    state: 'blocked',
    money: { estimateNano: 14e9, estimateLowNano: 2e9 },
    dependsOn: [],
    ...more,
  }) as Job;
const day: Budget = {
  scope: 'day',
  hardNano: 30e9,
  used: { settledNano: 8.9e9, settledLowNano: 3e9, reservedNano: 13.15e9, uncertainNano: 2.8e9 },
};

it('has a reason and a release for every way a job can wait', () => {
  for (const reason of BLOCK_REASONS) {
    const wait = waitOf(job({ reason }), { now: NOW });
    expect(wait.reason, reason).not.toBe('');
    expect(wait.reason, reason).not.toBe('Blocked');
    expect(wait.release, reason).not.toBe('');
  }
});

it('says the budget in figures: what is over, what was asked, what is left', () => {
  expect(leftOf(day)).toBe(5.15e9);
  expect(waitOf(job({ reason: 'budget' }), { now: NOW, budget: day })).toMatchObject({
    reason: 'Over budget by $8.85 today',
    release: '$14.00 asked, $5.15 left',
  });
});

it('names what it waits for, and points at the doubt where that is the cause', () => {
  const wait = waitOf(job({ reason: 'dependency' }), { now: NOW, dependency: { title: 'Shot 4', state: 'uncertain' } });
  expect(wait).toMatchObject({ reason: 'Waits for Shot 4, in doubt', release: 'Resolve the doubt, then it goes' });
});

it('counts down to the next slot', () => {
  expect(waitOf(job({ reason: 'rate', nextAt: NOW + 41_000 }), { now: NOW }).reason).toBe(
    'Rate limit, next slot in 0:41',
  );
  expect(waitOf(job({ state: 'queued', nextAt: NOW + 8_000 }), { now: NOW }).reason).toBe('Tries again in 0:08');
});

it('takes the budget with the least room that counts for the job', () => {
  const other: Budget = { ...day, scope: 'project', projectId: 'salt', hardNano: 26e9 };
  expect(tightestBudget([day, other], job({ projectId: 'ferry' }))).toBe(day);
  expect(tightestBudget([day, other], job({ projectId: 'salt' }))).toBe(other);
});
