import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Job } from '../../src/shared/jobs/job.ts';
import type { StudioRequest } from '../../src/shared/kinds/index.ts';
import type { Asset } from '../../src/shared/library/asset.ts';
import { Program } from './program.ts';

/** All patterns of video requests (spec 4.1), checked in a browser, frame by frame. */

let program: Program;
beforeAll(async () => {
  program = await Program.start();
});
afterAll(async () => {
  await program?.stop();
});

const config = { durationSeconds: 4, resolution: '720p' as const, seed: 7 };
const video = (extra: object): StudioRequest =>
  ({ kind: 'video', model: 'video-standard', prompt: 'Harbour at night', config, ...extra }) as StudioRequest;

/** Enqueues all at once, so that the engine resolves the dependencies, and waits until all have ended. */
async function makeAll(requests: StudioRequest[]): Promise<Job[]> {
  const events = await program.host.events();
  const { jobs } = await program.host.ask('jobs.enqueue', { requests });
  const ends = jobs.map(({ id }) =>
    events.next('job.changed', ({ job }) => job.id === id && job.finishedAt !== undefined),
  );
  const done = (await Promise.all(ends)).map(({ job }) => job);
  await events.close();
  return done;
}

interface Picture {
  asset: Asset | undefined;
  at?: 'first' | 'last';
}

/**
 * In the page: an element's picture as 320 × 180 pixels. A seek ends before its frame can be drawn, and a busy browser may present none.
 */
const PIXELS = `async ({ url, isClip, at }) => {
  const element = Object.assign(document.createElement(isClip ? 'video' : 'img'), { muted: true, src: url });
  await new Promise((done, failed) => {
    element.addEventListener(isClip ? 'loadeddata' : 'load', done, { once: true });
    element.addEventListener('error', () => failed(new Error('cannot show ' + url)), { once: true });
  });
  if (isClip) {
    const target = at === 'last' ? element.duration - 0.02 : 0.01;
    for (let tries = 0, seen = -1; Math.abs(seen - target) >= 0.06; tries++) {
      element.currentTime = target + (tries % 2) * 0.004;
      seen = await new Promise((shown) => {
        element.requestVideoFrameCallback((_, { mediaTime }) => shown(mediaTime));
        setTimeout(shown, 1_000, -1);
      });
    }
  }
  const context = Object.assign(document.createElement('canvas'), { width: 320, height: 180 }).getContext('2d');
  context.drawImage(element, 0, 0, 320, 180);
  return context.getImageData(0, 0, 320, 180).data;
}`;

/** Mean absolute difference (0–255) of two pictures as the browser shows them. */
function difference(...pictures: [Picture, Picture]): Promise<number> {
  const sides = pictures.map(({ asset, at = 'first' }) => {
    return { url: `/media/${asset?.id}`, isClip: asset?.mime.startsWith('video/'), at };
  });
  return program.page.evaluate(`(async () => {
    const [a, b] = await Promise.all(${JSON.stringify(sides)}.map(${PIXELS}));
    return a.reduce((sum, value, at) => sum + Math.abs(value - b[at]), 0) / a.length;
  })()`);
}

/** Coding noise of good H.264 is below this; another picture of the same scene is far above. */
const SAME = 4;

let jobs: Job[] = [];
let referenced: StudioRequest;

test('a film is requested at once: pictures, text, first and last frame, references, and a chain of extensions', async () => {
  const plan = await program.host.ask('jobs.enqueue', {
    requests: [
      { kind: 'imagine', prompt: 'Lighthouse in a storm --ar 16:9', mode: 'turbo' },
      { kind: 'imagine', prompt: 'Salt flat at noon --ar 16:9', mode: 'turbo' },
    ],
  });
  const [first, last] = plan.jobs.map(({ id }) => ({ jobId: id }));
  referenced = video({ referenceImages: [first, last] });
  jobs = await makeAll([
    video({ image: first, lastFrame: last }),
    referenced,
    video({ prompt: 'Two candidates', config: { ...config, sampleCount: 2 } }),
  ]);
  expect(jobs.map(({ state }) => state)).toEqual(['succeeded', 'succeeded', 'succeeded']);
  const pictures = await Promise.all(plan.jobs.map(({ id }) => program.host.ask('jobs.get', { id })));
  const [clip] = jobs[0]?.outputs ?? [];
  expect(await difference({ asset: clip, at: 'first' }, { asset: pictures[0]?.outputs[0] })).toBeLessThan(SAME);
  expect(await difference({ asset: clip, at: 'last' }, { asset: pictures[1]?.outputs[0] })).toBeLessThan(SAME);
  expect(await difference({ asset: clip, at: 'first' }, { asset: clip, at: 'last' })).toBeGreaterThan(SAME * 3);
  expect(jobs[2]?.outputs).toHaveLength(2);
  expect(jobs[2]?.outputs[0]?.sha256).not.toBe(jobs[2]?.outputs[1]?.sha256);
});

test('an extension starts where its source ends, lasts seven seconds, and a shot can start from its last frame', async () => {
  const [source] = jobs[0]?.outputs ?? [];
  const { seed: _seed, ...plain } = config;
  const [extension] = await makeAll([video({ video: { assetId: source?.id }, config: { resolution: '720p' } })]);
  const [clip] = extension?.outputs ?? [];
  expect(clip?.seconds).toBeCloseTo(7, 0);
  expect(await difference({ asset: source, at: 'last' }, { asset: clip, at: 'first' })).toBeLessThan(SAME);
  const [next] = await makeAll([video({ image: { jobId: extension?.id, frame: 'last' }, config: plain })]);
  expect(await difference({ asset: clip, at: 'last' }, { asset: next?.outputs[0], at: 'first' })).toBeLessThan(SAME);
});

test('the same prompt, pictures and seed give the same clip, and bill and ledger agree on every clip', async () => {
  const [again] = await makeAll([referenced]);
  expect(again?.outputs[0]?.sha256).toBe(jobs[1]?.outputs[0]?.sha256);
  const { sum } = await program.host.ask('ledger.totals', { groupBy: 'model' });
  expect(sum).toMatchObject({ settledNano: (await program.bill()).totalNano, reservedNano: 0, uncertainNano: 0 });
});

test('an invalid request is refused in one sentence, and nothing is sent', async () => {
  const before = await program.bill();
  const [source] = jobs[0]?.outputs ?? [];
  const refusals: [StudioRequest, string][] = [
    [video({ config: { durationSeconds: 5 } }), 'config.durationSeconds: must be 4, 6 or 8, or 7 when extending.'],
    [video({ config: { seed: -1 } }), 'requests.0.config.seed: must be at least 0'],
    [
      video({ referenceImages: Array.from({ length: 4 }, () => ({ assetId: source?.id })) }),
      'requests.0.referenceImages: must have at most 3 entries',
    ],
    [
      video({ model: 'video-pro', video: { assetId: source?.id }, config: {} }),
      'video: was made by video-standard; only the same model can extend it (chosen: video-pro).',
    ],
  ];
  for (const [request, sentence] of refusals) {
    const refused = await program.host.rpc('jobs.enqueue', { requests: [request] });
    expect(refused.ok ? '' : refused.error.message).toBe(sentence);
  }
  expect(await program.bill()).toEqual(before);
});
