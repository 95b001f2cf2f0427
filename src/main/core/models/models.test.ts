import { expect, test } from 'vitest';
import { clipOf } from '../../../../test/helpers/clip.ts';
import { memorySettings, TestClock } from '../../../../test/helpers/testPorts.ts';
import { studiosOfThisFile } from '../../../../test/helpers/testStudios.ts';
import { activateService, jobAfter, serviceKeys, servicesOfThisFile } from '../../../../test/helpers/wireServices.ts';
import type { Board } from '../../../shared/board/board.ts';

/** The gateway's list of models, the user's own facts, and the shots that depend on a model that ends. */

const openStudio = studiosOfThisFile();
const startService = servicesOfThisFile();

const MODELS = [
  { id: 'video-standard', kind: 'video' },
  { id: 'video-pro', kind: 'video' },
  { id: 'language', kind: 'chat' },
];
const DAY_MS = 86_400_000;

/** A gateway with the list `list.body` that makes each clip at a new address. */
async function gateway(list: { body: object; status?: number }) {
  const clip = await clipOf({ seconds: 4 });
  let made = 0;
  const service = await startService(({ path }, self) => {
    if (path.endsWith('.mp4')) return { body: clip };
    if (path === '/v1/models') return list;
    if (path !== '/v1/chat/completions') return { status: 404, body: { error: { message: 'not here' } } };
    made += 1;
    const uri = `${self}/out${made}.mp4`;
    return { body: { id: `vid${made}`, choices: [{ message: { video: { uri } }, finish_reason: 'stop' }] } };
  });
  const clock = new TestClock();
  const settings = memorySettings();
  const studio = await openStudio({ ports: { keys: serviceKeys(), clock, settings } });
  await activateService(studio, service.baseUrl, { models: MODELS });
  return { ...studio, ...service, clock, settings };
}

const listOf = (...data: object[]) => ({ body: { object: 'list', data } });

test('reads what the list states, keeps it over a restart, and bills nothing', async () => {
  const ends = '2099-12-01';
  const list = listOf(
    { id: 'video-standard', shutdown_date: ends, supported_durations: [4, 6, 8] },
    { id: 'language', context_length: 32_000 },
    { id: 'another', context_length: 5 },
  );
  const { ask, received, dataDir, close, settings } = await gateway(list);
  const before = await ask('models.list');
  expect(before).toMatchObject({ others: [], models: [{ id: 'video-standard', sources: {} }, {}, {}] });
  expect(before.readAt).toBeUndefined();
  const read = await ask('models.read');
  expect(read).toMatchObject({
    listed: 3,
    others: ['another'],
    models: [
      {
        id: 'video-standard',
        listed: true,
        endsAt: Date.UTC(2099, 11, 1),
        endsBy: 'service',
        seconds: [4, 6, 8],
        sources: { endsAt: { by: 'service', field: 'shutdown_date' } },
      },
      { id: 'video-pro', listed: false, sources: {} },
      { id: 'language', contextTokens: 32_000 },
    ],
  });
  expect(received.filter(({ method }) => method !== 'GET')).toEqual([]);
  const { profiles } = await ask('profiles.list');
  expect(profiles.find(({ id }) => id === read.profileId)?.stated).toMatchObject({
    language: { facts: { contextTokens: 32_000 } },
  });
  expect(profiles[0]?.models.every((model) => !('contextTokens' in model))).toBe(true);
  await close();
  const again = await openStudio({ dataDir, ports: { keys: serviceKeys(), settings } });
  expect(await again.ask('models.list')).toMatchObject({ readAt: read.readAt, models: read.models });
});

test('what is set by hand outlives a reading, and is given back', async () => {
  const list = listOf({ id: 'video-standard', shutdown_date: '2099-12-01', generate_audio: true });
  const { ask, call } = await gateway(list);
  const endsAt = Date.UTC(2098, 0, 5);
  await ask('models.set', { model: 'video-standard', facts: { endsAt, sound: false } });
  const read = await ask('models.read');
  expect(read.models[0]).toMatchObject({ endsAt, endsBy: 'user', sound: false, sources: { sound: { by: 'user' } } });
  const none = await ask('models.set', { model: 'video-standard', facts: { endsAt: null } });
  expect(none.models[0]).toMatchObject({ endsAt: null, endsBy: 'user' });
  const back = await ask('models.set', { model: 'video-standard', forget: ['endsAt', 'sound'] });
  expect(back.models[0]).toMatchObject({ endsAt: Date.UTC(2099, 11, 1), endsBy: 'service', sound: true });
  expect(await call('models.set', { model: 'nope', facts: {} })).toMatchObject({ ok: false });
  expect(await call('models.set', { model: 'video-standard', facts: { references: -1 } })).toMatchObject({
    error: { code: 'invalid_input', message: expect.stringMatching(/^facts.references: must be at least 0/) },
  });
});

test('a profile that is saved as it was listed keeps both apart', async () => {
  const list = listOf({ id: 'video-standard', shutdown_date: '2099-12-01' });
  const { ask } = await gateway(list);
  const { profileId } = await ask('models.read');
  const { profiles } = await ask('profiles.list');
  const listed = profiles.find(({ id }) => id === profileId);
  if (!listed) throw new Error('no profile');
  const { extraHeaders: _, ...input } = listed;
  await ask('profiles.save', input);
  const after = await ask('models.list');
  expect(after.models[0]).toMatchObject({ endsBy: 'service' });
  const forgotten = await ask('profiles.save', { id: profileId, baseUrl: 'http://127.0.0.1:9' });
  expect(forgotten.stated).toBeUndefined();
});

test('a list that is none or is refused is said in a sentence, and what was known stays', async () => {
  const list: { body: object; status?: number } = listOf({ id: 'video-standard', generate_audio: false });
  const { ask, call } = await gateway(list);
  await ask('models.read');
  list.body = { error: { message: 'no' } };
  list.status = 404;
  expect(await call('models.read')).toMatchObject({ error: { code: 'not_found' } });
  list.status = 401;
  expect(await call('models.read')).toMatchObject({ error: { code: 'unreachable' } });
  expect((await ask('models.list')).models[0]).toMatchObject({ sound: false });
  expect(await call('models.read', { profileId: 'nobody' })).toMatchObject({ error: { code: 'not_found' } });
});

test('an ended model is not sent to, and neither is what it does not take', async () => {
  const { ask, call, clock, received } = await gateway(listOf());
  const request = { kind: 'video', model: 'video-standard', prompt: 'x', config: { durationSeconds: 8 } } as const;
  await ask('models.set', { model: 'video-standard', facts: { seconds: [4], endsAt: clock.now() + DAY_MS } });
  expect(await call('jobs.enqueue', { requests: [request] })).toMatchObject({
    error: { message: 'config.durationSeconds: video-standard makes clips of 4 s, not of 8 s.' },
  });
  await ask('models.set', { model: 'video-standard', forget: ['seconds'], facts: { endsAt: clock.now() } });
  expect(await call('jobs.enqueue', { requests: [request] })).toMatchObject({
    error: { code: 'invalid_input', message: expect.stringContaining('the model video-standard ended on') },
  });
  expect(received.filter(({ method }) => method === 'POST')).toEqual([]);
});

async function filmOf(studio: Awaited<ReturnType<typeof gateway>>, verdicts: ('keep' | 'no' | null)[]) {
  const { ask } = studio;
  const { id: projectId } = await ask('projects.create', { name: 'Last Ferry' });
  const shots = verdicts.map((_, at) => ({
    id: `s${at}`,
    title: `Shot ${at}`,
    prompt: 'Harbour',
    model: 'video-standard',
  }));
  await ask('storyboard.save', { projectId, revision: 0, shots: shots as Board['shots'] });
  const jobs: string[] = [];
  for (const [at, verdict] of verdicts.entries()) {
    const job = await jobAfter(
      studio,
      () => ask('storyboard.makeTake', { projectId, shotId: `s${at}` }),
      ({ state }) => state === 'succeeded',
    );
    jobs.push(job.id);
    // Of many changes, those of the next moment are told in it.
    await studio.clock.advance(1_000);
    if (verdict) await ask('jobs.judge', { id: job.id, verdict });
  }
  return { projectId, jobs };
}

test('the shots whose kept take hangs on the model, until it ends', async () => {
  const studio = await gateway(listOf());
  const { ask, clock } = studio;
  const { projectId, jobs } = await filmOf(studio, ['keep', 'no', null, 'keep']);
  const endsAt = clock.now() + 10 * DAY_MS;
  await ask('models.set', { model: 'video-standard', facts: { endsAt } });
  const found = await ask('models.dependents', { model: 'video-standard' });
  expect(found).toMatchObject({ endsAt, gone: 0 });
  expect(found.shots.map(({ number, jobId }) => [number, jobId])).toEqual([
    [1, jobs[0]],
    [4, jobs[3]],
  ]);
  expect(found.shots[0]).toMatchObject({
    projectId,
    project: 'Last Ferry',
    title: 'Shot 0',
    take: 1,
    output: 0,
    until: endsAt,
    endedBy: 'model',
    sourceUnknown: true,
  });
  expect((await ask('models.list')).models.map(({ shots }) => shots)).toEqual([2, 0, 0]);
  expect(await ask('models.dependents', { model: 'video-pro' })).toMatchObject({ shots: [], gone: 0 });
  await ask('projects.remove', { id: projectId });
  expect(await ask('models.dependents', { model: 'video-standard' })).toMatchObject({ shots: [] });
  await ask('projects.restore', { id: projectId });
  await ask('models.set', { model: 'video-standard', facts: { endsAt: clock.now() } });
  expect(await ask('models.dependents', { model: 'video-standard' })).toMatchObject({ shots: [], gone: 2 });
});
