import { beforeEach, expect, it } from 'vitest';
import { labels } from '../../../../../test/labels.ts';
import type { Board, Shot } from '../../../../shared/board.ts';
import { NO_MONEY } from '../../../../shared/ledger.ts';
import type { NightReport, NightRun } from '../../../../shared/night.ts';
import type { Settings } from '../../../../shared/settings.ts';
import type { TriageTake } from '../../../../shared/triage/calls.ts';
import { useEntities, useStudio } from '../../../app/index.ts';
import { aJob, anAsset, byText, click, fakeStudio, press, show, until } from '../../../testing/page.tsx';
import { TakeNamesOfProject } from '../takeNames.tsx';
import { RunPage } from './RunPage.tsx';

/** The morning after a night: what it made, what it did not make, and the way to judge it. */

const run = {
  id: 'night_1',
  number: 1,
  startsAt: Date.UTC(2026, 10, 21, 23),
  endsAt: Date.UTC(2026, 10, 22, 7),
  state: 'ended',
  capNano: 20_000_000_000,
  play: false,
} as NightRun;

const sent = (jobId: string, more: Partial<NightReport['sent'][number]> = {}): NightReport['sent'][number] => ({
  jobId,
  lane: 'video:p',
  state: 'succeeded',
  startsAt: run.startsAt,
  endsAt: run.startsAt + 60_000,
  nano: 0,
  lowNano: 0,
  countedByThenNano: 0,
  ...more,
});

const reportOf = (list: NightReport['sent'], more: Partial<NightReport> = {}): NightReport => {
  const count = (is: (one: NightReport['sent'][number]) => boolean) => list.filter(is).length;
  return {
    ...{ run, complete: true, jobs: list.length, canceled: 0, underWay: 0, notRun: 0, notRunJobs: [], sent: list },
    canceledSent: count(({ state }) => state === 'canceled'),
    ended: count(({ endsAt }) => endsAt !== undefined),
    ...{ plannedNano: 0, plannedLowNano: 0, plannedUnpriced: 0, spent: NO_MONEY },
    corrected: { settledNano: 0, settledLowNano: 0 },
    made: count(({ state }) => state === 'succeeded'),
    kept: count(({ verdict }) => verdict === 'keep'),
    judged: count(({ verdict }) => verdict !== undefined),
    failed: count(({ state, refused }) => state === 'failed' && !refused),
    refused: count(({ refused }) => refused === true),
    inDoubt: count(({ state }) => state === 'uncertain'),
    ...more,
  };
};

const shot = (id: string, takes: string[]): Shot => ({
  id,
  title: '',
  prompt: 'Sea',
  model: 'video-standard',
  source: 'text',
  config: {},
  referenceImages: [],
  takes,
  activeTake: takes[0] ?? '',
});
const board: Board = { projectId: 'f', revision: 1, shots: [shot('a', ['old', 'a2', 'a3']), shot('b', ['b1'])] };

const black: TriageTake = {
  jobId: 'a3',
  output: 0,
  assetId: 'c-a3',
  sha256: 'a3',
  seconds: 4,
  state: 'broken',
  findings: [{ kind: 'black', at: 0, to: 4, value: 0.001 }],
};

async function open(report: NightReport, words: Record<string, string> = {}): Promise<void> {
  const jobs = report.sent.map(({ jobId, state, refused }) =>
    aJob({
      id: jobId,
      state,
      request: { kind: 'imagine', prompt: `Poster ${jobId}` },
      ...(words[jobId] === undefined ? {} : { result: { text: words[jobId] ?? '', finishReason: 'stop' } }),
      outputs:
        state === 'succeeded' && words[jobId] === undefined
          ? [anAsset({ id: `c-${jobId}`, jobId, mime: 'video/mp4', seconds: 4 })]
          : [],
      ...(refused
        ? { error: { kind: 'moderation' as const, message: 'Refused by the filter.', retryable: false } }
        : {}),
    }),
  );
  useEntities.setState({ jobs: new Map(jobs.map((job) => [job.id, job])), assets: new Map() });
  fakeStudio({
    'night.report': () => report,
    'storyboard.get': () => board,
    'triage.list': () => ({ takes: [black], others: 0, limits: {} }),
  });
  await show(
    <TakeNamesOfProject>
      <RunPage runId="night_1" night={undefined} />
    </TakeNamesOfProject>,
  );
  await until(() => expect(document.querySelector('.report')).not.toBeNull());
}

beforeEach(() => {
  window.location.hash = '#/queue/night?run=night_1';
  useStudio.setState({ settings: { theme: 'dark', welcomed: true, activeProfileId: 'p', projectId: 'f' } as Settings });
});

const tiles = () =>
  [...document.querySelectorAll('[role="option"]')].map((tile) => tile.querySelector('.vh')?.textContent ?? '');
const list = () => byText(labels.whatWasMade, '[role="listbox"]');
const words = () => document.body.textContent ?? '';

it('shows what was made by shot, with its verdict and what triage found, and a key begins to judge with it', async () => {
  await open(reportOf([sent('p'), sent('b1', { state: 'uncertain' }), sent('a3'), sent('a2')]));
  await until(() =>
    expect(tiles()).toEqual([
      'Shot 1, T2, not judged',
      'Shot 1, T3, not judged, Black from 0:00.0 to the end',
      'Others, 1, not judged',
    ]),
  );
  await press('ArrowRight', {}, list());
  expect(document.querySelector('[aria-selected="true"][role="option"]')?.id).toBe('made-a3');
  expect(list().getAttribute('aria-activedescendant')).toBe('made-a3');
  await press('Enter', {}, list());
  expect(window.location.hash).toBe('#/queue/night?run=night_1&state=judge&first=a3');
});

it('says which take plays for a shot, also where the chosen one was not made', async () => {
  await open(reportOf([sent('old', { state: 'failed' }), sent('a2'), sent('a3')]));
  await until(() => expect(words()).toContain('plays: 3'));
});

it('what was judged stands under its verdict', async () => {
  await open(reportOf([sent('a2', { verdict: 'keep' }), sent('a3', { verdict: 'no' }), sent('p')]));
  await until(() => expect(tiles()).toEqual(['All, 1, not judged']));
  await click(byText(labels.kept, '[role="tab"]'));
  await until(() => expect(tiles()).toEqual(['Shot 1, T2, kept']));
  await click(byText(labels.maybeNo, '[role="tab"]'));
  await until(() => expect(tiles()[0]).toContain('Shot 1, T3, not kept'));
});

it.each([
  ['failed', [sent('a2', { state: 'failed' })], 'Nothing was made: 1 failed. Nothing was spent.'],
  [
    'was refused',
    [sent('a2', { state: 'failed', refused: true as const }), sent('a3', { state: 'failed', refused: true as const })],
    'Nothing was made: 2 were refused by the filter. Nothing was spent.',
  ],
])('a night of which everything %s says so, with each job and its reason', async (_, all, said) => {
  await open(reportOf(all));
  await until(() => expect(words()).toContain(said));
  expect(words()).not.toContain('waits to be judged');
  expect(words()).not.toContain('Judge 0');
  expect(byText(labels.notMade, '[role="tab"][aria-selected="true"]').textContent).toBe(`Not made${all.length}`);
  await until(() =>
    expect(document.querySelectorAll('ol[aria-label="Sent, and not made"] li')).toHaveLength(all.length),
  );
  expect(byText(labels.whatNeedsYou, 'aside').textContent).toContain(labels.shotTake(1, 2));
  await press('a');
  expect(window.location.hash).toBe('#/queue/night?run=night_1');
});

it('of a night that is longer than its list nothing is concluded from the list', async () => {
  const listed = [sent('a2'), sent('a3', { verdict: 'keep' }), sent('b1', { state: 'canceled' })];
  await open(
    reportOf(listed, {
      jobs: 909,
      made: 900,
      judged: 500,
      kept: 300,
      failed: 6,
      inDoubt: 3,
      canceledSent: 4,
      ended: 913,
    }),
  );
  expect(byText(labels.whatNeedsYou, 'aside').textContent).toContain(`${labels.whatNeedsYou}9`);
  expect(byText(labels.whatNeedsYou, 'aside').textContent).not.toContain('Nothing');
  expect(byText(labels.moreAreInTheQueue(9))).toBeTruthy();
  expect(document.querySelector('.in-order')?.textContent).toBe(labels.ofInTheOrderOf(1, 400));
  await click(byText(labels.kept, '[role="tab"]'));
  expect(document.querySelector('.in-order')?.textContent).toBe(labels.ofInTheOrderOf(1, 300));
  await click(byText(labels.notMade, '[role="tab"]'));
  expect(byText(labels.notMade, '[role="tab"]').textContent).toBe(`${labels.notMade}13`);
  expect(document.querySelector('.grp')?.textContent).toBe('Sent, and not made 1 of 13');
  expect(words()).not.toContain('All of it was made');
  await click(byText(labels.byTheHour, '[role="tab"]'));
  expect(byText(labels.whatHappened, '.grp').textContent).toBe('What happened the newest 3 of 913');
  expect(byText(labels.downloads, '.gn').textContent).toBe(`${labels.downloads}2 drawn`);
  expect(document.querySelector('.gantt > p')?.textContent).toBe(
    '3 of the 913 jobs that were sent are drawn. The money is that of all of them.',
  );
});

it('of a night that is longer than its list no shot says how many it has, and what was not sent is no more than listed', async () => {
  const notRunJobs = [{ jobId: 'x', reason: 'window' as const, message: 'The night is over.' }];
  await open(reportOf([sent('a2'), sent('a3'), sent('b1')], { made: 900, ended: 900, notRun: 600, notRunJobs }));
  const notes = () => [...document.querySelectorAll('.mgrp .t3')].map(({ textContent }) => textContent);
  await until(() => expect(notes()).toEqual(['plays: 1', 'plays: 1']));
  await click(byText(labels.notMade, '[role="tab"]'));
  expect(words()).toContain('600 jobs, nothing was spent on them, the first 1 are listed');
});

it('jobs that were not run need somebody, and are listed with the reason', async () => {
  const message = 'The hours of the night are over.';
  const notRunJobs = [
    { jobId: 'b1', reason: 'window' as const, message },
    { jobId: 'a3', reason: 'moved' as const, message: 'It was taken out of the night.' },
  ];
  await open(reportOf([sent('a2')], { jobs: 15, made: 1, notRun: 14, notRunJobs }));
  const panel = byText(labels.whatNeedsYou, 'aside');
  expect(panel.textContent).toContain(`${labels.whatNeedsYou}13`);
  expect(panel.textContent).toContain('13 jobs not run');
  expect(panel.textContent).toContain(message);
  expect(panel.textContent).toContain(labels.moreAreInTheQueue(12));
  expect(panel.textContent).not.toContain('It was taken out of the night.');
  expect(panel.textContent).not.toContain('Nothing');
});

it('a night without jobs says that nothing was in it', async () => {
  await open(reportOf([]));
  await until(() => expect(words()).toContain('No job was in this night: nothing was made, and nothing was spent.'));
  expect(byText(labels.whatNeedsYou, 'aside').textContent).toContain('Nothing: no job was in it.');
});

/** Bugs: a bar says nothing about which take it is; what is on its way to this disk looks like what is there. */
it('by the hour each take has its name, and what is being fetched is told apart', async () => {
  const { endsAt: _, ...fetching } = sent('a3', { state: 'fetching' });
  await open(reportOf([sent('a2'), fetching, sent('p')], { underWay: 1 }));
  await click(byText(labels.byTheHour, '[role="tab"]'));
  const bars = () => [...document.querySelectorAll('.gb')].map(({ textContent }) => textContent);
  await until(() => expect(bars()).toEqual(['1 T2', '1 T3', '']));
  expect(byText(labels.beingFetched(1), '.gn').textContent).toBe('Downloads1 being fetched');
  expect([...document.querySelectorAll('.gd')].map(({ className }) => className)).toEqual([
    'gd done',
    'gd live',
    'gd done',
  ]);
});

it('shows the first words of what was made in words', async () => {
  await open(reportOf([sent('p')]), { p: 'The lamp is lit.' });
  await until(() => expect(document.querySelector('.tile')?.textContent).toContain('The lamp is lit.'));
});
