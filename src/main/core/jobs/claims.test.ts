import { describe, expect, test } from 'vitest';
import { aVideo, VIDEO_NANO } from '../../../../test/helpers/engineHarness.ts';
import { engineHarnesses, jobsOfThisFile } from '../../../../test/helpers/engineHarnesses.ts';
import { aPrice } from '../../../../test/helpers/prices.ts';
import type { ChatResult } from '../../../shared/jobs/job.ts';
import type { StudioRequest } from '../../../shared/kinds/index.ts';
import { MAX_NANO } from '../../../shared/money/money.ts';
import { isExact, totals } from '../ledger/index.ts';
import { sql } from '../store/index.ts';

const start = engineHarnesses();
const aJob = jobsOfThisFile(start);

const request: StudioRequest = { kind: 'chat', model: 'language', messages: [{ role: 'user', content: 'Say hello.' }] };
const usage = (promptTokens: number, completionTokens: number) => ({
  usage: { promptTokens, completionTokens, totalTokens: promptTokens + completionTokens },
});
const chatting = (result: Partial<ChatResult>) => ({
  chat: async () => ({
    type: 'answered' as const,
    complete: true as const,
    result: { text: 'Hello.', finishReason: 'stop', ...result },
  }),
});
const answered = (result: Partial<ChatResult>) => aJob({ request, gateway: chatting(result) });

describe('reported usage', () => {
  test.each([
    ['what is plausible', 'Hello.', 900],
    ['what a model thought and does not show', 'Hello.', 9_000],
    ['as much as the context holds', 'Hello.', 128_000],
    ['a long answer that really came', 'word '.repeat(40_000), 150_000],
  ])('%s is believed and charged, beyond the limit of the profile', async (_name, text, tokens) => {
    const { now } = await answered({ text, ...usage(12, tokens) });
    const money = { chargedNano: 12 * 270 + tokens * 1_080 };
    expect(now()).toMatchObject({ state: 'succeeded', result: usage(12, tokens), money });
    expect(now().money.note).toBeUndefined();
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
    const { id, now, entriesOf, sums } = await answered(claimed);
    const { money, result } = now();
    expect(money).toMatchObject({ chargedNano: money.estimateNano, reservedNano: 0, uncertainNano: 0 });
    expect(money.note).toMatch(/^The gateway counts .* That is not believed: the estimate is charged\.$/);
    expect(result?.usage).toBeUndefined();
    expect(entriesOf(id).at(-1)).toMatchObject({ type: 'charge', note: money.note });
    expect(isExact([sums()])).toBe(true);
  });
});

describe('sums that cannot be stored', () => {
  const dear = { prices: [aPrice('video', 1e6)] };

  test('a job whose cost the ledger cannot hold is refused with a sentence, and nothing is written', async () => {
    const { engine, script, sums } = start({ profile: { prices: [aPrice('second', 1e6)] } });
    const refused = { code: 'invalid_input', data: { field: 'price' } };
    expect(await engine.commands.enqueue({ requests: [aVideo] })).toMatchObject({ error: refused });
    expect([script.sent, sums().reservedNano]).toEqual([0, 0]);
  });

  test('a job that would make the sums inexact waits without a reservation, and is not sent', async () => {
    const { engine, many, job, sums } = start({ profile: dear });
    engine.commands.setPaused(true);
    const ids = await many(12);
    expect(ids.map((id) => job(id).money.reservedNano)).toEqual([...Array(9).fill(1e15), 0, 0, 0]);
    expect(job(ids[9] ?? '')).toMatchObject({ state: 'blocked', reason: 'budget' });
    expect(sums()).toMatchObject({ reservedNano: 9e15 });
    expect(isExact([sums()])).toBe(true);
  });

  test('a bill that the sums cannot hold is an error value, and the doubt stays', async () => {
    const { id, store, commands, now } = await aJob({ state: 'paused' });
    const doubt = sql('test.doubt', `UPDATE jobs SET state = 'failed', uncertain_nano = 5 WHERE id = $id`);
    const full = sql('test.full', `UPDATE spend SET settled_nano = $most, reserved_nano = 0 WHERE scope = 'month'`);
    store.transaction((db) => {
      db.run(doubt, { id });
      db.run(full, { most: MAX_NANO });
    });
    expect(commands.settleDoubt(id, 1e15)).toMatchObject({ ok: false, error: { code: 'too_large' } });
    expect(now().money).toMatchObject({ uncertainNano: 5, chargedNano: 0 });
  });

  test('inexact sums of an older ledger are reported, and read without an exception', async () => {
    const { id: jobId, store, now } = await aJob({ state: 'paused' });
    const entry = sql(
      'test.entry',
      `INSERT INTO ledger_entries (id, job_id, at, counted_at, day, type, settled_nano, kind)
       VALUES ($id, $jobId, 0, 0, '1970-01-01', 'charge', 1350000000000000000, 'video')`,
    );
    for (let n = 0; n < 9; n++) store.transaction((db) => db.run(entry, { id: `old${n}`, jobId }));
    expect(isExact([totals(store.read, 'day', {}).sum])).toBe(false);
    expect(now().money.reservedNano).toBe(VIDEO_NANO);
  });
});
