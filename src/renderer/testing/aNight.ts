import { NO_MONEY } from '../../shared/ledger.ts';
import type { DryRun, NightRun, NightStatus } from '../../shared/night.ts';

/** Nights for tests of pages: one that is planned for this evening, one that is over, and a dry run. */

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
  endedText: 'The night was stopped: 5 failures in a row.',
};
export const statusOf = (
  current: NightRun | null,
  last: NightRun | null = null,
  leftOver: string[] = [],
  revision = 1,
): NightStatus => ({
  ...{ revision, current, last, leftOver, powerSource: 'mains' },
  leftOverBySide: leftOver.length === 0 ? [] : [{ play: false, count: leftOver.length, ids: leftOver }],
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
    { jobId: 'a', nano: 1, lowNano: 1, reason: 'run', message: "It may cost $3.20; $1.70 is left of the night's cap." },
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
  notes: ['The balance at Studio is not known: the balance floor cannot stop this night.'],
};
