import { expect, test } from 'vitest';
import { clipOf } from '../../../../test/helpers/clip.ts';
import { aVideo, error, finished, VIDEO_NANO } from '../../../../test/helpers/engineHarness.ts';
import { type JobOptions, jobsOfThisFile, type OneJob } from '../../../../test/helpers/engineHarnesses.ts';
import { openPriceBook } from '../../../../test/helpers/openPriceBook.ts';
import { testPng } from '../../../../test/helpers/png.ts';
import { aPrice, nano, stating } from '../../../../test/helpers/prices.ts';
import { wordsOfDifferences } from '../../../shared/jobs/difference.ts';
import type { StudioRequest } from '../../../shared/kinds/index.ts';
import type { VideoConfig } from '../../../shared/kinds/videoConfig.ts';
import { type Price, priceFor } from '../../../shared/money/price.ts';
import type { Gateway } from '../gateway/index.ts';

/** Results are compared with the request. */

const aJob = jobsOfThisFile();

const inline = (mime: string, bytes: Buffer) => `data:${mime};base64,${bytes.toString('base64')}`;
const clip = async (seconds: number, audio = false) => inline('video/mp4', await clipOf({ seconds, audio }));
const still = (width: number, height: number) => inline('image/png', testPng(width, height));
const order = (config: VideoConfig): StudioRequest => ({ ...aVideo, config }) as StudioRequest;
const SECOND = nano(0.4);
const perSecond = { prices: [aPrice('second', 0.4, { settledReading: null })] };
const REST = 'The finished part is charged. The rest may be billed and is unconfirmed.';

/** A job that was answered with these results. `open`: at the two readings of the specification. */
async function made(request: StudioRequest, uris: string[], more: object = {}, options: JobOptions = {}) {
  const outputs = uris.map((uri) => ({ uri, role: 'output' as const }));
  const one = await aJob({ request, profile: perSecond, submit: [{ type: 'done', outputs, ...more }], ...options });
  return { ...one, job: await one.ends() };
}
const open = { profile: {} };

/** The entries sum up to what the job says, which is this. */
function expectMoney(
  { id, now, entriesOf }: OneJob | Awaited<ReturnType<typeof made>>,
  charged: number,
  inDoubt: number,
) {
  expect(now().money).toMatchObject({ chargedNano: charged, uncertainNano: inDoubt });
  const of = (field: 'settledNano' | 'reservedNano' | 'uncertainNano') =>
    entriesOf(id).reduce((sum, entry) => sum + entry[field], 0);
  expect([of('settledNano'), of('reservedNano'), of('uncertainNano')]).toEqual([charged, 0, inDoubt]);
}
const settledAt = (reading: number): Price[] => {
  const standard = priceFor([], 'video', 'video-standard');
  if (!standard) throw new Error('the specification has a price');
  return [{ ...standard, settledReading: reading }];
};

test('a longer clip is charged as it was made, by a correction', async () => {
  const { id, job, entriesOf } = await made(order({ durationSeconds: 4 }), [await clip(8)]);
  expect(job).toMatchObject({
    state: 'succeeded',
    differs: [{ what: 'seconds', ordered: '4 s', made: '8 s' }],
    money: {
      chargedNano: 8 * SECOND,
      chargedLowNano: 8 * SECOND,
      uncertainNano: 0,
      note: '4 s requested, 8 s made. The result is charged.',
    },
    outputs: [{ seconds: 8, audio: false, differs: [{ what: 'seconds' }] }],
  });
  expect(entriesOf(id).map(({ type, settledNano }) => [type, settledNano])).toEqual([
    ['reserve', 0],
    ['charge', VIDEO_NANO],
    ['correction', VIDEO_NANO],
  ]);
});

test('a stated cost stays charged', async () => {
  const { job } = await made(order({ durationSeconds: 4 }), [await clip(8)], { stated: stating(1.6) });
  const money = { chargedNano: VIDEO_NANO, chargedLowNano: VIDEO_NANO };
  expect(job).toMatchObject({ differs: [{ what: 'seconds' }], money });
});

test('at an unsettled price each reading follows its own quantity', async () => {
  const { job } = await made(order({ durationSeconds: 4 }), [await clip(8)], {}, open);
  expect(job.money).toMatchObject({ chargedNano: 8 * SECOND, chargedLowNano: SECOND });
});

test('a shorter clip is charged as it was made; the difference may be billed, and is in doubt', async () => {
  const one = await made(order({ durationSeconds: 8 }), [await clip(4)]);
  const note = `8 s requested, 4 s made. ${REST}`;
  const money = { chargedNano: 4 * SECOND, chargedLowNano: 4 * SECOND, note };
  expect(one.job).toMatchObject({ differs: [{ what: 'seconds', ordered: '8 s', made: '4 s' }], money });
  expectMoney(one, 4 * SECOND, 4 * SECOND);
  expect(one.engine.status().doubt).toMatchObject({ count: 1, nano: 4 * SECOND });
  one.commands.settleDoubt(one.id, 4 * SECOND);
  expectMoney(one, 8 * SECOND, 0);
});

test('at an unsettled price the doubt uses the dearer reading, and ends when the price is settled without it', async () => {
  const { harness, job, now } = await made(order({ durationSeconds: 8 }), [await clip(4)], {}, open);
  const dearer = { chargedNano: 4 * SECOND, chargedLowNano: SECOND, uncertainNano: 4 * SECOND };
  expect(job.money).toMatchObject(dearer);
  openPriceBook(harness).set(harness.profile, settledAt(1), 'manual');
  expect(now().money).toMatchObject({ chargedNano: SECOND, chargedLowNano: SECOND, uncertainNano: 0 });
});

test('for any request and result: the entries sum up to the charge, and with the doubt they cover either bill', async () => {
  for (const seconds of [2, 4, 6, 8, 11]) {
    const uri = await clip(seconds);
    for (const ordered of [4, 6, 8] as const)
      expectMoney(
        await made(order({ durationSeconds: ordered }), [uri]),
        seconds * SECOND,
        Math.max(0, ordered - seconds) * SECOND,
      );
  }
});

test('frames that an encoder adds are no difference', async () => {
  const { job } = await made(order({ durationSeconds: 4 }), [await clip(4.3)]);
  expect(job.differs).toBeUndefined();
  expect(job.money).toMatchObject({ chargedNano: VIDEO_NANO, chargedLowNano: VIDEO_NANO });
  expect(job.money.note).toBeUndefined();
});

test.each([
  ['sound that was not ordered', { generateAudio: false }, true, 'Without sound requested, with sound made.'],
  ['no sound where it was ordered', { generateAudio: true }, false, 'With sound requested, without sound made.'],
  ['another size', { resolution: '1080p' as const }, false, '1080p requested, 16 × 16 made.'],
  ['another shape', { aspectRatio: '9:16' as const }, false, '9:16 requested, 16 × 16 made.'],
])('%s is reported, and changes no charge', async (_name, config, audio, sentence) => {
  const { job } = await made(order({ durationSeconds: 4, ...config }), [await clip(4, audio)]);
  expect(wordsOfDifferences(job.differs)).toBe(sentence);
  expect(job.money).toMatchObject({ chargedNano: VIDEO_NANO, chargedLowNano: VIDEO_NANO });
});

test('more clips than requested are charged; the same file twice counts once', async () => {
  const [one, other] = [await clip(4), await clip(4.1)];
  const { job } = await made(order({ durationSeconds: 4 }), [one, other]);
  const differs = [{ what: 'count', ordered: '1 clip', made: '2 clips' }];
  expect(job).toMatchObject({ differs, money: { chargedNano: 2 * VIDEO_NANO } });
  expectMoney(await made(order({ durationSeconds: 4 }), [one, one]), VIDEO_NANO, 0);
});

test('with several results the difference names the result', async () => {
  const { job } = await made(order({ durationSeconds: 4, sampleCount: 2 }), [await clip(4), await clip(8)]);
  expect(wordsOfDifferences(job.differs)).toBe('Result 2: 4 s requested, 8 s made.');
  expect(job.money.chargedNano).toBe(3 * VIDEO_NANO);
  expect(job.outputs.map(({ differs }) => differs?.length ?? 0)).toEqual([0, 1]);
});

const four = order({ durationSeconds: 4, sampleCount: 4 });

test('fewer clips than requested are charged as received; the missing ones may be billed, and are in doubt', async () => {
  const one = await made(four, [await clip(4), await clip(4.1)]);
  const differs = [{ what: 'count', ordered: '4 clips', made: '2 clips' }];
  expect(one.job).toMatchObject({ differs, money: { note: `4 clips requested, 2 clips made. ${REST}` } });
  expectMoney(one, 2 * VIDEO_NANO, 2 * VIDEO_NANO);
  expect(one.engine.status().doubt).toMatchObject({ count: 1, nano: 2 * VIDEO_NANO });
  one.commands.settleDoubt(one.id, VIDEO_NANO);
  expectMoney(one, 3 * VIDEO_NANO, 0);
});

test.each([
  [1, 1],
  [2, 0],
  [9, 0],
])('of two missing clips, %i reported as filtered are neither charged nor in doubt', async (count, missing) => {
  const filtered = { filtered: { count, reasons: [] } };
  expectMoney(await made(four, [await clip(4), await clip(4.1)], filtered), 2 * VIDEO_NANO, missing * VIDEO_NANO);
});

test('of fewer clips, one shorter and one longer, each second counts once', async () => {
  expectMoney(await made(four, [await clip(2), await clip(8)]), 10 * SECOND, (2 + 8) * SECOND);
});

test.each(['gs://made/one.mp4', 'https://x.test/a.mp4'])(
  'fewer clips at %s, or gone, leave the missing ones in doubt too',
  async (uri) => {
    const fetchMedia: Gateway['fetchMedia'] = async () => ({ type: 'gone', error: error({ accepted: 'yes' }) });
    const { job } = await made(four, [uri], {}, { gateway: { fetchMedia } });
    expect(job.differs).toEqual([{ what: 'count', ordered: '4 clips', made: '1 clip' }]);
    expect(job.money).toMatchObject({ chargedNano: VIDEO_NANO, uncertainNano: 3 * VIDEO_NANO });
  },
);

test.each([
  ['a price that is settled later', {}, [2 * VIDEO_NANO, 2 * VIDEO_NANO]],
  ['a first known price', { prices: [aPrice('image', 1)] }, [0, 0]],
])('missing clips follow %s', async (_, profile, [charged = 0, inDoubt = 0]) => {
  const one = await made(four, [await clip(4), await clip(4.1)], {}, { profile });
  expectMoney(one, charged, inDoubt);
  expect(one.job.money.unpriced).toBe(charged === 0 ? true : undefined);
  openPriceBook(one.harness).set(one.profile, settledAt(1), 'manual');
  expectMoney(one, 2 * SECOND, 2 * SECOND);
  expect(one.now().money.unpriced).toBeUndefined();
});

test.each([
  [7, 0],
  [15, 0],
  [16, 1],
])('an extension is returned alone or with its source in front: %i s', async (seconds, differences) => {
  const { id, store, script, enqueue, untilEnd } = await made(order({ durationSeconds: 8 }), [await clip(8)]);
  const uri = { name: 'test.uri', text: "UPDATE assets SET remote_uri = 'https://x.test/a.mp4' WHERE job_id = $id" };
  store.transaction((db) => db.run(uri, { id }));
  script.submit = [{ type: 'done', outputs: [{ uri: await clip(seconds), role: 'output' }] }];
  const next = await enqueue({ kind: 'video', model: 'video-standard', prompt: 'on', video: { jobId: id } });
  const { differs, money } = await untilEnd(next.id);
  expect(differs?.length ?? 0).toBe(differences);
  expect(money.chargedNano).toBe((seconds === 16 ? 8 : 7) * SECOND);
});

test.each([
  [16, 9, ''],
  [8, 8, '16:9 requested, 8 × 8 made.'],
])('an image of %i × %i is compared with its --ar', async (width, height, sentence) => {
  const { job } = await made({ kind: 'imagine', prompt: 'a hill --ar 16:9' }, [still(width, height)]);
  expect(wordsOfDifferences(job.differs)).toBe(sentence);
});

test('a downloaded result is compared as well', async () => {
  const bytes = await clipOf({ seconds: 8 });
  async function* body() {
    yield bytes;
  }
  const fetchMedia: Gateway['fetchMedia'] = async () => ({
    type: 'ok',
    media: { from: 0, bytes: bytes.length, body: body() },
  });
  const { is } = await aJob({
    request: order({ durationSeconds: 4 }),
    profile: perSecond,
    state: 'running',
    poll: [finished('https://x.test/a.mp4')],
    gateway: { fetchMedia },
  });
  const differs = [{ what: 'seconds', ordered: '4 s', made: '8 s' }];
  expect(await is('succeeded')).toMatchObject({ differs, money: { chargedNano: 8 * SECOND } });
});

const imagine: StudioRequest = { kind: 'imagine', prompt: 'a quay' };
const twice = order({ sampleCount: 2 });

test.each<[string, StudioRequest, boolean[], string, string]>([
  ['a picture in place of a clip', aVideo, [false], '1 clip', '1 picture'],
  ['a picture beside a clip', twice, [true, false], '2 clips', '1 clip and 1 picture'],
  ['a clip in place of a picture', imagine, [true], '1 picture', '1 clip'],
])('%s is a difference, and the job is not silently done', async (_what, request, clips, ordered, made_) => {
  const aClip = await clip(4);
  const uris = clips.map((isClip) => (isClip ? aClip : still(16, 9)));
  const { job } = await made(request, uris, {}, open);
  expect(job).toMatchObject({ state: 'succeeded', outputs: clips.map(() => ({ state: 'local' })) });
  expect(job.differs?.filter(({ what }) => what === 'type' || what === 'count')).toEqual([
    { what: 'type', ordered, made: made_ },
  ]);
  // The service does not say that another kind costs less.
  if (request === aVideo) expect(job.money).toMatchObject({ chargedNano: VIDEO_NANO, uncertainNano: 0 });
});
