import { describe, expect, test } from 'vitest';
import {
  aVideo,
  type EngineHarness,
  error,
  lostAnswer,
  PIXEL,
  startEngine,
} from '../../../../test/helpers/engineHarness.ts';
import { engineHarnesses } from '../../../../test/helpers/engineHarnesses.ts';
import { DOLLAR, EVENING, HOUR, nightsOfThisFile } from '../../../../test/helpers/nightHarness.ts';
import { countingIds, settle, TestClock } from '../../../../test/helpers/testPorts.ts';
import type { StudioRequest } from '../../../shared/kinds/index.ts';
import type { MediaOutcome, StatedCost, SubmitOutcome } from '../gateway/index.ts';
import { entries, LedgerWriter, listBudgets, setBudget, totals } from '../ledger/index.ts';
import { sql } from '../store/index.ts';
import type { JobRow } from './row.ts';

const start = engineHarnesses();
const startNight = nightsOfThisFile();

const perVideo = (model = 'video-standard', nano = 400_000_000) => ({
  kind: 'video',
  model,
  readings: [{ unit: 'video', nano }],
  settledReading: null,
  source: 'x',
});
const profile = { prices: [perVideo(), perVideo('video-pro', 2_000_000_000)], limits: { videosAtOnce: 1 } };

const usd = (dollars: number): StatedCost => ({
  by: 'usage.cost',
  as: `${dollars} USD`,
  nano: Math.round(dollars * DOLLAR),
});
const made = (stated?: StatedCost): SubmitOutcome => ({
  type: 'done',
  outputs: [{ uri: PIXEL, role: 'output' }],
  ...(stated ? { stated } : {}),
});
const lines = (harness: EngineHarness, jobId: string) =>
  entries(harness.store.read, { limit: 100, jobId }).entries.reverse();
const sums = (harness: EngineHarness) => totals(harness.store.read, 'kind', {}).sum;

/** Enqueues a job that is answered with this outcome. */
async function answered(harness: EngineHarness, outcome: SubmitOutcome, request: StudioRequest = aVideo) {
  harness.script.submit = [outcome];
  const { id } = await harness.enqueue(request);
  return harness.untilEnd(id);
}

describe('a cost that the answer states', () => {
  test('is charged if its unit is known, and saved with its field', async () => {
    const harness = start({ profile });
    const job = await answered(harness, made(usd(0.41)));
    expect(job.money).toMatchObject({
      chargedNano: 410_000_000,
      chargedLowNano: 410_000_000,
      statedNano: 410_000_000,
      statedBy: 'usage.cost',
      statedAs: '0.41 USD',
    });
    expect(job.money.note).toBeUndefined();
    expect(lines(harness, job.id).at(-1)).toMatchObject({ type: 'charge', note: 'stated by usage.cost' });
    expect(harness.engine.priceMismatches.list()).toEqual([]);
  });

  test('at the acceptance counts if the end states none; else the end counts', async () => {
    const harness = start({ profile });
    const task = { id: 't', kind: 'video' as const, acceptedAt: harness.clock.now() };
    harness.script.poll = [{ type: 'done', outputs: [{ uri: PIXEL, role: 'output' }] }];
    const first = await answered(harness, { type: 'accepted', task, stated: usd(0.39) });
    expect(first.money).toMatchObject({ chargedNano: 390_000_000, statedNano: 390_000_000 });
    harness.script.poll = [{ type: 'done', outputs: [{ uri: PIXEL, role: 'output' }], stated: usd(0.4) }];
    const second = await answered(harness, { type: 'accepted', task, stated: usd(0.39) });
    expect(second.money).toMatchObject({ chargedNano: 400_000_000 });
  });

  test.each<[string, StatedCost, object]>([
    ['nothing', usd(0), { statedNano: 0, statedBy: 'usage.cost' }],
    ['credits', { by: 'creditsCost', as: '40 credits' }, { statedAs: '40 credits' }],
    ['a part of it, with a key of the user behind the gateway', { ...usd(0.02), part: true }, { statedAs: '0.02 USD' }],
    ['less than nothing', { by: 'cost', as: '-1 USD' }, { statedAs: '-1 USD' }],
  ])('of %s is kept beside: the price book charges', async (_name, stated, kept) => {
    const harness = start({ profile });
    const job = await answered(harness, made(stated));
    expect(job.money).toMatchObject({ chargedNano: 400_000_000, ...kept });
    expect(harness.engine.priceMismatches.list()).toEqual([]);
  });

  test('that no job can have is rejected, and the job says so', async () => {
    const harness = start({ profile });
    const job = await answered(harness, made(usd(5_000)));
    expect(job.money).toMatchObject({ chargedNano: 400_000_000, uncertainNano: 0 });
    expect(job.money.statedNano).toBeUndefined();
    expect(job.money.note).toMatch(/^The answer states \$5,000\.00 \(usage\.cost\).*the price book decides\.$/);
    expect(harness.engine.priceMismatches.list()).toEqual([]);
  });

  test('for an image without a price is its charge, and no mismatch', async () => {
    const harness = start();
    const job = await answered(harness, made(usd(0.05)), { kind: 'imagine', prompt: 'a hill' });
    expect(job.money).toMatchObject({ chargedNano: 50_000_000, statedNano: 50_000_000 });
    expect(job.money.unpriced).toBeUndefined();
    expect(harness.engine.priceMismatches.list()).toEqual([]);
  });
});

describe('a stated cost that the price book does not allow', () => {
  /** A job with an expected cost of $0.40 and a stated cost of $0.80, and three waiting jobs. */
  async function stopped(harness: EngineHarness) {
    harness.engine.commands.setPaused(true);
    const jobs = [];
    for (let n = 0; n < 4; n++) jobs.push(await harness.enqueue(aVideo));
    harness.script.submit = [made(usd(0.8)), made(usd(0.8)), made(usd(0.8)), made(usd(0.8))];
    harness.engine.commands.setPaused(false);
    const ids = jobs.map(({ id }) => id);
    await harness.untilEnd(ids[0] ?? '');
    const [mismatch] = harness.engine.priceMismatches.list();
    if (!mismatch) throw new Error('nothing was stopped');
    return { ids, first: ids[0] ?? '', waiting: ids.slice(1), mismatch };
  }

  test('blocks the jobs of that price before the next submission, and notifies the user', async () => {
    const harness = start({ profile });
    const { first, waiting, mismatch } = await stopped(harness);
    expect(harness.script.sent).toBe(1);
    expect(harness.job(first).money).toMatchObject({
      chargedNano: 800_000_000,
      note: 'Expected $0.40, stated $0.80 (usage.cost). What is stated is charged.',
    });
    expect(waiting.map((id) => harness.job(id))).toMatchObject(
      waiting.map(() => ({ state: 'blocked', reason: 'price', money: { reservedNano: 400_000_000 } })),
    );
    expect(mismatch).toMatchObject({
      profileId: 'p',
      kind: 'video',
      model: 'video-standard',
      jobId: first,
      expectedNano: 400_000_000,
      statedNano: 800_000_000,
      statedBy: 'usage.cost',
      state: 'open',
      waiting: { count: 3, nowNano: 1_200_000_000, thenNano: 2_400_000_000 },
      adopts: { model: 'video-standard', readings: [{ unit: 'video', nano: 800_000_000 }] },
    });
    const told = harness.events.filter((event) => event.type === 'mismatch.changed');
    expect(told).toMatchObject([{ mismatch: { id: mismatch.id, state: 'open' } }]);
    expect(harness.events).toContainEqual(
      expect.objectContaining({ type: 'notice', level: 'error', urgent: true, about: mismatch.id }),
    );
  });

  test('is shown with earlier charges at its price and the waiting jobs, up to the caps', async () => {
    const harness = start({ profile });
    const by = [made(), made(usd(0.41))];
    const before = [];
    for (const outcome of by) before.push((await answered(harness, outcome)).id);
    const { first, waiting, mismatch } = await stopped(harness);
    harness.script.submit = [made(usd(2))];
    await harness.untilEnd((await harness.enqueue({ ...aVideo, model: 'video-pro' } as StudioRequest)).id);
    harness.store.transaction((db) => setBudget(db, { scope: 'day', play: false, hardNano: 5_000_000_000 }));
    const evidence = harness.engine.priceMismatches.evidence(mismatch.id);
    expect(evidence?.made).toMatchObject([
      { jobId: before[0], nano: 400_000_000, expectedNano: 400_000_000, isStated: false },
      { jobId: before[1], nano: 410_000_000, expectedNano: 400_000_000, isStated: true },
      { jobId: first, nano: 800_000_000, expectedNano: 400_000_000, isStated: true },
    ]);
    expect(evidence?.waiting).toMatchObject(
      waiting.map((id) => ({ job: { id }, nowNano: 400_000_000, thenNano: 800_000_000 })),
    );
    // 5.00 minus 0.40 + 0.41 + 0.80 + 2.00 spent; the waiting jobs may use what they have reserved.
    expect(evidence?.leftNano).toBe(1_390_000_000);
    expect(harness.engine.priceMismatches.evidence('mismatch_none')).toBeUndefined();
  });

  test('shows no cap if there is none, and no waiting jobs once it is resolved', async () => {
    const harness = start({ profile });
    const { mismatch } = await stopped(harness);
    expect(harness.engine.priceMismatches.evidence(mismatch.id)).not.toHaveProperty('leftNano');
    harness.engine.priceMismatches.resolve(mismatch.id, 'once');
    expect(harness.engine.priceMismatches.evidence(mismatch.id)).toMatchObject({
      mismatch: { state: 'once' },
      waiting: [],
    });
  });

  test('does not block other models; a new job and a retried one are blocked too', async () => {
    const harness = start({ profile });
    const { waiting } = await stopped(harness);
    harness.script.submit = [made(usd(2))];
    const pro = await harness.enqueue({ ...aVideo, model: 'video-pro' } as StudioRequest);
    expect((await harness.untilEnd(pro.id)).state).toBe('succeeded');
    const late = await harness.enqueue(aVideo);
    await harness.engine.commands.retry({ id: waiting[0] ?? '' });
    harness.engine.commands.setPaused(true);
    harness.engine.commands.setPaused(false);
    await settle();
    expect([harness.job(late.id), harness.job(waiting[0] ?? '')]).toMatchObject([
      { state: 'blocked', reason: 'price' },
      { state: 'blocked', reason: 'price' },
    ]);
    expect(harness.script.sent).toBe(2);
  });

  test('survives a restart', async () => {
    const dead = startEngine({ profile });
    const { waiting, mismatch } = await stopped(dead);
    await dead.close();
    const harness = start({ profile, dataDir: dead.dataDir, clock: dead.clock });
    await harness.clock.advance(60_000);
    expect(harness.script.sent).toBe(0);
    expect(harness.engine.priceMismatches.list()).toMatchObject([{ id: mismatch.id, state: 'open' }]);
    expect(harness.job(waiting[0] ?? '')).toMatchObject({ state: 'blocked', reason: 'price' });
  });

  test('within the range of the readings is no mismatch', async () => {
    const harness = start({ profile });
    for (const dollars of [0.38, 0.419]) await answered(harness, made(usd(dollars)));
    expect(harness.engine.priceMismatches.list()).toEqual([]);
    const open = start();
    // $0.40 a video to $1.60 for four seconds: the two readings of the specification.
    for (const dollars of [0.4, 0.9, 1.6]) await answered(open, made(usd(dollars)));
    expect(open.engine.priceMismatches.list()).toEqual([]);
    await answered(open, made(usd(0.2)));
    expect(open.engine.priceMismatches.list()).toMatchObject([
      { expectedNano: 1_600_000_000, statedNano: 200_000_000 },
    ]);
  });

  test('accepted once: waiting jobs are sent at the stated cost, under their caps; a later job is blocked again', async () => {
    const harness = start({ profile });
    const { waiting, mismatch } = await stopped(harness);
    harness.store.transaction((db) => setBudget(db, { scope: 'day', play: false, hardNano: 2_400_000_000 }));
    harness.coreEvents.emit('budgets.changed');
    expect(harness.engine.priceMismatches.resolve(mismatch.id, 'once')).toMatchObject({
      ok: true,
      data: { state: 'once' },
    });
    await harness.clock.advance(60_000);
    expect(waiting.map((id) => harness.job(id).state)).toEqual(['succeeded', 'succeeded', 'blocked']);
    expect(harness.job(waiting[2] ?? '')).toMatchObject({ reason: 'budget', money: { estimateNano: 800_000_000 } });
    expect(harness.engine.priceMismatches.list()).toEqual([]);
    expect(harness.profile.prices).toMatchObject([{ readings: [{ nano: 400_000_000 }] }, {}]);
    harness.store.transaction((db) => setBudget(db, { scope: 'day', play: false, hardNano: null }));
    harness.script.submit = [made(usd(0.8)), made(usd(0.8))];
    const later = await harness.enqueue(aVideo);
    await harness.untilEnd(later.id);
    expect(harness.engine.priceMismatches.list()).toMatchObject([{ jobId: later.id, state: 'open' }]);
  });

  test('disputed: the price book is charged, the rest is in doubt, no entry is rewritten, and the price stays blocked', async () => {
    const harness = start({ profile });
    const { first, waiting, mismatch } = await stopped(harness);
    const before = lines(harness, first);
    expect(harness.engine.priceMismatches.resolve(mismatch.id, 'dispute')).toMatchObject({
      ok: true,
      data: { state: 'disputed' },
    });
    expect(harness.job(first).money).toMatchObject({
      chargedNano: 400_000_000,
      uncertainNano: 400_000_000,
      statedNano: 800_000_000,
    });
    expect(lines(harness, first)).toEqual([
      ...before,
      expect.objectContaining({ type: 'correction', settledNano: -400_000_000, uncertainNano: 400_000_000 }),
    ]);
    expect(sums(harness)).toMatchObject({ settledNano: 400_000_000, uncertainNano: 400_000_000 });
    await harness.clock.advance(60_000);
    expect(harness.script.sent).toBe(1);
    expect(harness.job(waiting[0] ?? '').reason).toBe('price');
    expect(harness.engine.priceMismatches.resolve(mismatch.id, 'dispute')).toMatchObject({ ok: false });
    expect(harness.engine.priceMismatches.resolve(mismatch.id, 'adopt')).toMatchObject({ ok: true });
    expect(harness.job(first).money).toMatchObject({ chargedNano: 800_000_000, uncertainNano: 0 });
    expect(listBudgets(harness.store.read, harness.clock.now())).toEqual([]);
    expect(harness.engine.priceMismatches.resolve(mismatch.id, 'once')).toMatchObject({
      ok: false,
      error: { code: 'wrong_state' },
    });
  });

  test('disputed after its result was refused: the mismatch is closed already, and no money moves', async () => {
    const refused = error({ kind: 'moderation', accepted: 'yes', message: 'Not this one.' });
    let answer: (outcome: MediaOutcome) => void = () => undefined;
    const fetchMedia = () => new Promise<MediaOutcome>((done) => (answer = done));
    const harness = start({ profile, script: { gateway: { fetchMedia } } });
    harness.engine.commands.setPaused(true);
    const { id } = await harness.enqueue(aVideo);
    const next = await harness.enqueue(aVideo);
    const outputs = [{ uri: 'https://h/a.png', role: 'output' as const }];
    harness.script.submit = [{ type: 'done', outputs, stated: usd(0.8) }, made(usd(0.4))];
    harness.engine.commands.setPaused(false);
    await harness.until(id, ({ money }) => money.chargedNano > 0);
    const [mismatch] = harness.engine.priceMismatches.list();
    expect(harness.job(next.id).reason).toBe('price');
    answer({ type: 'failed', error: refused });
    await harness.untilEnd(id);
    const before = harness.job(id).money;
    expect(before).toMatchObject({ chargedNano: 0, uncertainNano: 800_000_000 });
    const told = harness.events.flatMap((event) => (event.type === 'mismatch.changed' ? [event.mismatch.state] : []));
    expect(told).toEqual(['open', 'once']);
    expect(harness.engine.priceMismatches.resolve(mismatch?.id ?? '', 'dispute')).toMatchObject({
      ok: false,
      error: { code: 'wrong_state' },
    });
    expect(harness.job(id).money).toEqual(before);
    expect((await harness.untilEnd(next.id)).state).toBe('succeeded');
  });

  test('disputed after a bill has changed the charge: only the mismatch changes', async () => {
    const harness = start({ profile });
    harness.script.submit = [lostAnswer, made(usd(0.8))];
    const { id } = await harness.enqueue(aVideo);
    await harness.engine.commands.resolve({ id, as: 'resend' });
    await harness.untilEnd(id);
    const [mismatch] = harness.engine.priceMismatches.list();
    expect(harness.engine.commands.settleDoubt(id, 300_000_000)).toMatchObject({ ok: true });
    const before = harness.job(id).money;
    expect(before).toMatchObject({ chargedNano: 1_100_000_000, uncertainNano: 0 });
    expect(harness.engine.priceMismatches.resolve(mismatch?.id ?? '', 'dispute')).toMatchObject({ ok: true });
    expect(harness.job(id).money).toEqual(before);
    expect(harness.engine.priceMismatches.resolve(mismatch?.id ?? '', 'adopt')).toMatchObject({ ok: true });
    expect(harness.job(id).money).toEqual(before);
  });

  test('adopted after its disputed charge was corrected: only the mismatch changes', async () => {
    const harness = start({ profile });
    const { first, mismatch } = await stopped(harness);
    expect(harness.engine.priceMismatches.resolve(mismatch.id, 'dispute')).toMatchObject({ ok: true });
    const row = harness.store.read.one<JobRow>(sql('test.job', 'SELECT * FROM jobs WHERE id = $id'), { id: first });
    const ledger = new LedgerWriter({ clock: harness.clock, ids: countingIds() });
    const more = { settledNano: 100_000_000, settledLowNano: 100_000_000, uncertainNano: 0 };
    harness.store.transaction((db) => row && ledger.adjust(db, row, more, 'corrected'));
    const before = harness.job(first).money;
    expect(before).toMatchObject({ chargedNano: 500_000_000, uncertainNano: 400_000_000 });
    expect(harness.engine.priceMismatches.resolve(mismatch.id, 'adopt')).toMatchObject({ ok: true });
    expect(harness.job(first).money).toEqual(before);
  });

  test('ends an open night that has such jobs, and they are not sent', async () => {
    const harness = startNight({ profile, clock: new TestClock(EVENING) });
    harness.plan();
    const ids = await harness.fill(3);
    harness.script.submit = [made(usd(0.8)), made(usd(0.8)), made(usd(0.8))];
    await harness.clock.advance(3 * HOUR + 60_000);
    expect(harness.script.sent).toBe(1);
    expect(harness.night.get()).toMatchObject({
      current: null,
      last: {
        endedBy: 'price',
        endedText: 'The night was stopped: video-standard was expected to cost $0.40, and an answer states $0.80.',
      },
      leftOver: ids.slice(1),
    });
    expect(harness.notified).toContain(
      'The night was stopped: video-standard was expected to cost $0.40, and an answer states $0.80.',
    );
  });

  test('does not end a night of other models', async () => {
    const harness = startNight({ profile, clock: new TestClock(EVENING) });
    harness.plan();
    const pro = await harness.enqueue({ ...aVideo, model: 'video-pro' } as StudioRequest, { night: true });
    await harness.clock.advance(3 * HOUR);
    harness.script.submit = [made(usd(2)), made(usd(0.8))];
    await harness.untilEnd(pro.id);
    const { id } = await harness.enqueue(aVideo);
    await harness.untilEnd(id);
    expect(harness.engine.priceMismatches.list()).toHaveLength(1);
    expect(harness.night.get().current).toMatchObject({ state: 'open' });
  });
});
