import { beforeEach, describe, expect, it } from 'vitest';
import { labels } from '../../../../../test/labels.ts';
import { fail } from '../../../../shared/contract/result.ts';
import type { DryRun, NightReport, NightRun, NightStatus } from '../../../../shared/jobs/night.ts';
import { useStudio } from '../../../app/index.ts';
import { dry, over, planned, reportOf, sentJob, statusOf } from '../../../testing/aNight.ts';
import { anAppInfo } from '../../../testing/anAppInfo.ts';
import { type Answers, aJob, byText, click, clickOn, press, show, until } from '../../../testing/page.tsx';
import { freshQueue, openQueue } from '../../../testing/queuePage.tsx';
import { RunPage } from './RunPage.tsx';

const HOUR = 3_600_000;

const report = reportOf([], {
  ...{ jobs: 14, made: 6, kept: 2, judged: 2, failed: 5, refused: 1, inDoubt: 1, notRun: 1, ended: 13 },
  notRunJobs: [{ jobId: 'a', reason: 'stopped', message: 'The run was stopped: 5 failures in a row.' }],
  ...{ plannedNano: 16_500_000_000, plannedLowNano: 4_100_000_000 },
  spent: {
    ...{ settledNano: 8_900_000_000, settledLowNano: 1_800_000_000 },
    ...{ reservedNano: 0, uncertainNano: 2_800_000_000, unpriced: 0 },
  },
  ...{ firstSentAt: Date.now() - 8 * HOUR, lastEndedAt: Date.now() - 4 * HOUR },
});
const opened = (more: Partial<NightRun> = {}): NightRun => ({ ...planned, state: 'open', ...more });

const held = { state: 'blocked', reason: 'window', runId: 'night_15' } as const;
const waiting = [
  aJob({ id: 'a', ...held, request: { kind: 'imagine', prompt: 'Alpha' } }),
  aJob({ id: 'b', position: 2, request: { kind: 'imagine', prompt: 'Beta' } }),
];

const answersOf = (status: NightStatus, more: Answers = {}): Answers => ({
  'night.get': () => status,
  'night.dryRun': () => dry,
  'night.report': () => fail('not_found', 'No run has started yet.'),
  'night.stop': () => over,
  'night.assign': () => status,
  ...more,
});
const open = (status: NightStatus, more: Answers = {}) => openQueue(waiting, answersOf(status, more));

/** The page of this night alone. */
async function openRun(run: NightRun, more: Partial<NightReport>, dryRun: DryRun = dry, jobs: Answers = {}) {
  const answers = { 'night.report': () => ({ ...report, run, ...more }), 'night.dryRun': () => dryRun, ...jobs };
  await openQueue([], answersOf(statusOf(run), answers));
  await show(<RunPage runId={run.id} night={run.state === 'open' ? run : undefined} />);
}

const panel = () => byText('Overnight run', 'aside.top-line').textContent;
const isSaid = (...words: string[]) =>
  until(() => {
    for (const each of words) expect(panel()).toContain(each);
  });
const dialog = () => document.querySelector('[role="dialog"]');
const spend = () => press('Enter', { ctrlKey: true });

beforeEach(() => freshQueue());

describe('tonight', () => {
  it('tells window, cap, rules, the total at both readings, and leads to what does not fit', async () => {
    await open(statusOf(planned));
    await isSaid('Dry run, 1 job', '23:00 to 07:00 · Ends about 00:00', '$20.00', 'up to $3.20', 'is unknown');
    await isSaid('3 failures in a row, or 2 refusals in a row');
    await clickOn('1 job', '.lnk');
    expect(location.hash).toBe('#/queue/night?plan=change');
  });

  it('says where nothing keeps the machine awake for it', async () => {
    useStudio.setState({ info: anAppInfo({ host: 'browser', awake: 'cannot' }) });
    await open(statusOf(planned));
    await isSaid('A browser cannot keep this computer awake');
  });

  it('without a plan leads to the plan', async () => {
    await open(statusOf(null));
    await clickOn(labels.planANight, 'a');
    await until(() => byText('Schedule run 1'));
    expect(location.hash).toBe('#/queue/night');
  });

  it.each<[string, Partial<NightRun>, string]>([
    ['what is left of its cap', { countedNano: 10_400_000_000 }, '$20.00, $9.60 left'],
    [
      'by how much what counts has passed its cap',
      { capReading: 'low', countedNano: 21_500_000_000 },
      '$20.00 · Lower price, $1.50 over',
    ],
  ])('tells of an open one %s', async (_, more, words) => {
    await open(statusOf(opened(more)));
    await isSaid(words);
  });

  it('moves the selected job by its key: one of the night runs now, another goes into it', async () => {
    const studio = await open(statusOf(planned));
    await clickOn('Alpha', '.qrow');
    await until(() => byText(labels.runNow, '.cascade button'));
    await press('Enter', { shiftKey: true });
    expect(studio.callsOf('night.assign')).toEqual([]);
    await until(() => byText(labels.runItNow, '[role="dialog"] h2'));
    await spend();
    await until(() => expect(dialog()).toBeNull());
    await click(byText('Beta', '.qrow'));
    await until(() => byText(labels.scheduleTonight, '.cascade button'));
    await press('Enter', { shiftKey: true });
    const shown = { estimateNano: 3_200_000_000, lowNano: 400_000_000, unpriced: 0 };
    expect(studio.callsOf('night.assign')).toEqual([
      { ids: ['a'], night: false, shown },
      { ids: ['b'], night: true, shown },
    ]);
  });

  it('is read again when the night changes, and shows an error with a retry', async () => {
    let answers = 0;
    const studio = await open(statusOf(planned), {
      'night.get': () => (++answers === 1 ? fail('store_unavailable', 'The store is busy.') : statusOf(planned)),
    });
    await until(() => byText(labels.tryAgain));
    await studio.emit({ type: 'night.changed', status: statusOf(planned) });
    await isSaid('Overnight run 15');
  });
});

describe('last night', () => {
  const section = () => byText(labels.night(14), 'section.report');
  const openLast = async (run: Partial<NightRun> = {}) => {
    const last = { ...over, ...run };
    const studio = await open(statusOf(null, last), { 'night.report': () => ({ ...report, run: last }) });
    await until(section);
    return studio;
  };

  it('counts every job once, tells why it was stopped, and never adds the three figures up', async () => {
    await openLast();
    for (const words of [
      '14 jobs',
      'stopped: 5 failures in a row',
      '≤ $8.90',
      '$2.80',
      'Planned $16.50, Budget $20.00',
    ])
      expect(section().textContent).toContain(words);
    expect(section().textContent).not.toContain('$11.70');
    const figures = [...document.querySelectorAll('.figs > div')].map((figure) => figure.textContent);
    expect(figures.map((figure) => Number(/\d+/.exec(figure ?? '')))).toEqual([6, 4, 2, 5, 1, 1, 1]);
    expect(byText(labels.fullReport, 'a').getAttribute('href')).toBe('#/queue/night?run=night_14');
  });

  it('says which reading its cap counted, and what counted', async () => {
    await openLast({ capReading: 'low', countedNano: 4_600_000_000, capNano: 5_000_000_000 });
    expect(section().textContent).toContain('Budget $5.00, $4.60 used at the lower price');
  });

  it('is reviewed by a key wherever its button stands', async () => {
    await openRun({ ...over, state: 'open' }, {});
    await until(() => byText(labels.reviewTakes(6), 'button'));
    await press('a');
    expect(window.location.hash).toContain('#/review?run=');
  });
});

it('says before it is stopped whether it opens again', async () => {
  await openRun(opened({ days: [1, 2] }), {});
  await clickOn(labels.stopTheNight);
  await until(() => byText(labels.stopTheNight, '.dlg button'));
  const { textContent } = byText(labels.stopTheNight, '[role="dialog"]');
  expect(textContent).toContain('The next run stays scheduled without them');
  expect(textContent).not.toContain('no longer repeats');
});

it('what runs in a night has its clock, and near its end no figure that promises one', async () => {
  const sent = [sentJob('r', { state: 'running' })];
  const running = aJob({ id: 'r', state: 'running', progress: 99, sentAt: Date.now() - 20 * 60_000 });
  await openRun(opened(), { sent }, dry, { 'jobs.get': () => running });
  const now = () => document.querySelector('aside .stack')?.textContent;
  await until(() => expect(now()).toMatch(/finishing, 20:\d\d/));
  expect(now()).not.toContain('%');
});

it.each([
  ['high', 'Higher price', '$16.00 at most $4.00 at least', 12, [3, 4]],
  ['low', 'Lower price', '$4.00 at least $16.00 at most', 3, [12, 16]],
] as const)(
  'the money of a night is drawn by the reading that its cap counts: %s',
  async (capReading, words, end, spent, other) => {
    const run = opened({ capReading, startsAt: Date.now() - HOUR, capNano: 16e9 });
    const nano = { nano: 12e9, lowNano: 3e9 };
    const money = [
      { at: run.startsAt, ...nano },
      { at: run.startsAt + 2 * HOUR, nano: 16e9, lowNano: 4e9 },
    ];
    const times = { startsAt: run.startsAt, endsAt: run.startsAt + 1 };
    const sent = [sentJob('a', { ...times, ...nano, countedByThenNano: spent * 1e9 })];
    await openRun(run, { sent }, { ...dry, capReading, money });
    await until(() => byText('Budget $16.00', '.capt'));
    expect(document.querySelector('.gm .gn')?.textContent).toBe(`Money${words}`);
    await until(() => expect(document.querySelector('.gm .endt')?.textContent).toBe(end));
    /** In dollars, where a path goes to first or last. */
    const heights = (path: string) =>
      [...(document.querySelector(`.gm .${path}`)?.getAttribute('d') ?? '').matchAll(/[ V]([\d.]+)/g)].map(
        ([, y]) => Math.round(((58 - Number(y)) / 56) * 16 * 1.04 * 10) / 10,
      );
    expect(heights('cap')).toEqual([16]);
    expect(heights('fillm')).toEqual([0, spent, 0]);
    expect(heights('counts')).toEqual([spent, (spent / 3) * 4]);
    expect(heights('other')).toEqual(other);
  },
);
