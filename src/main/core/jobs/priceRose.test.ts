import { describe, expect, it } from 'vitest';
import {
  aVideo,
  type EngineHarness,
  lostAnswer,
  refusal,
  startEngine,
} from '../../../../test/helpers/engineHarness.ts';
import { engineHarnesses, type JobOptions, jobsOfThisFile } from '../../../../test/helpers/engineHarnesses.ts';
import { aPlan, EVENING, nightsOfThisFile } from '../../../../test/helpers/nightHarness.ts';
import { openPriceBook } from '../../../../test/helpers/openPriceBook.ts';
import { aPrice, madeFor, nano } from '../../../../test/helpers/prices.ts';
import { settle, TestClock } from '../../../../test/helpers/testPorts.ts';
import type { Price } from '../../../shared/money/price.ts';
import { setBudget } from '../ledger/index.ts';
import { PER_SLICE } from '../timeSlicing.ts';

/** A job is sent at no higher price than the user has confirmed, whatever the price book says later. */

const start = engineHarnesses();
const aJob = jobsOfThisFile(start);
const startNight = nightsOfThisFile();

const perSecond = (dollars: number) => ({ prices: [aPrice('second', dollars)] });
const perImage = (dollars: number) => ({ prices: [aPrice('image', dollars, { kind: 'image', model: '*' })] });
const aLamp = { kind: 'imagine' as const, prompt: 'a lamp' };
const costing = (dollars: number) => ({ estimateNano: nano(dollars), lowNano: nano(dollars), unpriced: 0 });
const UNKNOWN = { estimateNano: 0, lowNano: 0, unpriced: 1 };
const CONFLICT = { error: { code: 'conflict' } };

const setPrice = (harness: EngineHarness, dollars: number) => {
  openPriceBook(harness).set(harness.profile, perSecond(dollars).prices, 'manual');
  harness.engine.commands.announce();
};

/** A job with a price; `rises` sets another one, and `says` is why it waits and what is confirmed. */
async function aPriced(profile: object, options: JobOptions = {}) {
  const one = await aJob({ state: 'paused', profile, submit: [madeFor()], ...options });
  const { harness, id, engine, commands, now } = one;
  return {
    ...one,
    rises: (dollars: number) => setPrice(harness, dollars),
    book: (prices: Price[], by: 'manual' | 'import' = 'manual') =>
      openPriceBook(harness).set(harness.profile, prices, by),
    forget: () => openPriceBook(harness).replace(harness.profile, [], 'manual'),
    confirm: (shown?: ReturnType<typeof costing>) => engine.many.confirmPrice({ ids: [id], shown }),
    go: async () => {
      await commands.setPaused(false);
      await settle();
    },
    says: () => [now().reason, (now().money.confirmedNano ?? NaN) / 1e9],
  };
}

describe('a job whose price rises while it waits', () => {
  it('waits until the new price is confirmed, and is sent then', async () => {
    const { script, now, rises, go, confirm, ends } = await aPriced(perSecond(1));
    rises(1_000);
    await go();
    const money = { estimateNano: 4_000e9, confirmedNano: 4e9 };
    expect(now()).toMatchObject({ state: 'blocked', reason: 'priceRose', money });
    expect(script.sent).toBe(0);
    expect(await confirm(costing(4))).toMatchObject(CONFLICT);
    expect(now().reason).toBe('priceRose');
    expect(await confirm(costing(4_000))).toMatchObject({ data: { jobs: [{ money: { confirmedNano: 4_000e9 } }] } });
    await ends();
    expect(script.sent).toBe(1);
  });

  it('goes on by itself where the price falls to what was confirmed', async () => {
    const { says, rises, ends, commands } = await aPriced(perSecond(2));
    await commands.setPaused(false);
    rises(3);
    await settle();
    expect(says()).toEqual(['priceRose', 8]);
    rises(2);
    await ends();
  });

  it('is compared with the highest price that was confirmed, not with the last', async () => {
    const { says, rises, confirm } = await aPriced(perSecond(2));
    for (const price of [1, 2]) rises(price);
    expect(says()).toEqual(['paused', 8]);
    rises(3);
    await confirm();
    for (const price of [1, 3]) rises(price);
    expect(says()).toEqual(['paused', 12]);
    rises(4);
    expect(says()).toEqual(['priceRose', 12]);
  });

  it('waits by the highest reading of an open price', async () => {
    const { says, book } = await aPriced(perSecond(1));
    const readings = [1e9, 9e9].map((each) => ({ unit: 'second' as const, nano: each }));
    book([aPrice('second', 1, { readings, settledReading: null })], 'import');
    expect(says()).toEqual(['priceRose', 4]);
  });

  it('is not let go by a try that saw no price, by another order or by the end of a pause', async () => {
    const { id, script, commands, says, rises, go } = await aPriced(perSecond(1));
    rises(2);
    await go();
    await commands.retry({ id });
    commands.move(id, undefined);
    await settle();
    expect(says()).toEqual(['priceRose', 4]);
    expect(script.sent).toBe(0);
  });

  it('is sent by a try that has shown the new price', async () => {
    const { id, script, commands, says, rises, go, ends } = await aPriced(perSecond(1));
    rises(2);
    await go();
    expect(await commands.retry({ id, shown: costing(4) })).toMatchObject(CONFLICT);
    expect(says()).toEqual(['priceRose', 4]);
    await commands.retry({ id, shown: costing(8) });
    expect((await ends()).money.confirmedNano).toBe(8e9);
    expect(script.sent).toBe(1);
  });

  it('stays so over a restart', async () => {
    const { id, dataDir, rises, close } = await aPriced(perSecond(1), { open: startEngine });
    rises(2);
    await close();
    const next = start({ dataDir, profile: perSecond(2), script: { submit: [madeFor()] } });
    await next.engine.commands.setPaused(false);
    await settle();
    expect(next.job(id)).toMatchObject({ reason: 'priceRose', money: { confirmedNano: 4e9 } });
    await next.engine.many.confirmPrice({ ids: [id], shown: costing(8) });
    await next.untilEnd(id);
  });

  it('has its dearer price reserved, or waits for the budget first', async () => {
    const { store, commands, now, rises } = await aPriced(perSecond(1));
    const cap = (dollars: number) =>
      store.transaction((db) => setBudget(db, { scope: 'day', hardNano: nano(dollars) }));
    rises(2);
    expect(now().money.reservedNano).toBe(8e9);
    cap(10);
    rises(3);
    expect(now()).toMatchObject({ reason: 'budget', money: { reservedNano: 0 } });
    cap(100);
    commands.announce();
    await settle();
    expect(now().reason).toBe('priceRose');
  });

  it('waits out what its service asked for, before and after it is confirmed', async () => {
    const slow = refusal({ kind: 'rate_limit', retryable: true, retryAfterMs: 60_000 });
    const { id, script, until, commands, rises, confirm, ends } = await aPriced(perSecond(1), {
      submit: [slow, madeFor()],
    });
    await commands.setPaused(false);
    await until(id, ({ nextAt }) => nextAt !== undefined);
    rises(2);
    await until(id, ({ reason }) => reason === 'priceRose');
    expect(script.sent).toBe(1);
    await confirm();
    await ends();
    expect(script.sent).toBe(2);
  });
});

describe('a price that was not known', () => {
  it('when the job was ordered: the first known one goes, and a higher one waits', async () => {
    const { now, says, book, forget, confirm } = await aPriced({ prices: [] }, { request: aLamp });
    expect(now().money.confirmedNano).toBeUndefined();
    book(perImage(0.05).prices);
    expect(says()).toEqual(['paused', 0.05]);
    book(perImage(0.06).prices);
    expect(says()).toEqual(['priceRose', 0.05]);
    forget();
    expect(now()).toMatchObject({ reason: 'priceRose', money: { unpriced: true } });
    expect(await confirm(UNKNOWN)).toMatchObject({ ok: true });
    expect(now().reason).toBe('paused');
  });

  it('by now: allowed once, the job goes on', async () => {
    const { id, commands, now, forget } = await aPriced(perImage(0.05), { request: aLamp });
    forget();
    expect(now().reason).toBe('priceRose');
    commands.allowUnpriced({ id, shown: UNKNOWN });
    expect(now().reason).toBe('paused');
  });

  it('when it was sent: sent again knowingly, it is confirmed at the price that was shown', async () => {
    const { id, commands, says, book } = await aPriced(
      { prices: [] },
      { state: 'uncertain', request: aLamp, submit: [lostAnswer] },
    );
    await commands.setPaused(true);
    book(perImage(0.05).prices);
    expect(await commands.resolve({ id, as: 'resend', shown: costing(0.05) })).toMatchObject({ ok: true });
    expect(says()).toEqual(['paused', 0.05]);
    book(perImage(0.09).prices);
    expect(says()).toEqual(['priceRose', 0.05]);
  });
});

describe('another decision about the same job', () => {
  it('an edited request is confirmed at its own price', async () => {
    const { id, commands, rises } = await aPriced(perSecond(1));
    rises(2);
    const request = { ...aVideo, config: { durationSeconds: 8 } } as typeof aVideo;
    const data = { reason: 'paused', money: { confirmedNano: 16e9 } };
    expect(await commands.edit({ id, request, shown: costing(16) })).toMatchObject({ ok: true, data });
  });

  it('a job that is sent again knowingly is confirmed at the price of now', async () => {
    const submit = [lostAnswer, madeFor()];
    const { id, script, profile, commands, ends } = await aPriced(perSecond(1), { state: 'uncertain', submit });
    profile.prices = perSecond(2).prices;
    await commands.resolve({ id, as: 'resend', shown: costing(8) });
    await ends();
    expect(script.sent).toBe(2);
  });
});

it('the call is all or none, and answers its key once', async () => {
  const { id, engine, enqueue, now, rises, says } = await aPriced(perSecond(1));
  const { id: other } = await enqueue({ ...aVideo, prompt: 'Another' } as typeof aVideo);
  rises(2);
  const { id: cheap } = await enqueue(aVideo);
  const confirm = (ids: string[], more: object = {}) => engine.many.confirmPrice({ ids, ...more });
  const data = { field: 'ids.1' };
  expect(await confirm([id, cheap])).toMatchObject({ error: { code: 'wrong_state', data } });
  expect(await confirm([id, 'nobody'])).toMatchObject({ error: { code: 'not_found', data } });
  expect(now().reason).toBe('priceRose');
  const call = { shown: costing(16), requestKey: 'a key of mine' };
  expect(await confirm([id, other, id], call)).toMatchObject({ ok: true, data: { jobs: [{ id }, { id: other }] } });
  rises(3);
  expect(await confirm([id, other, id], call)).toMatchObject({ ok: true });
  expect(says()).toEqual(['priceRose', 8]);
});

describe('in a night', () => {
  async function night(count = 1) {
    const harness = startNight({ clock: new TestClock(EVENING), profile: perSecond(1) });
    harness.allSucceed();
    harness.plan({ capNano: 10_000e9 });
    const ids = await harness.fill(count);
    setPrice(harness, 2);
    const assign = (isIn: boolean, dollars?: number) =>
      harness.engine.many.assignNight({
        ids,
        night: isIn,
        shown: dollars === undefined ? undefined : costing(dollars),
      });
    return { ...harness, harness, ids, id: ids[0] ?? '', assign };
  }

  it('the dry run names it, and the report says why it was not run', async () => {
    const { id, night: tonight, script, clock, job, report } = await night();
    const unfit = { jobId: id, reason: 'priceRose' };
    expect(job(id).reason).toBe('priceRose');
    expect(await tonight.dryRun(aPlan())).toMatchObject({ data: { fitCount: 0, unfit: [unfit] } });
    await clock.advance(12 * 3_600_000);
    await settle();
    expect(script.sent).toBe(0);
    expect(report()).toMatchObject({ notRun: 1, notRunJobs: [unfit] });
  });

  it.each([
    ['a few', 2],
    ['more than a turn takes', PER_SLICE + 5],
  ])('those that are put into it at the price that was shown go on: %s', async (_what, count) => {
    const { harness, ids, job, assign } = await night(count);
    await assign(true);
    expect(await assign(true, 4 * count)).toMatchObject(CONFLICT);
    expect(job(ids[0] ?? '')).toMatchObject({ reason: 'priceRose', money: { confirmedNano: 4e9 } });
    expect(await assign(true, 8 * count)).toMatchObject({ ok: true });
    expect(ids.map((id) => job(id).reason)).toEqual(ids.map(() => 'window'));
    expect(job(ids[1] ?? '').money.confirmedNano).toBe(8e9);
    setPrice(harness, 3);
    expect(job(ids[1] ?? '').reason).toBe('priceRose');
  });

  it('one that leaves it at the price that was shown is sent', async () => {
    const { id, job, untilEnd, assign } = await night();
    await assign(false);
    expect(job(id).reason).toBe('priceRose');
    await assign(false, 8);
    await untilEnd(id);
  });
});
