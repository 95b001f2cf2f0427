import { describe, expect, it } from 'vitest';
import { aVideo, finished, lostAnswer, refusal, VIDEO_NANO } from '../../../../../test/helpers/engineHarness.ts';
import { engineHarnesses, type JobOptions, jobsOfThisFile } from '../../../../../test/helpers/engineHarnesses.ts';
import { openPriceBook } from '../../../../../test/helpers/openPriceBook.ts';
import { aPrice } from '../../../../../test/helpers/prices.ts';
import { settle } from '../../../../../test/helpers/testPorts.ts';
import type { StudioRequest } from '../../../../shared/kinds/index.ts';
import { NO_MONEY } from '../../../../shared/money/ledger.ts';
import { type Price, priceFor } from '../../../../shared/money/price.ts';
import { readFlag, writeFlag } from '../../store/index.ts';
import { setBudget } from '../index.ts';

const startEngine = engineHarnesses();
const aJob = jobsOfThisFile(startEngine);

const standard = priceFor([], 'video', 'video-standard') as Price;
const perVideo: Price = { ...standard, settledReading: 1 };
const perSecond = (dollars: number, fields: Partial<Price> = {}) =>
  aPrice('second', dollars, { settledReading: null, ...fields });
const both = (nano: number) => ({ estimateNano: nano, reservedNano: nano });

/** A job, and its price book: by a list, or by hand. */
async function priced(options: JobOptions) {
  const one = await aJob(options);
  const book = openPriceBook(one.harness);
  return {
    ...one,
    listed: (price: Price) => book.set(one.profile, [price], 'import'),
    setByHand: (price: Price) => book.set(one.profile, [price], 'manual'),
    empty: () => book.replace(one.profile, [], 'import'),
    money: () => one.now().money,
  };
}

describe('a job that waits', () => {
  it('is estimated again when the price changes: a higher one is reserved whole, of a lower one the rest is released', async () => {
    const { listed, money, sums } = await priced({ state: 'paused' });
    expect(money()).toMatchObject(both(VIDEO_NANO));
    const notice = 'The price has changed. One waiting job may now cost $4.00 instead of $1.60.';
    expect(listed(perSecond(1))).toMatchObject({ notice });
    expect(money()).toMatchObject(both(4e9));
    expect(sums()).toMatchObject({ reservedNano: 4e9 });
    listed(perSecond(0.1));
    expect([money(), sums()]).toMatchObject([both(4e8), { reservedNano: 4e8 }]);
  });

  it('has the price of the models that its own may be, whichever of them changes', async () => {
    const request = { ...aVideo, model: 'vidgen-3' } as StudioRequest;
    const { listed, empty, money } = await priced({ state: 'paused', request });
    expect(money()).toMatchObject(both(8e9));
    const notice = 'The price has changed. One waiting job may now cost $16.00 instead of $8.00.';
    expect(listed(perSecond(4, { model: 'video-pro' }))).toMatchObject({ notice });
    expect(money()).toMatchObject(both(16e9));
    empty();
    expect(money()).toMatchObject(both(8e9));
  });

  it('waits for the money where the higher price breaks a cap, with nothing reserved, and is not sent', async () => {
    const { store, script, commands, listed, now } = await priced({ state: 'paused' });
    store.transaction((db) => setBudget(db, { scope: 'day', hardNano: 2e9 }));
    listed(perSecond(1));
    commands.setPaused(false);
    await settle();
    const money = { reservedNano: 0, estimateNano: 4e9 };
    expect(now()).toMatchObject({ state: 'blocked', reason: 'budget', money });
    expect(script.sent).toBe(0);
  });

  it('with a time of its own, such as one that a gateway requested, keeps that time', async () => {
    const slow = refusal({ kind: 'rate_limit', retryable: true, retryAfterMs: 60_000 });
    const { script, commands, listed, now } = await priced({ submit: [slow] });
    const { nextAt } = now();
    expect(nextAt).toBeGreaterThan(0);
    listed(perSecond(1));
    commands.announce();
    await settle();
    expect([now().nextAt, script.sent]).toEqual([nextAt, 1]);
  });

  it('and costs nothing so far is not sent before it has reserved its price', async () => {
    const { listed, money } = await priced({ state: 'paused', profile: { prices: [perSecond(0)] } });
    expect(money()).toMatchObject(both(0));
    listed(perSecond(1));
    expect(money()).toMatchObject(both(4e9));
  });
});

describe('a request that was sent', () => {
  it('keeps its price when a list changes, and is charged with it', async () => {
    const { script, listed, money, ends } = await priced({ state: 'running' });
    listed(perSecond(1));
    expect(money()).toMatchObject(both(VIDEO_NANO));
    script.poll = [finished()];
    expect((await ends()).money).toMatchObject({ chargedNano: VIDEO_NANO, reservedNano: 0 });
  });

  it('follows a price that the user sets: up, so that what is reserved covers the bill, and down', async () => {
    const { script, setByHand, money, sums, ends } = await priced({ state: 'running' });
    setByHand(perSecond(1));
    expect(money()).toMatchObject({ reservedNano: 4e9 });
    setByHand(perVideo);
    expect(money()).toMatchObject({ reservedNano: 4e8 });
    script.poll = [finished()];
    expect((await ends()).money).toMatchObject({ chargedNano: 4e8, reservedNano: 0, uncertainNano: 0 });
    expect(sums()).toEqual({ ...NO_MONEY, settledNano: 4e8, settledLowNano: 4e8 });
  });

  it('unconfirmed, sent twice knowingly: both requests follow', async () => {
    const { setByHand, money, sums, resolve } = await priced({ submit: [lostAnswer, lostAnswer] });
    await resolve('resend');
    await settle();
    expect(sums()).toMatchObject({ uncertainNano: 2 * VIDEO_NANO });
    setByHand(perVideo);
    expect(money().uncertainNano).toBe(8e8);
    expect(sums()).toEqual({ ...NO_MONEY, uncertainNano: 8e8 });
  });
});

describe('a charge', () => {
  it('keeps the price it was made with: imports change no entry and add none', async () => {
    const { id, listed, money, entriesOf } = await priced({ state: 'succeeded' });
    const [before, of] = [entriesOf(id), money()];
    for (const dollars of [1, 0.1, 0]) listed(perSecond(dollars));
    expect(entriesOf(id)).toEqual(before);
    expect(money()).toEqual(of);
    expect(JSON.parse(before.find(({ type }) => type === 'charge')?.price ?? '')).toEqual(standard);
  });

  it('under an open price gets a correction when the user settles it; no entry is rewritten', async () => {
    const { id, setByHand, money, entriesOf } = await priced({ state: 'succeeded' });
    const before = entriesOf(id);
    setByHand(perVideo);
    const correction = expect.objectContaining({ type: 'correction', settledNano: 4e8 - VIDEO_NANO });
    expect(entriesOf(id)).toEqual([...before, correction]);
    expect(money()).toMatchObject({ chargedNano: 4e8, chargedLowNano: 4e8 });
  });

  it('under a settled price stays, whatever is set later', async () => {
    const { id, setByHand, entriesOf } = await priced({ state: 'succeeded', profile: { prices: [perVideo] } });
    const before = entriesOf(id);
    setByHand(perSecond(1));
    expect(entriesOf(id)).toEqual(before);
  });
});

describe('killed between the database and the settings file', () => {
  const failing = (code?: string) => () => {
    throw Object.assign(new Error('not written'), { code });
  };

  it('the next start finishes the step: the book has the price that the ledger was corrected with', async () => {
    const { harness, profile, now } = await aJob({ state: 'succeeded' });
    openPriceBook(harness, failing()).set(profile, [perVideo], 'manual');
    expect(profile.prices).toEqual([]);
    openPriceBook(harness).resumeWrites();
    expect(profile.prices).toEqual([perVideo]);
    expect(now().money.chargedNano).toBe(4e8);
    // Once is enough: a later change by hand is not undone by the next start.
    profile.prices = [];
    openPriceBook(harness).resumeWrites();
    expect(profile.prices).toEqual([]);
  });

  it('a disk that has no room for it is told of: the start repeats it, and no other book waits for that', () => {
    const harness = startEngine();
    const { store, profile } = harness;
    openPriceBook(harness, failing('EACCES')).set(profile, [perVideo], 'manual');
    openPriceBook(harness, failing('EACCES')).resumeWrites();
    store.transaction((db) => writeFlag(db, 'prices:zz', '[]'));
    expect(() => openPriceBook(harness, failing('ENOSPC')).resumeWrites()).toThrow('not written');
    expect(readFlag(store.read, 'prices:zz')).toBeUndefined();
    openPriceBook(harness).resumeWrites();
    expect(profile.prices).toEqual([perVideo]);
  });

  it('nothing has happened where the database could not be written', () => {
    const harness = startEngine();
    const broken = openPriceBook({ ...harness, store: { ...harness.store, transaction: failing() } }, () => {
      throw new Error('never');
    });
    expect(() => broken.set(harness.profile, [perVideo], 'manual')).toThrow('not written');
    openPriceBook(harness).resumeWrites();
    expect(harness.profile.prices).toEqual([]);
  });
});
