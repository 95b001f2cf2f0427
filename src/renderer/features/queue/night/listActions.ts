import { navigate, showRefusal } from '../../../app/index.ts';
import { call } from '../../../client/index.ts';
import { selectJob } from '../state.ts';

/** What is done with a job of a night's lists. */

export const openJob = (id: string): void => {
  selectJob(id);
  navigate('queue');
};

export async function moveBefore(id: string, before: string): Promise<void> {
  const answer = await call('jobs.move', { id, before });
  if (!answer.ok) showRefusal(answer.error);
}
