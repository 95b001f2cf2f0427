import { expect, test } from 'vitest';
import { acceptance, aVideo, refusal, startEngine } from '../../../../test/helpers/engineHarness.ts';
import type { Job } from '../../../shared/job.ts';
import type { StudioRequest } from '../../../shared/kinds/index.ts';
import { UINT32_MAX, type VideoConfig } from '../../../shared/kinds/video.ts';

/** Every video is sent with a seed that is kept: a take with an unknown seed cannot be reproduced. */

const seedOf = ({ request }: Job) => (request.kind === 'video' ? request.config?.seed : undefined);

/** A video request without settings. */
const VIDEO = { kind: 'video', model: 'video-standard', prompt: 'A quay at night' } satisfies StudioRequest;

/** Uses these random numbers one after the other, and records what was sent. */
function dice(rolls: number[]) {
  const sent: VideoConfig[] = [];
  const harness = startEngine({
    random: () => rolls.shift() ?? 0.5,
    script: {
      gateway: {
        submitVideo: async (order) => {
          sent.push(order.config);
          return sent.length === 1 ? refusal() : acceptance(harness.clock);
        },
      },
    },
  });
  return { harness, sent };
}

test('a seed is drawn from the whole range, kept in the request, and is the one that is sent', async () => {
  const { harness, sent } = dice([1 - 2 ** -53]);
  const job = await harness.enqueue(aVideo);
  expect(seedOf(job)).toBe(UINT32_MAX);
  await harness.untilEnd(job.id);
  expect(sent[0]?.seed).toBe(UINT32_MAX);
  expect(seedOf(harness.job(job.id))).toBe(UINT32_MAX);
  await harness.close();
});

test('zero can be drawn, and each job of a batch has a seed of its own', async () => {
  const { harness } = dice([0, 0.25]);
  const made = await harness.engine.commands.enqueue({ requests: [aVideo, aVideo] });
  expect(made.ok && made.data.jobs.map(seedOf)).toEqual([0, 2 ** 30]);
  await harness.close();
});

test('a chosen seed is kept, and one is sent for all outputs', async () => {
  const { harness, sent } = dice([0.25]);
  const config = { durationSeconds: 4, sampleCount: 3 };
  const chosen = await harness.enqueue({ ...VIDEO, config: { ...config, seed: 7 } });
  expect(seedOf(chosen)).toBe(7);
  await harness.untilEnd(chosen.id);
  expect(sent[0]).toMatchObject({ seed: 7, sampleCount: 3 });
  await harness.close();
});

test('the same request again has the same seed; a video without settings has one too', async () => {
  const { harness } = dice([0.25, 0.75]);
  const first = await harness.enqueue(VIDEO);
  expect(seedOf(await harness.untilEnd(first.id))).toBe(2 ** 30);
  const again = await harness.engine.commands.retry({ id: first.id });
  expect(again.ok && seedOf(again.data)).toBe(2 ** 30);
  expect(seedOf(await harness.enqueue(VIDEO))).toBe(3 * 2 ** 30);
  await harness.close();
});

test('images and chats have no field for a seed, so none is added', async () => {
  const { harness } = dice([0.25]);
  const picture = await harness.enqueue({ kind: 'imagine', prompt: 'A quay' });
  expect(picture.request).toEqual({ kind: 'imagine', prompt: 'A quay' });
  await harness.close();
});
