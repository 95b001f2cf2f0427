import { expect, test } from 'vitest';
import { clipOf } from '../../../test/helpers/clip.ts';
import { testPng } from '../../../test/helpers/png.ts';
import { studiosOfThisFile } from '../../../test/helpers/testStudios.ts';
import { activateService, jobAfter, serviceKeys, servicesOfThisFile } from '../../../test/helpers/wireServices.ts';
import type { Board } from '../../shared/board/board.ts';
import type { CastMember } from '../../shared/board/cast.ts';

/** A take once more in a better form: what was sent is sent again, whatever its shot has become. */

const openStudio = studiosOfThisFile();
const startService = servicesOfThisFile();

const MODELS = [
  { id: 'video-standard', kind: 'video', label: 'Standard' },
  { id: 'video-pro', kind: 'video', label: 'Pro' },
];

/** A film of two shots, one with a take that a recording service has made. */
async function filmWithTake(more: object = {}) {
  const clip = await clipOf({ seconds: 4 });
  const { baseUrl, received } = await startService(({ path }, self) =>
    path.endsWith('.mp4')
      ? { body: clip }
      : { body: { id: 'vid', choices: [{ message: { video: { uri: `${self}/out.mp4` } }, finish_reason: 'stop' }] } },
  );
  const { ask, call, upload } = await openStudio({ ports: { keys: serviceKeys() } });
  await activateService({ ask }, baseUrl, { vendor: 'acme', models: MODELS, ...more });
  const picture = async (side: number) => ({ assetId: (await upload(`${side}.png`, testPng(side, 16))).id });
  const cast = [
    { id: 'i', name: 'Ines', sheets: [await picture(16)] },
    { id: 'h', name: 'Harbour', kind: 'place', words: 'wet stone', sheets: [] },
  ] as unknown as CastMember[];
  const config = { durationSeconds: 4, resolution: '720p', seed: 7, sampleCount: 2 } as const;
  const prompt = '@Ines at the @harbour';
  const shots = ['a', 'b'].map((id) => ({ id, prompt, model: 'video-standard', source: 'references', config }));
  const { id: projectId } = await ask('projects.create', { name: 'Film' });
  await ask('storyboard.save', { projectId, revision: 0, shots: shots as Board['shots'], cast });
  const made = (start: () => Promise<unknown>) => jobAfter({ ask }, start, ({ state }) => state === 'succeeded');
  const job = await made(() => ask('storyboard.makeTake', { projectId, shotId: 'a' }));
  const sent = () => received.filter(({ method }) => method === 'POST').map(({ body }) => JSON.parse(body));
  const promote = (input: object) => ({ projectId, shotId: 'a', jobId: job.id, ...input });
  return { ask, call, projectId, job, made, promote, sent, picture };
}

test('a promoted take is sent as the one it names was, at its resolution, whatever shot and cast have become', async () => {
  const { ask, projectId, job, made, promote, sent, picture } = await filmWithTake();
  const board = await ask('storyboard.get', { projectId });
  const shots = board.shots.map((shot) => ({ ...shot, prompt: '@Mara alone', source: 'text' as const, config: {} }));
  const [ines, ...rest] = board.cast ?? [];
  const mara = { ...ines, name: 'Mara', words: 'old', sheets: [await picture(32)] } as CastMember;
  await ask('storyboard.save', { ...board, shots, cast: [mara, ...rest] });
  const better = await made(() => ask('storyboard.promoteTake', promote({ resolution: '1080p' })));
  const [first, second, ...others] = sent();
  expect(others).toEqual([]);
  const { acme } = first.extra_body;
  expect(first.messages[0].content).toBe('Ines at the harbour\nHarbour: wet stone');
  expect(acme).toMatchObject({
    referenceImages: { length: 1 },
    config: { resolution: '720p', seed: 7, sampleCount: 2 },
  });
  expect(second).toEqual({
    ...first,
    extra_body: { acme: { ...acme, config: { ...acme.config, resolution: '1080p' } } },
  });
  expect(better.request).toMatchObject({ promotedFrom: job.id });
  expect(better.inputs).toEqual(job.inputs);
  const after = await ask('storyboard.get', { projectId });
  expect(after.shots.map(({ takes, activeTake }) => [takes, activeTake])).toEqual([
    [[job.id, better.id], job.id],
    [[], undefined],
  ]);
});

test('another model is promoted to at its own price, tonight if wished', async () => {
  const { ask, call, promote } = await filmWithTake();
  const tonight = promote({ model: 'video-pro', night: true });
  expect(await call('storyboard.promoteTake', tonight)).toMatchObject({ ok: false, error: { code: 'wrong_state' } });
  await ask('night.plan', { start: '23:00', end: '07:00', capNano: 1e12 });
  const { job } = await ask('storyboard.promoteTake', tonight);
  expect(job).toMatchObject({ model: 'video-pro', request: { config: { resolution: '720p', seed: 7 } } });
  const { kind, model, request } = job;
  const { items } = await ask('ledger.estimate', { requests: [request] });
  expect([kind, model, job.money.estimateNano]).toEqual(['video', 'video-pro', items[0]?.nano]);
  expect((await ask('night.get', {})).current?.jobs.waiting).toBe(1);
});

test('what cannot be promoted says why, and nothing is requested', async () => {
  const { ask, call, projectId, promote, sent } = await filmWithTake();
  const refusals: [object, string, string][] = [
    [{ resolution: '720p' }, 'invalid_input', 'choose another resolution or another model'],
    [{}, 'invalid_input', 'choose another resolution or another model'],
    [{ model: 'video-ultra' }, 'invalid_input', 'model: P has no video model video-ultra.'],
    [{ resolution: '1080p', shotId: 'b' }, 'not_found', 'no such take of this shot'],
    [{ resolution: '1080p', jobId: 'none' }, 'not_found', 'no such take of this shot'],
    [{ resolution: '1080p', shown: { estimateNano: 1, lowNano: 1 } }, 'conflict', ''],
  ];
  for (const [input, code, words] of refusals) {
    const answer = await call('storyboard.promoteTake', promote(input));
    expect(answer).toMatchObject({ ok: false, error: { code, message: expect.stringContaining(words) } });
  }
  await ask('profiles.save', { id: 'p', omittedFields: ['resolution'] });
  expect(await call('storyboard.promoteTake', promote({ resolution: '1080p' }))).toMatchObject({
    error: { message: 'resolution: P does not take one (Settings, API format).', data: { field: 'resolution' } },
  });
  await ask('queue.pause');
  const { job } = await ask('storyboard.makeTake', { projectId, shotId: 'b' });
  const waiting = promote({ shotId: 'b', jobId: job.id, model: 'video-pro' });
  expect(await call('storyboard.promoteTake', waiting)).toMatchObject({
    error: { message: 'jobId: only a take that is made can be promoted.' },
  });
  expect((await ask('jobs.list', { limit: 10 })).total).toBe(2);
  expect(sent()).toHaveLength(1);
});
