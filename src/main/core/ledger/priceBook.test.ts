import { describe, expect, it } from 'vitest';
import {
  acceptance,
  aVideo,
  type EngineHarness,
  finished,
  lostAnswer,
  VIDEO_NANO,
} from '../../../../test/helpers/engineHarness.ts';
import { engineHarnesses } from '../../../../test/helpers/engineHarnesses.ts';
import { openPriceBook } from '../../../../test/helpers/openPriceBook.ts';
import { countingIds, settle, silentLog, TestClock, tempDir } from '../../../../test/helpers/testPorts.ts';
import { NO_MONEY } from '../../../shared/ledger.ts';
import { type Price, priceFor } from '../../../shared/price.ts';
import { jobTable } from '../jobs/index.ts';
import { readFlag, writeFlag } from '../store/index.ts';
import { entries, LedgerWriter, PriceBook, setBudget, totals } from './index.ts';

const startEngine = engineHarnesses();

const standard = priceFor([], 'video', 'video-standard') as Price;
const perVideo: Price = { ...standard, settledReading: 1 };
const perSecond = (dollars: number): Price => ({
  kind: 'video',
  model: 'video-standard',
  readings: [{ unit: 'second', nano: dollars * 1e9 }],
  settledReading: null,
  source: 'imported from gateway.example/api/pricing on 2026-11-21',
});
const sums = (harness: EngineHarness) => totals(harness.store.read, 'kind', {}).sum;
const lines = (harness: EngineHarness, jobId: string) =>
  entries(harness.store.read, { limit: 100, jobId }).entries.reverse();
const paused = (harness: EngineHarness) => void harness.engine.commands.setPaused(true);

describe('a job that waits', () => {
  it('is estimated again when the price gets dearer, and sets aside all of it before it is sent', async () => {
    const harness = startEngine();
    paused(harness);
    const { id } = await harness.enqueue(aVideo);
    expect(harness.job(id).money).toMatchObject({ estimateNano: VIDEO_NANO, reservedNano: VIDEO_NANO });
    const { notice, jobIds } = openPriceBook(harness).set(harness.profile, [perSecond(1)], 'import');
    expect(jobIds).toEqual([id]);
    expect(notice).toBe('One waiting job may now cost $4.00 instead of $1.60: the price was changed.');
    expect(harness.job(id).money).toMatchObject({ estimateNano: 4e9, reservedNano: 4e9 });
    expect(sums(harness)).toMatchObject({ reservedNano: 4e9 });
  });

  it('gives back what is too much when it gets cheaper', async () => {
    const harness = startEngine();
    paused(harness);
    const { id } = await harness.enqueue(aVideo);
    openPriceBook(harness).set(harness.profile, [perSecond(0.1)], 'import');
    expect(harness.job(id).money).toMatchObject({ estimateNano: 4e8, reservedNano: 4e8 });
    expect(sums(harness)).toMatchObject({ reservedNano: 4e8 });
  });

  it('has the price of the models that its own may be, whichever of them changes', async () => {
    const harness = startEngine();
    paused(harness);
    const { id } = await harness.enqueue({ ...aVideo, model: 'vidgen-3' } as typeof aVideo);
    expect(harness.job(id).money).toMatchObject({ estimateNano: 8e9, reservedNano: 8e9 });
    const pro = { ...perSecond(4), model: 'video-pro' };
    const { notice, jobIds } = openPriceBook(harness).set(harness.profile, [pro], 'import');
    expect(jobIds).toEqual([id]);
    expect(notice).toBe('One waiting job may now cost $16.00 instead of $8.00: the price was changed.');
    expect(harness.job(id).money).toMatchObject({ estimateNano: 16e9, reservedNano: 16e9 });
    openPriceBook(harness).replace(harness.profile, [], 'import');
    expect(harness.job(id).money).toMatchObject({ estimateNano: 8e9, reservedNano: 8e9 });
  });

  it('waits for the money where the dearer price breaks a cap, with nothing reserved, and is not sent', async () => {
    const harness = startEngine();
    harness.store.transaction((db) => setBudget(db, { scope: 'day', hardNano: 2e9 }));
    paused(harness);
    const { id } = await harness.enqueue(aVideo);
    openPriceBook(harness).set(harness.profile, [perSecond(1)], 'import');
    harness.engine.commands.setPaused(false);
    await settle();
    expect(harness.job(id)).toMatchObject({
      state: 'blocked',
      reason: 'budget',
      money: { reservedNano: 0, estimateNano: 4e9 },
    });
    expect(harness.script.sent).toBe(0);
  });

  it('with a time of its own, such as one that a service requested, keeps that time', async () => {
    const harness = startEngine({
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
    const { id } = await harness.enqueue(aVideo);
    const { nextAt } = await harness.until(id, ({ nextAt: at }) => at !== undefined);
    openPriceBook(harness).set(harness.profile, [perSecond(1)], 'import');
    harness.engine.commands.announce([id]);
    await settle();
    expect(harness.job(id).nextAt).toBe(nextAt);
    expect(harness.script.sent).toBe(1);
  });

  it('and costs nothing so far is not sent before it has reserved its price', async () => {
    const harness = startEngine({ profile: { prices: [perSecond(0)] } });
    const { id } = await harness.enqueue(aVideo, { notBefore: harness.clock.now() + 86_400_000 });
    expect(harness.job(id).money).toMatchObject({ estimateNano: 0, reservedNano: 0 });
    openPriceBook(harness).set(harness.profile, [perSecond(1)], 'import');
    expect(harness.job(id).money).toMatchObject({ estimateNano: 4e9, reservedNano: 4e9 });
  });
});

describe('a request that was sent', () => {
  const sent = async () => {
    const clock = new TestClock();
    const harness = startEngine({ clock, script: { submit: [acceptance(clock)] } });
    const { id } = await harness.enqueue(aVideo);
    await harness.until(id, ({ state }) => state === 'running');
    return { harness, id };
  };

  it('keeps its price when a list changes, and is charged with it', async () => {
    const { harness, id } = await sent();
    openPriceBook(harness).set(harness.profile, [perSecond(1)], 'import');
    expect(harness.job(id).money).toMatchObject({ estimateNano: VIDEO_NANO, reservedNano: VIDEO_NANO });
    harness.script.poll = [finished()];
    expect((await harness.untilEnd(id)).money).toMatchObject({ chargedNano: VIDEO_NANO, reservedNano: 0 });
  });

  it('follows a price that the user sets: up, so that what is reserved covers the bill, and down', async () => {
    const { harness, id } = await sent();
    const book = openPriceBook(harness);
    book.set(harness.profile, [{ ...perSecond(1), source: 'set by you' }], 'manual');
    expect(harness.job(id).money).toMatchObject({ reservedNano: 4e9 });
    book.set(harness.profile, [perVideo], 'manual');
    expect(harness.job(id).money).toMatchObject({ reservedNano: 4e8 });
    harness.script.poll = [finished()];
    expect((await harness.untilEnd(id)).money).toMatchObject({ chargedNano: 4e8, reservedNano: 0, uncertainNano: 0 });
    expect(sums(harness)).toEqual({ ...NO_MONEY, settledNano: 4e8, settledLowNano: 4e8 });
  });

  it('in doubt, sent twice knowingly: both requests follow', async () => {
    const harness = startEngine({ script: { submit: [lostAnswer, lostAnswer] } });
    const { id } = await harness.enqueue(aVideo);
    await harness.until(id, ({ state }) => state === 'uncertain');
    await harness.engine.commands.resolve({ id, as: 'resend' });
    await harness.until(id, ({ state, attempts }) => state === 'uncertain' && attempts.length === 2);
    expect(sums(harness)).toMatchObject({ uncertainNano: 2 * VIDEO_NANO });
    openPriceBook(harness).set(harness.profile, [perVideo], 'manual');
    expect(harness.job(id).money.uncertainNano).toBe(2 * 4e8);
    expect(sums(harness)).toEqual({ ...NO_MONEY, uncertainNano: 8e8 });
  });

  it('counted as lost: the possible bill follows the current price', async () => {
    const harness = startEngine({ script: { submit: [lostAnswer] } });
    const { id } = await harness.enqueue(aVideo);
    await harness.until(id, ({ state }) => state === 'uncertain');
    await harness.engine.commands.resolve({ id, as: 'lost' });
    openPriceBook(harness).set(harness.profile, [perVideo], 'manual');
    expect(harness.job(id)).toMatchObject({ state: 'failed', money: { uncertainNano: 4e8 } });
  });
});

describe('a charge', () => {
  const charged = async (prices: Price[] = []) => {
    const clock = new TestClock();
    const harness = startEngine({
      clock,
      profile: { prices },
      script: { submit: [acceptance(clock)], poll: [finished()] },
    });
    const { id } = await harness.enqueue(aVideo);
    await harness.untilEnd(id);
    return { harness, id };
  };

  it('keeps the price it was made with: imports change no entry and add none', async () => {
    const { harness, id } = await charged();
    const before = lines(harness, id);
    const { money } = harness.job(id);
    const book = openPriceBook(harness);
    for (const dollars of [1, 0.1, 0]) book.set(harness.profile, [perSecond(dollars)], 'import');
    expect(lines(harness, id)).toEqual(before);
    expect(harness.job(id).money).toEqual(money);
    const charge = before.find(({ type }) => type === 'charge');
    expect(JSON.parse(charge?.price ?? '')).toEqual(standard);
  });

  it('under an open price gets a correction when the user settles it; no entry is rewritten', async () => {
    const { harness, id } = await charged();
    const before = lines(harness, id);
    openPriceBook(harness).set(harness.profile, [perVideo], 'manual');
    const after = lines(harness, id);
    expect(after.slice(0, before.length)).toEqual(before);
    expect(after.slice(before.length)).toMatchObject([{ type: 'correction', settledNano: 4e8 - VIDEO_NANO }]);
    expect(harness.job(id).money).toMatchObject({ chargedNano: 4e8, chargedLowNano: 4e8 });
  });

  it('under a settled price stays, whatever is set later', async () => {
    const { harness, id } = await charged([perVideo]);
    const before = lines(harness, id);
    openPriceBook(harness).set(harness.profile, [{ ...perSecond(1), source: 'set by you' }], 'manual');
    expect(lines(harness, id)).toEqual(before);
  });
});

describe('killed between the database and the settings file', () => {
  it('the next start finishes the step: the book has the price that the ledger was corrected with', async () => {
    const dataDir = tempDir('price-book');
    const first = startEngine({ dataDir, script: { submit: [acceptance(new TestClock())], poll: [finished()] } });
    const { id } = await first.enqueue(aVideo);
    await first.untilEnd(id);
    const killed = openPriceBook(first, () => {
      throw new Error('killed here');
    });
    killed.set(first.profile, [perVideo], 'manual');
    expect(first.profile.prices).toEqual([]);
    const second = openPriceBook(first);
    second.resumeWrites();
    expect(first.profile.prices).toEqual([perVideo]);
    expect(first.job(id).money.chargedNano).toBe(4e8);
    // Once is enough: a later change by hand is not undone by the next start.
    first.profile.prices = [];
    openPriceBook(first).resumeWrites();
    expect(first.profile.prices).toEqual([]);
  });

  it('a disk that has no room for it is told of: the start repeats it, and no other book waits for that', () => {
    const harness = startEngine();
    const full = (code: string) => () => {
      throw Object.assign(new Error('no room'), { code });
    };
    openPriceBook(harness, full('EACCES')).set(harness.profile, [perVideo], 'manual');
    openPriceBook(harness, full('EACCES')).resumeWrites();
    harness.store.transaction((db) => writeFlag(db, 'prices:zz', '[]'));
    expect(() => openPriceBook(harness, full('ENOSPC')).resumeWrites()).toThrow('no room');
    expect(readFlag(harness.store.read, 'prices:zz')).toBeUndefined();
    openPriceBook(harness).resumeWrites();
    expect(harness.profile.prices).toEqual([perVideo]);
  });

  it('nothing has happened where the database could not be written', () => {
    const harness = startEngine();
    const broken = new PriceBook({
      store: {
        ...harness.store,
        transaction: () => {
          throw new Error('the disk is full');
        },
      },
      ledger: new LedgerWriter({ clock: harness.clock, ids: countingIds() }),
      log: silentLog,
      profiles: {
        get: () => harness.profile,
        writePrices: () => {
          throw new Error('never');
        },
      },
      jobs: harness.engine.commands,
      jobTable,
    });
    expect(() => broken.set(harness.profile, [perVideo], 'manual')).toThrow('the disk is full');
    openPriceBook(harness).resumeWrites();
    expect(harness.profile.prices).toEqual([]);
  });
});
