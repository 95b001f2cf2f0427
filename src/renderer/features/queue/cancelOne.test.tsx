import { beforeEach, expect, it } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import type { Job } from '../../../shared/job.ts';
import { useEntities, useStudio } from '../../app/index.ts';
import { aQueueStatus } from '../../testing/aQueueStatus.ts';
import { freshQueue } from '../../testing/freshQueue.ts';
import { aJob, byText, click, fakeStudio, jobsPage, press, show, until } from '../../testing/page.tsx';
import { QueuePage } from './QueuePage.tsx';

const studioWith = (jobs: Job[]) =>
  fakeStudio({
    'jobs.list': (filter) => jobsPage(jobs, filter),
    'jobs.ended': () => ({ made: 0, kept: 0, failed: 0, refused: 0, inDoubt: 0 }),
  });

beforeEach(() => {
  window.location.hash = '#/queue';
  useEntities.setState({ jobs: new Map(), assets: new Map() });
  freshQueue();
  useStudio.setState({ queue: aQueueStatus({ waiting: 3 }), budgets: [], profiles: [] });
});

it('says at a job that was sent before what stays in doubt, and what is given back', async () => {
  const named = (prompt: string) => ({ kind: 'imagine' as const, prompt });
  const money = { ...aJob().money, reservedNano: 400_000_000 };
  const lost = { at: 1, outcome: 'unknown' } as const;
  const again = aJob({
    id: 'again',
    request: named('again'),
    attempts: [lost],
    money: { ...money, uncertainNano: 400_000_000 },
  });
  const busy = aJob({
    id: 'busy',
    request: named('busy'),
    state: 'blocked',
    reason: 'rate',
    attempts: [{ at: 1, outcome: 'refused' }],
    money,
  });
  const unpriced = aJob({
    id: 'unpriced',
    request: named('unpriced'),
    attempts: [lost],
    money: { ...money, reservedNano: 0, unpriced: true },
  });
  const first = aJob({ id: 'first', request: named('first'), money });
  studioWith([again, busy, unpriced, first]);
  await show(<QueuePage />);
  const said = async (id: string) => {
    await until(() => byText(id, '.qrow'));
    await click(byText(id, '.qrow'));
    const bar = () => document.querySelector('.cascade .whole')?.textContent ?? '';
    await until(() => expect(bar()).toContain('nothing depends on it'));
    return bar();
  };
  expect(await said('again')).toContain(
    'An earlier request of it was sent: $0.40 stays in doubt. What is reserved for the next, $0.40, is given back.',
  );
  expect(await said('busy')).toContain('the $0.40 that is reserved for that is given back');
  expect(await said('unpriced')).toContain('was sent and may be billed, at a price that is not known');
  expect(await said('first')).toContain('Nothing has been sent, so its $0.40 is given back.');
});

it('offers no cancel for a result that is being downloaded, by pointer or by key', async () => {
  const studio = studioWith([aJob({ id: 'made', state: 'fetching', request: { kind: 'imagine', prompt: 'Made' } })]);
  await show(<QueuePage />);
  await until(() => byText('Made', '.qrow'));
  await click(byText('Made', '.qrow'));
  await until(() =>
    expect(document.querySelector('.cascade')?.textContent).toContain('its result is being downloaded'),
  );
  await press('Delete');
  const buttons = [...document.querySelectorAll('.cascade button')].map(({ textContent }) => textContent);
  expect(buttons.join()).not.toContain(labels.cancel);
  expect(studio.callsOf('jobs.cancel')).toEqual([]);
});
