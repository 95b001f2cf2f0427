import { beforeEach, describe, expect, it } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import { BLOCK_REASONS, type Job } from '../../../shared/job.ts';
import { fail } from '../../../shared/result.ts';
import { useCommandList } from '../../app/commands.ts';
import { useStudio } from '../../app/index.ts';
import { SpendBar } from '../../spending/index.ts';
import { aQueueStatus } from '../../testing/aQueueStatus.ts';
import {
  aJob,
  anAsset,
  byText,
  click,
  clickOn,
  fakeStudio,
  jobsPage,
  press,
  scroll,
  show,
  until,
} from '../../testing/page.tsx';
import { freshQueue, openQueue } from '../../testing/queuePage.tsx';
import { Dialog } from '../../ui/index.ts';
import { QueuePage } from './QueuePage.tsx';
import { retryOf } from './SendJobDialog.tsx';
import { useQueueView } from './state.ts';

const doubt = aJob({
  id: 'doubt',
  state: 'uncertain',
  request: { kind: 'video', model: 'video-standard', prompt: 'She turns from the glass' },
  attempts: [{ at: 1, outcome: 'unknown', message: 'Connection lost' }],
  money: { ...aJob().money, reservedNano: 0, uncertainNano: 2_800_000_000, estimateNano: 2_800_000_000 },
});
const waiting = [
  aJob({ id: 'a', position: 1, request: { kind: 'imagine', prompt: 'Alpha' } }),
  aJob({ id: 'b', position: 2, request: { kind: 'imagine', prompt: 'Beta' } }),
  aJob({ id: 'c', position: 3, request: { kind: 'imagine', prompt: 'Gamma' } }),
];
const status = aQueueStatus({ waiting: 3, doubt: { count: 1, nano: 2_800_000_000, unpriced: 0 } });

const open = (jobs: Job[]) =>
  openQueue(jobs, {
    'jobs.get': ({ id }) => jobs.find((job) => job.id === id) ?? fail('not_found', 'There is no such job.'),
    'jobs.resolve': ({ as }) => ({ ...doubt, state: as === 'lost' ? 'failed' : 'uncertain' }),
    'jobs.settleDoubt': ({ id }) => aJob({ id, state: 'failed' }),
    'jobs.retry': () => aJob({ id: 'again' }),
    'jobs.allowUnpriced': ({ id }) => aJob({ id }),
    'ledger.estimate': () => ({
      items: [],
      estimateNano: 3_200_000_000,
      lowNano: 3_200_000_000,
      settled: true,
      unpriced: 0,
    }),
    'jobs.moveMany': () => ({ moved: 1, place: 2 }),
    'jobs.cancel': () => aJob({ state: 'canceled' }),
    'queue.pause': () => ({ ...status, paused: true }),
    'queue.resume': () => status,
  });

beforeEach(() => freshQueue(status));

describe('the doubt inbox', () => {
  it('shows the evidence and the worst case, and asks nothing by itself', async () => {
    const studio = await open([doubt]);
    await until(() => byText('In doubt: She turns', 'article'));
    const textOf = () => byText('In doubt: She turns', 'article').textContent;
    expect(textOf()).toContain('Sent. Connection lost');
    expect(textOf()).not.toContain('no answer came');
    await until(() => expect(textOf()).toContain('in the worst case $6.00'));
    expect(studio.callsOf('jobs.resolve')).toEqual([]);
  });

  it('takes the way that is chosen, by pointer and by key, and sends again at the price of now', async () => {
    const studio = await open([doubt]);
    await clickOn(labels.lookItUp, '.way-do');
    await until(() => expect(document.body.textContent).toContain('could not be reached, or does not know its task'));
    await press('2');
    await press('3');
    expect(studio.callsOf('jobs.resolve')).toHaveLength(2);
    await until(() => expect(document.querySelector('[role="dialog"] .price')?.textContent).toBe('$3.20'));
    expect(byText('She turns', '[role="dialog"] .t2').textContent).toContain('in the worst case $6.00 for the two');
    await press('Enter', { ctrlKey: true });
    expect(studio.callsOf('jobs.resolve')).toEqual([
      { id: 'doubt', as: 'lookup' },
      { id: 'doubt', as: 'lost' },
      { id: 'doubt', as: 'resend', shown: { estimateNano: 3_200_000_000, lowNano: 3_200_000_000, unpriced: 0 } },
    ]);
  });

  it('says why nothing can be looked up, and neither key nor button asks', async () => {
    const why = 'The answer was lost before a task id came, so there is nothing to ask about.';
    const studio = await open([{ ...doubt, cannotLookUp: why }]);
    await until(() => byText(why, '.way'));
    await press('1');
    await click(byText(labels.lookItUp, '.way-do'));
    expect(studio.callsOf('jobs.resolve')).toEqual([]);
  });

  it('tells what is below a cent in one line, with one way out', async () => {
    const small = (id: string, state: Job['state']) =>
      aJob({ id, state, money: { ...doubt.money, uncertainNano: 3_000_000, estimateNano: 3_000_000 } });
    const lost = { ...small('s1', 'uncertain'), cannotLookUp: 'There is nothing to ask about.' };
    const studio = await open([doubt, lost, small('s2', 'failed')]);
    await until(() => byText(labels.belowACentEach(2), '.small-doubts b'));
    expect(document.querySelectorAll('.dbox:not(.small-doubts)')).toHaveLength(1);
    await click(byText(labels.closeThemAsBilled));
    expect(studio.callsOf('jobs.resolve')).toEqual([{ id: 's1', as: 'lost' }]);
    await until(() =>
      expect(studio.callsOf('jobs.settleDoubt')).toEqual([
        { id: 's2', billedNano: 3_000_000 },
        { id: 's1', billedNano: 3_000_000 },
      ]),
    );
  });

  it('shows the number and the money of the status line, and keeps the other side apart', async () => {
    useStudio.setState({ queue: { ...status, doubtElsewhere: { count: 4, nano: 1e9, unpriced: 0 } } });
    const studio = await open([doubt]);
    await until(() => byText(labels.atStake('$2.80'), '.stake'));
    await click(byText(labels.show, '.other-side button'));
    await until(() => byText(labels.atStake('$1.00'), '.stake'));
    const asked = studio.callsOf('jobs.list').filter((input) => 'costInDoubt' in (input as object));
    expect(asked.map((input) => (input as { play: boolean }).play)).toEqual([false, true]);
  });
});

describe('the list', () => {
  it('is moved through and reordered by keyboard alone', async () => {
    const studio = await open(waiting);
    await until(() => byText('Gamma', '.qrow'));
    const list = document.querySelector('.qlist') as HTMLElement;
    await press('End', {}, list);
    expect(useQueueView.getState().selectedId).toBe('c');
    await press('ArrowUp', { altKey: true }, list);
    expect(studio.callsOf('jobs.moveMany')).toEqual([{ ids: ['c'], to: { before: 'b' } }]);
    await press('ArrowUp', {}, list);
    await press('ArrowDown', { altKey: true }, list);
    expect(studio.callsOf('jobs.moveMany').at(-1)).toEqual({ ids: ['b'], to: 'last' });
  });

  it('asks before a cancel that takes others with it, and not otherwise', async () => {
    const child = aJob({ id: 'child', state: 'blocked', reason: 'dependency', dependsOn: ['a'], position: 9 });
    const studio = await open([...waiting, child]);
    await clickOn('Beta', '.qrow');
    await press('Delete');
    await until(() => expect(studio.callsOf('jobs.cancel')).toEqual([{ id: 'b' }]));
    await click(byText('Alpha', '.qrow'));
    await press('Delete');
    await until(() => byText(labels.cancelJobs(2)));
    expect(studio.callsOf('jobs.cancel')).toEqual([{ id: 'b' }]);
    await click(byText(labels.cancelJobs(2)));
    expect(studio.callsOf('jobs.cancel')).toEqual([{ id: 'b' }, { id: 'a' }]);
  });

  it('asks before a cancel where what waits for it is far down the line, and names some of it', async () => {
    const children = Array.from({ length: 400 }, (_, n) =>
      aJob({
        id: `n${n}`,
        position: 10 + n,
        dependsOn: n < 300 ? [] : ['a'],
        request: { kind: 'imagine', prompt: `Far ${n}` },
      }),
    );
    const studio = await open([...waiting, ...children]);
    await clickOn('Alpha', '.qrow');
    await until(() => expect(document.querySelector('.cascade')?.textContent).toContain('100 jobs depend on it'));
    await press('Delete');
    await until(() => byText(labels.cancelJobs(101)));
    const words = document.querySelector('[role="dialog"]')?.textContent;
    expect(words).toContain('100 jobs wait for it and cannot run without it: Far 300');
    expect(words).toContain('and 95 more.');
    expect(studio.callsOf('jobs.cancel')).toEqual([]);
  });

  it('counts what has ended since midnight where it is, not among the jobs it has read', async () => {
    const { ended, at } = { ended: { made: 130, kept: 2, failed: 1, refused: 0, inDoubt: 4 }, at: Date.now() };
    fakeStudio({
      'jobs.list': (filter) => jobsPage([], filter),
      'jobs.ended': () => ({ ...ended, firstAt: at, lastAt: at }),
    });
    await show(<QueuePage />);
    await until(() => expect(document.querySelector('.report')?.textContent).toContain('131 jobs ended'));
    expect(document.querySelector('.report .figs')?.textContent).toContain(`${labels.made}130`);
    expect(document.querySelector('.report .figs')?.textContent).toContain(`${labels.inDoubt}4`);
  });

  it('says what to do first when there is nothing, and how to get back when a filter hides all', async () => {
    await open([]);
    await until(() => expect(document.body.textContent).toContain('The queue is empty'));
    await click(byText(labels.failed, '[role="tab"]'));
    await until(() => byText(labels.showAll));
  });

  it('shows an error with its cure', async () => {
    const refusal = {
      ok: false as const,
      error: { code: 'store_unavailable' as const, message: 'The store is busy.' },
    };
    const studio = fakeStudio({ 'jobs.list': () => refusal });
    await show(<QueuePage />);
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
    const money = { ...aJob().money, estimateNano: 0, estimateLowNano: 0, reservedNano: 0, unpriced: true as const };
    useStudio.setState({ queue: { ...status, paused: true }, activeProfileId: 'sandbox' });
    await open([...waiting, aJob({ id: 's', profileId: 'sandbox' }), aJob({ id: 'u', money })]);
    const words = 'real $9.60 and 1 unpriced, play $3.20';
    await until(() => expect(byText(labels.resumeAll).textContent).toContain(words));
    expect(document.querySelector('.qlist .grp')?.textContent).toContain(`${words} reserved`);
    const commands = [...useCommandList.getState().byOwner.values()].flat();
    expect(commands.map(({ label, price }) => [label, price])).toEqual([['Resume all jobs', words]]);
    useStudio.setState({ activeProfileId: undefined });
  });
});

describe('only the chord that spends, spends', () => {
  const dialog = () => document.querySelector('[role="dialog"]');

  it('R and Retry show the price of another order, and nothing is ordered before it is pressed', async () => {
    const failed = aJob({ id: 'f', state: 'failed', request: { kind: 'imagine', prompt: 'Delta' } });
    const studio = await open([failed]);
    await clickOn('Delta', '.qrow');
    await press('r');
    await until(() => expect(dialog()?.querySelector('.price')?.textContent).toBe('$3.20'));
    await press('r');
    await press('Enter', {}, document.activeElement ?? document.body);
    expect(document.activeElement?.textContent).toContain('A new job is made');
    expect(studio.callsOf('jobs.retry')).toEqual([]);
    await press('Enter', { ctrlKey: true });
    expect(studio.callsOf('jobs.retry')).toMatchObject([{ id: 'f', shown: { unpriced: 0 } }]);
    await until(() => expect(dialog()).toBeNull());
  });

  it('offers to try at once only what a try may send', () => {
    const offered = BLOCK_REASONS.filter((reason) => retryOf(aJob({ state: 'blocked', reason })) === 'unblock');
    expect(offered).toEqual(['budget', 'offline', 'rate', 'key', 'auth', 'quota']);
  });

  it('does nothing behind a dialog that covers its price', async () => {
    const sent: string[] = [];
    const send = async () => {
      sent.push('page');
      return undefined;
    };
    fakeStudio({});
    const bar = (
      <SpendBar label="Send" off={undefined} onSend={send}>
        $1.00
      </SpendBar>
    );
    const dialog = (
      <Dialog open onClose={() => undefined} title="Over it">
        A price list
      </Dialog>
    );
    const page = await show(
      <>
        {bar}
        {dialog}
      </>,
    );
    await press('Enter', { ctrlKey: true });
    expect(sent).toEqual([]);
    expect(page).not.toBeNull();
    await show(bar);
    await press('Enter', { ctrlKey: true });
    expect(sent).toEqual(['page']);
  });

  it('an order of unknown price that a cap holds back is offered once, and says so', async () => {
    const held = aJob({
      id: 'u',
      state: 'blocked',
      reason: 'budget',
      request: { kind: 'imagine', prompt: 'Epsilon' },
      money: { ...aJob().money, estimateNano: 0, estimateLowNano: 0, reservedNano: 0, unpriced: true },
    });
    const studio = await open([held]);
    await until(() => byText(labels.itsPriceIsNotKnown, '.wait'));
    expect(byText('Epsilon', '.qrow').textContent).toContain(labels.priceNotKnown);
    expect(byText('Epsilon', '.qrow').textContent).not.toContain('$0.00');
    await click(byText('Epsilon', '.qrow'));
    await click(byText(labels.sendItUnpriced, '.cascade button'));
    await until(() => byText(labels.setIt, '[role="dialog"] a'));
    await click(byText(labels.sendItOnce, '[role="dialog"] button'));
    const shown = { estimateNano: 0, lowNano: 0, unpriced: 1 };
    expect(studio.callsOf('jobs.allowUnpriced')).toEqual([{ id: 'u', shown }]);
  });
});

describe('an incident', () => {
  const out = {
    type: 'notice' as const,
    level: 'error' as const,
    text: 'Studio fails again and again (videos). It is tried now and then until it works.',
    about: 'lane video:p',
    lane: { kind: 'video' as const, profileId: 'p' },
  };
  const lines = () => [...document.querySelectorAll('.incidents li')].map((line) => line.textContent);

  it('stands in the queue until it is over, and is the reason of the rows that wait for it', async () => {
    const studio = await open([aJob({ id: 'v', position: 1 })]);
    await until(() => byText(labels.inLine, '.wait'));
    await studio.emit(out);
    await studio.emit(out);
    await studio.emit({ type: 'notice', level: 'error', text: 'The disk is full.', about: 'room for results' });
    expect(lines()).toEqual([expect.stringContaining('The disk is full.'), expect.stringContaining(out.text)]);
    byText(labels.theGatewayFailsAgainAnd, '.wait');
    await studio.emit({ type: 'notice', level: 'info', text: 'Studio works again (videos).', about: out.about });
    expect(lines()).toEqual([expect.stringContaining('The disk is full.')]);
    byText(labels.inLine, '.wait');
  });

  it('is not told a second time by the banner or the report that tell it', async () => {
    const studio = await open([]);
    await studio.emit({ type: 'notice', level: 'error', text: 'The night was stopped.', urgent: true });
    await studio.emit({ type: 'notice', level: 'error', text: 'Studio cannot be reached.', about: 'host https://s' });
    expect(lines()).toHaveLength(1);
    await studio.emit({ type: 'queue.changed', status: { ...status, offline: true } });
    expect(lines()).toEqual([]);
  });

  it('is dismissed by hand, and the focus stays', async () => {
    const studio = await open([]);
    await studio.emit({ type: 'notice', level: 'error', text: 'The disk is full.' });
    await click(byText(`${labels.dismiss}: The disk is full.`));
    expect(lines()).toEqual([]);
    expect(document.activeElement?.getAttribute('aria-label')).toBe(labels.jobs);
  });
});

it('a result that waits for room on the disk says so in its row', async () => {
  const asset = anAsset({ state: 'remote', fault: 'The disk is full.' });
  await open([aJob({ id: 'f', state: 'fetching', outputs: [asset] })]);
  await until(() => expect(document.querySelector('.runst')?.textContent).toContain('Waits: The disk is full'));
});

it('of 5,000 that wait it shows true places and the sum of all, and any of them when it is scrolled to', async () => {
  const line = Array.from({ length: 5_000 }, (_, n) =>
    aJob({ id: `w${n}`, position: n, createdAt: n, request: { kind: 'imagine', prompt: `Shot ${n + 1}.` } }),
  );
  const studio = await open(line.toReversed());
  await until(() => byText('Shot 1.', '.qrow'));
  const list = document.querySelector('.qlist') as HTMLElement;
  expect(list.textContent).toContain('5,000');
  expect(list.textContent).toContain('$16,000.00 reserved');
  expect(byText('Shot 2.', '.qrow').textContent).toContain('2nd');
  expect(list.querySelector<HTMLElement>('.qspace')?.style.height).toBe(`${5_000 * 44 + 28}px`);
  await scroll(list, 4_899 * 44);
  await until(() => expect(byText('Shot 4900.', '.qrow').textContent).toContain('4900th'));
  expect(studio.callsOf('jobs.list')).toContainEqual(expect.objectContaining({ offset: 4_800, order: 'queue' }));
  await press('End', {}, list);
  await until(() => expect(useQueueView.getState().selectedId).toBe('w4999'));
  await scroll(list, 0);
  await until(() => expect(byText('Shot 1.', '.qrow').textContent).toContain('1st'));
});
