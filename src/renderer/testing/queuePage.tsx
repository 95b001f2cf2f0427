import type { QueueStatus } from '../../shared/contract/events.ts';
import type { Job } from '../../shared/jobs/job.ts';
import { useEntities, useIncidents, useStudio } from '../app/index.ts';
import { QueuePage } from '../features/queue/QueuePage.tsx';
import { useQueueView } from '../features/queue/state.ts';
import { type Answers, type FakeStudio, fakeStudio, jobsPage, show } from './page.tsx';

/** The queue's page as at the first start: nothing read, chosen or filtered. */
export function freshQueue(queue?: QueueStatus): void {
  window.location.hash = '#/queue';
  useEntities.setState({ jobs: new Map(), assets: new Map() });
  useIncidents.setState({ incidents: [] });
  useStudio.setState({ queue, budgets: [], profiles: [] });
  useQueueView.setState(useQueueView.getInitialState(), true);
}

/** What a studio answers whose queue has these jobs, and in which none has ended today. */
export const queueOf = (jobs: readonly Job[]): Answers => ({
  'jobs.list': (filter) => jobsPage(jobs, filter),
});

/** The queue's page over a studio that has these jobs. */
export async function openQueue(jobs: readonly Job[], more: Answers = {}): Promise<FakeStudio> {
  const studio = fakeStudio({ ...queueOf(jobs), ...more });
  await show(<QueuePage />);
  return studio;
}
