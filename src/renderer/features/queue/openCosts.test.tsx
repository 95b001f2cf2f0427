import { beforeEach, describe, expect, it } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import type { Board } from '../../../shared/board/board.ts';
import { fail } from '../../../shared/contract/result.ts';
import type { Job } from '../../../shared/jobs/job.ts';
import { useEntities, useStudio } from '../../app/index.ts';
import { aQueueStatus } from '../../testing/aQueueStatus.ts';
import { type Answers, acting, aJob, byText, click, type FakeStudio, press, type, until } from '../../testing/page.tsx';
import { freshQueue, openQueue } from '../../testing/queuePage.tsx';
import { billedOf } from './bill.tsx';
import { whyOpen } from './OpenCosts.tsx';
import { useQueueView } from './state.ts';

const money = { ...aJob().money, reservedNano: 0, uncertainNano: 1_600_000_000 };
const lost = aJob({
  ...{ id: 'lost', state: 'failed', money },
  request: { kind: 'video', model: 'video-standard', prompt: 'Deck lamp' },
  attempts: [{ at: 1, outcome: 'unknown', requestId: 'rq_9f3c' }],
});
const late = aJob({
  ...{ id: 'late', state: 'canceled', money: { ...money, uncertainNano: 50_000_000 } },
  request: { kind: 'imagine', prompt: 'Poster' },
  remoteId: '178234567890123456789',
});
const inDoubt = aJob({ id: 'doubt', state: 'uncertain', money, request: { kind: 'imagine', prompt: 'Alpha' } });

function open(jobs: Job[], more: Answers = {}): Promise<FakeStudio> {
  const left = new Map(jobs.map((job) => [job.id, job]));
  return openQueue([], {
    'jobs.list': ({ states, costInDoubt, offset = 0, limit = 100 }) => {
      const isMeant = ({ state, money: { uncertainNano } }: Job) =>
        (!states || states.includes(state)) && (!costInDoubt || uncertainNano > 0);
      const found = [...left.values()].filter(isMeant);
      return { jobs: found.slice(offset, offset + limit), total: found.length };
    },
    'jobs.settleDoubt': ({ id, billedNano }) => {
      const job = left.get(id) ?? aJob();
      left.set(id, { ...job, money: { ...job.money, uncertainNano: 0, chargedNano: billedNano } });
      return left.get(id) ?? job;
    },
    'jobs.resolve': () => inDoubt,
    ...more,
  });
}

/** With the case of the lost job opened; and what was settled. */
async function openCase(jobs: Job[], more?: Answers) {
  const studio = await open(jobs, more);
  await until(() => row('Deck lamp'));
  await click(head('Deck lamp'));
  return { studio, settled: () => studio.callsOf('jobs.settleDoubt') };
}

const row = (title: string) => byText(`Cost still open: ${title}`, 'article');
const head = (title: string) => row(title).querySelector('button') as HTMLElement;
const field = () => document.querySelector('.billed input') as HTMLInputElement;
const error = () => document.querySelector('.billed .err')?.textContent;
const opens = (count: number) =>
  until(() => expect(document.querySelectorAll('[aria-label^="Cost still open"]')).toHaveLength(count));

beforeEach(() => {
  freshQueue(aQueueStatus());
  useStudio.setState({ settings: undefined });
});

describe('more in doubt than one page holds', () => {
  const many = (of: (id: string) => Job) => Array.from({ length: 101 }, (_, at) => of(`d${at}`));

  it.each([
    ['lost answers', labels.unconfirmed, (id: string) => ({ ...inDoubt, id })],
    ['jobs sent again', 'Sent again', (id: string) => aJob({ id, state: 'running', money })],
    ['jobs that ended', 'Cost still open', (id: string) => ({ ...lost, id })],
  ])('of %s the last is reached too', async (_, label, of) => {
    await open(many(of));
    const cases = () => document.querySelectorAll(`article[aria-label^="${label}"]`);
    await until(() => expect(cases()).toHaveLength(100));
    await click(byText(labels.showMore));
    await until(() => expect(cases()).toHaveLength(101));
    expect(() => byText(labels.showMore)).toThrow();
  });

  it('a page of small ones does not hide the rest', async () => {
    const small = (id: string) => aJob({ id, state: 'failed', money: { ...money, uncertainNano: 1_000_000 } });
    await open([...many(small), { ...inDoubt, id: 'last' }]);
    await until(() => byText(labels.belowACentEach(100), '[aria-label="Under a cent"] b'));
    await click(byText(labels.showMore));
    await until(() => byText(labels.unconfirmedNamed('Alpha'), 'article'));
  });
});

describe('jobs that ended while their cost is open', () => {
  it('that are settled late lead nobody away from the next one', async () => {
    const { promise: isThere, resolve: answer } = Promise.withResolvers<void>();
    const settle = () => isThere.then(() => ({ ...lost, money: { ...money, uncertainNano: 0 } }));
    const { settled } = await openCase([lost, late], { 'jobs.settleDoubt': settle });
    await click(byText(labels.notOnTheBill));
    await until(() => expect(settled()).toHaveLength(1));
    await click(head('Poster'));
    await type(field(), '0.0');
    field().focus();
    await acting(() => answer());
    expect(useQueueView.getState().selectedId).toBe('late');
    expect([document.activeElement, field().value]).toEqual([field(), '0.0']);
  });

  it('stand below the doubt with the amount, and open to what finds them on a bill', async () => {
    await openCase([lost, late, aJob({ id: 'well', state: 'succeeded' })]);
    await opens(2);
    expect(document.querySelector('[aria-label="Ended, cost still open"] .grp')?.textContent).toContain('2$1.65');
    expect(head('Deck lamp').getAttribute('aria-expanded')).toBe('true');
    for (const words of ['$1.60', 'rq_9f3c']) expect(row('Deck lamp').textContent).toContain(words);
    await click(head('Poster'));
    expect(row('Poster').textContent).toContain('178234567890123456789');
    expect(document.querySelectorAll('.billed')).toHaveLength(1);
  });

  it('go away when the bill has none of it, and the focus stays near', async () => {
    const { settled } = await openCase([lost, late]);
    await click(byText(labels.notOnTheBill));
    expect(settled()).toEqual([{ id: 'lost', billedNano: 0 }]);
    await opens(1);
    expect(document.activeElement?.getAttribute('aria-label')).toBe(labels.unconfirmed);
    expect(useQueueView.getState().selectedId).toBeUndefined();
  });

  it('are settled to the nano-dollar, and bad input is refused', async () => {
    const { settled } = await openCase([lost]);
    await type(field(), '0,40');
    await click(byText(labels.settle));
    expect([error(), settled()]).toEqual(['Billed amount: must be an amount such as 2.50.', []]);
    await type(field(), '1.600000001');
    await click(byText(labels.settle));
    expect(settled()).toEqual([{ id: 'lost', billedNano: 1_600_000_001 }]);
    await opens(0);
  });

  it("shows the studio's own refusal at the field, and keeps the row", async () => {
    await openCase([lost], { 'jobs.settleDoubt': () => fail('wrong_state', 'Its cost is already confirmed.') });
    await click(byText(labels.notOnTheBill));
    expect(error()).toBe('Its cost is already confirmed.');
    row('Deck lamp');
  });

  it('take the keys of no other case while they are looked at', async () => {
    const { studio } = await openCase([lost, inDoubt]);
    await press('2');
    expect(studio.callsOf('jobs.resolve')).toEqual([]);
    await click(head('Deck lamp'));
    await press('1');
    expect(studio.callsOf('jobs.resolve')).toEqual([{ id: 'doubt', as: 'lookup' }]);
  });
});

const succeeded = aJob({ state: 'succeeded' });
const failed = aJob({ state: 'failed' });
const charged = { ...money, chargedNano: 1_600_000_000 };
const twice: Job['attempts'] = [1, 2].map((at) => ({ at, outcome: 'unknown' }));

it.each<[string, Job]>([
  ['Marked as lost', lost],
  ['Canceled after it was sent', late],
  ['Sent again: you may be billed twice', { ...succeeded, attempts: twice }],
  [
    'Partly made: the rest may be billed',
    { ...succeeded, differs: [{ what: 'seconds', ordered: '8 s', made: '4 s' }] },
  ],
  ['Failed, no cost stated', failed],
  ['Failed, the answer states $0.80', { ...failed, money: { ...money, statedNano: 800_000_000 } }],
  ['Done, the answer states $3.20', { ...succeeded, money: { ...charged, statedNano: 3_200_000_000 } }],
  ['Done, no cost stated', { ...succeeded, money: charged }],
])('a cost stays open: %s', (why, job) => {
  expect(whyOpen(job)).toBe(why);
});

it.each([
  ['0', 0],
  ['$2.80', 2_800_000_000],
  ['1,250.5', 1_250_500_000_000],
  ['1000000', 1_000_000_000_000_000],
  ['', 'must be an amount such as 2.50.'],
  ['.5', 'must be an amount such as 2.50.'],
  ['0,40', 'must be an amount such as 2.50.'],
  ['0.1234567891', 'at most nine decimals.'],
  ['1000000.01', 'must be at most a million dollars.'],
])('of a bill %j is read as %s', (text, read) => {
  expect(billedOf(text, 'Bill')).toEqual(typeof read === 'number' ? { nano: read } : { error: `Bill: ${read}` });
});

it('a case that the gateway accepted is checked again, by its task id', async () => {
  await open([{ ...inDoubt, remoteId: '17823', error: { kind: 'timeout', message: 'Silent.', retryable: false } }]);
  await until(() => byText(labels.checkAgain, '.way-do'));
  expect(byText(labels.unconfirmedNamed('Alpha'), 'article').textContent).toContain('17823');
});

it('a link from elsewhere goes to the inbox', async () => {
  window.location.hash = '#/queue?filter=doubt';
  await open([lost]);
  await until(() => expect(document.activeElement?.id).toBe('doubt-inbox'));
});

it('takes go by the name of their shot', async () => {
  const shots = [
    { title: '', takes: ['x', 'lost'] },
    { title: 'Dawn', takes: ['y'] },
  ];
  const board = { projectId: 'ferry', revision: 1, shots } as unknown as Board;
  useStudio.setState({ settings: { theme: 'dark', welcomed: true, activeProfileId: 'p', projectId: 'ferry' } });
  const studio = await open([lost], { 'storyboard.get': () => board });
  await until(() => row(labels.shotTakeN(1, 2)));
  expect(studio.callsOf('storyboard.get')).toEqual([{ projectId: 'ferry' }]);
});

describe('asked for again under its key', () => {
  const billed = { ...charged, uncertainNano: 0 };
  const attempts: Job['attempts'] = [
    { at: 1, outcome: 'unknown', requestId: 'rq_1' },
    { at: 2, outcome: 'accepted', requestId: 'rq_2', again: true },
  ];
  const made: Job = { ...lost, id: 'again', state: 'succeeded', money: billed, attempts };
  const openAgain = async (job: Job) => {
    useEntities.setState({ jobs: new Map([[job.id, job]]) });
    useQueueView.setState({ selectedId: job.id });
    const twiceBilled = { ...billed, chargedNano: 3_200_000_000 };
    return open([job], {
      'jobs.get': () => job,
      'jobs.billedTwice': () => ({ ...job, revision: 9, money: twiceBilled }),
    });
  };

  it('a second entry on the bill is charged too', async () => {
    const studio = await openAgain(made);
    await until(() => byText(labels.askedForAgain('Deck lamp'), 'article'));
    await type(field(), '0');
    await click(byText(labels.chargeItToo));
    expect(document.body.textContent).toContain('Second amount on the bill: must be more than 0.');
    expect(studio.callsOf('jobs.billedTwice')).toEqual([]);
    await type(field(), '1.6');
    await click(byText(labels.chargeItToo));
    await until(() => expect(studio.callsOf('jobs.billedTwice')).toEqual([{ id: 'again', billedNano: 1_600_000_000 }]));
    await until(() => expect(useEntities.getState().jobs.get('again')?.money.chargedNano).toBe(3_200_000_000));
  });

  it.each<[string, Partial<Job>]>([
    ['was sent once', { attempts: attempts.slice(0, 1) }],
    ['has an open cost', { money }],
    ['is not done', { state: 'running' }],
  ])('a job that %s is not asked about', async (_, more) => {
    await openAgain({ ...made, ...more });
    await until(() => byText(labels.unconfirmed, 'h2'));
    expect(document.body.textContent).not.toContain(labels.chargeItToo);
  });
});
