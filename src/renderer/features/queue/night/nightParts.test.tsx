import { expect, it, vi } from 'vitest';
import { labels } from '../../../../../test/labels.ts';
import type { DryRun, NightRun } from '../../../../shared/jobs/night.ts';
import { useStudio } from '../../../app/index.ts';
import { dry, planned, sentJob } from '../../../testing/aNight.ts';
import { anAppInfo } from '../../../testing/anAppInfo.ts';
import { fakeStudio, show } from '../../../testing/page.tsx';
import { NightLists } from './NightLists.tsx';
import { Hours, MoneyPart, WhileItRuns } from './PlanFields.tsx';
import { formOf } from './planForm.ts';
import { StopNight } from './StopNight.tsx';
import { Timeline } from './Timeline.tsx';

const form = { form: formOf(planned), set: () => undefined, fault: undefined };
const page = () => document.body.textContent;
const texts = (selector: string) => [...document.querySelectorAll(selector)].map(({ textContent }) => textContent);
const byHand = new Date(planned.startsAt).setHours(14, 0);

it.each([
  ['of which it began by hand', byHand, true, true],
  ['at its hour', planned.startsAt, true, false],
  ['that is not open yet', byHand, false, false],
])('an open night says when it began, if not at the hour of its plan: %s', async (_, startsAt, isOpen, isSaid) => {
  fakeStudio({});
  await show(<Hours {...form} isOpen={isOpen} dry={{ ...dry, startsAt }} />);
  expect(page()?.includes('Started at 14:00')).toBe(isSaid);
});

it.each(['cannot', 'free'] as const)(
  'where nothing can keep the machine awake, there is no switch: %s',
  async (awake) => {
    fakeStudio({});
    useStudio.setState({ info: anAppInfo({ host: 'browser', awake }) });
    await show(<WhileItRuns {...form} />);
    expect(page()?.includes('A browser cannot keep this computer awake')).toBe(awake === 'cannot');
    expect(page()?.includes('Keep this computer awake')).toBe(awake !== 'cannot');
  },
);

it('a day whose jobs have no known price has none', async () => {
  fakeStudio({});
  const days = [
    { day: '2026-11-21', lowNano: 0, nano: 0, unpriced: 2 },
    { day: '2026-11-22', lowNano: 0, nano: 4e8, unpriced: 1 },
  ];
  await show(<MoneyPart {...form} dry={{ ...dry, days }} />);
  expect(texts('.row.between span:last-child')).toEqual([labels.priceNotKnown, labels.andUnpriced('$0.40', 1)]);
});

it.each([
  [0, 2, '2 running jobs will finish and be charged.'],
  [1, 0, '1 job will not be sent.'],
])('stopping a night with %i that wait and %i under way says what stays waiting', async (waiting, underWay, words) => {
  const night: NightRun = { ...planned, state: 'open', jobs: { waiting, underWay, ended: 0 } };
  await show(<StopNight night={night} open onClose={() => undefined} run={vi.fn()} />);
  expect(document.querySelector('[role="alertdialog"], [role="dialog"]')?.textContent).toContain(words);
});

const unpricedFit = { ...sentJob('lost', { unpriced: true }), endsAt: dry.endsAt, slot: 0 };

it('what does not fit since its price is not known has none', async () => {
  fakeStudio({});
  const price = { nano: 0, lowNano: 0, unpriced: true as const, reason: 'unpriced' as const };
  const unfit = [{ jobId: 'live', ...price, message: "No price is set, and the run's budget holds." }];
  const fits = { fits: [unpricedFit], fitCount: 1, totalNano: 0, totalLowNano: 0, unpriced: 1 };
  await show(<NightLists dry={{ ...dry, ...fits, unfit, unfitCount: 1 }} onCap={() => undefined} />);
  expect(texts('.nrow .price')).toEqual([labels.priceNotKnown, labels.priceNotKnown]);
});

it.each([
  [0, 'In the run 1no price set'],
  [5_000_000_000, 'In the run 1≤ $5.00 and 1 without a price'],
])('the sum of %i and of what goes without a price says what is known', async (totalNano, words) => {
  fakeStudio({});
  const sum = { totalNano, totalLowNano: totalNano / 5, unpriced: 1 };
  await show(<NightLists dry={{ ...dry, ...sum, fits: [unpricedFit], fitCount: 1 }} onCap={() => undefined} />);
  expect(document.querySelector('.qlist .grp')?.textContent).toBe(words);
});

const sent = ['live', 'lost'].map((id) => sentJob(id, { unpriced: true }));

it.each<[number, number, DryRun['fits'] | typeof sent, string]>([
  [0, 1, [], labels.priceNotKnown],
  [5_000_000_000, 1, [], '≤ $5.00 and 1 without a price'],
  [0, 0, sent, labels.priceNotKnown],
  [5_000_000_000, 1, sent, '≤ $5.00 and 3 without a price'],
  [5_000_000_000, 0, [], '$5.00 at most $1.00 at least'],
])('the money of %i with %i unpriced jobs ends as it is known', async (nano, unpriced, all, words) => {
  const { startsAt, endsAt, capNano, capReading } = dry;
  const drawn = { startsAt, endsAt, now: startsAt, capNano, capReading, sent: all as typeof sent };
  await show(<Timeline {...drawn} dry={{ ...dry, unpriced, money: [{ at: startsAt, nano, lowNano: nano / 5 }] }} />);
  expect(document.querySelector('.endt')?.textContent?.trim()).toBe(words);
});
