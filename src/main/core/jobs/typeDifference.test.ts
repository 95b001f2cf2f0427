import { expect, test } from 'vitest';
import { clipOf } from '../../../../test/helpers/clip.ts';
import { aVideo, VIDEO_NANO } from '../../../../test/helpers/engineHarness.ts';
import { engineHarnesses } from '../../../../test/helpers/engineHarnesses.ts';
import { testPng } from '../../../../test/helpers/png.ts';
import type { StudioRequest } from '../../../shared/kinds/index.ts';

const start = engineHarnesses();
const inline = (mime: string, bytes: Buffer) => `data:${mime};base64,${bytes.toString('base64')}`;
const picture = inline('image/png', testPng(16, 9));
const imagine: StudioRequest = { kind: 'imagine', prompt: 'a quay' };
const twice = { ...aVideo, config: { sampleCount: 2 } } as StudioRequest;

test.each<[string, StudioRequest, boolean[], string, string]>([
  ['a picture in place of a clip', aVideo, [false], '1 clip', '1 picture'],
  ['a picture beside a clip', twice, [true, false], '2 clips', '1 clip and 1 picture'],
  ['one picture in place of two clips', twice, [false], '2 clips', '1 picture'],
  ['a clip in place of a picture', imagine, [true], '1 picture', '1 clip'],
])('%s is a difference, and the job is not silently done', async (_what, request, clips, ordered, made) => {
  const harness = start();
  const clip = inline('video/mp4', await clipOf({ seconds: 4 }));
  const outputs = clips.map((isClip) => ({ uri: isClip ? clip : picture, role: 'output' as const }));
  harness.script.submit = [{ type: 'done', outputs }];
  const { id } = await harness.enqueue(request);
  const job = await harness.untilEnd(id);
  expect(job).toMatchObject({ state: 'succeeded', outputs: clips.map(() => ({ state: 'local' })) });
  expect(job.differs?.filter(({ what }) => what === 'type' || what === 'count')).toEqual([
    { what: 'type', ordered, made },
  ]);
});

test('a picture in place of a clip stays charged: the service does not say that it costs less', async () => {
  const harness = start();
  harness.script.submit = [{ type: 'done', outputs: [{ uri: picture, role: 'output' }] }];
  const { id } = await harness.enqueue(aVideo);
  expect((await harness.untilEnd(id)).money).toMatchObject({ chargedNano: VIDEO_NANO, uncertainNano: 0 });
});
