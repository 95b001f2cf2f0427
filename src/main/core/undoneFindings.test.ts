import { expect, test } from 'vitest';
import { SUBMIT_ANSWER } from '../../../test/chaos/serviceAnswers.ts';
import { countingIds, memorySettings, tempDir } from '../../../test/helpers/testPorts.ts';
import { studiosOfThisFile } from '../../../test/helpers/testStudios.ts';
import { activateService, jobAfter, serviceKeys, servicesOfThisFile } from '../../../test/helpers/wireServices.ts';

/** After findings about a dialect are discarded, the next request is spelled as the profile says. */

const openStudio = studiosOfThisFile();
const startService = servicesOfThisFile();

type Body = { extra_body: { acme: { config: object } } };
const fieldsOf = (body: string) => Object.keys((JSON.parse(body) as Body).extra_body.acme.config);

/** A gateway that accepts only snake_case and names other fields when it refuses them. */
async function start() {
  const { baseUrl, bodies } = await startService(({ body }) => {
    if (body === '') return { status: 404, body: {} };
    const wrong = fieldsOf(body).find((field) => /[A-Z]/.test(field));
    if (wrong === undefined) return { body: JSON.parse(SUBMIT_ANSWER.video[0]) as object };
    const message = `extra_body.acme.config.${wrong}: Extra inputs are not permitted`;
    return { status: 400, body: { error: { message, type: 'invalid_request_error' } } };
  });
  const dataDir = tempDir('found');
  const ports = { keys: serviceKeys(), settings: memorySettings(), ids: countingIds() };
  const open = () => openStudio({ dataDir, ports });
  /** Requests a clip; returns how its length was spelled in each request. */
  const spelled = async ({ ask }: Awaited<ReturnType<typeof open>>): Promise<(string | undefined)[]> => {
    const sent = bodies().length;
    const video = {
      kind: 'video' as const,
      model: 'film-1',
      prompt: 'A quay',
      config: { durationSeconds: 4 as const },
    };
    await jobAfter(
      { ask },
      () => ask('jobs.enqueue', { requests: [video] }),
      ({ state }) => state === 'running',
    );
    return bodies()
      .slice(sent)
      .map((body) => fieldsOf(body).find((field) => field.startsWith('duration')));
  };
  const studio = await open();
  await activateService(studio, baseUrl, { vendor: 'acme', fieldCase: 'camel' });
  return { studio, open, spelled };
}

const FOUND = ['durationSeconds', 'duration_seconds'];

test('a request after it is spelled as the profile says, and so is one after a restart', async () => {
  const { studio, open, spelled } = await start();
  expect(await spelled(studio)).toEqual(FOUND);
  expect(await spelled(studio)).toEqual(['duration_seconds']);
  expect(await studio.ask('profiles.undoFound', { id: 'p' })).toEqual({ found: [] });
  expect(studio.events.at(-1)).toEqual({ type: 'profiles.changed' });
  expect(await spelled(studio)).toEqual(FOUND);
  await studio.ask('profiles.undoFound', { id: 'p' });
  await studio.close();
  expect(await spelled(await open())).toEqual(FOUND);
});
