import { expect, it } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import { KEY_UNREADABLE } from '../../../shared/gateway/profile.ts';
import type { Job } from '../../../shared/jobs/job.ts';
import { BLOCK_REASONS } from '../../../shared/jobs/job.ts';
import type { Budget } from '../../../shared/money/ledger.ts';
import { anAsset } from '../../testing/anAsset.ts';
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

it('has a reason for every way a job can wait', () => {
  for (const reason of BLOCK_REASONS) {
    const wait = waitOf(job({ reason }), { now: NOW });
    expect(wait.reason, reason).not.toBe('');
    expect(wait.reason, reason).not.toBe('Waiting');
  }
});

const night = (countedNano: number): Budget => ({ ...day, scope: 'run', hardNano: 7e9, countedNano });
const at = (hour: number) => new Date(2026, 10, 22, hour).getTime();
const money = { ...job({}).money, reservedNano: 2e9 };
const ofNight: Partial<Job> = { reason: 'window', runId: 'n', money };
const unread: Partial<Job> = {
  ...{ reason: 'key', error: { kind: 'auth', message: KEY_UNREADABLE, retryable: true } },
};
const tooMany: Partial<Job> = {
  ...{ reason: 'rate', error: { kind: 'rate_limit', message: 'Too many requests.', retryable: true } },
};
const budget: Partial<Job> = { reason: 'budget' };
const held = { heldUntil: at(7) };
const onBattery = labels.heldTheMachineRunsOn;
const lost = { title: 'Shot 4', state: 'uncertain' };

it.each<[Partial<Job>, object, string, string?]>([
  [budget, { budget: day }, 'Over today’s budget by $8.85', '$14.00 needed, $5.15 left of $30.00'],
  [
    budget,
    { budget: { ...day, hardNano: 10e9 } },
    'Price above the whole budget',
    '$14.00 needed, the budget is $10.00. Change the budget in Spend',
  ],
  [budget, { budget: night(6e9) }, 'Over the run’s budget by $1.00', '$1.00 left of $7.00'],
  [budget, { budget: night(7.5e9) }, 'Over the run’s budget by $2.50', '$2.00 needed at the lower price, $0.50 over'],
  [ofNight, held, onBattery, 'Continues when plugged in, until 07:00'],
  [{ ...ofNight, nextAt: at(6) }, held, onBattery, 'Continues when plugged in, until 07:00'],
  [{ ...ofNight, nextAt: at(9) }, held, 'Starts at 09:00'],
  [{ ...ofNight, money: { ...money, reservedNano: 0 } }, held, labels.itsNightIsOver],
  [{ reason: 'dependency' }, { dependency: lost }, 'Waits for Shot 4', 'Unconfirmed: sent once it is resolved'],
  [unread, {}, 'The key cannot be read', KEY_UNREADABLE],
  [{ reason: 'rate', nextAt: NOW + 41_000 }, {}, 'Rate limit for 0:41'],
  [{ ...tooMany, nextAt: at(8) }, { now: at(7) }, 'Rate limit until 08:00', 'Too many requests.'],
  [{ state: 'queued', nextAt: NOW + 8_000 }, {}, 'Tries again in 0:08'],
  [{ state: 'queued' }, { isLaneOut: true }, labels.theGatewayFailsAgainAnd, 'Sent when it works'],
  [{ reason: 'price' }, {}, 'Waits for a price decision'],
])('of %j with %j says “%s”', (more, facts, reason, release = '') => {
  const wait = waitOf(job(more), { now: NOW, ...facts });
  expect(wait).toMatchObject({ reason, release: expect.stringContaining(release) });
});

it('takes the budget with the least room that counts for the job', () => {
  const other: Budget = { ...day, scope: 'project', projectId: 'salt', hardNano: 26e9 };
  expect(tightestBudget([day, other], job({ projectId: 'ferry' }))).toBe(day);
  expect(tightestBudget([day, other], job({ projectId: 'salt' }))).toBe(other);
});

it('knows which lane is its own', () => {
  const lane = { kind: 'preview', profileId: 'p' };
  const isIts = (more: Partial<Job>, of?: typeof lane) => isLaneOf(job(more), of);
  expect(isIts({ profileId: 'p' }, lane)).toBe(true);
  expect([isIts({ profileId: 'q' }, lane), isIts({ profileId: 'p', kind: 'chat' }, lane)]).toEqual([false, false]);
  expect(isIts({ profileId: 'p' })).toBe(false);
});

const note = 'The service counts 9 tokens sent, where at most 2 are possible.';
const outputs = [anAsset({ mime: 'video/mp2t' })];
const noFile = { kind: 'server', message: 'The gateway reports success without a file.', retryable: false } as const;

it.each<[string, Partial<Job>, string]>([
  ['what its service says of it', { state: 'running', error: noFile }, noFile.message],
  [
    'what was not made as requested',
    { differs: [{ what: 'seconds', ordered: '4 s', made: '8 s' }] },
    '4 s requested, 8',
  ],
  ['that it cannot be displayed', { outputs }, 'Dailies cannot display TS files.'],
  ['what is odd about its cost', { money: { ...job({}).money, note } }, note],
])('a row says of a job %s', (_, more, words) => {
  expect(jobDetail(job({ state: 'succeeded', outputs: [], ...more }))).toContain(words);
});
