import type { Job } from '../../src/shared/job.ts';
import type { DryRun, NightReport, NightRun, NightStatus } from '../../src/shared/night.ts';
import { DAY, dollars, HOUR, NOW } from './data.ts';
import { fitsOf, nightTakes, sentOf } from './nightTakes.ts';

/** Night 15 is planned, and 14 was over this morning; `?night=none` has none, `?night=stopped` one that a rule ended, `?night=tight` a small cap. */

const evening = (hour: number): number => {
  const at = new Date(NOW).setHours(hour, 0, 0, 0);
  return at < NOW - HOUR ? at + DAY : at;
};

function run(number: number, startsAt: number, more: Partial<NightRun> = {}): NightRun {
  return {
    id: `night_${number}`,
    number,
    start: '23:00',
    end: '07:00',
    startsAt,
    endsAt: startsAt + 8 * HOUR,
    state: 'planned',
    capNano: dollars(20),
    capReading: 'high',
    countedNano: dollars(11.5),
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
    used: { settledNano: 0, settledLowNano: 0, reservedNano: dollars(11.5), uncertainNano: 0, unpriced: 0 },
    jobs: { waiting: 10, underWay: 0, ended: 0 },
    ...more,
  };
}

const lastNight = (options: URLSearchParams): NightRun =>
  run(14, NOW - 9 * HOUR, {
    state: 'ended',
    endedAt: NOW - HOUR,
    ...(options.get('night') === 'stopped'
      ? { endedBy: 'failures' as const, endedText: 'The night was stopped: 5 failures in a row.' }
      : { endedBy: 'window' as const, endedText: 'The window closed at 07:00.' }),
  });

export function night(options: URLSearchParams): NightStatus {
  if (options.get('night') === 'none')
    return { revision: 1, current: null, last: null, leftOver: [], leftOverBySide: [], powerSource: 'mains' as const };
  const isOpen = options.get('night') === 'open';
  const leftOver = options.get('night') === 'stopped' ? ['job_left_1', 'job_left_2'] : [];
  return {
    revision: 1,
    current: isOpen
      ? run(15, NOW - 2 * HOUR, {
          state: 'open',
          used: {
            settledNano: dollars(4.8),
            settledLowNano: dollars(1.2),
            reservedNano: dollars(3.2),
            uncertainNano: dollars(2.4),
            unpriced: 0,
          },
          jobs: { waiting: 4, underWay: 2, ended: 4 },
        })
      : run(15, evening(23)),
    last: lastNight(options),
    leftOver,
    leftOverBySide: leftOver.length === 0 ? [] : [{ play: false, count: leftOver.length, ids: leftOver }],
    powerSource: 'mains',
  };
}

export function nightDryRun(jobs: readonly Job[], options: URLSearchParams): DryRun {
  const startsAt = options.get('night') === 'open' ? NOW - 2 * HOUR : evening(23);
  const waiting = jobs.filter(({ state }) => state === 'blocked' || state === 'queued');
  const tight = options.get('night') === 'tight';
  return {
    at: NOW,
    startsAt,
    endsAt: startsAt + 8 * HOUR,
    jobs: 10,
    fits: fitsOf(jobs),
    fitCount: tight ? 8 : 10,
    totalNano: dollars(tight ? 6.3 : 11.5),
    totalLowNano: dollars(tight ? 1.1 : 1.9),
    unpriced: 0,
    unfit: tight
      ? waiting.slice(0, 2).map(({ id }) => ({
          jobId: id,
          nano: dollars(3.2),
          lowNano: dollars(0.4),
          reason: 'run' as const,
          message: "It may cost $3.20; $1.70 is left of the night's cap, $8.00, when its turn comes.",
        }))
      : [],
    unfitCount: tight ? 2 : 0,
    lanes: [],
    money: [],
    days: [],
    endsAbout: Math.max(startsAt, NOW) + 112 * 60_000,
    capNano: dollars(tight ? 8 : 20),
    capReading: 'high',
    aboveCountedNano: 0,
    capLeftNano: dollars(tight ? 1.7 : 8.5),
    freeBytes: 214e9,
    balances: [{ profileId: 'studio' }],
    notes: tight ? ['The balance at Studio gateway is not known: the balance floor cannot stop this night.'] : [],
  };
}

export function nightReport(options: URLSearchParams, jobs: readonly Job[]): NightReport {
  const own = nightTakes(options);
  if (own.length > 0 || options.get('night') === 'nothing')
    return reportOfTakes(options, jobs, new Set(own.map(({ id }) => id)));
  const failed = options.get('night') === 'stopped' ? 5 : 0;
  return {
    run: lastNight(options),
    complete: true,
    jobs: 9 + failed,
    made: 6,
    kept: 2,
    judged: 2,
    failed,
    refused: 1,
    canceled: 0,
    canceledSent: 0,
    inDoubt: 1,
    underWay: 0,
    notRun: 1,
    ended: 8 + failed,
    notRunJobs: jobs.slice(0, 1).map(({ id }) => ({
      jobId: id,
      reason: 'window',
      message: 'The window closed at 07:00 before its turn.',
    })),
    sent: [],
    plannedNano: dollars(16.5),
    plannedLowNano: dollars(4.1),
    plannedUnpriced: 0,
    spent: {
      settledNano: dollars(8.9),
      settledLowNano: dollars(1.8),
      reservedNano: 0,
      uncertainNano: dollars(2.8),
      unpriced: 0,
    },
    corrected: { settledNano: 0, settledLowNano: 0 },
    firstSentAt: NOW - 7 * HOUR,
    lastEndedAt: NOW - 4 * HOUR,
  };
}

/** The report of what {@link nightTakes} made, as it stands now. */
function reportOfTakes(options: URLSearchParams, all: readonly Job[], ids: ReadonlySet<string>): NightReport {
  const jobs = all.filter(({ id }) => ids.has(id));
  const sent = sentOf(jobs);
  const count = (is: (job: Job) => boolean) => jobs.filter(is).length;
  const sum = (nanoOf: (job: Job) => number) => jobs.reduce((total, job) => total + nanoOf(job), 0);
  const refused = count(({ error }) => error?.kind === 'moderation');
  const ends = sent.flatMap(({ endsAt }) => endsAt ?? []);
  return {
    run: (options.get('night') === 'open' && night(options).current) || lastNight(options),
    complete: options.get('night') !== 'open',
    jobs: jobs.length,
    made: count(({ state }) => state === 'succeeded'),
    kept: count(({ verdict }) => verdict === 'keep'),
    judged: count(({ verdict }) => verdict !== undefined),
    failed: count(({ state }) => state === 'failed') - refused,
    refused,
    canceled: 0,
    canceledSent: 0,
    inDoubt: count(({ state }) => state === 'uncertain'),
    underWay: count(({ state }) => state === 'running' || state === 'fetching'),
    notRun: count(({ state }) => state === 'queued'),
    ended: ends.length,
    notRunJobs: [],
    sent,
    plannedNano: sum(({ money }) => money.estimateNano),
    plannedLowNano: sum(({ money }) => money.estimateLowNano),
    plannedUnpriced: 0,
    spent: {
      settledNano: sum(({ money }) => money.chargedNano),
      settledLowNano: sum(({ money }) => money.chargedLowNano),
      reservedNano: 0,
      uncertainNano: sum(({ money }) => money.uncertainNano),
      unpriced: 0,
    },
    corrected: { settledNano: 0, settledLowNano: 0 },
    ...(sent[0] ? { firstSentAt: sent[0].startsAt } : {}),
    ...(ends.length > 0 ? { lastEndedAt: Math.max(...ends) } : {}),
  };
}

/** What ended in the hours of night 14 was made in it. */
export const ofLastNight = (job: Job): Job =>
  job.finishedAt !== undefined && job.finishedAt > NOW - 9 * HOUR ? { ...job, runId: 'night_14' } : job;
