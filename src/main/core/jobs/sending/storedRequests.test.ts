import { describe, expect, test } from 'vitest';
import {
  acceptance,
  type EngineHarness,
  finished,
  lostAnswer,
  refusal,
  sentRequest,
} from '../../../../../test/helpers/engineHarness.ts';
import { engineHarnesses, jobsOfThisFile } from '../../../../../test/helpers/engineHarnesses.ts';
import { TestClock } from '../../../../../test/helpers/testPorts.ts';
import { retryOfferOf } from '../../../../shared/gateway/idempotency.ts';
import { hasRecord } from '../../evidence/index.ts';
import type { Gateway, SubmitOutcome } from '../../gateway/index.ts';
import type { Store } from '../../store/index.ts';

/** From when on a service may remember the key, and that what is kept are the bytes that left last. */

const start = engineHarnesses();
const aJob = jobsOfThisFile(start);

const HOUR = 3_600_000;
const profile = { idempotency: { kind: 'documented', source: 'https://gateway.example/docs', windowHours: 24 } };
const LONG = JSON.stringify({ image: 'x'.repeat(300_000) });
const canAsk = (harness: EngineHarness, id: string): boolean =>
  retryOfferOf(harness.job(id), harness.profile, harness.clock.now()).can;

/** A service that is given its request in two spellings; what comes before and after the second one. */
const inTwoSpellings =
  (
    submits: SubmitOutcome[],
    before: (mayRetry: () => boolean) => boolean = (mayRetry) => mayRetry(),
    after: () => void = () => undefined,
  ): Gateway['submitVideo'] =>
  async (_order, { idempotencyKey: key, keep, mayRetry }) => {
    await keep?.(sentRequest(key, '{"spelling":1}'));
    if (!before(() => mayRetry?.() !== false)) return refusal({ kind: 'invalid', status: 400 });
    await keep?.(sentRequest(key, '{"spelling":2}'));
    after();
    return submits.shift() ?? refusal();
  };

describe('the time for which the service remembers', () => {
  const offline = refusal({ kind: 'network', retryable: true });
  const lostAfter = async (...before: SubmitOutcome[]) => {
    const { harness, id, clock, is } = await aJob({ profile, body: '{}', submit: [...before, lostAnswer] });
    return { job: await is('uncertain'), clock, can: () => canAsk(harness, id) };
  };

  test('begins with an attempt that was turned away under the key', async () => {
    const rate = refusal({ kind: 'rate_limit', status: 429, retryable: true, retryAfterMs: 290_000 });
    const { job, clock, can } = await lostAfter(rate, rate);
    const [first = 0, , last] = job.attempts.map(({ at }) => at);
    expect(last).toBeGreaterThan(first + 500_000);
    expect(job.kept?.at).toBe(first);
    clock.set(first + 24 * HOUR - 60_000);
    expect(can()).toBe(false);
    clock.set(first + 24 * HOUR - 61_000);
    expect(can()).toBe(true);
  });

  test('does not begin with an attempt that never reached it', async () => {
    const { job } = await lostAfter(offline);
    expect(job.kept?.at).toBe(job.attempts[1]?.at);
  });

  test('begins with an attempt of which one spelling reached it', async () => {
    const { is } = await aJob({ profile, gateway: { submitVideo: inTwoSpellings([offline, lostAnswer]) } });
    const job = await is('uncertain');
    expect(job.attempts.map(({ outcome }) => outcome)).toEqual(['unsent', 'unknown']);
    expect(job.kept?.at).toBe(job.attempts[0]?.at);
  });
});

describe('what is kept on disk', () => {
  test('nothing is kept where the service is not documented to give the first request back', async () => {
    const { harness, id, store, now } = await aJob({ state: 'uncertain', body: LONG });
    expect(now().kept).toBeUndefined();
    expect(store.read.all({ name: 'test', text: 'SELECT job_id FROM sent_requests' })).toEqual([]);
    expect(canAsk(harness, id)).toBe(false);
    // What was sent is on record all the same.
    expect(hasRecord(store.read, id, 'sent')).toBe(true);
  });

  test('other bytes are asked for no more, and the job says so', async () => {
    const one = await aJob({ state: 'uncertain', profile, body: LONG });
    const { harness, id, script, events, store, now, resolve } = one;
    const { revision } = now();
    store.transaction((db) => void db.run({ name: 'test', text: `UPDATE sent_requests SET body = 'other'` }));
    expect(await resolve('again')).toMatchObject({ error: { message: expect.stringContaining('damaged on disk') } });
    expect(now().kept).toBeUndefined();
    expect(now().revision).toBeGreaterThan(revision);
    await harness.clock.advance(25);
    expect(events).toContainEqual(expect.objectContaining({ type: 'job.changed' }));
    expect([canAsk(harness, id), script.repeated]).toEqual([false, []]);
  });

  test('what cannot be removed when the order is accepted keeps it from nothing', async () => {
    const clock = new TestClock();
    const { store, commands, now, ends, is, script } = await aJob({ state: 'paused', profile, body: LONG, clock });
    const refusing = `CREATE TRIGGER refusing BEFORE DELETE ON sent_requests BEGIN SELECT RAISE(ABORT, 'damaged'); END`;
    store.transaction((db) => db.run({ name: 'test', text: refusing }));
    script.submit = [acceptance(clock)];
    script.poll = [finished()];
    await commands.setPaused(false);
    await is('running');
    expect(now()).toMatchObject({ attempts: [{ outcome: 'accepted' }], money: { uncertainNano: 0 } });
    expect((await ends()).state).toBe('succeeded');
  });

  test('what was not sent of an order is known also where its request could not be kept', async () => {
    const submitVideo: Gateway['submitVideo'] = async (_order, { idempotencyKey: key, keep }) => {
      await keep?.({ ...sentRequest(key, '{}'), omitted: ['seed'] });
      return lostAnswer;
    };
    const refusing = `CREATE TRIGGER refusing BEFORE INSERT ON sent_requests BEGIN SELECT RAISE(ABORT, 'damaged'); END`;
    const { id, store, now, commands, is } = await aJob({ state: 'paused', profile, gateway: { submitVideo } });
    store.transaction((db) => db.run({ name: 'test', text: refusing }));
    await commands.setPaused(false);
    expect(await is('uncertain')).toMatchObject({ omitted: ['seed'] });
    expect(now().kept).toBeUndefined();
    expect(hasRecord(store.read, id, 'sent')).toBe(true);
  });
});

describe('what cannot be written while a second spelling is kept', () => {
  /** From the second spelling on, this cannot be written. */
  async function sentTwice(broken: 'grouped' | 'transaction') {
    let isBroken = false;
    const fault = () => Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
    const wrapStore = (store: Store): Store => ({
      ...store,
      transaction: (work) => {
        if (isBroken && broken === 'transaction') throw fault();
        return store.transaction(work);
      },
      grouped: (work) => (isBroken && broken === 'grouped' ? Promise.reject(fault()) : store.grouped(work)),
    });
    let kept: unknown[] = ['not read'];
    const submitVideo = inTwoSpellings(
      [lostAnswer],
      (mayRetry) => {
        isBroken = broken === 'transaction';
        const may = mayRetry();
        isBroken = broken === 'grouped';
        return may;
      },
      () => {
        kept = one.store.read.all({ name: 'test.sent', text: 'SELECT * FROM sent_requests' });
        isBroken = false;
      },
    );
    const one = start({ wrapStore, profile, script: { gateway: { submitVideo } } });
    const { id } = await one.enqueue({ kind: 'video', model: 'video-standard', prompt: 'A quay' });
    isBroken = false;
    return { ...one, id, harness: one, kept };
  }

  test('nothing is kept that is not what left last, not even until its answer comes', async () => {
    const { harness, id, until, kept } = await sentTwice('grouped');
    const job = await until(id, ({ state }) => state === 'uncertain');
    expect([job.kept, kept, canAsk(harness, id)]).toEqual([undefined, [], false]);
  });

  test('where not even that can be written, the second spelling is not sent', async () => {
    const { id, untilEnd, kept } = await sentTwice('transaction');
    expect(kept).toEqual(['not read']);
    expect(await untilEnd(id)).toMatchObject({ state: 'failed', money: { reservedNano: 0, uncertainNano: 0 } });
  });
});
