import { beforeEach, describe, expect, it } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import type { Job } from '../../../shared/job.ts';
import { useAnnouncements } from '../../app/announce.ts';
import { useStudio } from '../../app/index.ts';
import { aProfile } from '../../testing/aProfile.ts';
import { aJob, byText, click, press, until } from '../../testing/page.tsx';
import { freshQueue, openQueue } from '../../testing/queuePage.tsx';

const doubt = aJob({
  id: 'doubt',
  state: 'uncertain',
  request: { kind: 'video', model: 'video-standard', prompt: 'She turns from the glass' },
  attempts: [{ at: 1, outcome: 'unknown', message: 'Connection lost' }],
  money: { ...aJob().money, reservedNano: 0, uncertainNano: 2_800_000_000, estimateNano: 2_800_000_000 },
});
const kept = { at: Date.now() - 3_600_000, bytes: 2_114, key: '9f3c…e1', baseUrl: 'https://gateway.example' };
const documented = { kind: 'documented' as const, source: 'its guide', windowHours: 24, night: true };
const profile = aProfile({ baseUrl: kept.baseUrl, idempotency: documented });
const cheap = { ...doubt, money: { ...doubt.money, uncertainNano: 5_000_000, estimateNano: 5_000_000 } };

const open = (jobs: Job[]) =>
  openQueue(jobs, {
    'jobs.resolve': ({ as }) => ({ ...doubt, state: as === 'lost' ? 'failed' : 'uncertain' }),
  });

beforeEach(() => freshQueue());

describe('a doubt at a gateway that documents what a repeated key does', () => {
  it('asks again under the same key first, where that is documented, and not by itself', async () => {
    const source = 'https://gateway.example/docs/idempotency';
    useStudio.setState({ profiles: [{ ...profile, idempotency: { ...documented, source } }] });
    const studio = await open([{ ...doubt, kept }]);
    await until(() => byText(labels.askAgainUnderTheSame, '.way-do'));
    expect(document.querySelector('.ways .way')?.textContent).toContain(
      'Cannot cost twice, says gateway.example/docs/idempotency. The first order comes back, until ',
    );
    expect(document.querySelector('.ways .way .price')?.textContent).toBe('$0.40–2.80');
    expect(byText('In doubt: She turns', 'article').textContent).toContain(
      '2,114, kept as they were sent, key 9f3c…e1',
    );
    await press('3');
    expect(byText(labels.sendAgainKnowingly, '.way-do').hasAttribute('disabled')).toBe(true);
    await press('a');
    expect(studio.callsOf('jobs.resolve')).toEqual([]);
    const again = byText(labels.askAgainUnderTheSame, '.way-do');
    expect(document.activeElement).toBe(again);
    await until(() =>
      expect(useAnnouncements.getState().polite).toBe(`${labels.askAgainUnderTheSame}, $0.40–2.80: Ctrl ↵ sends it.`),
    );
    expect(document.querySelector('.ways .way kbd')?.textContent).toBe('Ctrl ↵');
    await press('Enter', { ctrlKey: true, repeat: true }, again);
    expect(studio.callsOf('jobs.resolve')).toEqual([]);
    await press('Enter', { ctrlKey: true }, again);
    expect(studio.callsOf('jobs.resolve')).toEqual([
      { id: 'doubt', as: 'again', shown: { estimateNano: 2_800_000_000, lowNano: 400_000_000, unpriced: 0 } },
    ]);
  });

  it('says why it cannot be asked for again, and nothing where nothing is documented', async () => {
    useStudio.setState({ profiles: [profile] });
    await open([{ ...doubt, kept: { ...kept, otherAccount: true as const } }]);
    await until(() => byText('another key now', '.way'));
    useStudio.setState({ profiles: [{ ...profile, idempotency: { kind: 'none' } }] });
    await until(() => expect(document.querySelectorAll('.way')).toHaveLength(3));
    expect(document.body.textContent).toContain('it can be asked again');
  });
});

it('below a cent, a job that its service can still be asked about keeps its ways out', async () => {
  const cannotLookUp = 'There is nothing to ask about.';
  useStudio.setState({ profiles: [profile] });
  await open([
    { ...cheap, id: 'task', remoteId: '178' },
    { ...cheap, id: 'kept', cannotLookUp, kept },
    { ...cheap, id: 'lost', cannotLookUp },
    { ...cheap, id: 'ended', state: 'failed' },
    { ...cheap, id: 'unasked', state: 'canceled', remoteId: '179', sentAt: Date.now() - 25 * 3_600_000 },
  ]);
  await until(() => byText(labels.belowACentEach(3), '.small-doubts b'));
  expect(document.querySelectorAll('article.dbox')).toHaveLength(2);
  expect(byText(labels.checkAgain, '.way-do').hasAttribute('disabled')).toBe(false);
});

it('below a cent, a canceled job whose task is still asked for is no part of what is closed', async () => {
  const ended = { ...cheap, state: 'failed' as const };
  const sentAt = Date.now() - 3_600_000;
  const studio = await open([
    { ...ended, id: 'one' },
    { ...ended, id: 'two' },
    { ...cheap, id: 'asked', state: 'canceled', remoteId: '178', sentAt },
  ]);
  await until(() => byText(labels.belowACentEach(2), '.small-doubts b'));
  await click(byText(labels.closeThemAsBilled));
  expect(studio.callsOf('jobs.settleDoubt')).toMatchObject([{ id: 'one' }, { id: 'two' }]);
});

it('settles one case for a key that is held, and none beside another job that is selected', async () => {
  const cases = ['doubt', 'second', 'third'].map((id) => ({ ...doubt, id }));
  const waits = aJob({ id: 'a', request: { kind: 'imagine', prompt: 'Alpha' } });
  const studio = await open([...cases, waits]);
  await until(() => byText('In doubt: She turns', 'article'));
  await press('2');
  for (let repeat = 0; repeat < 5; repeat++) await press('2', { repeat: true });
  expect(studio.callsOf('jobs.resolve')).toEqual([{ id: 'doubt', as: 'lost' }]);
  await click(byText('Alpha', '.qrow'));
  await press('2');
  expect(studio.callsOf('jobs.resolve')).toHaveLength(1);
});

it('the keys stay with the case that is being read while newer ones come in, and go on to the one below it', async () => {
  const [a, b, c] = ['a', 'b', 'c'].map((id) => ({ ...doubt, id })) as [Job, Job, Job];
  const jobs = [a, c];
  const studio = await open(jobs);
  const cases = () => [...document.querySelectorAll('article.dbox')];
  await until(() => expect(cases()).toHaveLength(2));
  jobs.unshift(b);
  await studio.emit({ type: 'job.changed', job: b });
  await until(() => expect(cases()).toHaveLength(3));
  await press('2');
  expect(studio.callsOf('jobs.resolve')).toEqual([{ id: 'a', as: 'lost' }]);
  jobs.splice(1, 1);
  await studio.emit({ type: 'job.changed', job: { ...a, state: 'failed', money: { ...a.money, uncertainNano: 0 } } });
  await until(() => expect(cases()).toHaveLength(2));
  await press('2');
  expect(studio.callsOf('jobs.resolve').at(-1)).toEqual({ id: 'c', as: 'lost' });
});

it.each([
  ['a dropped connection', { message: 'The connection was reset.' }, 'The connection was reset.'],
  ['status 504', { status: 504, message: 'The service answered with status 504.' }, 'status 504'],
])('tells %s in one sentence', async (_, attempt, said) => {
  const error = {
    kind: 'network',
    message: `Lost: ${attempt.message}`,
    retryable: false,
    accepted: 'unknown',
  } as const;
  await open([{ ...doubt, attempts: [{ at: 1, outcome: 'unknown', ...attempt }], error }]);
  await until(() => byText('In doubt: She turns', 'article'));
  const { textContent } = byText('In doubt: She turns', 'article');
  expect(textContent?.split(said)).toHaveLength(2);
  expect(textContent).toContain(`Sent. ${attempt.message}`);
  expect(textContent).not.toContain('no answer came');
  expect(textContent).toContain('The gateway may have made it and billed it. Dailies cannot know');
});
