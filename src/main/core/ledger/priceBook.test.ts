import { describe, expect, it } from 'vitest';
import { bookOn } from '../../../../test/helpers/bookOn.ts';
import { acceptance, aVideo, finished, lostAnswer, type Rig, VIDEO_NANO } from '../../../../test/helpers/engineRig.ts';
import { rigsOfThisFile } from '../../../../test/helpers/rigsOfThisFile.ts';
import { countingIds, settle, silentLog, TestClock, tempDir } from '../../../../test/helpers/testPorts.ts';
import { NO_MONEY } from '../../../shared/ledger.ts';
import { type Price, priceFor } from '../../../shared/price.ts';
import { entries, LedgerWriter, PriceBook, setBudget, totals } from './index.ts';

const startRig = rigsOfThisFile();

const standard = priceFor([], 'video', 'video-standard') as Price;
const perVideo: Price = { ...standard, settledReading: 1 };
const perSecond = (dollars: number): Price => ({
  kind: 'video',
  model: 'video-standard',
  readings: [{ unit: 'second', nano: dollars * 1e9 }],
  settledReading: null,
  source: 'imported from gateway.example/api/pricing on 2026-11-21',
});
const sums = (rig: Rig) => totals(rig.store.read, 'kind', {}).sum;
const lines = (rig: Rig, jobId: string) => entries(rig.store.read, { limit: 100, jobId }).entries.reverse();
const paused = (rig: Rig) => void rig.engine.setPaused(true);

describe('a job that waits', () => {
  it('is estimated again when the price gets dearer, and sets aside all of it before it is sent', async () => {
    const rig = startRig();
    paused(rig);
    const { id } = await rig.enqueue(aVideo);
    expect(rig.job(id).money).toMatchObject({ estimateNano: VIDEO_NANO, reservedNano: VIDEO_NANO });
    const { notice, jobIds } = bookOn(rig).set(rig.profile, [perSecond(1)], 'import');
    expect(jobIds).toEqual([id]);
    expect(notice).toBe('One waiting job may now cost $4.00 instead of $1.60: the price was changed.');
    expect(rig.job(id).money).toMatchObject({ estimateNano: 4e9, reservedNano: 4e9 });
    expect(sums(rig)).toMatchObject({ reservedNano: 4e9 });
  });

  it('gives back what is too much when it gets cheaper', async () => {
    const rig = startRig();
    paused(rig);
    const { id } = await rig.enqueue(aVideo);
    bookOn(rig).set(rig.profile, [perSecond(0.1)], 'import');
    expect(rig.job(id).money).toMatchObject({ estimateNano: 4e8, reservedNano: 4e8 });
    expect(sums(rig)).toMatchObject({ reservedNano: 4e8 });
  });

  it('waits for the money where the dearer price breaks a cap, with nothing set aside, and is not sent', async () => {
    const rig = startRig();
    rig.store.transaction((db) => setBudget(db, { scope: 'day', hardNano: 2e9 }));
    paused(rig);
    const { id } = await rig.enqueue(aVideo);
    bookOn(rig).set(rig.profile, [perSecond(1)], 'import');
    rig.engine.setPaused(false);
    await settle();
    expect(rig.job(id)).toMatchObject({
      state: 'blocked',
      reason: 'budget',
      money: { reservedNano: 0, estimateNano: 4e9 },
    });
    expect(rig.script.sent).toBe(0);
  });

  it('for a time of its own, such as the one a service asked for, keeps that time', async () => {
    const rig = startRig({
      script: {
        submit: [
          {
            type: 'refused',
            billed: 'no',
            error: { kind: 'rate_limit', message: 'slow', retryable: true, accepted: 'no', retryAfterMs: 60_000 },
          },
        ],
      },
    });
    const { id } = await rig.enqueue(aVideo);
    const { nextAt } = await rig.until(id, ({ nextAt: at }) => at !== undefined);
    bookOn(rig).set(rig.profile, [perSecond(1)], 'import');
    rig.engine.announce([id]);
    await settle();
    expect(rig.job(id).nextAt).toBe(nextAt);
    expect(rig.script.sent).toBe(1);
  });

  it('and costs nothing so far is not sent before it has set aside its price', async () => {
    const rig = startRig({ profile: { prices: [perSecond(0)] } });
    const { id } = await rig.enqueue(aVideo, { notBefore: rig.clock.now() + 86_400_000 });
    expect(rig.job(id).money).toMatchObject({ estimateNano: 0, reservedNano: 0 });
    bookOn(rig).set(rig.profile, [perSecond(1)], 'import');
    expect(rig.job(id).money).toMatchObject({ estimateNano: 4e9, reservedNano: 4e9 });
  });
});

describe('an order that was sent', () => {
  const sent = async () => {
    const clock = new TestClock();
    const rig = startRig({ clock, script: { submit: [acceptance(clock)] } });
    const { id } = await rig.enqueue(aVideo);
    await rig.until(id, ({ state }) => state === 'running');
    return { rig, id };
  };

  it('keeps its price when a list changes, and is charged with it', async () => {
    const { rig, id } = await sent();
    bookOn(rig).set(rig.profile, [perSecond(1)], 'import');
    expect(rig.job(id).money).toMatchObject({ estimateNano: VIDEO_NANO, reservedNano: VIDEO_NANO });
    rig.script.poll = [finished()];
    expect((await rig.untilEnd(id)).money).toMatchObject({ chargedNano: VIDEO_NANO, reservedNano: 0 });
  });

  it('follows a price that the user sets: up, so that what is set aside covers the bill, and down', async () => {
    const { rig, id } = await sent();
    const book = bookOn(rig);
    book.set(rig.profile, [{ ...perSecond(1), source: 'set by you' }], 'manual');
    expect(rig.job(id).money).toMatchObject({ reservedNano: 4e9 });
    book.set(rig.profile, [perVideo], 'manual');
    expect(rig.job(id).money).toMatchObject({ reservedNano: 4e8 });
    rig.script.poll = [finished()];
    expect((await rig.untilEnd(id)).money).toMatchObject({ chargedNano: 4e8, reservedNano: 0, uncertainNano: 0 });
    expect(sums(rig)).toEqual({ ...NO_MONEY, settledNano: 4e8, settledLowNano: 4e8 });
  });

  it('in doubt, sent twice knowingly: both orders follow', async () => {
    const rig = startRig({ script: { submit: [lostAnswer, lostAnswer] } });
    const { id } = await rig.enqueue(aVideo);
    await rig.until(id, ({ state }) => state === 'uncertain');
    await rig.engine.resolve(id, 'resend');
    await rig.until(id, ({ state, attempts }) => state === 'uncertain' && attempts.length === 2);
    expect(sums(rig)).toMatchObject({ uncertainNano: 2 * VIDEO_NANO });
    bookOn(rig).set(rig.profile, [perVideo], 'manual');
    expect(rig.job(id).money.uncertainNano).toBe(2 * 4e8);
    expect(sums(rig)).toEqual({ ...NO_MONEY, uncertainNano: 8e8 });
  });

  it('counted as lost: what may be on the bill is what the price says now', async () => {
    const rig = startRig({ script: { submit: [lostAnswer] } });
    const { id } = await rig.enqueue(aVideo);
    await rig.until(id, ({ state }) => state === 'uncertain');
    await rig.engine.resolve(id, 'lost');
    bookOn(rig).set(rig.profile, [perVideo], 'manual');
    expect(rig.job(id)).toMatchObject({ state: 'failed', money: { uncertainNano: 4e8 } });
  });
});

describe('a charge', () => {
  const charged = async (prices: Price[] = []) => {
    const clock = new TestClock();
    const rig = startRig({ clock, profile: { prices }, script: { submit: [acceptance(clock)], poll: [finished()] } });
    const { id } = await rig.enqueue(aVideo);
    await rig.untilEnd(id);
    return { rig, id };
  };

  it('keeps the price it was made with: imports change no entry and add none', async () => {
    const { rig, id } = await charged();
    const before = lines(rig, id);
    const { money } = rig.job(id);
    const book = bookOn(rig);
    for (const dollars of [1, 0.1, 0]) book.set(rig.profile, [perSecond(dollars)], 'import');
    expect(lines(rig, id)).toEqual(before);
    expect(rig.job(id).money).toEqual(money);
    const charge = before.find(({ type }) => type === 'charge');
    expect(JSON.parse(charge?.price ?? '')).toEqual(standard);
  });

  it('under an open price gets a correction when the user settles it; no entry is rewritten', async () => {
    const { rig, id } = await charged();
    const before = lines(rig, id);
    bookOn(rig).set(rig.profile, [perVideo], 'manual');
    const after = lines(rig, id);
    expect(after.slice(0, before.length)).toEqual(before);
    expect(after.slice(before.length)).toMatchObject([{ type: 'correction', settledNano: 4e8 - VIDEO_NANO }]);
    expect(rig.job(id).money).toMatchObject({ chargedNano: 4e8, chargedLowNano: 4e8 });
  });

  it('under a settled price stays, whatever is set later', async () => {
    const { rig, id } = await charged([perVideo]);
    const before = lines(rig, id);
    bookOn(rig).set(rig.profile, [{ ...perSecond(1), source: 'set by you' }], 'manual');
    expect(lines(rig, id)).toEqual(before);
  });
});

describe('killed between the database and the settings file', () => {
  it('the next start finishes the step: the book has the price that the ledger was corrected with', async () => {
    const dataDir = tempDir('price-book');
    const first = startRig({ dataDir, script: { submit: [acceptance(new TestClock())], poll: [finished()] } });
    const { id } = await first.enqueue(aVideo);
    await first.untilEnd(id);
    const killed = bookOn(first, () => {
      throw new Error('killed here');
    });
    expect(() => killed.set(first.profile, [perVideo], 'manual')).toThrow('killed here');
    expect(first.profile.prices).toEqual([]);
    const second = bookOn(first);
    second.resumeWrites();
    expect(first.profile.prices).toEqual([perVideo]);
    expect(first.job(id).money.chargedNano).toBe(4e8);
    // Once is enough: a later change by hand is not undone by the next start.
    first.profile.prices = [];
    bookOn(first).resumeWrites();
    expect(first.profile.prices).toEqual([]);
  });

  it('nothing has happened where the database could not be written', () => {
    const rig = startRig();
    const broken = new PriceBook({
      store: {
        ...rig.store,
        transaction: () => {
          throw new Error('the disk is full');
        },
      },
      ledger: new LedgerWriter({ clock: rig.clock, ids: countingIds() }),
      log: silentLog,
      profiles: {
        get: () => rig.profile,
        writePrices: () => {
          throw new Error('never');
        },
      },
      jobs: rig.engine,
    });
    expect(() => broken.set(rig.profile, [perVideo], 'manual')).toThrow('the disk is full');
    bookOn(rig).resumeWrites();
    expect(rig.profile.prices).toEqual([]);
  });
});
