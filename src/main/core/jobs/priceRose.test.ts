import { describe, expect, it } from 'vitest';
import {
  aVideo,
  type EngineHarness,
  finished,
  lostAnswer,
  startEngine as startOne,
} from '../../../../test/helpers/engineHarness.ts';
import { engineHarnesses } from '../../../../test/helpers/engineHarnesses.ts';
import { aPlan, EVENING, nightsOfThisFile } from '../../../../test/helpers/nightHarness.ts';
import { openPriceBook } from '../../../../test/helpers/openPriceBook.ts';
import { settle, TestClock, tempDir } from '../../../../test/helpers/testPorts.ts';
import type { Price } from '../../../shared/price.ts';
import { setBudget } from '../ledger/index.ts';
import { PER_SLICE } from './slicedWork.ts';

/** A job is sent at no higher price than the user has confirmed, whatever the price book says later. */

const startEngine = engineHarnesses();
const startNight = nightsOfThisFile();

const perSecond = (dollars: number): Price => ({
  kind: 'video',
  model: 'video-standard',
  readings: [{ unit: 'second', nano: dollars * 1e9 }],
  settledReading: 0,
  source: 'set by you',
});
const aLamp = { kind: 'imagine' as const, prompt: 'a lamp' };
const perImage = (nano: number): Price => ({
  ...perSecond(1),
  ...{ kind: 'image', model: '*', readings: [{ unit: 'image', nano }] },
});
const costing = (dollars: number) => ({ estimateNano: dollars * 1e9, lowNano: dollars * 1e9, unpriced: 0 });
const made = { ...finished(), type: 'done' as const };

const setPrice = (harness: EngineHarness, dollars: number) => {
  harness.engine.commands.announce(openPriceBook(harness).set(harness.profile, [perSecond(dollars)], 'manual').jobIds);
};
const confirm = (harness: EngineHarness, ids: string[], shown?: ReturnType<typeof costing>, requestKey?: string) =>
  harness.engine.many.confirmPrice({ ids, shown, requestKey });

async function waitingAt(dollars: number) {
  const harness = startEngine({ script: { submit: [made] }, profile: { prices: [perSecond(dollars)] } });
  await harness.engine.commands.setPaused(true);
  const { id } = await harness.enqueue(aVideo);
  return { harness, id };
}

describe('a job whose price rises while it waits', () => {
  it('waits until the new price is confirmed, and is sent then', async () => {
    const { harness, id } = await waitingAt(1);
    setPrice(harness, 1_000);
    await harness.engine.commands.setPaused(false);
    await settle();
    expect(harness.job(id)).toMatchObject({
      state: 'blocked',
      reason: 'priceRose',
      money: { estimateNano: 4_000e9, confirmedNano: 4e9 },
    });
    expect(harness.script.sent).toBe(0);
    expect(await confirm(harness, [id], costing(4))).toMatchObject({ ok: false, error: { code: 'conflict' } });
    expect(harness.job(id).reason).toBe('priceRose');
    const confirmed = await confirm(harness, [id], costing(4_000));
    expect(confirmed).toMatchObject({ ok: true, data: { jobs: [{ id, money: { confirmedNano: 4_000e9 } }] } });
    await harness.untilEnd(id);
    expect(harness.script.sent).toBe(1);
  });

  it('goes on by itself where the price falls to what was confirmed', async () => {
    const { harness, id } = await waitingAt(2);
    await harness.engine.commands.setPaused(false);
    setPrice(harness, 3);
    await settle();
    expect(harness.job(id).reason).toBe('priceRose');
    setPrice(harness, 2);
    await harness.untilEnd(id);
  });

  it('is compared with the highest price that was confirmed, not with the last', async () => {
    const { harness, id } = await waitingAt(2);
    setPrice(harness, 1);
    setPrice(harness, 2);
    expect(harness.job(id).reason).toBe('paused');
    setPrice(harness, 3);
    await confirm(harness, [id]);
    setPrice(harness, 1);
    setPrice(harness, 3);
    expect(harness.job(id).reason).toBe('paused');
    setPrice(harness, 4);
    expect(harness.job(id).reason).toBe('priceRose');
  });

  it('waits by the highest reading of an open price', async () => {
    const { harness, id } = await waitingAt(1);
    const { readings } = perSecond(1);
    const open = {
      ...perSecond(1),
      readings: [...readings, { unit: 'second' as const, nano: 9e9 }],
      settledReading: null,
    };
    openPriceBook(harness).set(harness.profile, [open], 'import');
    expect(harness.job(id).reason).toBe('priceRose');
  });

  it('is not let go by a try that saw no price, by another order or by the end of a pause', async () => {
    const { harness, id } = await waitingAt(1);
    setPrice(harness, 2);
    await harness.engine.commands.setPaused(false);
    await harness.engine.commands.retry({ id });
    harness.engine.commands.move(id, undefined);
    await settle();
    expect(harness.job(id).reason).toBe('priceRose');
    expect(harness.script.sent).toBe(0);
  });

  it('is sent by a try that has shown the new price', async () => {
    const { harness, id } = await waitingAt(1);
    setPrice(harness, 2);
    await harness.engine.commands.setPaused(false);
    expect(await harness.engine.commands.retry({ id, shown: costing(4) })).toMatchObject({
      error: { code: 'conflict' },
    });
    expect(harness.job(id)).toMatchObject({ reason: 'priceRose', money: { confirmedNano: 4e9 } });
    await harness.engine.commands.retry({ id, shown: costing(8) });
    await harness.untilEnd(id);
    expect(harness.job(id).money.confirmedNano).toBe(8e9);
    expect(harness.script.sent).toBe(1);
  });

  it('is not confirmed lower by a try at a lower price', async () => {
    const { harness, id } = await waitingAt(3);
    setPrice(harness, 2);
    await harness.engine.commands.retry({ id, shown: costing(8) });
    expect(harness.job(id)).toMatchObject({ reason: 'paused', money: { confirmedNano: 12e9 } });
  });

  it('stays so over a restart', async () => {
    const dataDir = tempDir('price-rose');
    const first = startOne({ dataDir, profile: { prices: [perSecond(1)] } });
    await first.engine.commands.setPaused(true);
    const { id } = await first.enqueue(aVideo);
    setPrice(first, 2);
    await first.close();
    const second = startEngine({ dataDir, profile: { prices: [perSecond(2)] }, script: { submit: [made] } });
    await second.engine.commands.setPaused(false);
    await settle();
    expect(second.job(id)).toMatchObject({ reason: 'priceRose', money: { confirmedNano: 4e9 } });
    await confirm(second, [id], costing(8));
    await second.untilEnd(id);
  });

  it('has its dearer price reserved, or waits for the budget first', async () => {
    const { harness, id } = await waitingAt(1);
    setPrice(harness, 2);
    expect(harness.job(id).money.reservedNano).toBe(8e9);
    harness.store.transaction((db) => setBudget(db, { scope: 'day', hardNano: 10e9 }));
    setPrice(harness, 3);
    expect(harness.job(id)).toMatchObject({ reason: 'budget', money: { reservedNano: 0 } });
    harness.store.transaction((db) => setBudget(db, { scope: 'day', hardNano: 100e9 }));
    harness.engine.commands.announce([]);
    await settle();
    expect(harness.job(id).reason).toBe('priceRose');
  });

  it('waits out what its service asked for, before and after it is confirmed', async () => {
    const slow = { kind: 'rate_limit' as const, message: 'slow', retryable: true, accepted: 'no' as const };
    const harness = startEngine({
      profile: { prices: [perSecond(1)] },
      script: { submit: [{ type: 'refused', billed: 'no', error: { ...slow, retryAfterMs: 60_000 } }, made] },
    });
    const { id } = await harness.enqueue(aVideo);
    await harness.until(id, ({ nextAt }) => nextAt !== undefined);
    setPrice(harness, 2);
    await harness.until(id, ({ reason }) => reason === 'priceRose');
    expect(harness.script.sent).toBe(1);
    await confirm(harness, [id]);
    await harness.untilEnd(id);
    expect(harness.script.sent).toBe(2);
  });
});

describe('a price that was not known', () => {
  it('when the job was ordered: the first known one goes, and a higher one waits', async () => {
    const harness = startEngine({ profile: { prices: [] } });
    await harness.engine.commands.setPaused(true);
    const { id } = await harness.enqueue(aLamp);
    expect(harness.job(id).money.confirmedNano).toBeUndefined();
    openPriceBook(harness).set(harness.profile, [perImage(5e7)], 'manual');
    expect(harness.job(id)).toMatchObject({ reason: 'paused', money: { confirmedNano: 5e7 } });
    openPriceBook(harness).set(harness.profile, [perImage(6e7)], 'manual');
    expect(harness.job(id).reason).toBe('priceRose');
    openPriceBook(harness).replace(harness.profile, [], 'manual');
    expect(harness.job(id)).toMatchObject({ reason: 'priceRose', money: { unpriced: true } });
    const shown = { estimateNano: 0, lowNano: 0, unpriced: 1 };
    expect(await confirm(harness, [id], shown)).toMatchObject({ ok: true });
    expect(harness.job(id).reason).toBe('paused');
  });

  it('by now: allowed once, the job goes on', async () => {
    const harness = startEngine({ profile: { prices: [perImage(5e7)] } });
    await harness.engine.commands.setPaused(true);
    const { id } = await harness.enqueue(aLamp);
    openPriceBook(harness).replace(harness.profile, [], 'manual');
    expect(harness.job(id).reason).toBe('priceRose');
    harness.engine.commands.allowUnpriced({ id, shown: { estimateNano: 0, lowNano: 0, unpriced: 1 } });
    expect(harness.job(id).reason).toBe('paused');
  });

  it('when it was sent: sent again knowingly, it is confirmed at the price that was shown', async () => {
    const harness = startEngine({ profile: { prices: [] }, script: { submit: [lostAnswer] } });
    const { id } = await harness.enqueue(aLamp);
    await harness.until(id, ({ state }) => state === 'uncertain');
    await harness.engine.commands.setPaused(true);
    openPriceBook(harness).set(harness.profile, [perImage(5e7)], 'manual');
    const shown = { estimateNano: 5e7, lowNano: 5e7, unpriced: 0 };
    expect(await harness.engine.commands.resolve({ id, as: 'resend', shown })).toMatchObject({ ok: true });
    expect(harness.job(id)).toMatchObject({ reason: 'paused', money: { confirmedNano: 5e7 } });
    openPriceBook(harness).set(harness.profile, [perImage(9e7)], 'manual');
    expect(harness.job(id)).toMatchObject({ reason: 'priceRose', money: { confirmedNano: 5e7 } });
  });
});

describe('another decision about the same job', () => {
  it('an edited request is confirmed at its own price', async () => {
    const { harness, id } = await waitingAt(1);
    setPrice(harness, 2);
    const request = { ...aVideo, config: { durationSeconds: 8 } } as typeof aVideo;
    expect(await harness.engine.commands.edit({ id, request, shown: costing(16) })).toMatchObject({
      ok: true,
      data: { reason: 'paused', money: { confirmedNano: 16e9 } },
    });
  });

  it('a job that is sent again knowingly is confirmed at the price of now', async () => {
    const harness = startEngine({ profile: { prices: [perSecond(1)] }, script: { submit: [lostAnswer, made] } });
    const { id } = await harness.enqueue(aVideo);
    await harness.until(id, ({ state }) => state === 'uncertain');
    harness.profile.prices = [perSecond(2)];
    await harness.engine.commands.resolve({ id, as: 'resend', shown: costing(8) });
    await harness.untilEnd(id);
    expect(harness.script.sent).toBe(2);
  });
});

describe('the call', () => {
  it('is all or none, and answers its key once', async () => {
    const { harness, id } = await waitingAt(1);
    const { id: other } = await harness.enqueue({ ...aVideo, prompt: 'Another' } as typeof aVideo);
    setPrice(harness, 2);
    const { id: cheap } = await harness.enqueue(aVideo);
    expect(await confirm(harness, [id, cheap])).toMatchObject({
      ok: false,
      error: { code: 'wrong_state', data: { field: 'ids.1' } },
    });
    expect(await confirm(harness, [id, 'nobody'])).toMatchObject({
      ok: false,
      error: { code: 'not_found', data: { field: 'ids.1' } },
    });
    expect(harness.job(id).reason).toBe('priceRose');
    const key = 'a key of mine';
    const first = await confirm(harness, [id, other, id], costing(16), key);
    expect(first).toMatchObject({ ok: true, data: { jobs: [{ id }, { id: other }] } });
    setPrice(harness, 3);
    expect(await confirm(harness, [id, other, id], costing(16), key)).toMatchObject({ ok: true });
    expect(harness.job(id)).toMatchObject({ reason: 'priceRose', money: { confirmedNano: 8e9 } });
  });
});

describe('in a night', () => {
  it('the dry run names it, and the report says why it was not run', async () => {
    const harness = startNight({ clock: new TestClock(EVENING), profile: { prices: [perSecond(1)] } });
    harness.allSucceed();
    harness.plan();
    const [id = ''] = await harness.fill(1);
    setPrice(harness, 2);
    expect(harness.job(id).reason).toBe('priceRose');
    expect(await harness.night.dryRun(aPlan())).toMatchObject({
      data: { fitCount: 0, unfit: [{ jobId: id, reason: 'priceRose' }] },
    });
    await harness.clock.advance(12 * 3_600_000);
    await settle();
    expect(harness.script.sent).toBe(0);
    expect(harness.report()).toMatchObject({ notRun: 1, notRunJobs: [{ jobId: id, reason: 'priceRose' }] });
  });

  it.each([
    ['a few', 2],
    ['more than a turn takes', PER_SLICE + 5],
  ])('those that are put into it at the price that was shown go on: %s', async (_what, count) => {
    const harness = startNight({ clock: new TestClock(EVENING), profile: { prices: [perSecond(1)] } });
    harness.plan({ capNano: 10_000e9 });
    const ids = await harness.fill(count);
    setPrice(harness, 2);
    const together = costing(8 * count);
    const assign = (shown?: ReturnType<typeof costing>) => harness.engine.many.assignNight({ ids, night: true, shown });
    await assign();
    expect(await assign(costing(4 * count))).toMatchObject({ error: { code: 'conflict' } });
    expect(harness.job(ids[0] ?? '')).toMatchObject({ reason: 'priceRose', money: { confirmedNano: 4e9 } });
    expect(await assign(together)).toMatchObject({ ok: true });
    expect(ids.map((id) => harness.job(id).reason)).toEqual(ids.map(() => 'window'));
    expect(harness.job(ids[1] ?? '').money.confirmedNano).toBe(8e9);
    setPrice(harness, 3);
    expect(harness.job(ids[1] ?? '').reason).toBe('priceRose');
  });

  it('one that leaves it at the price that was shown is sent', async () => {
    const harness = startNight({ clock: new TestClock(EVENING), profile: { prices: [perSecond(1)] } });
    harness.allSucceed();
    harness.plan();
    const [id = ''] = await harness.fill(1);
    setPrice(harness, 2);
    await harness.engine.many.assignNight({ ids: [id], night: false });
    expect(harness.job(id).reason).toBe('priceRose');
    await harness.engine.many.assignNight({ ids: [id], night: false, shown: costing(8) });
    await harness.untilEnd(id);
  });
});
