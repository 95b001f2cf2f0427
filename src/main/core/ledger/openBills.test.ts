import { describe, expect, test } from 'vitest';
import { bookOn } from '../../../../test/helpers/bookOn.ts';
import { aVideo, error, lostAnswer, PIXEL, type Rig, VIDEO_NANO } from '../../../../test/helpers/engineRig.ts';
import { rigsOfThisFile } from '../../../../test/helpers/rigsOfThisFile.ts';
import { NO_MONEY } from '../../../shared/ledger.ts';
import type { Price } from '../../../shared/price.ts';
import type { MediaOutcome, SubmitOutcome } from '../gateway/index.ts';
import { totals } from './index.ts';

/** What a new price does to orders whose bill is open: each is counted once, at what it may cost. */

const startRig = rigsOfThisFile();

const per = (unit: 'second' | 'video', dollars: number): Price => ({
  kind: 'video',
  model: 'video-standard',
  readings: [{ unit, nano: dollars * 1e9 }],
  settledReading: null,
  source: 'x',
});
const sum = (rig: Rig) => totals(rig.store.read, 'kind', {}).sum;
const inDoubt = (nano: number) => ({ ...NO_MONEY, uncertainNano: nano });

/** Made and charged; then the place of its result answers with a refusal, and the charge is taken back into doubt. */
async function takenBack(stated?: { by: string; as: string; nano: number }) {
  const refused: MediaOutcome = {
    type: 'failed',
    error: error({ kind: 'moderation', accepted: 'yes', message: 'No.' }),
  };
  const outputs = [{ uri: 'https://h/a.png', role: 'output' as const }];
  const made: SubmitOutcome = { type: 'done', outputs, ...(stated ? { stated } : {}) };
  const rig = startRig({ script: { submit: [made], gateway: { fetchMedia: async () => refused } } });
  const { id } = await rig.enqueue({ kind: 'imagine', prompt: 'a hill' });
  await rig.untilEnd(id);
  return { rig, id };
}

const perImage = (dollars: number): Price => ({
  kind: 'image',
  model: '*',
  readings: [{ unit: 'image', nano: dollars * 1e9 }],
  settledReading: 0,
  source: 'set by you',
});

describe('a doubt that comes from a charge which was taken back', () => {
  test('of a stated cost stays what was stated, whatever the price becomes', async () => {
    const { rig, id } = await takenBack({ by: 'usage.cost', as: '0.8 USD', nano: 800_000_000 });
    expect(sum(rig)).toEqual(inDoubt(800_000_000));
    for (const dollars of [0.4, 0.05, 3]) bookOn(rig).set(rig.profile, [perImage(dollars)], 'manual');
    expect(sum(rig)).toEqual(inDoubt(800_000_000));
    expect(rig.engine.settleDoubt(id, 700_000_000)).toMatchObject({ ok: true });
    expect(sum(rig)).toEqual({ ...NO_MONEY, settledNano: 700_000_000, settledLowNano: 700_000_000 });
  });

  test('of an unknown price is one order at the price that becomes known, and follows it', async () => {
    const { rig, id } = await takenBack();
    expect(sum(rig)).toEqual({ ...NO_MONEY, unpriced: 1 });
    for (const dollars of [0.05, 0.2, 0.01]) {
      bookOn(rig).set(rig.profile, [perImage(dollars)], 'manual');
      expect(sum(rig)).toEqual(inDoubt(dollars * 1e9));
    }
    rig.engine.settleDoubt(id, 0);
    expect(sum(rig)).toEqual(NO_MONEY);
  });
});

describe('a lost order that is sent again', () => {
  const lostAndSentAgain = async () => {
    const rig = startRig({ script: { submit: [lostAnswer] } });
    const { id } = await rig.enqueue(aVideo);
    await rig.until(id, ({ state }) => state === 'uncertain');
    rig.engine.setPaused(true);
    await rig.clock.advance(1_000);
    await rig.engine.resolve(id, 'resend');
    expect(sum(rig)).toEqual({ ...inDoubt(VIDEO_NANO), reservedNano: VIDEO_NANO });
    return { rig, id };
  };

  test('is one order in doubt, though a list has made it cheaper since', async () => {
    const { rig, id } = await lostAndSentAgain();
    bookOn(rig).set(rig.profile, [per('second', 0.1)], 'import');
    expect(sum(rig)).toEqual({ ...inDoubt(VIDEO_NANO), reservedNano: VIDEO_NANO / 4 });
    rig.engine.cancel(id);
    bookOn(rig).set(rig.profile, [per('video', 0.5)], 'manual');
    expect(sum(rig)).toEqual(inDoubt(500_000_000));
  });

  test('follows the price that a hand sets while it waits', async () => {
    const { rig } = await lostAndSentAgain();
    bookOn(rig).set(rig.profile, [per('video', 0.5)], 'manual');
    expect(sum(rig)).toEqual({ ...inDoubt(500_000_000), reservedNano: 500_000_000 });
  });
});

describe('a price is refused only for what it would change', () => {
  const charged = async () => {
    const rig = startRig({ script: { submit: [{ type: 'done', outputs: [{ uri: PIXEL, role: 'output' }] }] } });
    await rig.untilEnd((await rig.enqueue(aVideo)).id);
    return rig;
  };
  const absurd = per('second', 300_000);

  test('a list changes no charge', async () => {
    const rig = await charged();
    expect(bookOn(rig).limitError(rig.profile, [absurd], 'import')).toBeUndefined();
    expect(bookOn(rig).limitError(rig.profile, [absurd], 'manual')).toMatchObject({ ok: false });
  });

  test('an open price settles no charge', async () => {
    const rig = await charged();
    const open = { ...absurd, readings: [...absurd.readings, ...per('video', 1).readings] };
    expect(bookOn(rig).limitError(rig.profile, [open], 'manual')).toBeUndefined();
  });

  test('a waiting order is held to it, from wherever the price comes', async () => {
    const rig = startRig();
    rig.engine.setPaused(true);
    await rig.enqueue(aVideo);
    expect(bookOn(rig).limitError(rig.profile, [absurd], 'import')).toMatchObject({ ok: false });
  });
});
