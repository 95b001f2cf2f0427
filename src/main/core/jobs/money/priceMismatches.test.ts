import { describe, expect, test } from 'vitest';
import {
  aVideo,
  type EngineHarness,
  error,
  lostAnswer,
  PIXEL,
  startEngine,
} from '../../../../../test/helpers/engineHarness.ts';
import { engineHarnesses } from '../../../../../test/helpers/engineHarnesses.ts';
import { DOLLAR, EVENING, HOUR, nightsOfThisFile } from '../../../../../test/helpers/nightHarness.ts';
import { aPrice, madeFor, nano, stating } from '../../../../../test/helpers/prices.ts';
import { settle, TestClock } from '../../../../../test/helpers/testPorts.ts';
import type { StudioRequest } from '../../../../shared/kinds/index.ts';
import type { MediaOutcome, StatedCost, SubmitOutcome } from '../../gateway/index.ts';
import { setBudget } from '../../ledger/index.ts';

const start = engineHarnesses();
const startNight = nightsOfThisFile();

const open = { settledReading: null };
const profile = {
  prices: [aPrice('video', 0.4, open), aPrice('video', 2, { ...open, model: 'video-pro' })],
  limits: { videosAtOnce: 1 },
};
const aPro = { ...aVideo, model: 'video-pro' } as StudioRequest;
const DONE = { type: 'done' as const, outputs: [{ uri: PIXEL, role: 'output' as const }] };
const REFUSED = { ok: false, error: { code: 'wrong_state' } };
const cap = (harness: EngineHarness, hardNano: number | null) =>
  harness.store.transaction((db) => setBudget(db, { scope: 'day', play: false, hardNano }));
const mismatches = (harness: EngineHarness) => harness.engine.priceMismatches.list();

/** Enqueues a job that is answered with this outcome. */
async function answered(harness: EngineHarness, outcome: SubmitOutcome, request: StudioRequest = aVideo) {
  harness.script.submit = [outcome];
  const { id } = await harness.enqueue(request);
  return harness.untilEnd(id);
}

describe('a cost that the answer states', () => {
  test('is charged if its unit is known, and saved with its field', async () => {
    const harness = start({ profile });
    const { id, money } = await answered(harness, madeFor(0.41));
    const saved = { statedNano: nano(0.41), statedBy: 'usage.cost', statedAs: '0.41 USD' };
    expect(money).toMatchObject({ chargedNano: nano(0.41), chargedLowNano: nano(0.41), ...saved });
    expect(money.note).toBeUndefined();
    expect(harness.entriesOf(id).at(-1)).toMatchObject({ type: 'charge', note: 'stated by usage.cost' });
    expect(mismatches(harness)).toEqual([]);
  });

  test('at the acceptance counts if the end states none; else the end counts', async () => {
    const harness = start({ profile });
    const task = { id: 't', kind: 'video' as const, acceptedAt: harness.clock.now() };
    const charged = async (atEnd: object) => {
      harness.script.poll = [{ ...DONE, ...atEnd }];
      return (await answered(harness, { type: 'accepted', task, stated: stating(0.39) })).money;
    };
    expect(await charged({})).toMatchObject({ chargedNano: nano(0.39), statedNano: nano(0.39) });
    expect(await charged({ stated: stating(0.4) })).toMatchObject({ chargedNano: nano(0.4) });
  });

  test.each<[string, StatedCost, object]>([
    ['nothing', stating(0), { statedNano: 0, statedBy: 'usage.cost' }],
    ['credits', { by: 'creditsCost', as: '40 credits' }, { statedAs: '40 credits' }],
    ['a part of it, with a key behind the gateway', { ...stating(0.02), part: true }, { statedAs: '0.02 USD' }],
    ['less than nothing', { by: 'cost', as: '-1 USD' }, { statedAs: '-1 USD' }],
    ['what no job can have', stating(5_000), { note: expect.stringMatching(/^The answer states \$5,000\.00/) }],
  ])('of %s is kept beside: the price book charges', async (_name, stated, kept) => {
    const harness = start({ profile });
    const { money } = await answered(harness, { ...DONE, stated });
    expect(money).toMatchObject({ chargedNano: nano(0.4), uncertainNano: 0, ...kept });
    if ('note' in kept) expect(money.statedNano).toBeUndefined();
    expect(mismatches(harness)).toEqual([]);
  });

  test('for an image without a price is its charge, and no mismatch', async () => {
    const harness = start();
    const { money } = await answered(harness, madeFor(0.05), { kind: 'imagine', prompt: 'a hill' });
    expect(money).toMatchObject({ chargedNano: nano(0.05), statedNano: nano(0.05) });
    expect(money.unpriced).toBeUndefined();
    expect(mismatches(harness)).toEqual([]);
  });

  test('within the range of the readings is no mismatch', async () => {
    const settled = start({ profile });
    for (const dollars of [0.38, 0.419]) await answered(settled, madeFor(dollars));
    expect(mismatches(settled)).toEqual([]);
    // $0.40 a video to $1.60 for four seconds: the two readings of the specification.
    const harness = start();
    for (const dollars of [0.4, 0.9, 1.6]) await answered(harness, madeFor(dollars));
    expect(mismatches(harness)).toEqual([]);
    await answered(harness, madeFor(0.2));
    expect(mismatches(harness)).toMatchObject([{ expectedNano: nano(1.6), statedNano: nano(0.2) }]);
  });
});

describe('a stated cost that the price book does not allow', () => {
  /** A job with an expected cost of $0.40 and a stated cost of $0.80, and three waiting jobs. */
  async function stopped(harness: EngineHarness = start({ profile })) {
    const { engine, script, job } = harness;
    engine.commands.setPaused(true);
    const [first = '', ...waiting] = await harness.many(4);
    script.submit = Array.from({ length: 4 }, () => madeFor(0.8));
    engine.commands.setPaused(false);
    await harness.untilEnd(first);
    const [mismatch] = engine.priceMismatches.list();
    if (!mismatch) throw new Error('nothing was stopped');
    const resolve = (as: 'adopt' | 'dispute' | 'once') => engine.priceMismatches.resolve(mismatch.id, as);
    return { ...harness, harness, first, waiting, mismatch, resolve, money: () => job(first).money };
  }
  const BLOCKED = { state: 'blocked', reason: 'price' };

  test('blocks the jobs of that price before the next submission, and notifies the user', async () => {
    const { script, events, job, first, waiting, mismatch, money } = await stopped();
    expect(script.sent).toBe(1);
    const note = 'Expected $0.40, stated $0.80 (usage.cost). The stated amount is charged.';
    expect(money()).toMatchObject({ chargedNano: nano(0.8), note });
    for (const id of waiting) expect(job(id)).toMatchObject({ ...BLOCKED, money: { reservedNano: nano(0.4) } });
    expect(mismatch).toMatchObject({
      profileId: 'p',
      kind: 'video',
      model: 'video-standard',
      jobId: first,
      expectedNano: nano(0.4),
      statedNano: nano(0.8),
      statedBy: 'usage.cost',
      state: 'open',
      waiting: { count: 3, nowNano: nano(1.2), thenNano: nano(2.4) },
      adopts: { model: 'video-standard', readings: [{ unit: 'video', nano: nano(0.8) }] },
    });
    const told = events.filter((event) => event.type === 'mismatch.changed');
    expect(told).toMatchObject([{ mismatch: { id: mismatch.id, state: 'open' } }]);
    const notice = { type: 'notice', level: 'error', urgent: true, about: mismatch.id };
    expect(events).toContainEqual(expect.objectContaining(notice));
  });

  test('is shown with earlier charges at its price and the waiting jobs, up to the caps', async () => {
    const harness = start({ profile });
    const before = [await answered(harness, madeFor()), await answered(harness, madeFor(0.41))];
    const { engine, script, first, waiting, mismatch } = await stopped(harness);
    script.submit = [madeFor(2)];
    await harness.untilEnd((await harness.enqueue(aPro)).id);
    cap(harness, 5 * DOLLAR);
    const evidence = engine.priceMismatches.evidence(mismatch.id);
    const charge = (jobId: string | undefined, dollars: number, isStated: boolean) => ({
      ...{ jobId, nano: nano(dollars), expectedNano: nano(0.4), isStated },
    });
    expect(evidence?.made).toMatchObject([
      charge(before[0]?.id, 0.4, false),
      charge(before[1]?.id, 0.41, true),
      charge(first, 0.8, true),
    ]);
    const costs = { nowNano: nano(0.4), thenNano: nano(0.8) };
    expect(evidence?.waiting).toMatchObject(waiting.map((id) => ({ job: { id }, ...costs })));
    // 5.00 minus 0.40 + 0.41 + 0.80 + 2.00 spent; the waiting jobs may use what they have reserved.
    expect(evidence?.leftNano).toBe(1_390_000_000);
    expect(engine.priceMismatches.evidence('mismatch_none')).toBeUndefined();
  });

  test('shows no cap if there is none, and no waiting jobs once it is resolved', async () => {
    const { engine, mismatch, resolve } = await stopped();
    const evidence = () => engine.priceMismatches.evidence(mismatch.id);
    expect(evidence()).not.toHaveProperty('leftNano');
    resolve('once');
    expect(evidence()).toMatchObject({ mismatch: { state: 'once' }, waiting: [] });
  });

  test('does not block other models; a new job and a retried one are blocked too', async () => {
    const { harness, engine, script, job, enqueue, waiting } = await stopped();
    script.submit = [madeFor(2)];
    expect((await harness.untilEnd((await enqueue(aPro)).id)).state).toBe('succeeded');
    const late = await enqueue(aVideo);
    await engine.commands.retry({ id: waiting[0] ?? '' });
    engine.commands.setPaused(true);
    engine.commands.setPaused(false);
    await settle();
    for (const id of [late.id, waiting[0] ?? '']) expect(job(id)).toMatchObject(BLOCKED);
    expect(script.sent).toBe(2);
  });

  test('survives a restart', async () => {
    const { clock, dataDir, waiting, mismatch, close } = await stopped(startEngine({ profile }));
    await close();
    const harness = start({ profile, dataDir, clock });
    await clock.advance(60_000);
    expect(harness.script.sent).toBe(0);
    expect(mismatches(harness)).toMatchObject([{ id: mismatch.id, state: 'open' }]);
    expect(harness.job(waiting[0] ?? '')).toMatchObject(BLOCKED);
  });

  test('accepted once: waiting jobs are sent at the stated cost, under their caps; a later job is blocked again', async () => {
    const { harness, script, clock, job, waiting, resolve } = await stopped();
    cap(harness, nano(2.4));
    harness.coreEvents.emit('budgets.changed');
    expect(resolve('once')).toMatchObject({ ok: true, data: { state: 'once' } });
    await clock.advance(60_000);
    expect(waiting.map((id) => job(id).state)).toEqual(['succeeded', 'succeeded', 'blocked']);
    expect(job(waiting[2] ?? '')).toMatchObject({ reason: 'budget', money: { estimateNano: nano(0.8) } });
    expect(mismatches(harness)).toEqual([]);
    expect(harness.profile.prices).toMatchObject([{ readings: [{ nano: nano(0.4) }] }, {}]);
    cap(harness, null);
    script.submit = [madeFor(0.8), madeFor(0.8)];
    const later = await harness.enqueue(aVideo);
    await harness.untilEnd(later.id);
    expect(mismatches(harness)).toMatchObject([{ jobId: later.id, state: 'open' }]);
  });

  test('disputed: the price book is charged, the rest is in doubt, no entry is rewritten, and the price stays blocked', async () => {
    const { script, clock, job, entriesOf, sums, first, waiting, resolve, money } = await stopped();
    const before = entriesOf(first);
    expect(resolve('dispute')).toMatchObject({ ok: true, data: { state: 'disputed' } });
    const rest = { uncertainNano: nano(0.4) };
    expect(money()).toMatchObject({ chargedNano: nano(0.4), statedNano: nano(0.8), ...rest });
    const correction = expect.objectContaining({ type: 'correction', settledNano: -nano(0.4), ...rest });
    expect(entriesOf(first)).toEqual([...before, correction]);
    expect(sums()).toMatchObject({ settledNano: nano(0.4), ...rest });
    await clock.advance(60_000);
    expect(script.sent).toBe(1);
    expect(job(waiting[0] ?? '').reason).toBe('price');
    expect(resolve('dispute')).toMatchObject({ ok: false });
    expect(resolve('adopt')).toMatchObject({ ok: true });
    expect(money()).toMatchObject({ chargedNano: nano(0.8), uncertainNano: 0 });
    expect(resolve('once')).toMatchObject(REFUSED);
  });

  test('disputed after its result was refused: the mismatch is closed already, and no money moves', async () => {
    const { promise, resolve: answer } = Promise.withResolvers<MediaOutcome>();
    const harness = start({ profile, script: { gateway: { fetchMedia: () => promise } } });
    const { engine, script, job, events } = harness;
    engine.commands.setPaused(true);
    const [id = '', next = ''] = await harness.many(2);
    script.submit = [madeFor(0.8, 'https://h/a.png'), madeFor(0.4)];
    engine.commands.setPaused(false);
    await harness.until(id, ({ money }) => money.chargedNano > 0);
    const [mismatch] = mismatches(harness);
    expect(job(next).reason).toBe('price');
    answer({ type: 'failed', error: error({ kind: 'moderation', accepted: 'yes', message: 'Not this one.' }) });
    const { money } = await harness.untilEnd(id);
    expect(money).toMatchObject({ chargedNano: 0, uncertainNano: nano(0.8) });
    const told = events.flatMap((event) => (event.type === 'mismatch.changed' ? [event.mismatch.state] : []));
    expect(told).toEqual(['open', 'once']);
    expect(engine.priceMismatches.resolve(mismatch?.id ?? '', 'dispute')).toMatchObject(REFUSED);
    expect(job(id).money).toEqual(money);
    expect((await harness.untilEnd(next)).state).toBe('succeeded');
  });

  test('disputed after a bill has changed the charge: only the mismatch changes', async () => {
    const harness = start({ profile });
    const { engine, script, job } = harness;
    script.submit = [lostAnswer, madeFor(0.8)];
    const { id } = await harness.enqueue(aVideo);
    await engine.commands.resolve({ id, as: 'resend' });
    await harness.untilEnd(id);
    const [mismatch] = mismatches(harness);
    expect(engine.commands.settleDoubt(id, nano(0.3))).toMatchObject({ ok: true });
    const before = job(id).money;
    expect(before).toMatchObject({ chargedNano: nano(1.1), uncertainNano: 0 });
    for (const as of ['dispute', 'adopt'] as const) {
      expect(engine.priceMismatches.resolve(mismatch?.id ?? '', as)).toMatchObject({ ok: true });
      expect(job(id).money).toEqual(before);
    }
  });

  test('ends an open night that has such jobs, and they are not sent', async () => {
    const { night, plan, fill, script, clock, notified } = startNight({ profile, clock: new TestClock(EVENING) });
    plan();
    const ids = await fill(3);
    script.submit = Array.from({ length: 3 }, () => madeFor(0.8));
    await clock.advance(3 * HOUR + 60_000);
    expect(script.sent).toBe(1);
    const endedText = 'The run was stopped: video-standard was expected to cost $0.40, and an answer states $0.80.';
    const leftOver = ids.slice(1);
    expect(night.get()).toMatchObject({ current: null, last: { endedBy: 'price', endedText }, leftOver });
    expect(notified).toContain(endedText);
  });

  test('does not end a night of other models', async () => {
    const harness = startNight({ profile, clock: new TestClock(EVENING) });
    harness.plan();
    const pro = await harness.enqueue(aPro, { night: true });
    await harness.clock.advance(3 * HOUR);
    harness.script.submit = [madeFor(2), madeFor(0.8)];
    await harness.untilEnd(pro.id);
    await harness.untilEnd((await harness.enqueue(aVideo)).id);
    expect(mismatches(harness)).toHaveLength(1);
    expect(harness.night.get().current).toMatchObject({ state: 'open' });
  });
});
