import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/main/sandbox/index.ts';
import { wouldBeSent } from '../../src/renderer/features/storyboard/model/draft.ts';
import { type Shot, shotSchema } from '../../src/shared/board/board.ts';
import { profileSchema } from '../../src/shared/gateway/profile.ts';
import type { Job } from '../../src/shared/jobs/job.ts';
import type { StudioRequest } from '../../src/shared/kinds/index.ts';
import { OMITTABLE } from '../../src/shared/kinds/videoConfig.ts';
import { memoryKeys, TestClock } from '../helpers/testPorts.ts';
import { studiosOfThisFile } from '../helpers/testStudios.ts';
import { activateService, REFUSED, serviceKeys, servicesOfThisFile } from '../helpers/wireServices.ts';

/** The video requests that a gateway receives, compared with the specification, the page's preview, and the secrets. */

const openStudio = studiosOfThisFile();
const startService = servicesOfThisFile();
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const HOUR = 3_600_000;

interface Body {
  model: string;
  messages: { content: string }[];
  extra_body: Record<string, Record<string, unknown> & { image?: { uri: string }; video?: { uri: string } }>;
}

/** A studio with two gateways, both sandboxes on the studio's clock. */
async function withSandboxes() {
  const clock = new TestClock(new Date(2026, 10, 21, 20).getTime());
  let ahead = 0;
  const start = async (apiKey: string) => {
    const sandbox = await startSandbox({ apiKey, speed: 'fast', media: 'tiny', now: () => clock.now() + ahead });
    closing.push(() => sandbox.close());
    return sandbox;
  };
  const [a, b] = [await start('sk-of-gateway-a-0123456789'), await start('sk-of-gateway-b-0123456789')];
  const { ask, call } = await openStudio({ ports: { clock, keys: memoryKeys({ a: a.apiKey, b: b.apiKey }) } });
  const save = async (id: string, { baseUrl, imagePrefix, vendor, imageAuthHeaders }: Sandbox, more: object = {}) => {
    await ask('profiles.save', { id, name: id, baseUrl, imagePrefix, vendor, imageAuthHeaders, ...more });
    await ask('profiles.activate', { id });
  };
  await save('b', b);
  await save('a', a);
  const until = async (id: string, wanted: (job: Job) => boolean): Promise<Job> => {
    for (let step = 0; step < 4_000; step++) {
      const job = await ask('jobs.get', { id });
      if (wanted(job)) return job;
      await clock.advance(500);
      await new Promise((done) => setImmediate(done));
    }
    throw new Error('it never came');
  };
  const ended = async (request: StudioRequest): Promise<Job> => {
    const { jobs } = await ask('jobs.enqueue', { requests: [request] });
    return until(jobs[0]?.id ?? '', ({ finishedAt }) => finishedAt !== undefined);
  };
  const runAhead = (ms: number) => {
    ahead = ms;
  };
  return { ask, call, clock, a, b, save, until, ended, runAhead };
}

/** The video requests that a sandbox received, as it read them. */
const received = (sandbox: Sandbox): Body[] =>
  sandbox.requests().flatMap(({ body }) => {
    const read = typeof body === 'string' ? (JSON.parse(body) as unknown) : body;
    return typeof read === 'object' && read !== null && 'extra_body' in read ? [read as Body] : [];
  });
const optionsOf = (sandbox: Sandbox) => received(sandbox).map(({ extra_body: extra }) => Object.values(extra)[0] ?? {});
/** Everything sent to a sandbox, headers included. */
const allOf = (sandbox: Sandbox): string => JSON.stringify(sandbox.requests());

const clip = { kind: 'video', model: 'video-standard', prompt: 'A quay' } as const;

describe('a picture', () => {
  async function withPicture() {
    const studio = await withSandboxes();
    // A sandbox's links last two days: this one expires in an hour.
    studio.runAhead(-47 * HOUR);
    const made = await studio.ended({ kind: 'imagine', prompt: 'A lamp' });
    const [asset] = made.outputs;
    if (asset?.state !== 'local') throw new Error('no picture');
    const start = { ...clip, image: { assetId: asset.id }, config: { durationSeconds: 4 as const } };
    return { ...studio, asset, start };
  }
  const sentImage = (sandbox: Sandbox): string | undefined => optionsOf(sandbox).at(-1)?.image?.uri;

  test('of another gateway is sent as bytes, without its link or any foreign key', async () => {
    const { ask, a, b, ended, start } = await withPicture();
    await ask('profiles.activate', { id: 'b' });
    const before = a.requests().length;
    expect((await ended(start)).state).toBe('succeeded');
    expect(sentImage(b)).toMatch(/^data:image\/png;base64,/);
    expect(allOf(b)).not.toContain(new URL(a.baseUrl).host);
    expect(allOf(b)).not.toContain(a.apiKey);
    expect(allOf(a)).not.toContain(b.apiKey);
    expect(a.requests()).toHaveLength(before);
  });

  test('whose link is definitely refused is sent again as bytes, and paid once', async () => {
    const { a, ended, start, runAhead } = await withPicture();
    runAhead(49 * HOUR);
    const job = await ended(start);
    expect(job.state, JSON.stringify(job.error)).toBe('succeeded');
    expect(optionsOf(a).map(({ image }) => image?.uri.slice(0, 5))).toEqual(['http:', 'data:']);
    const billed = a.bill().entries.filter(({ kind }) => kind === 'video');
    expect(billed).toHaveLength(1);
    expect(job.money).toMatchObject({ reservedNano: 0, uncertainNano: 0 });
    expect(job.money.chargedNano).toBeGreaterThan(0);
  });
});

test('a clip is extended only by its own gateway, also while it is being made', async () => {
  const { ask, call, b, a } = await withSandboxes();
  await ask('queue.pause');
  const { jobs } = await ask('jobs.enqueue', { requests: [{ ...clip, config: { durationSeconds: 4 } }] });
  const extension = { ...clip, video: { jobId: jobs[0]?.id ?? '' } };
  await ask('profiles.activate', { id: 'b' });
  expect(await call('jobs.enqueue', { requests: [extension] })).toMatchObject({
    ok: false,
    error: { message: 'video: is made by another gateway, which alone can extend it.' },
  });
  await ask('profiles.activate', { id: 'a' });
  expect((await call('jobs.enqueue', { requests: [extension] })).ok).toBe(true);
  expect([...received(a), ...received(b)]).toEqual([]);
});

const uri = fc.webUrl({ validSchemes: ['https'] });
const anyShot = fc.record(
  {
    prompt: fc.constantFrom('A quay', 'Ünïcödé “quoted” \n lines', 'A {brace} \\ and <tag>'),
    model: fc.constantFrom('video-standard', 'video-pro'),
    source: fc.constantFrom('text', 'first', 'firstLast', 'references', 'extend'),
    image: uri.map((at) => ({ uri: at })),
    lastFrame: uri.map((at) => ({ uri: at })),
    video: uri.map((at) => ({ uri: at })),
    referenceImages: fc.array(
      uri.map((at) => ({ uri: at })),
      { minLength: 1, maxLength: 3 },
    ),
    referenceType: fc.option(
      fc.oneof(fc.constant('style'), fc.array(fc.constantFrom('', 'asset', 'style'), { maxLength: 3 })),
      { nil: undefined },
    ),
    config: fc.record(
      {
        resolution: fc.constantFrom('720p', '1080p'),
        durationSeconds: fc.constantFrom(4, 6, 8),
        fps: fc.constant(24),
        aspectRatio: fc.constantFrom('16:9', '9:16'),
        generateAudio: fc.boolean(),
        numberOfVideos: fc.integer({ min: 1, max: 4 }),
        sampleCount: fc.integer({ min: 1, max: 4 }),
        seed: fc.integer({ min: 0, max: 4_294_967_295 }),
      },
      { requiredKeys: ['seed'] },
    ),
  },
  { requiredKeys: ['prompt', 'model', 'source', 'image', 'lastFrame', 'video', 'referenceImages', 'config'] },
);
const anyDialect = fc.record({
  vendor: fc.constantFrom('acme', 'other_vendor'),
  fieldCase: fc.constantFrom('camel' as const, 'snake' as const),
  seedPlacement: fc.constantFrom('config' as const, 'beside' as const),
  samplePlacement: fc.constantFrom('seed' as const, 'config' as const, 'beside' as const),
  pictures: fc.constantFrom('link' as const, 'bytes' as const),
  omittedFields: fc
    .uniqueArray(fc.constantFrom(...OMITTABLE), { maxLength: 4 })
    .filter((fields) => !(fields.includes('sampleCount') && fields.includes('numberOfVideos'))),
});

test('the request preview of the page equals the sent request, byte for byte', async () => {
  const { baseUrl, bodies } = await startService(() => REFUSED);
  const studio = await openStudio({ ports: { keys: serviceKeys() } });
  const { ask } = studio;
  const { id: projectId } = await ask('projects.create', { name: 'Film' });
  const cast = [{ id: 'q', name: 'quay', kind: 'place' as const, words: 'wet stone', sheets: [] }];
  await fc.assert(
    fc.asyncProperty(anyShot, anyDialect, async (of, dialect) => {
      const shot: Shot = shotSchema.parse({ ...of, prompt: `@quay: ${of.prompt}`, id: 's' });
      await activateService(studio, baseUrl, { ...dialect, limits: { videoPerMinute: 10_000 } });
      const { revision } = await ask('storyboard.get', { projectId });
      const board = await ask('storyboard.save', { projectId, revision, shots: [shot], cast: cast as never });
      const sent = bodies().length;
      const { job } = await ask('storyboard.makeTake', { projectId, shotId: 's' });
      // The clock stands still, so later events are not announced.
      while ((await ask('jobs.get', { id: job.id })).state !== 'failed')
        await new Promise((done) => setImmediate(done));
      const profile = profileSchema.parse({ id: 'p', name: 'P', baseUrl, ...dialect });
      const saved = board.shots[0];
      if (!saved) throw new Error('no shot');
      expect(bodies().slice(sent)).toEqual([JSON.stringify(wouldBeSent(saved, board.cast, profile))]);
    }),
    { numRuns: 30, endOnFailure: true },
  );
});
