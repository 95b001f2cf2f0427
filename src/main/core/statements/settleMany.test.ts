import { describe, expect, test } from 'vitest';
import { acceptance, aVideo, VIDEO_NANO } from '../../../../test/helpers/engineHarness.ts';
import { bill, openStatements, type StatementHarness } from '../../../../test/helpers/statementHarness.ts';
import type { Statement } from '../../../shared/statement/statement.ts';
import { type Store, sql } from '../store/index.ts';
import { LINES_PER_TURN } from './settlements.ts';

const LINES = 2 * LINES_PER_TURN + 2;
const NANO = 400_000_000;
const elsewhere = (days: readonly number[], seconds = '00') =>
  days.map((day) => `2026-11-${String(day).padStart(2, '0')}T10:00:${seconds}Z,,video-standard,0.4`);
const from = (day: number, count: number) => Array.from({ length: count }, (_, n) => day + n);
const countEntries = sql('test.countEntries', 'SELECT count(*) AS n FROM ledger_entries');
const count = (store: Store): number => store.read.one<{ n: number }>(countEntries)?.n ?? 0;
const idsOf = ({ onlyBill, differs, onlyLedger }: Statement) =>
  [...onlyBill, ...differs, ...onlyLedger].map((line) => line.id);
/** What another bill charges to the job. */
const chargeMore = ({ store, engine }: StatementHarness, jobId: string) =>
  store.transaction((db) => engine.bills.apply(db, jobId, { type: 'more', nano: 7, source: 'another bill' }));

/** Called between slices, with how many entries the call has added until then, and may throw. */
type Turn = (added: number, harness: StatementHarness) => void;
/** An end of the program, or a full disk, once so many entries are added. */
function downAt(entries: number, how = 'killed', before: Turn = () => undefined) {
  const down = { is: false };
  const turn: Turn = (added, harness) => {
    before(added, harness);
    if (added < entries || down.is) return;
    down.is = true;
    throw Object.assign(new Error(how), how === 'full' ? { code: 'SQLITE_FULL' } : {});
  };
  return { down, turn };
}

/** A bill with lines that no job of this machine made, and the last of one that it made. */
async function start(turn: Turn = () => undefined) {
  const perTransaction: number[] = [];
  let before = Number.POSITIVE_INFINITY;
  const harness = openStatements({
    nextTurn: async () => turn(count(harness.store) - before, harness),
    wrapStore: (store) => ({
      ...store,
      transaction: (work) => {
        const entries = count(store);
        const value = store.transaction(work);
        perTransaction.push(count(store) - entries);
        return value;
      },
    }),
  });
  const job = await harness.make('2026-11-25T10:00:00Z', 'v-1', aVideo);
  const read = await harness.readLines(...elsewhere(from(2, LINES - 1)), '2026-11-25T10:00:01Z,v-1,video-standard,1.7');
  const lines = idsOf(read);
  expect(lines).toHaveLength(LINES);
  before = count(harness.store);
  perTransaction.length = 0;
  return {
    ...harness,
    jobId: job.id,
    id: read.id,
    lines,
    perTransaction,
    added: () => count(harness.store) - before,
    settle: (ids = lines) => harness.answer('statement.settle', { id: read.id, lines: ids, as: 'adopt' }),
    takeBack: () => harness.answer('statement.undo', { id: read.id, lines }),
    get: () => harness.look(read.id),
  };
}
/** Settled whole; and what the job costs where another bill has charged more to it. */
const SETTLED = [(LINES - 1) * NANO + 1_700_000_000, 0];
const UNSETTLED = [VIDEO_NANO, 0];
const CHANGED = [VIDEO_NANO + 7, 0];
const refusal = (code: string, words: string) => ({
  ok: false,
  error: { code, message: expect.stringContaining(words) },
});

test('many lines are settled, and taken back, a few in each turn of the event loop', async () => {
  let turns = 0;
  const { sum, perTransaction, added, settle, takeBack } = await start(() => {
    turns += 1;
  });
  turns = 0;
  expect(await settle()).toMatchObject({ data: { onlyBill: [], differs: [] } });
  expect(sum(false)).toEqual(SETTLED);
  expect(added()).toBe(LINES);
  expect(Math.max(...perTransaction)).toBe(LINES_PER_TURN);
  expect(turns).toBeGreaterThanOrEqual(2 * Math.ceil(LINES / LINES_PER_TURN));
  perTransaction.length = 0;
  expect(await takeBack()).toMatchObject({ data: { decided: 0 } });
  expect(sum(false)).toEqual(UNSETTLED);
  expect(Math.max(...perTransaction)).toBe(LINES_PER_TURN);
});

test('one that cannot be settled refuses all of them before the first is', async () => {
  const { lines, added, settle } = await start();
  expect(await settle([...lines, 'l:none'])).toMatchObject({ ok: false, error: { code: 'not_found' } });
  expect(added()).toBe(0);
});

describe('a cost that something else changes in the middle', () => {
  /** Changes it after the first slice. */
  function changing(): Turn {
    let isChanged = false;
    return (added, harness) => {
      if (added < LINES_PER_TURN || isChanged) return;
      isChanged = true;
      const job = harness.store.read.one<{ id: string }>(sql('test.job', 'SELECT id FROM jobs'));
      chargeMore(harness, job?.id ?? '');
    };
  }

  test('refuses the call, and what was settled is taken back', async () => {
    const { sum, settle, get } = await start(changing());
    expect(await settle()).toMatchObject({ ok: false, error: { code: 'conflict' } });
    expect(sum(false)).toEqual(CHANGED);
    expect((await get()).onlyBill).toHaveLength(LINES - 1);
  });

  test.each(['killed', 'full'])('is taken back whole, also over an end in the middle: %s', async (how) => {
    // Two slices, the change, and one slice of counter-entries.
    const { down, turn } = downAt(3 * LINES_PER_TURN + 1, how, changing());
    const { sum, added, settle, get } = await start(turn);
    if (how === 'killed') await expect(settle()).rejects.toThrow('killed');
    else expect(await settle()).toMatchObject(refusal('disk_full', 'The changes are undone when there is room'));
    expect([down.is, added()]).toEqual([true, 3 * LINES_PER_TURN + 1]);
    expect(await get()).toMatchObject({ decided: 0 });
    expect(sum(false)).toEqual(CHANGED);
  });
});

describe('an end in the middle', () => {
  test.each(['killed', 'full'])(
    'of settling is finished by the next call, and settles no line twice: %s',
    async (how) => {
      const { sum, added, settle, get } = await start(downAt(LINES_PER_TURN, how).turn);
      if (how === 'killed') await expect(settle()).rejects.toThrow('killed');
      else expect(await settle()).toMatchObject(refusal('disk_full', 'the rest follow when there is room'));
      expect(added()).toBe(LINES_PER_TURN);
      expect(await get()).toMatchObject({ onlyBill: [], differs: [] });
      expect(sum(false)).toEqual(SETTLED);
      expect(added()).toBe(LINES);
    },
  );

  test.each(['killed', 'full'])('of taking back is finished by the next call: %s', async (how) => {
    const { sum, added, settle, takeBack, get } = await start(downAt(LINES + LINES_PER_TURN, how).turn);
    await settle();
    if (how === 'killed') await expect(takeBack()).rejects.toThrow('killed');
    else expect(await takeBack()).toMatchObject(refusal('disk_full', 'The rest is when'));
    expect(added()).toBe(LINES + LINES_PER_TURN);
    expect(await get()).toMatchObject({ decided: 0 });
    expect(sum(false)).toEqual(UNSETTLED);
    expect(added()).toBe(2 * LINES);
  });

  test('what is gone on with is settled only as it was seen', async () => {
    const one = await start(downAt(LINES_PER_TURN).turn);
    await expect(one.settle()).rejects.toThrow('killed');
    chargeMore(one, one.jobId);
    expect(await one.get()).toMatchObject({ decided: 0 });
    expect(one.sum(false)).toEqual(CHANGED);
  });

  test('what is taken back leaves only what was changed since', async () => {
    let turns = Number.NEGATIVE_INFINITY;
    const one = await start(() => {
      turns += 1;
      // Each turn has judged; in this one the work begins.
      if (turns === Math.ceil(LINES / LINES_PER_TURN) + 1) throw new Error('killed');
    });
    await one.settle();
    turns = 0;
    await expect(one.takeBack()).rejects.toThrow('killed');
    chargeMore(one, one.jobId);
    expect(await one.get()).toMatchObject({ decided: 1 });
    expect(one.sum(false)).toEqual([1_700_000_007, 0]);
  });

  test('what is gone on with is as it was seen where its own lines say more of it', async () => {
    const { turn } = downAt(LINES_PER_TURN);
    let before = Number.POSITIVE_INFINITY;
    const harness = openStatements({ nextTurn: async () => turn(count(harness.store) - before, harness) });
    for (let n = 0; n < 2; n++) await harness.lose('2026-11-10T10:00:00Z', aVideo);
    const rows = elsewhere([10, ...from(20, LINES_PER_TURN)], '01');
    const read = await harness.readLines('2026-11-02T10:00:00Z,,other,0', ...rows);
    expect(read.onlyLedger.map(({ finding }) => finding?.type)).toEqual(['unsure', 'unsure']);
    const { id, lines } = { id: read.id, lines: idsOf(read) };
    before = count(harness.store);
    await expect(harness.answer('statement.settle', { id, lines, as: 'adopt' })).rejects.toThrow('killed');
    expect(await harness.look(id)).toMatchObject({ open: 0, decided: lines.length, onlyLedger: [] });
    expect(harness.sum(false)).toEqual([rows.length * NANO, 0]);
  });
});

test('one decision that cannot be taken back keeps all of them', async () => {
  const one = await start();
  await one.settle();
  chargeMore(one, one.jobId);
  const before = one.added();
  expect(await one.takeBack()).toMatchObject(refusal('conflict', 'Nothing was changed'));
  expect(one.added()).toBe(before);
});

test.each([1, LINES_PER_TURN + 1])(
  'of %i lines and one whose answer is awaited, only that one stays open',
  async (others) => {
    const harness = openStatements();
    const { script, clock, engine, enqueue, answer, adopt, sum } = harness;
    clock.set(Date.parse('2026-11-25T10:00:00Z'));
    script.submit.push(acceptance(clock, 'v-1'));
    const { id: jobId } = await enqueue(aVideo);
    engine.commands.cancel(jobId);
    const awaitedLine = '2026-11-25T10:00:01Z,v-1,video-standard,1.6';
    const read = await harness.readText(bill(awaitedLine, ...elsewhere(from(10, others))));
    const awaited = [...read.onlyBill, ...read.differs].filter((line) => line.jobId === jobId).map((line) => line.id);
    expect([idsOf(read).length, awaited.length]).toEqual([others + 1, 1]);
    const alone = await answer('statement.settle', { id: read.id, lines: awaited, as: 'adopt' });
    expect(alone).toMatchObject({ ok: false, error: { message: expect.stringContaining('still awaited') } });
    const left = { open: 1, decided: others, passedOver: awaited };
    expect(await adopt(read.id, idsOf(read))).toMatchObject(left);
    expect(sum(false)[0]).toBe(others * NANO);
  },
);
