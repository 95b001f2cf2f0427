import { describe, expect, test } from 'vitest';
import { clipOf } from '../../../../test/helpers/clip.ts';
import { aVideo, type EngineHarness, error, finished, VIDEO_NANO } from '../../../../test/helpers/engineHarness.ts';
import { engineHarnesses } from '../../../../test/helpers/engineHarnesses.ts';
import { openPriceBook } from '../../../../test/helpers/openPriceBook.ts';
import { testPng } from '../../../../test/helpers/png.ts';
import { wordsOfDifferences } from '../../../shared/difference.ts';
import type { StudioRequest } from '../../../shared/kinds/index.ts';
import type { VideoConfig } from '../../../shared/kinds/video.ts';
import { priceFor } from '../../../shared/price.ts';
import { entries } from '../ledger/index.ts';

const start = engineHarnesses();

const inline = (mime: string, bytes: Buffer) => `data:${mime};base64,${bytes.toString('base64')}`;
const clip = async (seconds: number, audio = false) => inline('video/mp4', await clipOf({ seconds, audio }));
const order = (config: VideoConfig): StudioRequest => ({ ...aVideo, config }) as StudioRequest;

const perSecond = {
  prices: [
    {
      kind: 'video',
      model: 'video-standard',
      readings: [{ unit: 'second', nano: 400_000_000 }],
      settledReading: null,
      source: 'x',
    },
  ],
};

/** Enqueues a job that is answered with these results. */
async function made(harness: EngineHarness, request: StudioRequest, uris: string[]) {
  harness.script.submit = [{ type: 'done', outputs: uris.map((uri) => ({ uri, role: 'output' as const })) }];
  const { id } = await harness.enqueue(request);
  return harness.untilEnd(id);
}
const lines = (harness: EngineHarness, jobId: string) =>
  entries(harness.store.read, { limit: 100, jobId }).entries.reverse();

describe('results are compared with the request', () => {
  test('a longer clip is charged as it was made, by a correction', async () => {
    const harness = start({ profile: perSecond });
    const job = await made(harness, order({ durationSeconds: 4 }), [await clip(8)]);
    expect(job).toMatchObject({
      state: 'succeeded',
      differs: [{ what: 'seconds', ordered: '4 s', made: '8 s' }],
      money: {
        chargedNano: 3_200_000_000,
        chargedLowNano: 3_200_000_000,
        uncertainNano: 0,
        note: '4 s requested, 8 s made. It is charged as it was made.',
      },
      outputs: [{ seconds: 8, audio: false, differs: [{ what: 'seconds' }] }],
    });
    expect(lines(harness, job.id).map(({ type, settledNano }) => [type, settledNano])).toEqual([
      ['reserve', 0],
      ['charge', VIDEO_NANO],
      ['correction', VIDEO_NANO],
    ]);
  });

  test('a stated cost stays charged', async () => {
    const harness = start({ profile: perSecond });
    const stated = { by: 'usage.cost', as: '1.6 USD', nano: VIDEO_NANO };
    const outputs = [{ uri: await clip(8), role: 'output' as const }];
    harness.script.submit = [{ type: 'done', outputs, stated }];
    const { id } = await harness.enqueue(order({ durationSeconds: 4 }));
    expect(await harness.untilEnd(id)).toMatchObject({
      differs: [{ what: 'seconds' }],
      money: { chargedNano: VIDEO_NANO, chargedLowNano: VIDEO_NANO },
    });
  });

  test('at an unsettled price each reading follows its own quantity', async () => {
    const harness = start();
    const job = await made(harness, order({ durationSeconds: 4 }), [await clip(8)]);
    expect(job.money).toMatchObject({ chargedNano: 3_200_000_000, chargedLowNano: 400_000_000 });
  });

  test('a shorter clip is charged as it was made; the difference may be billed, and is in doubt', async () => {
    const harness = start({ profile: perSecond });
    const job = await made(harness, order({ durationSeconds: 8 }), [await clip(4)]);
    expect(job).toMatchObject({
      differs: [{ what: 'seconds', ordered: '8 s', made: '4 s' }],
      money: {
        chargedNano: 1_600_000_000,
        chargedLowNano: 1_600_000_000,
        uncertainNano: 1_600_000_000,
        note: '8 s requested, 4 s made. It is charged as it was made; the rest of what was ordered may be on the bill, and stands in doubt.',
      },
    });
    expect(harness.engine.status().doubt).toMatchObject({ count: 1, nano: 1_600_000_000 });
    expect(harness.engine.commands.settleDoubt(job.id, 1_600_000_000)).toMatchObject({
      data: { money: { chargedNano: 3_200_000_000, uncertainNano: 0 } },
    });
  });

  test('at an unsettled price the doubt uses the dearer reading, and ends when the price is settled without it', async () => {
    const harness = start();
    const job = await made(harness, order({ durationSeconds: 8 }), [await clip(4)]);
    expect(job.money).toMatchObject({
      chargedNano: 1_600_000_000,
      chargedLowNano: 400_000_000,
      uncertainNano: 1_600_000_000,
    });
    const standard = priceFor([], 'video', 'video-standard');
    if (!standard) throw new Error('the specification has a price');
    openPriceBook(harness).set(harness.profile, [{ ...standard, settledReading: 1 }], 'manual');
    expect(harness.job(job.id).money).toMatchObject({
      chargedNano: 400_000_000,
      chargedLowNano: 400_000_000,
      uncertainNano: 0,
    });
  });

  test('for any request and result: the entries sum up to the charge, and with the doubt they cover either bill', async () => {
    const harness = start({ profile: perSecond });
    const clips = new Map<number, string>();
    for (const seconds of [2, 4, 6, 8, 11]) clips.set(seconds, await clip(seconds));
    for (const ordered of [4, 6, 8] as const) {
      for (const [seconds, uri] of clips) {
        const job = await made(harness, order({ durationSeconds: ordered }), [uri]);
        const { chargedNano, uncertainNano } = job.money;
        const each = 400_000_000;
        expect(chargedNano).toBe(seconds * each);
        expect(chargedNano + uncertainNano).toBe(Math.max(seconds, ordered) * each);
        const sums = lines(harness, job.id).reduce(
          (sum, entry) => ({
            settled: sum.settled + entry.settledNano,
            reserved: sum.reserved + entry.reservedNano,
            doubt: sum.doubt + entry.uncertainNano,
          }),
          { settled: 0, reserved: 0, doubt: 0 },
        );
        expect(sums).toEqual({ settled: chargedNano, reserved: 0, doubt: uncertainNano });
      }
    }
  });

  test('frames that an encoder adds are no difference', async () => {
    const harness = start({ profile: perSecond });
    const job = await made(harness, order({ durationSeconds: 4 }), [await clip(4.3)]);
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
    const harness = start({ profile: perSecond });
    const job = await made(harness, order({ durationSeconds: 4, ...config }), [await clip(4, audio)]);
    expect(wordsOfDifferences(job.differs)).toBe(sentence);
    expect(job.money).toMatchObject({ chargedNano: VIDEO_NANO, chargedLowNano: VIDEO_NANO });
  });

  test('more clips than requested are charged; the same file twice counts once', async () => {
    const harness = start({ profile: perSecond });
    const [one, other] = [await clip(4), await clip(4.1)];
    const two = await made(harness, order({ durationSeconds: 4 }), [one, other]);
    expect(two).toMatchObject({
      differs: [{ what: 'count', ordered: '1 clip', made: '2 clips' }],
      money: { chargedNano: 2 * VIDEO_NANO },
    });
    const same = await made(harness, order({ durationSeconds: 4 }), [one, one]);
    expect(same.money.chargedNano).toBe(VIDEO_NANO);
  });

  test('with several results the difference names the result', async () => {
    const harness = start({ profile: perSecond });
    const request = order({ durationSeconds: 4, sampleCount: 2 });
    const job = await made(harness, request, [await clip(4), await clip(8)]);
    expect(wordsOfDifferences(job.differs)).toBe('Result 2: 4 s requested, 8 s made.');
    expect(job.money.chargedNano).toBe(3 * VIDEO_NANO);
    expect(job.outputs.map(({ differs }) => differs?.length ?? 0)).toEqual([0, 1]);
  });

  /** A job for four clips of 4 s at $1.60 each, with these results, and this number reported as filtered. */
  async function someOfFour(harness: EngineHarness, uris: string[], filtered?: number, more: object = {}) {
    const note = filtered === undefined ? {} : { filtered: { count: filtered, reasons: [] } };
    const outputs = uris.map((uri) => ({ uri, role: 'output' as const }));
    harness.script.submit = [{ type: 'done', outputs, ...note, ...more }];
    const { id } = await harness.enqueue(order({ durationSeconds: 4, sampleCount: 4 }));
    return harness.untilEnd(id);
  }
  const sums = (harness: EngineHarness, jobId: string): number[] =>
    (['settledNano', 'uncertainNano'] as const).map((field) =>
      lines(harness, jobId).reduce((sum, entry) => sum + entry[field], 0),
    );

  test('fewer clips than requested are charged as received; the missing ones may be billed, and are in doubt', async () => {
    const harness = start({ profile: perSecond });
    const job = await someOfFour(harness, [await clip(4), await clip(4.1)]);
    expect(job).toMatchObject({
      differs: [{ what: 'count', ordered: '4 clips', made: '2 clips' }],
      money: {
        chargedNano: 2 * VIDEO_NANO,
        uncertainNano: 2 * VIDEO_NANO,
        note: '4 clips requested, 2 clips made. It is charged as it was made; the rest of what was ordered may be on the bill, and stands in doubt.',
      },
    });
    expect(sums(harness, job.id)).toEqual([2 * VIDEO_NANO, 2 * VIDEO_NANO]);
    expect(harness.engine.status().doubt).toMatchObject({ count: 1, nano: 2 * VIDEO_NANO });
    expect(harness.engine.commands.settleDoubt(job.id, VIDEO_NANO)).toMatchObject({
      data: { money: { chargedNano: 3 * VIDEO_NANO, uncertainNano: 0 } },
    });
  });

  test('missing clips that were reported as filtered are neither charged nor in doubt', async () => {
    const harness = start({ profile: perSecond });
    const two = [await clip(4), await clip(4.1)];
    for (const [filtered, missing] of [
      [0, 2],
      [1, 1],
      [2, 0],
      [9, 0],
    ] as const) {
      const { id, money } = await someOfFour(harness, two, filtered);
      expect(money).toMatchObject({ chargedNano: 2 * VIDEO_NANO, uncertainNano: missing * VIDEO_NANO });
      expect(sums(harness, id)).toEqual([2 * VIDEO_NANO, missing * VIDEO_NANO]);
    }
  });

  test('of fewer clips, one shorter and one longer, each second counts once', async () => {
    const harness = start({ profile: perSecond });
    const { id, money } = await someOfFour(harness, [await clip(2), await clip(8)]);
    expect(money).toMatchObject({ chargedNano: 10 * 400_000_000, uncertainNano: (2 + 8) * 400_000_000 });
    expect(sums(harness, id)).toEqual([10 * 400_000_000, 10 * 400_000_000]);
  });

  test('with fewer clips a stated cost is charged, and nothing is in doubt', async () => {
    const harness = start({ profile: perSecond });
    const stated = { by: 'usage.cost', as: '3.2 USD', nano: 2 * VIDEO_NANO };
    const { money } = await someOfFour(harness, [await clip(4), await clip(4.1)], undefined, { stated });
    expect(money).toMatchObject({ chargedNano: 2 * VIDEO_NANO, uncertainNano: 0 });
  });

  test('fewer clips in a remote storage, or with expired links, leave the missing ones in doubt too', async () => {
    const harness = start({
      profile: perSecond,
      script: { gateway: { fetchMedia: async () => ({ type: 'gone', error: error({ accepted: 'yes' }) }) } },
    });
    for (const uris of [['gs://made/one.mp4'], ['https://x.test/a.mp4']]) {
      const { money, differs } = await someOfFour(harness, uris);
      expect(differs).toEqual([{ what: 'count', ordered: '4 clips', made: '1 clip' }]);
      expect(money).toMatchObject({ chargedNano: VIDEO_NANO, uncertainNano: 3 * VIDEO_NANO });
    }
  });

  test('missing clips follow a price that is settled later, and a first known price', async () => {
    const two = [await clip(4), await clip(4.1)];
    const standard = priceFor([], 'video', 'video-standard');
    if (!standard) throw new Error('the specification has a price');
    const open = start();
    const unsettled = await someOfFour(open, two);
    expect(unsettled.money).toMatchObject({ chargedNano: 2 * VIDEO_NANO, uncertainNano: 2 * VIDEO_NANO });
    openPriceBook(open).set(open.profile, [{ ...standard, settledReading: 1 }], 'manual');
    expect(open.job(unsettled.id).money).toMatchObject({ chargedNano: 800_000_000, uncertainNano: 800_000_000 });
    expect(sums(open, unsettled.id)).toEqual([800_000_000, 800_000_000]);

    const [price] = perSecond.prices;
    const unknown = start({ profile: { prices: [{ ...price, readings: [{ unit: 'image', nano: 1 }] }] } });
    const unpriced = await someOfFour(unknown, two);
    expect(unpriced.money).toMatchObject({ unpriced: true, chargedNano: 0, uncertainNano: 0 });
    openPriceBook(unknown).set(unknown.profile, [{ ...standard, settledReading: 1 }], 'manual');
    const { money } = unknown.job(unpriced.id);
    expect(money).toMatchObject({ chargedNano: 800_000_000, uncertainNano: 800_000_000 });
    expect(money.unpriced).toBeUndefined();
  });

  test('an extension is returned alone or with its source in front', async () => {
    const harness = start({ profile: perSecond });
    for (const [seconds, differs] of [
      [7, 0],
      [15, 0],
      [16, 1],
    ] as const) {
      const first = await made(harness, order({ durationSeconds: 8 }), [await clip(8)]);
      harness.store.transaction((db) =>
        db.run(
          { name: 'test.uri', text: "UPDATE assets SET remote_uri = 'https://x.test/a.mp4' WHERE job_id = $id" },
          { id: first.id },
        ),
      );
      const request: StudioRequest = {
        kind: 'video',
        model: 'video-standard',
        prompt: 'on',
        video: { jobId: first.id },
      };
      const job = await made(harness, request, [await clip(seconds)]);
      expect(job.differs?.length ?? 0).toBe(differs);
      expect(job.money.chargedNano).toBe((seconds === 16 ? 8 : 7) * 400_000_000);
    }
  });

  test('an image whose aspect ratio differs from its --ar is reported', async () => {
    const harness = start();
    const wide = await made(harness, { kind: 'imagine', prompt: 'a hill --ar 16:9' }, [
      inline('image/png', testPng(16, 9)),
    ]);
    expect(wide.differs).toBeUndefined();
    const square = await made(harness, { kind: 'imagine', prompt: 'a hill --ar 16:9' }, [
      inline('image/png', testPng(8, 8)),
    ]);
    expect(wordsOfDifferences(square.differs)).toBe('16:9 requested, 8 × 8 made.');
  });

  test('a downloaded result is compared as well', async () => {
    const bytes = await clipOf({ seconds: 8 });
    const harness = start({
      profile: perSecond,
      script: {
        gateway: {
          fetchMedia: async () => ({
            type: 'ok',
            media: {
              from: 0,
              bytes: bytes.length,
              body: (async function* () {
                yield bytes;
              })(),
            },
          }),
        },
      },
    });
    harness.script.submit = [{ type: 'accepted', task: { id: 't', kind: 'video', acceptedAt: harness.clock.now() } }];
    harness.script.poll = [finished('https://x.test/a.mp4')];
    const { id } = await harness.enqueue(order({ durationSeconds: 4 }));
    expect(await harness.untilEnd(id)).toMatchObject({
      state: 'succeeded',
      differs: [{ what: 'seconds', ordered: '4 s', made: '8 s' }],
      money: { chargedNano: 3_200_000_000 },
    });
  });
});
