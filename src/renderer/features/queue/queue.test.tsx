import { beforeEach, describe, expect, it } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import { fail } from '../../../shared/contract/result.ts';
import { BLOCK_REASONS, type Job } from '../../../shared/jobs/job.ts';
import { useStudio } from '../../app/index.ts';
import { liveActions } from '../../app/keys/shortcuts.ts';
import { aQueueStatus } from '../../testing/aQueueStatus.ts';
import {
  type Answers,
  aJob,
  anAsset,
  byText,
  click,
  clickOn,
  jobsPage,
  press,
  scroll,
  until,
} from '../../testing/page.tsx';
import { freshQueue, openQueue } from '../../testing/queuePage.tsx';
import { retryOf } from './SendJobDialog.tsx';
import { useQueueView } from './state.ts';

const job = (id: string, prompt: string, more: Partial<Job> = {}) =>
  aJob({ id, request: { kind: 'imagine', prompt }, ...more });
const waiting = ['Alpha', 'Beta', 'Gamma'].map((prompt, at) => job('abc'.charAt(at), prompt, { position: at + 1 }));
const unpriced = { ...aJob().money, estimateNano: 0, estimateLowNano: 0, reservedNano: 0, unpriced: true as const };
const status = aQueueStatus({ waiting: 3 });

const open = (jobs: Job[], more: Answers = {}) =>
  openQueue(jobs, {
    'jobs.get': ({ id }) => jobs.find((one) => one.id === id) ?? fail('not_found', 'There is no such job.'),
    'jobs.retry': () => aJob({ id: 'again' }),
    'jobs.allowUnpriced': ({ id }) => aJob({ id }),
    'ledger.estimate': () => ({
      ...{ items: [], settled: true, unpriced: 0 },
      ...{ estimateNano: 3_200_000_000, lowNano: 3_200_000_000 },
    }),
    'jobs.moveMany': () => ({ moved: 1, place: 2 }),
    'jobs.cancel': () => aJob({ state: 'canceled' }),
    'queue.pause': () => ({ ...status, paused: true }),
    ...more,
  });

const list = () => document.querySelector('.qlist') as HTMLElement;
const row = (text: string) => byText(text, '.qrow');
const dialog = () => document.querySelector('[role="dialog"]');
const page = () => document.body.textContent;
const selected = (id: string) => until(() => expect(useQueueView.getState().selectedId).toBe(id));

beforeEach(() => freshQueue(status));

describe('the list', () => {
  it('is moved through and reordered by keyboard alone', async () => {
    const studio = await open(waiting);
    await until(() => row('Gamma'));
    await press('End', {}, list());
    await selected('c');
    await press('ArrowUp', { altKey: true }, list());
    await press('ArrowUp', {}, list());
    await press('ArrowDown', { altKey: true }, list());
    expect(studio.callsOf('jobs.moveMany')).toEqual([
      { ids: ['c'], to: { before: 'b' } },
      { ids: ['b'], to: 'last' },
    ]);
  });

  it('asks before a cancel that takes others with it, however far down the line, and not otherwise', async () => {
    const far = Array.from({ length: 400 }, (_, n) =>
      job(`n${n}`, `Far ${n}`, { position: 10 + n, dependsOn: n < 300 ? [] : ['a'] }),
    );
    const studio = await open([...waiting, ...far]);
    await clickOn('Beta', '.qrow');
    await press('Delete');
    await until(() => expect(studio.callsOf('jobs.cancel')).toEqual([{ id: 'b' }]));
    await click(row('Alpha'));
    await until(() =>
      expect(document.querySelector('.cascade')?.textContent).toContain('100 dependent jobs will not be sent.'),
    );
    await press('Delete');
    await until(() => byText(labels.cancelJobs(101)));
    expect(dialog()?.textContent).toContain('100 dependent jobs will not be sent.');
    expect(studio.callsOf('jobs.cancel')).toHaveLength(1);
    await click(byText(labels.cancelJobs(101)));
    expect(studio.callsOf('jobs.cancel')).toEqual([{ id: 'b' }, { id: 'a' }]);
  });

  it('asks before a cancel too where it cannot be known what goes with it', async () => {
    const studio = await open(waiting, {
      'jobs.list': (filter) => (filter.waitsFor ? fail('store_unavailable', 'Busy.') : jobsPage(waiting, filter)),
    });
    await clickOn('Beta', '.qrow');
    await press('Delete');
    await until(() => byText(labels.cancelJobs(1), '[role="dialog"] button'));
    expect(studio.callsOf('jobs.cancel')).toEqual([]);
  });

  it('says what to do first when there is nothing, and how to get back when a filter hides all', async () => {
    await open([]);
    await until(() => expect(page()).toContain('The queue is empty'));
    await click(byText(labels.failed, '[role="tab"]'));
    await until(() => byText(labels.showAll));
  });

  it('shows an error with a retry', async () => {
    const studio = await open([], { 'jobs.list': () => fail('store_unavailable', 'The store is busy.') });
    await until(() => byText(labels.tryAgain));
    const before = studio.callsOf('jobs.list').length;
    await click(byText(labels.tryAgain));
    expect(studio.callsOf('jobs.list').length).toBeGreaterThan(before);
  });

  it('pauses everything by its key and offers to resume', async () => {
    await open(waiting);
    await press('p');
    await until(() => byText(labels.resumeAll));
  });

  it('says at the button and in the palette what goes on of both sides, and what has no price', async () => {
    useStudio.setState({ queue: { ...status, paused: true }, activeProfileId: 'sandbox' });
    await open([...waiting, aJob({ id: 's', profileId: 'sandbox' }), aJob({ id: 'u', money: unpriced })]);
    const words = 'Real money $9.60 and 1 without a price, Test money $3.20';
    await until(() => expect(byText(labels.resumeAll).textContent).toContain(words));
    expect(document.querySelector('.qlist .grp')?.textContent).toContain(`Reserved: ${words}`);
    const command = liveActions().find(({ id }) => id === 'queue.pause');
    expect([command?.label, command?.spend?.price]).toEqual([labels.resumeAll, words]);
    useStudio.setState({ activeProfileId: undefined });
  });

  it('shows of 5,000 true places and the sum of all, and any of them when it is scrolled to', async () => {
    const line = Array.from({ length: 5_000 }, (_, n) => job(`w${n}`, `Shot ${n + 1}.`, { position: n, createdAt: n }));
    const studio = await open(line.toReversed());
    await until(() => expect(row('Shot 2.').textContent).toContain('#2'));
    expect(list().textContent).toContain('5,000');
    expect(list().textContent).toContain('Reserved: $16,000.00');
    expect(list().querySelector<HTMLElement>('.qspace')?.style.height).toBe(`${5_000 * 44 + 28}px`);
    await scroll(list(), 4_899 * 44);
    await until(() => expect(row('Shot 4900.').textContent).toContain('#4,900'));
    expect(studio.callsOf('jobs.list')).toContainEqual(expect.objectContaining({ offset: 4_800, order: 'queue' }));
    await press('End', {}, list());
    await selected('w4999');
    await scroll(list(), 0);
    await until(() => expect(row('Shot 1.').textContent).toContain('#1'));
  });
});

describe('only the chord that spends, spends', () => {
  it('R and Retry show the price of another order, and nothing is ordered before it is pressed', async () => {
    const studio = await open([job('f', 'Delta', { state: 'failed' })]);
    await clickOn('Delta', '.qrow');
    await press('r');
    await until(() => expect(dialog()?.querySelector('.price')?.textContent).toBe('$3.20'));
    await press('r');
    await press('Enter', {}, document.activeElement ?? document.body);
    expect(studio.callsOf('jobs.retry')).toEqual([]);
    await press('Enter', { ctrlKey: true });
    expect(studio.callsOf('jobs.retry')).toMatchObject([{ id: 'f', shown: { unpriced: 0 } }]);
    await until(() => expect(dialog()).toBeNull());
  });

  it('offers to try at once only what a try may send', () => {
    const offered = BLOCK_REASONS.filter((reason) => retryOf(aJob({ state: 'blocked', reason })) === 'unblock');
    expect(offered).toEqual(['budget', 'offline', 'rate', 'key', 'auth', 'quota']);
  });

  it('an order of unknown price that a cap holds back is offered once, and says so', async () => {
    const held = job('u', 'Epsilon', { state: 'blocked', reason: 'budget', money: unpriced });
    const studio = await open([held]);
    await until(() => byText(labels.itsPriceIsNotKnown, '.waiting'));
    expect(row('Epsilon').textContent).toContain(labels.priceNotKnown);
    expect(row('Epsilon').textContent).not.toContain('$0.00');
    await click(row('Epsilon'));
    await click(byText(labels.sendItUnpriced, '.cascade button'));
    await until(() => byText(labels.setPrice, '[role="dialog"] a'));
    await click(byText(labels.sendWithoutAPrice, '[role="dialog"] button'));
    const shown = { estimateNano: 0, lowNano: 0, unpriced: 1 };
    expect(studio.callsOf('jobs.allowUnpriced')).toEqual([{ id: 'u', shown }]);
  });
});

describe('an incident', () => {
  const lines = () => [...document.querySelectorAll('.incidents li')].map((line) => line.textContent);
  const error = { type: 'notice', level: 'error' } as const;
  const full = { ...error, text: 'The disk is full.', about: 'room for results' };
  const out = {
    ...{ ...error, text: 'Studio fails again and again (videos).', about: 'lane video:p' },
    lane: { kind: 'video', profileId: 'p' } as const,
  };

  it('stands in the queue until it is over, and is the reason of the rows that wait for it', async () => {
    const studio = await open([aJob({ id: 'v', position: 1 })]);
    await until(() => byText(labels.queued, '.waiting'));
    for (const notice of [out, out, full]) await studio.emit(notice);
    expect(lines()).toEqual([expect.stringContaining(full.text), expect.stringContaining(out.text)]);
    byText(labels.theGatewayFailsAgainAnd, '.waiting');
    await studio.emit({ type: 'notice', level: 'info', text: 'Studio works again (videos).', about: out.about });
    expect(lines()).toEqual([expect.stringContaining(full.text)]);
    byText(labels.queued, '.waiting');
  });

  it('is not told a second time by the banner or the report that tell it', async () => {
    const studio = await open([]);
    await studio.emit({ ...error, text: 'The night was stopped.', urgent: true });
    await studio.emit({ ...error, text: 'Studio cannot be reached.', about: 'host https://s' });
    expect(lines()).toHaveLength(1);
    await studio.emit({ type: 'queue.changed', status: { ...status, offline: true } });
    expect(lines()).toEqual([]);
  });

  it('is dismissed by hand, and the focus stays', async () => {
    const studio = await open([]);
    await studio.emit(full);
    await click(byText(`${labels.dismiss}: The disk is full.`));
    expect(lines()).toEqual([]);
    expect(document.activeElement?.getAttribute('aria-label')).toBe(labels.jobs);
  });
});

it('a result that waits for room on the disk says so in its row', async () => {
  const asset = anAsset({ state: 'remote', fault: 'The disk is full.' });
  await open([aJob({ id: 'f', state: 'fetching', outputs: [asset] })]);
  await until(() => expect(document.querySelector('.qrow .stack')?.textContent).toContain('Waiting: The disk is full'));
});
