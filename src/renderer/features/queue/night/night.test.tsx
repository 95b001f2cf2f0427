import { beforeEach, describe, expect, it } from 'vitest';
import { labels } from '../../../../../test/labels.ts';
import { NO_MONEY } from '../../../../shared/ledger.ts';
import type { NightReport, NightStatus } from '../../../../shared/night.ts';
import { SANDBOX_PROFILE_ID } from '../../../../shared/profile.ts';
import { useStudio } from '../../../app/index.ts';
import { dry, over, planned, statusOf } from '../../../testing/aNight.ts';
import {
  aJob,
  byText,
  click,
  clickOn,
  type FakeStudio,
  fakeStudio,
  press,
  show,
  until,
} from '../../../testing/page.tsx';
import { freshQueue } from '../../../testing/queuePage.tsx';
import { QueuePage } from '../QueuePage.tsx';
import { RunPage } from './RunPage.tsx';

const HOUR = 3_600_000;
const none = NO_MONEY;

const report: NightReport = {
  run: over,
  complete: true,
  jobs: 14,
  made: 6,
  kept: 2,
  judged: 2,
  failed: 5,
  refused: 1,
  canceled: 0,
  inDoubt: 1,
  underWay: 0,
  notRun: 1,
  canceledSent: 0,
  ended: 13,
  notRunJobs: [{ jobId: 'a', reason: 'stopped', message: 'The night was stopped: 5 failures in a row.' }],
  sent: [],
  plannedNano: 16_500_000_000,
  plannedLowNano: 4_100_000_000,
  plannedUnpriced: 0,
  spent: {
    settledNano: 8_900_000_000,
    settledLowNano: 1_800_000_000,
    reservedNano: 0,
    uncertainNano: 2_800_000_000,
    unpriced: 0,
  },
  corrected: { settledNano: 0, settledLowNano: 0 },
  firstSentAt: Date.now() - 8 * HOUR,
  lastEndedAt: Date.now() - 4 * HOUR,
};

const waiting = [
  aJob({
    id: 'a',
    state: 'blocked',
    reason: 'window',
    runId: 'night_15',
    request: { kind: 'imagine', prompt: 'Alpha' },
  }),
  aJob({ id: 'b', position: 2, request: { kind: 'imagine', prompt: 'Beta' } }),
];
const noReport = { ok: false as const, error: { code: 'not_found' as const, message: 'No night has begun yet.' } };

function studioWith(status: NightStatus, more: Parameters<typeof fakeStudio>[0] = {}): FakeStudio {
  return fakeStudio({
    'jobs.list': ({ states }) => {
      const found = waiting.filter(({ state }) => !states || states.includes(state));
      return { jobs: found, total: found.length };
    },
    'night.get': () => status,
    'night.dryRun': () => dry,
    'night.report': () => noReport,
    'night.plan': () => planned,
    'night.stop': () => over,
    'night.assign': () => status,
    ...more,
  });
}

const panel = () => byText('Night', 'aside.tonight');

beforeEach(() => freshQueue());

it('what does not fit and what was not run has its name, though no list has brought the job', async () => {
  const far = aJob({ id: 'far', request: { kind: 'imagine', prompt: 'Far down the line' } });
  const studio = studioWith(statusOf(planned, over), {
    'jobs.list': () => ({ jobs: [], total: 0 }),
    'jobs.get': () => far,
    'night.dryRun': () => ({
      ...dry,
      unfit: [{ jobId: 'far', nano: 1, lowNano: 1, reason: 'run' as const, message: 'Over.' }],
    }),
    'night.report': () => ({
      ...report,
      notRunJobs: [{ jobId: 'far', reason: 'stopped' as const, message: 'Stopped.' }],
    }),
  });
  await show(<QueuePage />);
  await until(() => expect(document.querySelector('.tonight .unfit')?.textContent).toContain('Far down the line'));
  await clickOn(labels.whyJobsDidNotRun(1));
  await until(() => expect(document.querySelector('.notrun')?.textContent).toContain('Far down the line'));
  expect(studio.callsOf('jobs.get')).toEqual([{ id: 'far' }]);
});

describe('tonight', () => {
  it('tells window, cap, rules, the total at both readings, and what does not fit with its reason', async () => {
    studioWith(statusOf(planned));
    await show(<QueuePage />);
    await until(() => expect(panel().textContent).toContain('Dry run, 1 job'));
    for (const words of [
      '23:00 to 07:00, would end about 00:00',
      '$20.00',
      '3 failures in a row, or 2 refusals in a row',
      '20 GB of 214 GB free',
      '$0.40–3.20',
      "$1.70 is left of the night's cap",
      'is not known',
    ])
      expect(panel().textContent).toContain(words);
  });

  it('says whether the machine stays awake for it, and where nothing keeps it so', async () => {
    studioWith(statusOf(planned));
    const info = { version: '', host: 'electron' as const, dataDir: '', profileId: 'p', offline: false };
    useStudio.setState({ info: { ...info, awake: 'held', webhookAddress: '' } });
    await show(<QueuePage />);
    await until(() => expect(panel().textContent).toContain('does not sleep by itself'));
    useStudio.setState({ info: { ...info, host: 'browser', awake: 'cannot', webhookAddress: '' } });
    await until(() => expect(panel().textContent).toContain('Nothing keeps this machine awake'));
    expect(panel().textContent).not.toContain('does not sleep by itself');
  });

  it('without a plan says what a night is for, and leads to the plan', async () => {
    studioWith(statusOf(null));
    await show(<QueuePage />);
    await clickOn(labels.planANight);
    await until(() => byText('Arm night 1'));
    expect(location.hash).toBe('#/queue/night');
  });

  it('tells of an open one what is left of its cap', async () => {
    const used = { ...none, settledNano: 4_800_000_000, reservedNano: 3_200_000_000, uncertainNano: 2_400_000_000 };
    studioWith({
      revision: 1,
      current: { ...planned, state: 'open', used, countedNano: 10_400_000_000 },
      last: null,
      leftOver: [],
      leftOverBySide: [],
      powerSource: 'mains' as const,
    });
    await show(<QueuePage />);
    await until(() => expect(panel().textContent).toContain('$20.00, $9.60 left'));
  });

  it('tells of an open one by how much what counts has passed its cap', async () => {
    const run = { ...planned, state: 'open' as const, capReading: 'low' as const, countedNano: 21_500_000_000 };
    studioWith(statusOf(run));
    await show(<QueuePage />);
    await until(() => expect(panel().textContent).toContain('$20.00, at the cheaper reading, $1.50 over'));
  });

  it('asks before it is canceled, since it does not open again', async () => {
    const studio = studioWith(statusOf(planned));
    await show(<QueuePage />);
    await clickOn(labels.cancelTheNight);
    expect(studio.callsOf('night.stop')).toEqual([]);
    await clickOn(labels.cancelTheNight, '.dlg button');
    expect(studio.callsOf('night.stop')).toEqual([{ runId: planned.id }]);
  });

  it('says before it is stopped whether it opens again', async () => {
    studioWith(statusOf({ ...planned, state: 'open', days: [1, 2] }));
    await show(<QueuePage />);
    await clickOn(labels.stopTheNight);
    await until(() => byText(labels.stopTheNight, '.dlg button'));
    const { textContent } = byText('Stop Night 15?', '[role="dialog"]');
    expect(textContent).toContain('The next of its days is planned, without these jobs');
    expect(textContent).not.toContain('does not open again');
  });

  it('moves what an earlier night left, into the next one or to run now, once its price is there', async () => {
    let read = () => {};
    const gate = new Promise<void>((done) => {
      read = done;
    });
    const studio = studioWith(statusOf(planned, over, ['x', 'y']), {
      'jobs.get': (({ id }: { id: string }) => gate.then(() => aJob({ id }))) as never,
    });
    await show(<QueuePage />);
    await clickOn(labels.putIntoNight(15));
    await until(() => byText('Put 2 jobs into Night 15'));
    await press('Enter', { ctrlKey: true });
    expect(studio.callsOf('night.assign')).toEqual([]);
    read();
    await until(() => expect(document.querySelector('[role="dialog"] .price')?.textContent).toBe('$0.80–6.40'));
    await press('Enter', { ctrlKey: true });
    await until(() => expect(document.querySelector('[role="dialog"]')).toBeNull());
    await click(byText(labels.runNow, '.leftover button'));
    await until(() => byText('Run 2 jobs now'));
    await press('Enter', { ctrlKey: true });
    const sent = { ids: ['x', 'y'], shown: { estimateNano: 6_400_000_000, lowNano: 800_000_000, unpriced: 0 } };
    expect(studio.callsOf('night.assign')).toEqual([
      { ...sent, night: true },
      { ...sent, night: false },
    ]);
  });

  it('tells what an earlier night left of play money and of real money apart, and how many there are', async () => {
    const status = {
      ...statusOf(planned, over, ['x', 'toy']),
      leftOverBySide: [
        { play: false, count: 2_345, ids: ['x'] },
        { play: true, count: 1, ids: ['toy'] },
      ],
    };
    const profileId = (id: string) => (id === 'toy' ? SANDBOX_PROFILE_ID : 'p');
    const studio = studioWith(status, { 'jobs.get': ({ id }) => aJob({ id, profileId: profileId(id) }) });
    await show(<QueuePage />);
    await until(() => expect(document.querySelectorAll('.leftover')).toHaveLength(2));
    const [real, play] = [...document.querySelectorAll<HTMLElement>('.leftover')];
    expect(real?.textContent).toContain('1 job of 2,345 left from an earlier night');
    expect(play?.textContent).toContain('1 job left from an earlier night');
    const [, runNow] = [...(play?.querySelectorAll('button') ?? [])];
    await click(runNow as HTMLElement);
    await until(() => expect(document.querySelector('[role="dialog"]')?.textContent).toContain(labels.playMoney));
    await press('Enter', { ctrlKey: true });
    await until(() => expect(studio.callsOf('night.assign')).toMatchObject([{ ids: ['toy'], night: false }]));
  });

  it('moves the selected job by its key: one of the night runs now, another goes into it', async () => {
    const studio = studioWith(statusOf(planned));
    await show(<QueuePage />);
    await until(() => byText('Beta', '.qrow'));
    await click(byText('Alpha', '.qrow'));
    await until(() => byText(labels.runNow, '.cascade button'));
    await press('Enter', { shiftKey: true });
    expect(studio.callsOf('night.assign')).toEqual([]);
    await until(() => byText(labels.runItNow, '[role="dialog"] h2'));
    await press('Enter', { ctrlKey: true });
    await until(() => expect(document.querySelector('[role="dialog"]')).toBeNull());
    await click(byText('Beta', '.qrow'));
    await until(() => byText(labels.tonight, '.cascade button'));
    await press('Enter', { shiftKey: true });
    const shown = { estimateNano: 3_200_000_000, lowNano: 400_000_000, unpriced: 0 };
    expect(studio.callsOf('night.assign')).toEqual([
      { ids: ['a'], night: false, shown },
      { ids: ['b'], night: true, shown },
    ]);
  });

  it('is read again when the night changes, and shows an error with its cure', async () => {
    const broken = { ok: false as const, error: { code: 'store_unavailable' as const, message: 'The store is busy.' } };
    let answers = 0;
    const studio = studioWith(statusOf(planned), {
      'night.get': () => (++answers === 1 ? broken : statusOf(planned)),
    });
    await show(<QueuePage />);
    await until(() => byText(labels.tryAgain));
    await studio.emit({
      type: 'night.changed',
      status: statusOf(planned),
    });
    await until(() => expect(panel().textContent).toContain('Night 15'));
  });
});

describe('last night', () => {
  it('counts every job once, tells why it was stopped and what did not run, and never adds the three figures up', async () => {
    studioWith(statusOf(null, over), { 'night.report': () => report });
    await show(<QueuePage />);
    await until(() => byText(labels.night(14), 'section.report'));
    const text = byText(labels.night(14), 'section.report').textContent ?? '';
    for (const words of ['14 jobs', 'stopped: 5 failures in a row', '≤ $8.90', '$2.80', 'of $16.50 planned'])
      expect(text).toContain(words);
    expect(text).not.toContain('$11.70');
    const figures = [...document.querySelectorAll('.figs > div')].map((figure) => figure.textContent);
    expect(figures).toEqual([
      `${labels.made}6`,
      'To judge4',
      `${labels.kept}2`,
      `${labels.failed}5`,
      'Refused1',
      `${labels.notRun}1why`,
      `${labels.inDoubt}1`,
    ]);
    await click(byText(labels.whyJobsDidNotRun(1)));
    await until(() => byText(labels.notRun, '.pop'));
  });

  it('leads to its whole report', async () => {
    studioWith(statusOf(null, over), { 'night.report': () => report });
    await show(<QueuePage />);
    await until(() => byText(labels.wholeReport, 'a'));
    expect(byText(labels.wholeReport, 'a').getAttribute('href')).toBe('#/queue/night?run=night_14');
  });

  it('says which reading its cap counted, and what counted', async () => {
    const low = { ...over, capReading: 'low' as const, countedNano: 4_600_000_000 };
    studioWith(statusOf(null, low), { 'night.report': () => ({ ...report, run: { ...low, capNano: 5_000_000_000 } }) });
    await show(<QueuePage />);
    await until(() => byText(labels.night(14), 'section.report'));
    expect(byText(labels.night(14), 'section.report').textContent).toContain(
      'of $16.50 planned, cap $5.00: $4.60 counted, at the cheaper reading',
    );
    studioWith(statusOf(null, over), { 'night.report': () => report });
    await show(<QueuePage />);
    await until(() =>
      expect(byText(labels.night(14), 'section.report').textContent).toContain('of $16.50 planned, cap $20.00'),
    );
  });

  it('is spoken assertively when a rule stops it', async () => {
    const studio = studioWith(statusOf(planned));
    await show(<QueuePage />);
    const text = 'The night was stopped: 5 failures in a row.';
    await studio.emit({ type: 'notice', level: 'error', text, urgent: true });
    const { useAnnouncements: useSpoken } = await import('../../../app/announce.ts');
    expect(useSpoken.getState().assertive).toBe(text);
  });
});

it('the key that judges works wherever its button stands', async () => {
  studioWith(statusOf(planned), { 'night.report': () => ({ ...report, run: { ...over, state: 'open' as const } }) });
  await show(<RunPage runId="night_14" night={undefined} />);
  await until(() => byText(labels.judgeTakes(6), 'button'));
  await press('a');
  expect(window.location.hash).toContain('state=judge');
});

it('what runs in a night has its clock, and near its end no figure that promises one', async () => {
  const run = { ...planned, state: 'open' as const };
  const sent = [
    { jobId: 'r', lane: 'video:p', state: 'running' as const, startsAt: 0, nano: 1, lowNano: 1, countedByThenNano: 1 },
  ];
  const running = aJob({ id: 'r', state: 'running', progress: 99, sentAt: Date.now() - 20 * 60_000 });
  studioWith(statusOf(run), { 'night.report': () => ({ ...report, run, sent }), 'jobs.get': () => running });
  await show(<RunPage runId={run.id} night={run} />);
  const now = () => document.querySelector('.nown')?.textContent;
  await until(() => expect(now()).toMatch(/finishing, 20:\d\d/));
  expect(now()).not.toContain('%');
});

it.each([
  ['high', 'the dearer counts', '$16.00 at most $4.00 at least', 12],
  ['low', 'the cheaper counts', '$4.00 at least $16.00 at most', 3],
] as const)(
  'the money of a night is drawn by the reading that its cap counts: %s',
  async (capReading, words, end, spent) => {
    const run = { ...planned, state: 'open' as const, capReading, startsAt: Date.now() - HOUR, capNano: 16e9 };
    const job = { lane: 'video:p', state: 'succeeded' as const, startsAt: run.startsAt, endsAt: run.startsAt + 1 };
    const sent = [
      { ...job, jobId: 'a', nano: 12e9, lowNano: 3e9, countedByThenNano: capReading === 'low' ? 3e9 : 12e9 },
    ];
    const money = [
      { at: run.startsAt, nano: 12e9, lowNano: 3e9 },
      { at: run.startsAt + 2 * HOUR, nano: 16e9, lowNano: 4e9 },
    ];
    studioWith(statusOf(run), {
      'night.report': () => ({ ...report, run, sent }),
      'night.dryRun': () => ({ ...dry, capReading, money }),
    });
    await show(<RunPage runId={run.id} night={run} />);
    await until(() => byText('cap $16.00', '.capt'));
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
    expect(heights('other')).toEqual(capReading === 'low' ? [12, 16] : [3, 4]);
  },
);

it('lists the first that do not fit, reads no others, and leads to all of them', async () => {
  const unfit = Array.from({ length: 500 }, (_, n) => ({ ...dry.unfit[0], jobId: `u${n}` })) as typeof dry.unfit;
  const studio = studioWith(statusOf(planned), {
    'jobs.list': () => ({ jobs: [], total: 0 }),
    'jobs.get': ({ id }) => aJob({ id }),
    'night.dryRun': () => ({ ...dry, unfit, unfitCount: 4_000 }),
  });
  await show(<QueuePage />);
  await until(() => byText(labels.moreAreInThePlan('3,980')));
  await until(() => expect(studio.callsOf('jobs.get')).toHaveLength(20));
  expect(document.querySelectorAll('.tonight .unfit li')).toHaveLength(21);
  await click(byText(labels.moreAreInThePlan('3,980')));
  expect(location.hash).toBe('#/queue/night?plan=change');
});
