import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  acceptance,
  aVideo,
  type EngineHarness,
  finished,
  lostAnswer,
  refusal,
  sentRequest,
  startEngine,
} from '../../../../../test/helpers/engineHarness.ts';
import { engineHarnesses } from '../../../../../test/helpers/engineHarnesses.ts';
import { settle, TestClock } from '../../../../../test/helpers/testPorts.ts';
import { askAgainOf } from '../../../../shared/idempotency.ts';
import type { Job } from '../../../../shared/job.ts';
import { hasRecord } from '../../evidence/index.ts';
import type { Gateway, SubmitOutcome } from '../../gateway/index.ts';
import type { Store } from '../../store/index.ts';

/** From when on a service may remember the key, and that what is kept are the bytes that left last. */

const start = engineHarnesses();

const HOUR = 3_600_000;
const DOCUMENTED = { kind: 'documented', source: 'https://gateway.example/docs', windowHours: 24 } as const;
const inDoubt = ({ state }: Job): boolean => state === 'uncertain';

const canAsk = (harness: EngineHarness, id: string): boolean =>
  askAgainOf(harness.job(id), harness.profile, harness.clock.now()).can;

describe('the time for which the service remembers', () => {
  async function lostAfter(...before: SubmitOutcome[]): Promise<{ harness: EngineHarness; job: Job }> {
    const harness = start({ profile: { idempotency: DOCUMENTED } });
    harness.script.body = '{}';
    harness.script.submit = [...before, lostAnswer];
    const { id } = await harness.enqueue(aVideo);
    return { harness, job: await harness.until(id, inDoubt) };
  }

  test('begins with an attempt that was turned away under the key', async () => {
    const rate = refusal({ kind: 'rate_limit', status: 429, retryable: true, retryAfterMs: 290_000 });
    const { harness, job } = await lostAfter(rate, rate);
    const [first, , last] = job.attempts.map(({ at }) => at);
    expect(last).toBeGreaterThan((first ?? 0) + 500_000);
    expect(job.kept?.at).toBe(first);
    harness.clock.set((first ?? 0) + 24 * HOUR - 60_000);
    expect(canAsk(harness, job.id)).toBe(false);
    harness.clock.set((first ?? 0) + 24 * HOUR - 61_000);
    expect(canAsk(harness, job.id)).toBe(true);
  });

  test('does not begin with an attempt that never reached it', async () => {
    const { job } = await lostAfter(refusal({ kind: 'network', retryable: true }));
    expect(job.kept?.at).toBe(job.attempts[1]?.at);
  });

  test('begins with an attempt of which one spelling reached it', async () => {
    const submits = [refusal({ kind: 'network', retryable: true }), lostAnswer];
    const harness = start({
      profile: { idempotency: DOCUMENTED },
      script: {
        gateway: {
          submitVideo: async (_order, { idempotencyKey: key, keep, mayRetry }) => {
            await keep?.(sentRequest(key, '{"spelling":1}'));
            expect(mayRetry?.()).toBe(true);
            await keep?.(sentRequest(key, '{"spelling":2}'));
            return submits.shift() ?? refusal();
          },
        },
      },
    });
    const { id } = await harness.enqueue(aVideo);
    const job = await harness.until(id, inDoubt);
    expect(job.attempts.map(({ outcome }) => outcome)).toEqual(['unsent', 'unknown']);
    expect(job.kept?.at).toBe(job.attempts[0]?.at);
  });
});

describe('what is kept on disk', () => {
  const LONG = JSON.stringify({ image: 'x'.repeat(300_000) });
  const folderOf = (harness: EngineHarness): string => path.join(harness.dataDir, 'sent');

  async function longInDoubt(
    open: typeof startEngine = start,
  ): Promise<{ harness: EngineHarness; id: string; file: string }> {
    const harness = open({ profile: { idempotency: DOCUMENTED } });
    harness.script.body = LONG;
    harness.script.submit = [lostAnswer];
    const { id } = await harness.enqueue(aVideo);
    await harness.until(id, inDoubt);
    const [name = ''] = fs.readdirSync(folderOf(harness));
    return { harness, id, file: path.join(folderOf(harness), name) };
  }

  test('nothing is kept where the service is not documented to give the first order back', async () => {
    const harness = start();
    harness.script.body = LONG;
    harness.script.submit = [lostAnswer];
    const { id } = await harness.enqueue(aVideo);
    const job = await harness.until(id, inDoubt);
    expect(job.kept).toBeUndefined();
    expect(fs.existsSync(folderOf(harness))).toBe(false);
    expect(harness.store.read.all({ name: 'test', text: 'SELECT job_id FROM sent_requests' })).toEqual([]);
    expect(canAsk(harness, id)).toBe(false);
    // What was sent is on record all the same.
    expect(hasRecord(harness.store.read, id, 'sent')).toBe(true);
  });

  async function whyNotAsked(harness: EngineHarness, id: string): Promise<string> {
    const asked = await harness.engine.commands.resolve({ id, as: 'again' });
    return asked.ok ? 'asked' : asked.error.message;
  }

  test('damaged or gone, it is asked for no more, and the job says so', async () => {
    for (const harm of [(file: string) => fs.writeFileSync(file, 'other'), (file: string) => fs.rmSync(file)]) {
      const { harness, id, file } = await longInDoubt();
      const { revision } = harness.job(id);
      harm(file);
      expect(await whyNotAsked(harness, id)).toContain('damaged on disk or gone');
      expect(harness.job(id).kept?.missing).toContain('damaged on disk or gone');
      expect(harness.job(id).revision).toBeGreaterThan(revision);
      expect(harness.events).toContainEqual(expect.objectContaining({ type: 'job.changed' }));
      expect(canAsk(harness, id)).toBe(false);
      expect(harness.script.repeated).toEqual([]);
    }
  });

  test('a row that is no row any more is damaged too', async () => {
    const { harness, id } = await longInDoubt();
    harness.store.transaction((db) => db.run({ name: 'test', text: `UPDATE sent_requests SET headers = '{'` }));
    expect(await whyNotAsked(harness, id)).toContain('damaged on disk or gone');
    expect(canAsk(harness, id)).toBe(false);
  });

  test('a file that cannot be read now is looked at again by the next start', async () => {
    const { harness, id, file } = await longInDoubt(startEngine);
    fs.renameSync(file, `${file}.aside`);
    fs.mkdirSync(file);
    expect(await whyNotAsked(harness, id)).toContain('cannot be read');
    expect(canAsk(harness, id)).toBe(false);
    fs.rmdirSync(file);
    fs.renameSync(`${file}.aside`, file);
    await harness.close();
    const next = start({ dataDir: harness.dataDir, clock: harness.clock, profile: { idempotency: DOCUMENTED } });
    await settle();
    expect(canAsk(next, id)).toBe(true);
  });

  test.each<[string, (folder: string) => void, (folder: string) => void]>([
    ['its folder is gone', (folder) => fs.rmSync(folder, { recursive: true }), () => undefined],
    [
      'it cannot be removed',
      (folder) => {
        for (const name of fs.readdirSync(folder)) {
          fs.rmSync(path.join(folder, name));
          fs.mkdirSync(path.join(folder, name));
        }
      },
      (folder) => {
        for (const name of fs.readdirSync(folder)) fs.rmdirSync(path.join(folder, name));
      },
    ],
  ])('%s when the order is accepted: it runs all the same', async (_, harm, mend) => {
    const clock = new TestClock();
    const submitVideo: Gateway['submitVideo'] = async (_order, { idempotencyKey: key, keep }) => {
      await keep?.(sentRequest(key, LONG));
      harm(folderOf(harness));
      return acceptance(clock);
    };
    const harness: EngineHarness = start({
      clock,
      profile: { idempotency: DOCUMENTED },
      script: { gateway: { submitVideo } },
    });
    const { id } = await harness.enqueue(aVideo);
    const job = await harness.until(id, ({ state }) => state !== 'sending');
    expect(job).toMatchObject({ state: 'running', attempts: [{ outcome: 'accepted' }], money: { uncertainNano: 0 } });
    mend(folderOf(harness));
    harness.script.poll = [finished()];
    expect((await harness.untilEnd(id)).state).toBe('succeeded');
  });

  test('what was not sent of an order is known also where its request could not be kept', async () => {
    const submitVideo: Gateway['submitVideo'] = async (_order, { idempotencyKey: key, keep }) => {
      await keep?.({ ...sentRequest(key, '{}'), omitted: ['seed'] });
      return lostAnswer;
    };
    const harness = start({ profile: { idempotency: DOCUMENTED }, script: { gateway: { submitVideo } } });
    const refusing = `CREATE TRIGGER refusing BEFORE INSERT ON sent_requests BEGIN SELECT RAISE(ABORT, 'damaged'); END`;
    harness.store.transaction((db) => db.run({ name: 'test', text: refusing }));
    const { id } = await harness.enqueue(aVideo);
    const job = await harness.until(id, inDoubt);
    expect(job).toMatchObject({ omitted: ['seed'] });
    expect(job.kept).toBeUndefined();
  });

  test('a file that is gone is found also where another one cannot be removed', async () => {
    const { harness, id, file } = await longInDoubt(startEngine);
    await harness.close();
    fs.rmSync(file);
    fs.mkdirSync(path.join(folderOf(harness), 'job_0-of-another-run.json'));
    const next = start({ dataDir: harness.dataDir, clock: harness.clock, profile: { idempotency: DOCUMENTED } });
    await settle();
    expect(next.job(id).kept?.missing).toContain('gone');
  });

  test('a file that is gone is found by the next start', async () => {
    const { harness, id, file } = await longInDoubt(startEngine);
    await harness.close();
    fs.rmSync(file);
    const next = start({ dataDir: harness.dataDir, clock: harness.clock, profile: { idempotency: DOCUMENTED } });
    await settle();
    expect(next.job(id).kept?.missing).toContain('gone');
  });
});

describe('a disk that is full while a second spelling is kept', () => {
  /** A service that refuses the first spelling; what may be written changes before the second one. */
  async function sentTwice(disk: { grouped?: boolean; all?: boolean }, awaited?: Promise<void>) {
    const full = { grouped: false, all: false };
    const fault = () => Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
    const wrapStore = (store: Store): Store => ({
      ...store,
      transaction: (work) => {
        if (full.all) throw fault();
        return store.transaction(work);
      },
      grouped: (work) => (full.grouped || full.all ? Promise.reject(fault()) : store.grouped(work)),
    });
    const sent: string[] = [];
    const clock = new TestClock();
    const harness = start({
      clock,
      wrapStore,
      profile: { idempotency: DOCUMENTED },
      script: {
        gateway: {
          submitVideo: async (_order, { idempotencyKey: key, keep, mayRetry }) => {
            await keep?.(sentRequest(key, '{"spelling":1}'));
            sent.push('first');
            full.all = disk.all ?? false;
            if (mayRetry?.() === false) {
              full.all = false;
              return refusal({ kind: 'invalid', status: 400 });
            }
            full.grouped = disk.grouped ?? false;
            await keep?.(sentRequest(key, '{"spelling":2}'));
            sent.push('second');
            await awaited;
            full.grouped = false;
            return lostAnswer;
          },
        },
      },
    });
    const { id } = await harness.enqueue(aVideo);
    return { harness, id, sent, full, clock };
  }

  test('nothing is kept that is not what left last', async () => {
    const { harness, id, sent } = await sentTwice({ grouped: true });
    const job = await harness.until(id, inDoubt);
    expect(sent).toEqual(['first', 'second']);
    expect(job.kept).toBeUndefined();
    expect(canAsk(harness, id)).toBe(false);
  });

  test('nor after a kill while its answer is awaited', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { harness, sent, clock } = await sentTwice({ grouped: true }, promise);
    await clock.advance(1_000);
    expect(sent).toEqual(['first', 'second']);
    const rows = harness.store.read.all({ name: 'test.sent', text: 'SELECT * FROM sent_requests' });
    resolve();
    expect(rows).toEqual([]);
  });

  test('where not even that can be written, the second spelling is not sent', async () => {
    const { harness, id, sent } = await sentTwice({ all: true });
    const job = await harness.untilEnd(id);
    expect(sent).toEqual(['first']);
    expect(job).toMatchObject({ state: 'failed', money: { reservedNano: 0, uncertainNano: 0 } });
  });
});
