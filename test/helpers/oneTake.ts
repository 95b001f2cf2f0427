import { setTimeout as wait } from 'node:timers/promises';
import { isTerminal, type Job } from '../../src/shared/jobs/job.ts';

type Ask = (name: string, input?: object) => Promise<unknown>;

/** Requests a picture from the built-in sandbox and waits until it is stored here. Returns its job; throws if the job does not succeed. */
export async function makeTake(ask: Ask): Promise<Job> {
  await ask('profiles.activate', { id: 'sandbox' });
  await ask('queue.resume', {});
  const request = { kind: 'imagine', prompt: 'A quay at dawn' };
  const { jobs } = (await ask('jobs.enqueue', { requests: [request] })) as { jobs: Job[] };
  const id = jobs[0]?.id;
  for (;;) {
    const job = (await ask('jobs.get', { id })) as Job;
    if (job.state === 'succeeded') return job;
    if (isTerminal(job.state) || job.state === 'uncertain')
      throw new Error(`The take is ${job.state}: ${JSON.stringify(job)}`);
    await wait(100);
  }
}
