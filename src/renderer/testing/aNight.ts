import type { DryRun, NightReport, NightRun, NightStatus } from '../../shared/jobs/night.ts';
import { NO_MONEY } from '../../shared/money/ledger.ts';

/** Nights for tests of pages: one that is planned for this evening, one that is over, its report, and a dry run. */

const HOUR = 3_600_000;
const startsAt = new Date().setHours(23, 0, 0, 0);

export const planned: NightRun = {
  id: 'night_15',
  number: 15,
  start: '23:00',
  end: '07:00',
  startsAt,
  endsAt: startsAt + 8 * HOUR,
  state: 'planned',
  capNano: 20_000_000_000,
  capReading: 'high',
  countedNano: 0,
  play: false,
  rules: {
    failuresInRow: 3,
    refusalsInRow: 2,
    budgetFloorNano: null,
    balanceFloorNano: null,
    diskFloorBytes: 20_000_000_000,
    shotRefusals: 2,
    goOnInDoubt: true,
    outageMinutes: 30,
    notOnBattery: false,
  },
  days: [],
  keepAwake: true,
  notify: true,
  inRow: { failures: 0, refusals: 0 },
  used: NO_MONEY,
  jobs: { waiting: 2, underWay: 0, ended: 0 },
};
export const over: NightRun = {
  ...planned,
  id: 'night_14',
  number: 14,
  startsAt: Date.now() - 9 * HOUR,
  endsAt: Date.now() - HOUR,
  state: 'ended',
  endedBy: 'failures',
  endedText: 'The run was stopped: 5 failures in a row.',
};
export const statusOf = (current: NightRun | null, last: NightRun | null = null, revision = 1): NightStatus => ({
  ...{ revision, current, last, leftOver: [], leftOverBySide: [], powerSource: 'mains' },
});
export const dry: DryRun = {
  at: Date.now(),
  startsAt,
  endsAt: startsAt + 8 * HOUR,
  jobs: 2,
  fits: [],
  fitCount: 1,
  totalNano: 3_200_000_000,
  totalLowNano: 400_000_000,
  unpriced: 0,
  unfit: [
    {
      jobId: 'a',
      nano: 1,
      lowNano: 1,
      reason: 'run',
      message: 'May cost $3.20, with $1.70 of $20.00 left by then (Overnight).',
    },
  ],
  unfitCount: 1,
  lanes: [],
  money: [],
  days: [],
  endsAbout: startsAt + HOUR,
  capNano: 20_000_000_000,
  capReading: 'high',
  aboveCountedNano: 0,
  capLeftNano: 16_800_000_000,
  freeBytes: 214e9,
  balances: [],
  notes: ['The balance at Studio is unknown, so the minimum balance cannot stop this run.'],
};

type Sent = NightReport['sent'][number];

/** A job that was sent in a night, and made as a rule. */
export const sentJob = (jobId: string, more: Partial<Sent> = {}): Sent => ({
  ...{ jobId, lane: 'video:p', state: 'succeeded', startsAt: over.startsAt, endsAt: over.startsAt + 60_000 },
  ...{ nano: 0, lowNano: 0, countedByThenNano: 0 },
  ...more,
});

/** The report of a night in which these were sent. */
export function reportOf(sent: Sent[], more: Partial<NightReport> = {}): NightReport {
  const count = (is: (one: Sent) => boolean) => sent.filter(is).length;
  return {
    ...{ run: over, complete: true, jobs: sent.length, canceled: 0, underWay: 0, notRun: 0, notRunJobs: [], sent },
    ...{ plannedNano: 0, plannedLowNano: 0, plannedUnpriced: 0, spent: NO_MONEY },
    corrected: { settledNano: 0, settledLowNano: 0 },
    canceledSent: count(({ state }) => state === 'canceled'),
    ended: count(({ endsAt }) => endsAt !== undefined),
    made: count(({ state }) => state === 'succeeded'),
    kept: count(({ verdict }) => verdict === 'keep'),
    judged: count(({ verdict }) => verdict !== undefined),
    failed: count(({ state, refused }) => state === 'failed' && !refused),
    refused: count(({ refused }) => refused === true),
    inDoubt: count(({ state }) => state === 'uncertain'),
    ...more,
  };
}
