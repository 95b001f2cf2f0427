import { beforeEach, expect, it } from 'vitest';
import { labels } from '../../../../../test/labels.ts';
import { NO_MONEY } from '../../../../shared/ledger.ts';
import type { NightReport, NightRun } from '../../../../shared/night.ts';
import { useEntities } from '../../../app/index.ts';
import { dry, planned } from '../../../testing/aNight.ts';
import { aJob, byText, click, fakeStudio, show, until } from '../../../testing/page.tsx';
import { NightLists } from './NightLists.tsx';
import { RunPage } from './RunPage.tsx';
import { Timeline } from './Timeline.tsx';

const unpriced = { ...aJob().money, estimateNano: 0, estimateLowNano: 0, reservedNano: 0, unpriced: true as const };
const jobs = [
  aJob({ id: 'live', state: 'running', money: unpriced }),
  aJob({ id: 'lost', state: 'uncertain', money: unpriced }),
  aJob({ id: 'free', state: 'failed', money: { ...unpriced, unpriced: undefined } }),
];
const begun = { lane: 'chat:p', startsAt: planned.startsAt, nano: 0, lowNano: 0, countedByThenNano: 0 };
const endsAt = begun.startsAt + 60_000;

const report: NightReport = {
  run: planned,
  ...{ complete: false, jobs: 3, made: 0, kept: 0, judged: 0, failed: 1, refused: 0, canceled: 0, inDoubt: 1 },
  ...{
    underWay: 1,
    notRun: 0,
    canceledSent: 0,
    ended: 2,
    notRunJobs: [],
    plannedNano: 0,
    plannedLowNano: 0,
    plannedUnpriced: 3,
  },
  sent: [
    { ...begun, jobId: 'live', state: 'running', unpriced: true },
    { ...begun, jobId: 'lost', state: 'uncertain', endsAt, unpriced: true },
    { ...begun, jobId: 'free', state: 'failed', endsAt },
  ],
  spent: { ...NO_MONEY, unpriced: 2 },
  corrected: { settledNano: 0, settledLowNano: 0 },
};

const open = (state: NightRun['state']) => {
  const run = { ...planned, state, used: report.spent };
  fakeStudio({
    'night.report': () => ({ ...report, run }),
    'night.dryRun': () => ({ ...dry, unfit: [], unfitCount: 0 }),
    'triage.list': () => ({ takes: [], others: 0, limits: {} }),
  });
  return show(<RunPage runId={run.id} night={state === 'open' ? run : undefined} />);
};

const pricesOf = (list: string) =>
  [...document.querySelectorAll(`${list} .price`)].map(({ textContent }) => textContent);

beforeEach(() => {
  useEntities.setState({ jobs: new Map(jobs.map((job) => [job.id, job])), assets: new Map() });
});

it('what does not fit since its price is not known has none, and neither has the sum of what goes without one', async () => {
  fakeStudio({});
  const message = "Its price is not known, and the night's cap holds.";
  const unfit = [{ jobId: 'live', nano: 0, lowNano: 0, unpriced: true as const, reason: 'unpriced' as const, message }];
  const fits = [{ ...begun, jobId: 'lost', unpriced: true as const, endsAt, slot: 0 }];
  const none = { totalNano: 0, totalLowNano: 0, unpriced: 1 };
  await show(<NightLists dry={{ ...dry, ...none, fits, fitCount: 1, unfit, unfitCount: 1 }} onCap={() => undefined} />);
  expect(pricesOf('.nrow')).toEqual([labels.priceNotKnown, labels.priceNotKnown]);
  expect(document.querySelector('.qlist .grp')?.textContent).toBe('In the night 1price not known');
});

it('the sum of what goes with and without a price says that it is the most', async () => {
  fakeStudio({});
  const some = { totalNano: 5_000_000_000, totalLowNano: 1_000_000_000, unpriced: 1 };
  const fits = [{ ...begun, jobId: 'lost', unpriced: true as const, endsAt, slot: 0 }];
  await show(<NightLists dry={{ ...dry, ...some, fits, fitCount: 1 }} onCap={() => undefined} />);
  expect(document.querySelector('.qlist .grp')?.textContent).toBe('In the night 1≤ $5.00 and 1 unpriced');
});

it('what runs, and what has ended, costs nothing only where nothing is owed', async () => {
  await open('open');
  await until(() => expect(pricesOf('.nown')).toEqual([labels.priceNotKnown]));
  expect(pricesOf('.evs')).toEqual([labels.priceNotKnown, '$0.00']);
  expect(document.querySelector('.nplan .sendbar b')?.textContent).toBe(labels.priceNotKnown);
});

it('what is to come is as dear as its prices, and unpriced ones that wait or run are said beside them', async () => {
  const run = { ...planned, state: 'open' as const, used: { ...NO_MONEY, reservedNano: 3_200_000_000, unpriced: 9 } };
  fakeStudio({
    'night.report': () => ({ ...report, run }),
    'night.dryRun': () => ({ ...dry, unfit: [], unfitCount: 0, unpriced: 2 }),
    'triage.list': () => ({ takes: [], others: 0, limits: {} }),
  });
  await show(<RunPage runId={run.id} night={run} />);
  const reserved = () => document.querySelector('.nplan .sendbar b')?.textContent;
  await until(() => expect(reserved()).toBe(labels.andUnpriced('$3.20', 3)));
});

it('in the morning it is so beside what needs you, and beside what was not made', async () => {
  await open('ended');
  await until(() => expect(pricesOf('.nplan')).toEqual([labels.priceNotKnown, '$0.00']));
  await click(byText(labels.notMade, '[role="tab"]'));
  expect(pricesOf('.evs')).toEqual([labels.priceNotKnown, '$0.00']);
  expect(document.querySelector('.legend')?.textContent).toContain('planned price not known, cap ');
});

it.each([
  [0, 1, [], labels.priceNotKnown],
  [5_000_000_000, 1, [], '≤ $5.00 and 1 unpriced'],
  [0, 0, report.sent, labels.priceNotKnown],
  [5_000_000_000, 1, report.sent, '≤ $5.00 and 3 unpriced'],
  [5_000_000_000, 0, [], '$5.00 at most $1.00 at least'],
])('the money of %i with %i unpriced jobs ends as it is known', async (nano, unpriced, sent, words) => {
  const money = [{ at: begun.startsAt, nano, lowNano: nano / 5 }];
  const { startsAt, endsAt: end, capNano, capReading } = dry;
  const drawn = { startsAt, endsAt: end, now: startsAt, capNano, capReading, sent };
  await show(<Timeline {...drawn} dry={{ ...dry, unpriced, money }} />);
  expect(document.querySelector('.endt')?.textContent?.trim()).toBe(words);
});
