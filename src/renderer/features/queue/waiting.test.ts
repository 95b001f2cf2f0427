import { expect, it } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import type { Job } from '../../../shared/job.ts';
import { BLOCK_REASONS } from '../../../shared/job.ts';
import type { Budget } from '../../../shared/ledger.ts';
import { KEY_UNREADABLE } from '../../../shared/profile.ts';
import { jobDetail } from './JobRow.tsx';
import { isLaneOf, tightestBudget, waitOf } from './waiting.ts';

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
  play: false,
  hardNano: 30e9,
  used: { settledNano: 8.9e9, settledLowNano: 3e9, reservedNano: 13.15e9, uncertainNano: 2.8e9, unpriced: 0 },
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
  expect(waitOf(job({ reason: 'budget' }), { now: NOW, budget: day })).toMatchObject({
    reason: 'Over budget by $8.85 today',
    release: '$14.00 asked, $5.15 left of $30.00',
  });
});

it('says the cap of a night by the reading that it counts, and by how much it is exceeded', () => {
  const night: Budget = { ...day, scope: 'run', hardNano: 7e9, countedNano: 6e9 };
  expect(waitOf(job({ reason: 'budget' }), { now: NOW, budget: night })).toMatchObject({
    reason: 'Over budget by $1.00 in this night',
    release: '$2.00 asked at the cheaper reading, $1.00 left of $7.00',
  });
  expect(waitOf(job({ reason: 'budget' }), { now: NOW, budget: { ...night, countedNano: 7.5e9 } })).toMatchObject({
    reason: 'Over budget by $2.50 in this night',
    release: '$2.00 asked at the cheaper reading, $0.50 over $7.00',
  });
});

it('says what holds its night, what lets it go on, and until when', () => {
  const endsAt = new Date(2026, 10, 22, 7).getTime();
  const money = { ...job({}).money, reservedNano: 2e9 };
  const facts = { now: NOW, heldUntil: endsAt };
  expect(waitOf(job({ reason: 'window', runId: 'n', money }), facts)).toMatchObject({
    reason: labels.heldTheMachineRunsOn,
    release: 'Goes on once it is plugged in, until 07:00',
  });
  const own = { nextAt: new Date(2026, 10, 22, 6).getTime() };
  expect(waitOf(job({ reason: 'window', runId: 'n', money, ...own }), facts)).toMatchObject({
    reason: labels.heldTheMachineRunsOn,
    release: 'Goes on once it is plugged in, from 06:00, until 07:00',
  });
  const later = { nextAt: new Date(2026, 10, 22, 9).getTime() };
  expect(waitOf(job({ reason: 'window', runId: 'n', money, ...later }), facts).release).not.toContain('plugged in');
  const leftOut = { ...money, reservedNano: 0 };
  expect(waitOf(job({ reason: 'window', runId: 'n', money: leftOut }), facts).reason).toBe(labels.itsNightIsOver);
});

it('names what it waits for, and points at the doubt where that is the cause', () => {
  const wait = waitOf(job({ reason: 'dependency' }), { now: NOW, dependency: { title: 'Shot 4', state: 'uncertain' } });
  expect(wait).toMatchObject({ reason: 'Waits for Shot 4, in doubt', release: 'Resolve the doubt; then it is sent' });
});

it('says of a key that cannot be read what is to be done', () => {
  const error = { kind: 'auth' as const, message: KEY_UNREADABLE, retryable: true };
  expect(waitOf(job({ reason: 'key', error }), { now: NOW })).toMatchObject({
    reason: 'The key cannot be read',
    release: KEY_UNREADABLE,
  });
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

it('says what the gateway asked for, and the time of day where it is far', () => {
  const error = { kind: 'rate_limit' as const, message: 'Too many requests.', retryable: true };
  const nextAt = new Date('2026-11-21T08:41').getTime();
  expect(waitOf(job({ reason: 'rate', nextAt, error }), { now: nextAt - 3_600_000 })).toMatchObject({
    reason: 'Rate limit, goes on at 08:41',
    release: 'Too many requests.',
  });
});

it('says that its lane is out of order, and knows which lane is its own', () => {
  expect(waitOf(job({ state: 'queued' }), { now: NOW, isLaneOut: true })).toMatchObject({
    reason: labels.theGatewayFailsAgainAnd,
    release: 'Tried again now and then, and sent when it works',
  });
  const lane = { kind: 'preview', profileId: 'p' };
  expect(isLaneOf(job({ profileId: 'p' }), lane)).toBe(true);
  expect(isLaneOf(job({ profileId: 'q' }), lane)).toBe(false);
  expect(isLaneOf(job({ profileId: 'p', kind: 'chat' }), lane)).toBe(false);
  expect(isLaneOf(job({ profileId: 'p' }), undefined)).toBe(false);
});

it('a job that is made quotes what its service says of it', () => {
  const error = { kind: 'server' as const, message: 'The gateway reports success without a file.', retryable: false };
  expect(jobDetail(job({ state: 'running', error }))).toBe(error.message);
});
