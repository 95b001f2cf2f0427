import { beforeEach, describe, expect, it } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import type { ProfileView } from '../../../shared/profile.ts';
import { useEntities, useStudio } from '../../app/index.ts';
import { aQueueStatus } from '../../testing/aQueueStatus.ts';
import { freshQueue } from '../../testing/freshQueue.ts';
import { aJob, byText, fakeStudio, jobsPage, show, until } from '../../testing/page.tsx';
import { QueuePage } from './QueuePage.tsx';

beforeEach(() => {
  window.location.hash = '#/queue';
  useEntities.setState({ jobs: new Map(), assets: new Map() });
  freshQueue();
  useStudio.setState({ queue: aQueueStatus({ waiting: 0 }), budgets: [], profiles: [] });
});

describe('a key that jobs wait for', () => {
  const profile = { id: 'p', name: 'Mine', key: null, missingHeaders: [] as string[], builtin: false } as ProfileView;
  const made = aJob({ id: 'made', state: 'running', reason: 'key', progress: 95, profileId: 'p', sentAt: Date.now() });

  const studio = (job = made) =>
    fakeStudio({
      'jobs.list': (filter) => jobsPage([job], filter),
      'jobs.ended': () => ({ made: 0, kept: 0, failed: 0, refused: 0, inDoubt: 0 }),
    });

  it('is asked for where the jobs are, which say that they wait for it and how long their results are kept', async () => {
    useStudio.setState({ profiles: [profile] });
    const answered = studio();
    await show(<QueuePage />);
    await until(() => byText(labels.waitingForTheApiKey, '.runst'));
    expect(byText(labels.waitingForTheApiKey, '.runst').textContent).toContain('about 23 h at the gateway');
    expect(byText(labels.waitingForTheApiKey, '.runst').textContent).not.toContain('95 %');
    const panel = byText('Jobs wait for the API key of Mine', 'li');
    expect(panel.querySelector('input[type="password"]')).not.toBeNull();
    expect(panel.textContent).toContain('Links to their results end after some time.');
    expect(answered.callsOf('profiles.setKey')).toEqual([]);
  });

  it('says of jobs that were not sent that they will be', async () => {
    useStudio.setState({ profiles: [profile] });
    studio(aJob({ id: 'new', state: 'blocked', reason: 'key', profileId: 'p' }));
    await show(<QueuePage />);
    await until(() => byText('They are sent once it is entered.', 'li'));
  });

  it('is not asked for where the profile has it', async () => {
    useStudio.setState({ profiles: [{ ...profile, key: 'memory' }] });
    studio();
    await show(<QueuePage />);
    await until(() => byText(labels.waitingForTheApiKey, '.runst'));
    expect(document.querySelector('.keys-asked')).toBeNull();
  });
});
