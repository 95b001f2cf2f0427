import { describe, expect, test } from 'vitest';
import { aVideo, type Rig, VIDEO_NANO } from '../../../../test/helpers/engineRig.ts';
import { rigsOfThisFile } from '../../../../test/helpers/rigsOfThisFile.ts';
import { settle } from '../../../../test/helpers/testPorts.ts';
import type { ChatResult } from '../../../shared/job.ts';
import type { StudioRequest } from '../../../shared/kinds/index.ts';
import { MOST_NANO } from '../../../shared/money.ts';
import type { Price } from '../../../shared/price.ts';
import { entries, isExact, listBudgets, setBudget, totals } from '../ledger/index.ts';
import { sql } from '../store/index.ts';

const start = rigsOfThisFile();

const aChat: StudioRequest = { kind: 'chat', model: 'language', messages: [{ role: 'user', content: 'Say hello.' }] };

/** A rig whose chats are answered with this result. */
function answering(result: Partial<ChatResult>): Rig {
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
const lines = (rig: Rig, jobId: string) => entries(rig.store.read, { limit: 100, jobId }).entries.reverse();
const sums = (rig: Rig) => totals(rig.store.read, 'kind', {}).sum;

describe('usage is a claim', () => {
  test('a count that can be is what is charged', async () => {
    const rig = answering(usage(12, 900));
    const { id } = await rig.enqueue(aChat);
    expect(rig.job(id)).toMatchObject({
      state: 'succeeded',
      result: usage(12, 900),
      money: { chargedNano: 12 * 270 + 900 * 1_080 },
    });
    expect(rig.job(id).money.note).toBeUndefined();
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
    const rig = answering(claimed);
    const { id, money } = await rig.enqueue(aChat);
    const job = rig.job(id);
    expect(job.money).toMatchObject({ chargedNano: money.estimateNano, reservedNano: 0, uncertainNano: 0 });
    expect(job.money.note).toMatch(/^The service counts .* That is not believed: the estimate is charged\.$/);
    expect(job.result?.usage).toBeUndefined();
    expect(lines(rig, id).at(-1)).toMatchObject({ type: 'charge', note: job.money.note });
    expect(isExact([sums(rig)])).toBe(true);
  });

  test.each([
    ['what a model thought and does not show', 'Hello.', 9_000],
    ['as much as the context holds', 'Hello.', 128_000],
    ['a long answer that really came', 'word '.repeat(40_000), 150_000],
  ])('%s is believed beyond the limit of the profile', async (_name, text, tokens) => {
    const rig = answering({ text, ...usage(12, tokens) });
    const { id } = await rig.enqueue(aChat);
    expect(rig.job(id).money).toMatchObject({ chargedNano: 12 * 270 + tokens * 1_080 });
    expect(rig.job(id).result).toMatchObject(usage(12, tokens));
  });

  test('what is left of a hard cap is left after it', async () => {
    const rig = answering(usage(1e15, 1e15));
    rig.store.transaction((db) => setBudget(db, { scope: 'day', hardNano: 1e9 }));
    await rig.enqueue(aChat);
    const [day] = listBudgets(rig.store.read, rig.clock.now());
    expect(day?.used.settledNano).toBeLessThan(1e9);
    const { id } = await rig.enqueue(aChat);
    expect(rig.job(id).state).toBe('succeeded');
  });
});

describe('sums that cannot be stored', () => {
  const dear = (nano: number): Price[] => [
    { kind: 'video', model: 'video-standard', readings: [{ unit: 'video', nano }], settledReading: 0, source: 'x' },
  ];

  test('an order that no ledger can hold is refused with a sentence, and nothing is written', async () => {
    const rig = start({ profile: { prices: [{ ...dear(0)[0], readings: [{ unit: 'second', nano: 1e15 }] }] } });
    const result = await rig.engine.enqueue({ requests: [aVideo] });
    expect(result).toMatchObject({ ok: false, error: { code: 'invalid_input', data: { field: 'price' } } });
    expect(rig.script.sent).toBe(0);
    expect(sums(rig)).toMatchObject({ reservedNano: 0 });
  });

  test('what would take the sums beyond counting waits, with nothing set aside, and is not sent', async () => {
    const rig = start({ profile: { prices: dear(1e15) } });
    rig.engine.setPaused(true);
    const ids: string[] = [];
    for (let n = 0; n < 12; n++) ids.push((await rig.enqueue(aVideo)).id);
    expect(ids.map((id) => rig.job(id).money.reservedNano)).toEqual([...Array(9).fill(1e15), 0, 0, 0]);
    expect(rig.job(ids[9] ?? '')).toMatchObject({ state: 'blocked', reason: 'budget' });
    expect(sums(rig)).toMatchObject({ reservedNano: 9e15 });
    expect(isExact([sums(rig)])).toBe(true);
  });

  test('a bill that the sums cannot hold is an error value; the doubt stays', async () => {
    const rig = start({ profile: { prices: dear(1e15) } });
    rig.engine.setPaused(true);
    for (let n = 0; n < 9; n++) await rig.enqueue(aVideo);
    rig.profile.prices = [];
    rig.engine.setPaused(false);
    await settle();
    const doubtful = await rig.enqueue({ kind: 'video', model: 'video-standard', prompt: 'x' });
    rig.store.transaction((db) => {
      db.run(sql('test.doubt', `UPDATE jobs SET state = 'failed', uncertain_nano = 5 WHERE id = $id`), {
        id: doubtful.id,
      });
      db.run(sql('test.full', `UPDATE spend SET settled_nano = $most, reserved_nano = 0 WHERE scope = 'month'`), {
        most: MOST_NANO,
      });
    });
    expect(rig.engine.settleDoubt(doubtful.id, 1e15)).toMatchObject({ ok: false, error: { code: 'too_large' } });
    expect(rig.job(doubtful.id).money).toMatchObject({ uncertainNano: 5, chargedNano: 0 });
  });

  test('sums of an older ledger that are not exact are told, and read without an exception', async () => {
    const rig = start();
    rig.engine.setPaused(true);
    const { id } = await rig.enqueue(aVideo);
    for (let n = 0; n < 9; n++)
      rig.store.transaction((db) =>
        db.run(
          sql(
            'test.entry',
            `INSERT INTO ledger_entries (id, job_id, at, counted_at, day, type, settled_nano, kind)
             VALUES ($id, $jobId, 0, 0, '1970-01-01', 'charge', 1350000000000000000, 'video')`,
          ),
          { id: `old${n}`, jobId: id },
        ),
      );
    const found = totals(rig.store.read, 'day', {});
    expect(isExact([found.sum])).toBe(false);
    expect(rig.job(id).money.reservedNano).toBe(VIDEO_NANO);
  });
});
