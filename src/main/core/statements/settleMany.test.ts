import { expect, test } from 'vitest';
import { acceptance, aVideo, VIDEO_NANO } from '../../../../test/helpers/engineHarness.ts';
import { bill, openStatements, type StatementHarness } from '../../../../test/helpers/statementHarness.ts';
import type { Statement } from '../../../shared/money/statement/statement.ts';
import { type Store, sql } from '../store/index.ts';

const LINES = 12;
const NANO = 400_000_000;
const elsewhere = (days: readonly number[]) =>
  days.map((day) => `2026-11-${String(day).padStart(2, '0')}T10:00:00Z,,video-standard,0.4`);
const from = (day: number, count: number) => Array.from({ length: count }, (_, n) => day + n);
const countEntries = sql('test.countEntries', 'SELECT count(*) AS n FROM ledger_entries');
const count = (store: Store): number => store.read.one<{ n: number }>(countEntries)?.n ?? 0;
const idsOf = ({ onlyBill, differs, onlyLedger }: Statement) =>
  [...onlyBill, ...differs, ...onlyLedger].map((line) => line.id);
/** What another bill charges to the job. */
const chargeMore = ({ store, engine }: StatementHarness, jobId: string) =>
  store.transaction((db) => engine.bills.apply(db, jobId, { type: 'more', nano: 7, source: 'another bill' }));

/** A bill with lines that no job of this machine made, and the last of one that it made. `down`: no transaction is committed. */
async function start() {
  const down = { is: false };
  const harness = openStatements({
    wrapStore: (store) => ({
      ...store,
      transaction: (work) =>
        store.transaction((db) => {
          const done = work(db);
          if (down.is) throw Object.assign(new Error('full'), { code: 'SQLITE_FULL' });
          return done;
        }),
    }),
  });
  const job = await harness.make('2026-11-25T10:00:00Z', 'v-1', aVideo);
  const read = await harness.readLines(...elsewhere(from(2, LINES - 1)), '2026-11-25T10:00:01Z,v-1,video-standard,1.7');
  const lines = idsOf(read);
  expect(lines).toHaveLength(LINES);
  const before = count(harness.store);
  return {
    ...harness,
    down,
    jobId: job.id,
    lines,
    added: () => count(harness.store) - before,
    settle: (ids = lines) => harness.answer('statement.settle', { id: read.id, lines: ids, as: 'adopt' }),
    takeBack: () => harness.answer('statement.undo', { id: read.id, lines }),
    get: () => harness.look(read.id),
  };
}
/** Settled whole; and what the job costs where another bill has charged more to it. */
const SETTLED = [(LINES - 1) * NANO + 1_700_000_000, 0];
const UNSETTLED = [VIDEO_NANO, 0];
const refusal = (code: string, words: string) => ({
  ok: false,
  error: { code, message: expect.stringContaining(words) },
});

test('many lines are settled, and taken back, all of them or none', async () => {
  const { down, sum, added, settle, takeBack, get } = await start();
  down.is = true;
  await expect(settle()).rejects.toThrow('full');
  expect([sum(false), added()]).toEqual([UNSETTLED, 0]);
  expect(await get()).toMatchObject({ decided: 0 });
  down.is = false;
  expect(await settle()).toMatchObject({ data: { onlyBill: [], differs: [] } });
  expect([sum(false), added()]).toEqual([SETTLED, LINES]);
  down.is = true;
  await expect(takeBack()).rejects.toThrow('full');
  expect(sum(false)).toEqual(SETTLED);
  expect(await get()).toMatchObject({ decided: LINES });
  down.is = false;
  expect(await takeBack()).toMatchObject({ data: { decided: 0 } });
  expect(sum(false)).toEqual(UNSETTLED);
});

test('one that cannot be settled refuses all of them', async () => {
  const { lines, added, settle } = await start();
  expect(await settle([...lines, 'l:none'])).toMatchObject({ ok: false, error: { code: 'not_found' } });
  expect(added()).toBe(0);
});

test('a cost that something else changes meanwhile refuses all of them', async () => {
  const one = await start();
  // The comparison reads the job before; it is changed as the transaction begins.
  const { apply } = one.engine.bills;
  one.engine.bills.apply = (db, jobId, change) => {
    apply.call(one.engine.bills, db, jobId, { type: 'more', nano: 7, source: 'another bill' });
    return apply.call(one.engine.bills, db, jobId, change);
  };
  expect(await one.settle()).toMatchObject(refusal('conflict', 'Nothing was changed'));
  one.engine.bills.apply = apply;
  expect([one.sum(false), one.added()]).toEqual([UNSETTLED, 0]);
});

test('one decision that cannot be taken back keeps all of them', async () => {
  const one = await start();
  await one.settle();
  chargeMore(one, one.jobId);
  const before = one.added();
  expect(await one.takeBack()).toMatchObject(refusal('conflict', 'Nothing was changed'));
  expect(one.added()).toBe(before);
});

test.each([1, 12])('of %i lines and one whose answer is awaited, that one is not confirmed', async (others) => {
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
  for (const lines of [awaited, idsOf(read)])
    expect(await answer('statement.settle', { id: read.id, lines, as: 'adopt' })).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('still awaited') },
    });
  expect(read).toMatchObject({ clear: { count: 0 }, differs: [{ finding: { type: 'running' } }] });
  const rest = idsOf(read).filter((id) => !awaited.includes(id));
  expect(await adopt(read.id, rest)).toMatchObject({ open: 1, decided: others });
  expect(sum(false)[0]).toBe(others * NANO);
});
