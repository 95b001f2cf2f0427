import { describe, expect, test } from 'vitest';
import { aVideo, type EngineHarness, VIDEO_NANO } from '../../../../test/helpers/engineHarness.ts';
import { engineHarnesses } from '../../../../test/helpers/engineHarnesses.ts';
import { settle } from '../../../../test/helpers/testPorts.ts';
import type { ChatResult } from '../../../shared/job.ts';
import type { StudioRequest } from '../../../shared/kinds/index.ts';
import { MAX_NANO } from '../../../shared/money.ts';
import type { Price } from '../../../shared/price.ts';
import { entries, isExact, listBudgets, setBudget, totals } from '../ledger/index.ts';
import { sql } from '../store/index.ts';

const start = engineHarnesses();

const aChat: StudioRequest = { kind: 'chat', model: 'language', messages: [{ role: 'user', content: 'Say hello.' }] };

/** A harness whose chats are answered with this result. */
function answering(result: Partial<ChatResult>): EngineHarness {
  return start({
    script: {
      gateway: {
        chat: async () => ({
          type: 'answered',
          complete: true,
          result: { text: 'Hello.', finishReason: 'stop', ...result },
        }),
      },
    },
  });
}

const usage = (promptTokens: number, completionTokens: number) => ({
  usage: { promptTokens, completionTokens, totalTokens: promptTokens + completionTokens },
});
const lines = (harness: EngineHarness, jobId: string) =>
  entries(harness.store.read, { limit: 100, jobId }).entries.reverse();
const sums = (harness: EngineHarness) => totals(harness.store.read, 'kind', {}).sum;

describe('reported usage', () => {
  test('a plausible usage is charged', async () => {
    const harness = answering(usage(12, 900));
    const { id } = await harness.enqueue(aChat);
    expect(harness.job(id)).toMatchObject({
      state: 'succeeded',
      result: usage(12, 900),
      money: { chargedNano: 12 * 270 + 900 * 1_080 },
    });
    expect(harness.job(id).money.note).toBeUndefined();
  });

  test.each([
    ['10^15 tokens', usage(1e15, 0)],
    ['more than was sent', usage(5_000, 3)],
    ['more than the context holds', usage(12, 128_001)],
    ['a fraction', usage(12.5, 3)],
    ['less than none', usage(-5, 3)],
    ['no number', usage(12, Number.NaN)],
    ['more than is exact', usage(12, 2 ** 60)],
  ])('%s: the estimate is charged, nothing of it is held, and the job says so', async (_name, claimed) => {
    const harness = answering(claimed);
    const { id, money } = await harness.enqueue(aChat);
    const job = harness.job(id);
    expect(job.money).toMatchObject({ chargedNano: money.estimateNano, reservedNano: 0, uncertainNano: 0 });
    expect(job.money.note).toMatch(/^The service counts .* That is not believed: the estimate is charged\.$/);
    expect(job.result?.usage).toBeUndefined();
    expect(lines(harness, id).at(-1)).toMatchObject({ type: 'charge', note: job.money.note });
    expect(isExact([sums(harness)])).toBe(true);
  });

  test.each([
    ['what a model thought and does not show', 'Hello.', 9_000],
    ['as much as the context holds', 'Hello.', 128_000],
    ['a long answer that really came', 'word '.repeat(40_000), 150_000],
  ])('%s is believed beyond the limit of the profile', async (_name, text, tokens) => {
    const harness = answering({ text, ...usage(12, tokens) });
    const { id } = await harness.enqueue(aChat);
    expect(harness.job(id).money).toMatchObject({ chargedNano: 12 * 270 + tokens * 1_080 });
    expect(harness.job(id).result).toMatchObject(usage(12, tokens));
  });

  test('the headroom of a hard cap is exact after a charge', async () => {
    const harness = answering(usage(1e15, 1e15));
    harness.store.transaction((db) => setBudget(db, { scope: 'day', hardNano: 1e9 }));
    await harness.enqueue(aChat);
    const [day] = listBudgets(harness.store.read, harness.clock.now());
    expect(day?.used.settledNano).toBeLessThan(1e9);
    const { id } = await harness.enqueue(aChat);
    expect(harness.job(id).state).toBe('succeeded');
  });
});

describe('sums that cannot be stored', () => {
  const dear = (nano: number): Price[] => [
    { kind: 'video', model: 'video-standard', readings: [{ unit: 'video', nano }], settledReading: 0, source: 'x' },
  ];

  test('a job whose cost the ledger cannot hold is refused with a sentence, and nothing is written', async () => {
    const harness = start({ profile: { prices: [{ ...dear(0)[0], readings: [{ unit: 'second', nano: 1e15 }] }] } });
    const result = await harness.engine.commands.enqueue({ requests: [aVideo] });
    expect(result).toMatchObject({ ok: false, error: { code: 'invalid_input', data: { field: 'price' } } });
    expect(harness.script.sent).toBe(0);
    expect(sums(harness)).toMatchObject({ reservedNano: 0 });
  });

  test('a job that would make the sums inexact waits without a reservation, and is not sent', async () => {
    const harness = start({ profile: { prices: dear(1e15) } });
    harness.engine.commands.setPaused(true);
    const ids: string[] = [];
    for (let n = 0; n < 12; n++) ids.push((await harness.enqueue(aVideo)).id);
    expect(ids.map((id) => harness.job(id).money.reservedNano)).toEqual([...Array(9).fill(1e15), 0, 0, 0]);
    expect(harness.job(ids[9] ?? '')).toMatchObject({ state: 'blocked', reason: 'budget' });
    expect(sums(harness)).toMatchObject({ reservedNano: 9e15 });
    expect(isExact([sums(harness)])).toBe(true);
  });

  test('a bill that the sums cannot hold is an error value, and the doubt stays', async () => {
    const harness = start({ profile: { prices: dear(1e15) } });
    harness.engine.commands.setPaused(true);
    for (let n = 0; n < 9; n++) await harness.enqueue(aVideo);
    harness.profile.prices = [];
    harness.engine.commands.setPaused(false);
    await settle();
    const doubtful = await harness.enqueue({ kind: 'video', model: 'video-standard', prompt: 'x' });
    harness.store.transaction((db) => {
      db.run(sql('test.doubt', `UPDATE jobs SET state = 'failed', uncertain_nano = 5 WHERE id = $id`), {
        id: doubtful.id,
      });
      db.run(sql('test.full', `UPDATE spend SET settled_nano = $most, reserved_nano = 0 WHERE scope = 'month'`), {
        most: MAX_NANO,
      });
    });
    expect(harness.engine.commands.settleDoubt(doubtful.id, 1e15)).toMatchObject({
      ok: false,
      error: { code: 'too_large' },
    });
    expect(harness.job(doubtful.id).money).toMatchObject({ uncertainNano: 5, chargedNano: 0 });
  });

  test('inexact sums of an older ledger are reported, and read without an exception', async () => {
    const harness = start();
    harness.engine.commands.setPaused(true);
    const { id } = await harness.enqueue(aVideo);
    for (let n = 0; n < 9; n++)
      harness.store.transaction((db) =>
        db.run(
          sql(
            'test.entry',
            `INSERT INTO ledger_entries (id, job_id, at, counted_at, day, type, settled_nano, kind)
             VALUES ($id, $jobId, 0, 0, '1970-01-01', 'charge', 1350000000000000000, 'video')`,
          ),
          { id: `old${n}`, jobId: id },
        ),
      );
    const found = totals(harness.store.read, 'day', {});
    expect(isExact([found.sum])).toBe(false);
    expect(harness.job(id).money.reservedNano).toBe(VIDEO_NANO);
  });
});
