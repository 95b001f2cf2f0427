import { beforeEach, expect, it } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import type { Job } from '../../../shared/jobs/job.ts';
import { useAnnouncements } from '../../app/announce.ts';
import { useStudio } from '../../app/index.ts';
import { aProfile } from '../../testing/aProfile.ts';
import { aQueueStatus } from '../../testing/aQueueStatus.ts';
import { acting, aJob, byText, click, press, until } from '../../testing/page.tsx';
import { freshQueue, openQueue } from '../../testing/queuePage.tsx';

const money = { ...aJob().money, reservedNano: 0, uncertainNano: 2_800_000_000, estimateNano: 2_800_000_000 };
const doubt = aJob({
  id: 'doubt',
  state: 'uncertain',
  request: { kind: 'video', model: 'video-standard', prompt: 'She turns from the glass' },
  attempts: [{ at: 1, outcome: 'unknown', message: 'Connection lost' }],
  money,
});
const cheap = { ...doubt, money: { ...money, uncertainNano: 5_000_000, estimateNano: 5_000_000 } };
const kept = { at: Date.now() - 3_600_000, bytes: 2_114, key: '9f3c…e1', baseUrl: 'https://gateway.example' };
const documented = { kind: 'documented' as const, source: 'its guide', windowHours: 24, night: true };
const profile = aProfile({ baseUrl: kept.baseUrl, idempotency: documented });
const cannotLookUp = 'There is nothing to ask about.';

/** The page of these doubts, and what was decided about them. */
async function open(jobs: Job[]) {
  const studio = await openQueue(jobs, {
    'jobs.resolve': ({ as }) => ({ ...doubt, state: as === 'lost' ? 'failed' : 'uncertain' }),
    'jobs.settleDoubt': ({ id }) => aJob({ id, state: 'failed' }),
    'ledger.estimate': () => ({ items: [], settled: true, ...costing(3_200_000_000) }),
  });
  if (jobs.includes(doubt)) await until(article);
  return { studio, resolved: () => studio.callsOf('jobs.resolve') };
}

const costing = (estimateNano: number, lowNano = estimateNano) => ({ estimateNano, lowNano, unpriced: 0 });
const article = () => byText('Unconfirmed: She turns', 'article');
const cases = (count: number) => until(() => expect(document.querySelectorAll('article.stack')).toHaveLength(count));
const way = (title: string) => byText(title, '.way-do');
const spend = (more: KeyboardEventInit = {}, at?: EventTarget) => press('Enter', { ctrlKey: true, ...more }, at);
const small = (count: number) => until(() => byText(labels.belowACentEach(count), '[aria-label="Under a cent"] b'));

beforeEach(() => freshQueue(aQueueStatus({ doubt: { count: 1, nano: 2_800_000_000, unpriced: 0 } })));

it('shows the worst case, takes the way that is chosen, by pointer and by key, and sends again at the price of now', async () => {
  const { resolved } = await open([doubt]);
  await until(() => expect(article().textContent).toContain('at most $6.00'));
  expect(resolved()).toEqual([]);
  await click(way(labels.lookItUp));
  await until(() => expect(document.body.textContent).toContain('Nothing was found.'));
  await press('2');
  await press('3');
  expect(resolved()).toHaveLength(2);
  await until(() => expect(document.querySelector('[role="dialog"] .price')?.textContent).toBe('$3.20'));
  expect(document.querySelector('[role="dialog"]')?.textContent).toContain('at most $6.00 in all');
  await spend();
  expect(resolved()).toEqual([
    { id: 'doubt', as: 'lookup' },
    { id: 'doubt', as: 'lost' },
    { id: 'doubt', as: 'resend', shown: costing(3_200_000_000) },
  ]);
});

it('says why nothing can be looked up, and neither key nor button asks', async () => {
  const { resolved } = await open([{ ...doubt, cannotLookUp }]);
  await until(() => byText(cannotLookUp, '.way'));
  await press('1');
  await click(way(labels.lookItUp));
  expect(resolved()).toEqual([]);
});

it('asks again under the same key first where that is documented, at its price, by the chord alone', async () => {
  useStudio.setState({ profiles: [profile] });
  const { resolved } = await open([{ ...doubt, kept }]);
  await until(() => way(labels.repeatWithTheSameKey));
  const again = way(labels.repeatWithTheSameKey);
  expect(document.querySelector('.ways .way .price')?.textContent).toBe('up to $2.80');
  expect(article().textContent).toContain('9f3c…e1');
  await press('3');
  expect(way(labels.sendAgainKnowingly).hasAttribute('disabled')).toBe(true);
  await press('a');
  expect([document.activeElement, resolved()]).toEqual([again, []]);
  const spoken = `${labels.repeatWithTheSameKey}, up to $2.80: Ctrl ↵ sends it.`;
  await until(() => expect(useAnnouncements.getState().polite).toBe(spoken));
  await spend({ repeat: true }, again);
  expect(resolved()).toEqual([]);
  await spend({}, again);
  expect(resolved()).toEqual([{ id: 'doubt', as: 'again', shown: costing(2_800_000_000, 400_000_000) }]);
});

it('says why it cannot be asked for again, and nothing where nothing is documented', async () => {
  useStudio.setState({ profiles: [profile] });
  await open([{ ...doubt, kept: { ...kept, otherAccount: true as const } }]);
  await until(() => byText('was changed since', '.way'));
  useStudio.setState({ profiles: [{ ...profile, idempotency: { kind: 'none' } }] });
  await until(() => expect(document.querySelectorAll('.way')).toHaveLength(3));
});

it('below a cent, jobs are told in one line with one way out, but for those that can still be asked about', async () => {
  useStudio.setState({ profiles: [profile] });
  const canceled = { ...cheap, state: 'canceled' as const, remoteId: '178' };
  const { studio, resolved } = await open([
    { ...cheap, id: 'task', remoteId: '178' },
    { ...cheap, id: 'kept', cannotLookUp, kept },
    { ...canceled, id: 'asked', sentAt: Date.now() - 3_600_000 },
    { ...cheap, id: 'lost', cannotLookUp },
    { ...cheap, id: 'ended', state: 'failed' },
    { ...canceled, id: 'unasked', sentAt: Date.now() - 25 * 3_600_000 },
  ]);
  await small(3);
  await cases(3);
  await click(byText(labels.closeAsBilled));
  expect(resolved()).toEqual([{ id: 'lost', as: 'lost' }]);
  const billedNano = 5_000_000;
  const settled = ['ended', 'unasked', 'lost'].map((id) => ({ id, billedNano }));
  await until(() => expect(studio.callsOf('jobs.settleDoubt')).toEqual(settled));
});

it('shows the number and the money of the status line, real money first, and test money apart where there is some', async () => {
  const status = aQueueStatus({ doubt: { count: 1, nano: 2_800_000_000, unpriced: 0 } });
  const stakes = () => [...document.querySelectorAll('.stake')].map(({ textContent }) => textContent);
  const { studio } = await open([doubt]);
  await until(() => expect(stakes()).toEqual(['$2.80']));
  const doubtElsewhere = { count: 4, nano: 1e9, unpriced: 0 };
  await acting(() => useStudio.setState({ queue: { ...status, doubtElsewhere } }));
  await until(() => expect(stakes()).toEqual(['$2.80', '$1.00']));
  const asked = studio.callsOf('jobs.list') as { costInDoubt?: true; play?: boolean }[];
  expect(asked.flatMap(({ costInDoubt, play }) => (costInDoubt ? play : []))).toEqual([false, true]);
});

it('settles one case for a key that is held, and none beside another job that is selected', async () => {
  const waits = aJob({ id: 'a', request: { kind: 'imagine', prompt: 'Alpha' } });
  const { resolved } = await open([doubt, { ...doubt, id: 'second' }, { ...doubt, id: 'third' }, waits]);
  await press('2');
  for (const _ of [1, 2, 3]) await press('2', { repeat: true });
  expect(resolved()).toEqual([{ id: 'doubt', as: 'lost' }]);
  await click(byText('Alpha', '.qrow'));
  await press('2');
  expect(resolved()).toHaveLength(1);
});

it('the keys stay with the case that is being read while newer ones come in, and go on to the one below it', async () => {
  const [a, b, c] = ['a', 'b', 'c'].map((id) => ({ ...doubt, id })) as [Job, Job, Job];
  const jobs = [a, c];
  const { studio, resolved } = await open(jobs);
  await cases(2);
  jobs.unshift(b);
  await studio.emit({ type: 'job.changed', job: b });
  await cases(3);
  await press('2');
  expect(resolved()).toEqual([{ id: 'a', as: 'lost' }]);
  jobs.splice(1, 1);
  await studio.emit({ type: 'job.changed', job: { ...a, state: 'failed', money: { ...money, uncertainNano: 0 } } });
  await cases(2);
  await press('2');
  expect(resolved().at(-1)).toEqual({ id: 'c', as: 'lost' });
});

it.each([
  ['a dropped connection', { message: 'The connection was reset.' }, 'The connection was reset.'],
  ['status 504', { status: 504, message: 'The gateway answered with status 504.' }, 'status 504'],
])('tells %s once, and not that no answer came', async (_, attempt, said) => {
  const error = {
    kind: 'network',
    message: `Lost: ${attempt.message}`,
    retryable: false,
    accepted: 'unknown',
  } as const;
  await open([{ ...doubt, attempts: [{ at: 1, outcome: 'unknown', ...attempt }], error }]);
  await until(article);
  expect(article().textContent?.split(said)).toHaveLength(2);
  expect(article().textContent).toContain('The result may exist and be billed.');
});
