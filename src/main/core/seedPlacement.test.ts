import { expect, test } from 'vitest';
import { studiosOfThisFile } from '../../../test/helpers/testStudios.ts';
import {
  activateService,
  jobAfter,
  REFUSED,
  serviceKeys,
  servicesOfThisFile,
} from '../../../test/helpers/wireServices.ts';
import type { CallInput } from '../../shared/contract/contract.ts';

/** A take can be made again: its random seed is in the request on the wire, in its job, and in the request of the next take. */

const openStudio = studiosOfThisFile();
const startService = servicesOfThisFile();

type Body = { extra_body: Record<string, Record<string, unknown> & { config?: Record<string, unknown> }> };

/** A studio with a service that records every body, and refuses each request with the answer it is given. */
async function start(dialect: Pick<CallInput<'profiles.save'>, 'fieldCase' | 'omittedFields'>, rolls: number[]) {
  const { baseUrl, bodies } = await startService(() => REFUSED);
  const { ask } = await openStudio({ ports: { keys: serviceKeys(), random: () => rolls.shift() ?? 0.5 } });
  await activateService({ ask }, baseUrl, { vendor: 'acme', ...dialect });
  /** Submits a request and waits for its end. */
  const ended = (start: () => Promise<unknown>) => jobAfter({ ask }, start, ({ state }) => state === 'failed');
  return { ask, bodies, ended };
}

const aVideo = {
  kind: 'video' as const,
  model: 'video-standard',
  prompt: 'A quay',
  config: { durationSeconds: 4 as const },
};
const dialects = (['camel', 'snake'] as const).flatMap((fieldCase) =>
  (['config', 'beside'] as const).map((seedPlacement) => ({ fieldCase, seedPlacement })),
);

test.each(dialects)(
  '$fieldCase, $seedPlacement: the rolled seed is sent there, kept, and sent again',
  async (dialect) => {
    const { ask, bodies, ended } = await start(dialect, [0, 0.75, 0.25]);
    for (const rolled of [0, 3 * 2 ** 30]) {
      const job = await ended(() => ask('jobs.enqueue', { requests: [aVideo] }));
      const body = bodies().at(-1) ?? '';
      const { config = {}, ...beside } = (JSON.parse(body) as Body).extra_body.acme ?? {};
      const [place, other] = dialect.seedPlacement === 'config' ? [config, beside] : [beside, config];
      expect(place.seed).toBe(rolled);
      expect(other).not.toHaveProperty('seed');
      expect(config[dialect.fieldCase === 'snake' ? 'duration_seconds' : 'durationSeconds']).toBe(4);
      const { jobs } = await ask('jobs.list', {});
      for (const known of [job, await ask('jobs.get', { id: job.id }), jobs.find(({ id }) => id === job.id)])
        expect(known?.request).toMatchObject({ config: { seed: rolled } });

      const sent = bodies().length;
      const again = await ended(() => ask('jobs.retry', { id: job.id }));
      expect(again.request).toEqual(job.request);
      await ended(() => ask('jobs.enqueue', { requests: [job.request] }));
      expect(bodies().slice(sent)).toEqual([body, body]);
    }
  },
);

test('where the gateway takes no seed, the job keeps its own and says that it was not sent', async () => {
  const { ask, bodies, ended } = await start({ omittedFields: ['seed', 'fps'] }, [0.75]);
  const job = await ended(() => ask('jobs.enqueue', { requests: [aVideo] }));
  expect(bodies().at(-1)).not.toContain('seed');
  const { jobs } = await ask('jobs.list', {});
  for (const known of [job, await ask('jobs.get', { id: job.id }), jobs.find(({ id }) => id === job.id)])
    expect(known).toMatchObject({ request: { config: { seed: 3 * 2 ** 30 } }, omitted: ['seed'] });

  await ask('profiles.save', { id: 'p', omittedFields: [] });
  const again = await ended(() => ask('jobs.retry', { id: job.id }));
  expect(bodies().at(-1)).toContain(`"seed":${3 * 2 ** 30}`);
  expect(again.omitted).toBeUndefined();
  expect(await ask('jobs.get', { id: job.id })).toMatchObject({ omitted: ['seed'] });
});
