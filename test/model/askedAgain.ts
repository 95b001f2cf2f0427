import type { CallInput, CallName, CallOutput } from '../../src/shared/contract/contract.ts';
import type { Job } from '../../src/shared/jobs/job.ts';
import type { StudioRequest } from '../../src/shared/kinds/index.ts';

interface AskingDriver {
  does<Name extends CallName>(name: Name, input: CallInput<Name>): Promise<CallOutput<Name>>;
  until(id: string, wanted: (job: Job) => boolean): Promise<Job>;
}

/** Loses a reply and repeats the request under its key; this gateway bills both. */
export async function askedAgain({ does, until }: AskingDriver, request: StudioRequest): Promise<void> {
  const idempotency = { kind: 'documented', source: 'https://gateway.example/docs', windowHours: 24 } as const;
  await does('profiles.save', { id: 'sandbox', idempotency });
  const { jobs } = await does('jobs.enqueue', { requests: [request] });
  const [{ id } = { id: '' }] = jobs;
  await until(id, ({ state }) => state === 'uncertain');
  await does('jobs.resolve', { id, as: 'again' });
  await until(id, ({ state }) => state === 'succeeded');
  await does('jobs.billedTwice', { id, billedNano: 3 });
}
