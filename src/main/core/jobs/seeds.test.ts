import { expect, test } from 'vitest';
import { aVideo, refusal } from '../../../../test/helpers/engineHarness.ts';
import { type JobOptions, jobsOfThisFile } from '../../../../test/helpers/engineHarnesses.ts';
import type { Job } from '../../../shared/jobs/job.ts';
import type { StudioRequest } from '../../../shared/kinds/index.ts';
import { UINT32_MAX, type VideoConfig } from '../../../shared/kinds/videoConfig.ts';

/** Every video is sent with a seed that is kept: a take with an unknown seed cannot be reproduced. */

const aJob = jobsOfThisFile();
const seedOf = ({ request }: Job) => (request.kind === 'video' ? request.config?.seed : undefined);
/** Without settings. */
const VIDEO = { kind: 'video', model: 'video-standard', prompt: 'A quay at night' } satisfies StudioRequest;

/** Uses these random numbers one after the other, and keeps what was sent. */
async function rolled(rolls: number[], options: JobOptions = {}) {
  const sent: VideoConfig[] = [];
  const submitVideo = async ({ config }: { config: VideoConfig }) => {
    sent.push(config);
    return refusal();
  };
  const one = await aJob({ random: () => rolls.shift() ?? 0.5, gateway: { submitVideo }, ...options });
  return { ...one, sent };
}

test('a seed is drawn from the whole range, kept in the request, and is the one that is sent', async () => {
  const { sent, now } = await rolled([1 - 2 ** -53]);
  expect([sent[0]?.seed, seedOf(now())]).toEqual([UINT32_MAX, UINT32_MAX]);
});

test('zero can be drawn, and each job of a batch has a seed of its own', async () => {
  const { commands } = await rolled([0.5, 0, 0.25], { state: 'paused' });
  const made = await commands.enqueue({ requests: [aVideo, aVideo] });
  expect(made.ok && made.data.jobs.map(seedOf)).toEqual([0, 2 ** 30]);
});

test('a chosen seed is kept, and one is sent for all outputs', async () => {
  const config = { durationSeconds: 4, sampleCount: 3, seed: 7 } as const;
  const { sent, now } = await rolled([0.25], { request: { ...VIDEO, config } });
  expect(seedOf(now())).toBe(7);
  expect(sent[0]).toMatchObject({ seed: 7, sampleCount: 3 });
});

test('the same request again has the same seed; a video without settings has one too', async () => {
  const { id, commands, enqueue, ends } = await rolled([0.25, 0.75], { request: VIDEO });
  expect(seedOf(await ends())).toBe(2 ** 30);
  const again = await commands.retry({ id });
  expect(again.ok && seedOf(again.data)).toBe(2 ** 30);
  expect(seedOf(await enqueue(VIDEO))).toBe(3 * 2 ** 30);
});
