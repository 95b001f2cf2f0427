import { beforeEach, expect, it } from 'vitest';
import { labels } from '../../../../../test/labels.ts';
import { boardSchema } from '../../../../shared/board/board.ts';
import type { Settings } from '../../../../shared/contract/settings.ts';
import type { DryRun, NightReport } from '../../../../shared/jobs/night.ts';
import { NO_MONEY } from '../../../../shared/money/ledger.ts';
import { useEntities, useFreshTakes, useStudio } from '../../../app/index.ts';
import { dry, over, planned, reportOf, sentJob as sent } from '../../../testing/aNight.ts';
import { aJob, anAsset, byText, fakeStudio, press, show, until } from '../../../testing/page.tsx';
import { RunPage } from './RunPage.tsx';

/** The morning after a night: what it made, what it did not make, and the way to review it. */

const takes = { a: ['old', 'a2', 'a3'], b: ['b1'] };
const shots = Object.entries(takes).map(([id, ids]) => ({ id, prompt: 'Sea', takes: ids, activeTake: ids[0] }));

/** The report of a night that is over, or of one that is open; jobs make a clip, or these words. */
async function open(report: NightReport, words: Record<string, string> = {}, more: Partial<DryRun> = {}) {
  const jobs = report.sent.map(({ jobId, state, unpriced }) => {
    const text = words[jobId];
    const clip = anAsset({ id: `c-${jobId}`, jobId, mime: 'video/mp4', seconds: 4 });
    const none = { estimateNano: 0, estimateLowNano: 0, reservedNano: 0, ...(unpriced ? { unpriced } : {}) };
    return aJob({
      ...{ id: jobId, state, money: { ...aJob().money, ...none } },
      request: { kind: 'imagine', prompt: `Poster ${jobId}` },
      ...(text === undefined ? {} : { result: { text, finishReason: 'stop' } }),
      outputs: state === 'succeeded' && text === undefined ? [clip] : [],
    });
  });
  useEntities.setState({ jobs: new Map(jobs.map((job) => [job.id, job])), assets: new Map() });
  fakeStudio({
    'night.report': () => report,
    'night.dryRun': () => ({ ...dry, unfit: [], unfitCount: 0, ...more }),
    'storyboard.get': () => boardSchema.parse({ projectId: 'f', revision: 1, shots }),
  });
  await show(
    <>
      <Fresh />
      <RunPage runId={report.run.id} night={report.run.state === 'open' ? report.run : undefined} />
    </>,
  );
  await until(() => expect(document.querySelector('.report')).not.toBeNull());
}

/** As the Queue's page reads boards. */
function Fresh() {
  useFreshTakes();
  return null;
}

beforeEach(() => {
  window.location.hash = '#/queue/night?run=night_14';
  useStudio.setState({ settings: { theme: 'dark', welcomed: true, activeProfileId: 'p', projectId: 'f' } as Settings });
});

const textsOf = (selector: string) => [...document.querySelectorAll(selector)].map(({ textContent }) => textContent);
const page = () => document.body.textContent ?? '';
const needs = () => byText(labels.whatNeedsYou, 'aside').textContent;

it('one button leads to the review of what was made', async () => {
  await open(reportOf([sent('p'), sent('a2')]));
  await press('a');
  expect(window.location.hash).toBe('#/review?run=night_14');
});

it.each([
  ['failed', [sent('a2', { state: 'failed' })]],
  ['was refused', ['a2', 'a3'].map((id) => sent(id, { state: 'failed', refused: true }))],
])('a night of which everything %s lists each job, and none waits for a rating', async (_, all) => {
  await open(reportOf(all));
  await until(() => expect(page()).toContain('Nothing was made'));
  expect(needs()).toContain(labels.shotTakeN(1, 2));
  await press('a');
  expect(window.location.hash).toBe('#/queue/night?run=night_14');
});

it('of a night that is longer than its list nothing is concluded from the list', async () => {
  const listed = [sent('a2'), sent('a3', { verdict: 'keep' }), sent('b1', { state: 'canceled' })];
  const all = { jobs: 909, made: 900, judged: 500, kept: 300, failed: 6, inDoubt: 3, canceledSent: 4, ended: 913 };
  await open(reportOf(listed, all));
  expect(needs()).toContain(`${labels.whatNeedsYou}9`);
  byText(labels.moreAreInTheQueue(9));
  expect(byText(labels.endedJobs, '.grp').textContent).toContain('Newest 3 of 913');
  expect(page()).toContain('jobs. Totals include all.');
});

it('jobs that were not run need somebody, with the reason, but for those that were taken out', async () => {
  const notRunJobs = [
    { jobId: 'b1', reason: 'window' as const, message: 'The hours are over.' },
    { jobId: 'a3', reason: 'moved' as const, message: 'It was taken out of the night.' },
  ];
  await open(reportOf([sent('a2')], { jobs: 15, made: 1, notRun: 14, notRunJobs }));
  for (const words of [`${labels.whatNeedsYou}13`, 'The hours are over.', labels.moreAreInTheQueue(12)])
    expect(needs()).toContain(words);
  expect(needs()).not.toContain('It was taken out of the night.');
});

it('of a night without jobs nothing needs anybody', async () => {
  await open(reportOf([]));
  await until(() => expect(needs()).toContain('Nothing'));
  expect(page()).toContain('No jobs were in this run.');
});

it('by the hour each take has its name, and what is being fetched is told apart', async () => {
  const { endsAt: _, ...fetching } = sent('a3', { state: 'fetching' });
  await open(reportOf([sent('a2'), fetching, sent('p')], { underWay: 1 }));
  await until(() => expect(textsOf('.gb')).toEqual(['1 T2', '1 T3', '']));
  const looks = [...document.querySelectorAll<HTMLElement>('.gb')].map(({ dataset }) => dataset.look);
  expect(looks).toEqual(['done', 'live', 'done']);
});

/** One runs, one is in doubt, both at no known price; one failed, and nothing is owed for it. */
const { endsAt: _, ...live } = sent('live', { state: 'running', unpriced: true });
const unpriced = (state: 'open' | 'ended') => {
  const lost = sent('lost', { state: 'uncertain', unpriced: true });
  const spent = { ...NO_MONEY, unpriced: 2 };
  const run = state === 'open' ? { ...planned, state, used: spent } : over;
  return reportOf([live, lost, sent('free', { state: 'failed' })], { run, plannedUnpriced: 3, underWay: 1, spent });
};

it('what runs, and what has ended, costs nothing only where nothing is owed', async () => {
  await open(unpriced('open'));
  await until(() => expect(textsOf('aside .stack .price')).toEqual([labels.priceNotKnown]));
  expect(textsOf('ol .price')).toEqual([labels.priceNotKnown, '$0.00']);
  expect(textsOf('.nplan .sendbar b')).toEqual([labels.priceNotKnown]);
});

it('in the morning it is so beside what needs you, and beside what happened', async () => {
  await open(unpriced('ended'));
  await until(() => expect(textsOf('.nplan .price')).toEqual([labels.priceNotKnown, '$0.00']));
  expect(textsOf('ol .price')).toEqual([labels.priceNotKnown, '$0.00']);
  expect(document.querySelector('.legend')?.textContent).toContain('No planned price');
});

it('what is to come is as dear as its prices, and unpriced ones that wait or run are said beside them', async () => {
  const used = { ...NO_MONEY, reservedNano: 3_200_000_000, unpriced: 9 };
  const run = { ...planned, state: 'open' as const, used };
  await open({ ...unpriced('open'), run }, {}, { unpriced: 2 });
  await until(() => expect(textsOf('.nplan .sendbar b')).toEqual([labels.andUnpriced('$3.20', 3)]));
});
