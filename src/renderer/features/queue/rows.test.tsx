import { beforeEach, describe, expect, it } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import type { Job } from '../../../shared/jobs/job.ts';
import { useStudio } from '../../app/index.ts';
import { planned, statusOf } from '../../testing/aNight.ts';
import { aProfile } from '../../testing/aProfile.ts';
import { aQueueStatus } from '../../testing/aQueueStatus.ts';
import { aJob, byText, clickOn, press, until } from '../../testing/page.tsx';
import { freshQueue, openQueue } from '../../testing/queuePage.tsx';

beforeEach(() => {
  freshQueue(aQueueStatus({ waiting: 1 }));
  return () => useStudio.setState({ activeProfileId: undefined });
});

it('a job of the night that is held says so, and one of another night does not', async () => {
  const held = { state: 'blocked', reason: 'window' } as const;
  const jobs = [aJob({ id: 'a', ...held, runId: planned.id }), aJob({ id: 'b', ...held, runId: 'night_14' })];
  await openQueue(jobs, {
    'night.get': () => statusOf({ ...planned, state: 'open', held: 'battery' }),
  });
  const reasons = () => [...document.querySelectorAll('.qrow .waiting')].map(({ textContent }) => textContent);
  await until(() =>
    expect(reasons()).toEqual([
      expect.stringContaining(labels.heldTheMachineRunsOn),
      expect.stringContaining(labels.itsNightIsOver),
    ]),
  );
  expect(byText('Overnight run', 'aside.top-line').textContent).toContain(labels.heldTheMachineRunsOn);
});

describe('a row to its end', () => {
  const message = 'The gateway refused the prompt: it names a living person. Change the prompt, then request it again.';
  const note = 'Charged for 4 clips, and 2 were made.';
  const money = { ...aJob().money, uncertainNano: 400_000_000 };
  const error = { kind: 'moderation', message, retryable: false } as const;
  const request = { kind: 'imagine', prompt: 'A lamp' } as const;

  it.each<[string, Job, string]>([
    ['why it failed', aJob({ id: 'f', state: 'failed', error, request, money }), message],
    ['what was charged', aJob({ id: 's', state: 'succeeded', request, money: { ...money, note } }), note],
    [
      'why it waits',
      aJob({ id: 'b', state: 'blocked', request, money, reason: 'budget' }),
      'Change the budget in Spend',
    ],
  ])('says %s', async (_, job, words) => {
    await openQueue([job]);
    await until(() => byText(words, '.qrow'));
    const said = [...document.querySelectorAll('.qrow *')].filter(({ textContent }) => textContent?.includes(words));
    expect(said.flatMap(({ classList }) => [...classList])).not.toContain('cut');
  });
});

describe('before a job is canceled, its bar says what stays unconfirmed and what is released', () => {
  const money = { ...aJob().money, reservedNano: 400_000_000 };
  const lost = { at: 1, outcome: 'unknown' } as const;
  it.each<[string, Partial<Job>, string]>([
    [
      'its answer was lost',
      { attempts: [lost], money: { ...money, uncertainNano: 400_000_000 } },
      '$0.40 stays unconfirmed. $0.40 is no longer reserved.',
    ],
    [
      'it was refused for now',
      { state: 'blocked', reason: 'rate', attempts: [{ at: 1, outcome: 'refused' }], money },
      '$0.40 is no longer reserved.',
    ],
    [
      'no price set',
      { attempts: [lost], money: { ...money, reservedNano: 0, unpriced: true } },
      'An earlier request may be billed.',
    ],
    ['it was not sent', { money }, '$0.40 is no longer reserved.'],
  ])('%s', async (_, more, said) => {
    await openQueue([aJob({ request: { kind: 'imagine', prompt: 'A lamp' }, ...more })]);
    await clickOn('A lamp', '.qrow');
    const bar = () => document.querySelector('.cascade .whole')?.textContent;
    await until(() => expect(bar()).toContain('Cancel '));
    expect(bar()).toContain(said);
  });
});

it('offers no cancel for a result that is being downloaded, by pointer or by key', async () => {
  const studio = await openQueue([
    aJob({ id: 'made', state: 'fetching', request: { kind: 'imagine', prompt: 'Made' } }),
  ]);
  await clickOn('Made', '.qrow');
  await until(() => expect(document.querySelector('.cascade')?.textContent).toContain('Made: Downloading'));
  await press('Delete');
  const buttons = [...document.querySelectorAll('.cascade button')].map(({ textContent }) => textContent);
  expect(buttons.join()).not.toContain(labels.cancel);
  expect(studio.callsOf('jobs.cancel')).toEqual([]);
});

describe('a key that jobs wait for', () => {
  const made = aJob({ id: 'made', state: 'running', reason: 'key', progress: 95, profileId: 'p', sentAt: Date.now() });

  const waits = () => byText('At the gateway', '.qrow .stack').textContent;

  it('is named by the jobs that wait for it, with how long their results are kept', async () => {
    useStudio.setState({ profiles: [aProfile({ name: 'Mine', key: null, missingHeaders: [] })] });
    await openQueue([made]);
    await until(waits);
    expect(waits()).toContain('Link expires in about 23 h');
    expect(waits()).not.toContain('95 %');
  });
});

const heads = () => [...document.querySelectorAll('.qlist .grp')].map(({ textContent }) => textContent);
const unpriced = { ...aJob().money, reservedNano: 0, estimateNano: 0, estimateLowNano: 0, unpriced: true as const };

it.each<[string, string, string]>([
  ['sandbox', 'sandbox', 'Test money $3.20'],
  ['sandbox', 'p', 'Real money $3.20'],
  ['p', 'sandbox', 'Test money $3.20'],
  ['p', 'p', '$3.20'],
])('with %s chosen, what waits for %s is named %s', async (activeProfileId, profileId, words) => {
  useStudio.setState({ queue: aQueueStatus({ waiting: 1, paused: true }), activeProfileId });
  await openQueue([aJob({ profileId })]);
  await until(() => expect(byText(labels.resumeAll).querySelector('.price')?.textContent).toBe(words));
});

it('what is reserved for running jobs names its side as that of waiting ones does', async () => {
  useStudio.setState({ activeProfileId: 'sandbox' });
  await openQueue([aJob({ id: 'r', state: 'running', profileId: 'sandbox' }), aJob({ id: 'w', profileId: 'sandbox' })]);
  await until(() => expect(heads().filter((head) => head?.includes('Test money $3.20'))).toHaveLength(2));
});

it.each([
  ['p', 'p', 'Reserved: $3.20 and 1 without a price'],
  ['sandbox', 'p', 'Reserved: Real money $3.20 and 1 without a price'],
  ['p', undefined, 'Reserved: no price set'],
])(
  'with %s chosen, what runs without a known price is counted beside what is reserved',
  async (active, other, words) => {
    const priced = other === undefined ? [] : [aJob({ id: 'r', state: 'running', profileId: other })];
    useStudio.setState({ activeProfileId: active });
    await openQueue([...priced, aJob({ id: 'u', state: 'running', profileId: 'p', money: unpriced })]);
    await until(() => expect(heads()[0]).toContain(words));
  },
);
