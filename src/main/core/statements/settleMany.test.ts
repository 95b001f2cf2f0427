import { expect, test } from 'vitest';
import { acceptance, aVideo, VIDEO_NANO } from '../../../../test/helpers/engineHarness.ts';
import { bill, openStatements, type StatementHarness } from '../../../../test/helpers/statementHarness.ts';
import { type Store, sql } from '../store/index.ts';
import { LINES_PER_TURN } from './settlements.ts';

const LINES = 2 * LINES_PER_TURN + 2;
const NANO = 400_000_000;
/** Lines that no job of this machine made, and the last of one that it made. */
const text = [
  'started_at,operation,model,amount_usd',
  ...Array.from(
    { length: LINES - 1 },
    (_, n) => `2026-11-${String(n + 2).padStart(2, '0')}T10:00:00Z,,video-standard,0.4`,
  ),
  '2026-11-25T10:00:01Z,v-1,video-standard,1.7',
].join('\n');
const countEntries = sql('test.countEntries', 'SELECT count(*) AS n FROM ledger_entries');
const count = (store: Store): number => store.read.one<{ n: number }>(countEntries)?.n ?? 0;

/** `turn`: called between slices, with how many entries the call has added until then. */
async function start(turn: (added: number, harness: StatementHarness) => void = () => undefined) {
  const perTransaction: number[] = [];
  let before = 0;
  const harness = openStatements({
    nextTurn: async () => turn(count(harness.store) - before, harness),
    wrapStore: (store) => ({
      ...store,
      transaction: (work) => {
        const start = count(store);
        const value = store.transaction(work);
        perTransaction.push(count(store) - start);
        return value;
      },
    }),
  });
  const job = await harness.make('2026-11-25T10:00:00Z', 'v-1', aVideo);
  const { id, onlyBill, differs } = await harness.ask('statement.read', { profileId: 'p', text });
  const lines = [...onlyBill, ...differs].map((line) => line.id);
  expect(lines).toHaveLength(LINES);
  before = count(harness.store);
  perTransaction.length = 0;
  return {
    harness,
    job,
    settle: { id, lines, as: 'adopt' as const },
    perTransaction,
    added: () => count(harness.store) - before,
  };
}

const SETTLED = (LINES - 1) * NANO + 1_700_000_000;

test('many lines are settled a few in each turn of the event loop', async () => {
  let turns = 0;
  const { harness, settle, perTransaction, added } = await start(() => {
    turns += 1;
  });
  const settled = await harness.ask('statement.settle', settle);
  expect(settled).toMatchObject({ onlyBill: [], differs: [] });
  expect(harness.sum(false)).toEqual([SETTLED, 0]);
  expect(added()).toBe(LINES);
  expect(Math.max(...perTransaction)).toBe(LINES_PER_TURN);
  expect(turns).toBeGreaterThanOrEqual(2 * Math.ceil(LINES / LINES_PER_TURN));
});

test('one that cannot be settled refuses all of them before the first is', async () => {
  const { harness, settle, added } = await start();
  const refused = await harness.answer('statement.settle', { ...settle, lines: [...settle.lines, 'l:none'] });
  expect(refused).toMatchObject({ ok: false, error: { code: 'not_found' } });
  expect(added()).toBe(0);
});

test('a cost that something else changes in the middle refuses the call, and what was settled is taken back', async () => {
  let isChanged = false;
  const { harness, job, settle } = await start((added, { store, engine }) => {
    if (added < LINES_PER_TURN || isChanged) return;
    isChanged = true;
    store.transaction((db) => engine.bills.apply(db, job.id, { type: 'more', nano: 7, source: 'another bill' }));
  });
  const refused = await harness.answer('statement.settle', settle);
  expect(refused).toMatchObject({ ok: false, error: { code: 'conflict' } });
  expect(harness.sum(false)).toEqual([VIDEO_NANO + 7, 0]);
  const again = await harness.ask('statement.get', { id: settle.id });
  expect(again.onlyBill).toHaveLength(LINES - 1);
});

test.each(['killed', 'full'])('a refusal is taken back whole, also over an end in the middle: %s', async (how) => {
  let [isChanged, isDown] = [false, false];
  const { harness, job, settle, added } = await start((entries, { store, engine }) => {
    if (entries < LINES_PER_TURN || isDown) return;
    if (isChanged && entries > 2 * LINES_PER_TURN + 1) {
      isDown = true;
      throw Object.assign(new Error(how), how === 'full' ? { code: 'SQLITE_FULL' } : {});
    }
    if (isChanged) return;
    isChanged = true;
    store.transaction((db) => engine.bills.apply(db, job.id, { type: 'more', nano: 7, source: 'another bill' }));
  });
  const asked = harness.answer('statement.settle', settle);
  if (how === 'killed') await expect(asked).rejects.toThrow('killed');
  else
    expect(await asked).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('What was settled is taken back when there is room') },
    });
  // Two slices, the change, and one slice of counter-entries.
  expect([isDown, added()]).toEqual([true, 3 * LINES_PER_TURN + 1]);
  expect(await harness.ask('statement.get', { id: settle.id })).toMatchObject({ decided: 0 });
  expect(harness.sum(false)).toEqual([VIDEO_NANO + 7, 0]);
});

test('what is gone on with after an end is settled only as it was seen', async () => {
  let isDown = false;
  const { harness, job, settle } = await start((entries) => {
    if (entries < LINES_PER_TURN || isDown) return;
    isDown = true;
    throw new Error('killed');
  });
  await expect(harness.answer('statement.settle', settle)).rejects.toThrow('killed');
  const { store, engine } = harness;
  store.transaction((db) => engine.bills.apply(db, job.id, { type: 'more', nano: 7, source: 'another bill' }));
  expect(await harness.ask('statement.get', { id: settle.id })).toMatchObject({ decided: 0 });
  expect(harness.sum(false)).toEqual([VIDEO_NANO + 7, 0]);
});

test('what is taken back after an end leaves only what was changed since', async () => {
  let turns = Number.NEGATIVE_INFINITY;
  const { harness, job, settle } = await start(() => {
    turns += 1;
    // Each turn has judged; in this one the work begins.
    if (turns === Math.ceil(LINES / LINES_PER_TURN) + 1) throw new Error('killed');
  });
  await harness.ask('statement.settle', settle);
  turns = 0;
  await expect(harness.answer('statement.undo', { id: settle.id, lines: settle.lines })).rejects.toThrow('killed');
  const { store, engine } = harness;
  store.transaction((db) => engine.bills.apply(db, job.id, { type: 'more', nano: 7, source: 'another bill' }));
  expect(await harness.ask('statement.get', { id: settle.id })).toMatchObject({ decided: 1 });
  expect(harness.sum(false)).toEqual([1_700_000_007, 0]);
});

test('an end in the middle is finished by the next call, and settles no line twice', async () => {
  let isDown = false;
  const { harness, settle, added } = await start((entries) => {
    if (entries < LINES_PER_TURN || isDown) return;
    isDown = true;
    throw new Error('killed');
  });
  await expect(harness.answer('statement.settle', settle)).rejects.toThrow('killed');
  expect(added()).toBe(LINES_PER_TURN);
  const again = await harness.ask('statement.get', { id: settle.id });
  expect(again).toMatchObject({ onlyBill: [], differs: [] });
  expect(harness.sum(false)).toEqual([SETTLED, 0]);
  expect(added()).toBe(LINES);
});

test('what is gone on with after an end is as it was seen where its own lines say more of it', async () => {
  let [isDown, before] = [false, Number.POSITIVE_INFINITY];
  const harness = openStatements({
    nextTurn: async () => {
      if (isDown || count(harness.store) - before < LINES_PER_TURN) return;
      isDown = true;
      throw new Error('killed');
    },
  });
  await harness.lose('2026-11-10T10:00:00Z', aVideo);
  await harness.lose('2026-11-10T10:00:00Z', aVideo);
  const days = [10, ...Array.from({ length: LINES_PER_TURN }, (_, n) => 20 + n)];
  const rows = days.map((day) => `2026-11-${day}T10:00:01Z,,video-standard,0.4`);
  const text = ['started_at,operation,model,amount_usd', '2026-11-02T10:00:00Z,,other,0', ...rows].join('\n');
  const { id, onlyBill, onlyLedger } = await harness.ask('statement.read', { profileId: 'p', text });
  expect(onlyLedger.map(({ finding }) => finding?.type)).toEqual(['unsure', 'unsure']);
  const lines = [...onlyBill, ...onlyLedger].map((line) => line.id);
  before = count(harness.store);
  await expect(harness.answer('statement.settle', { id, lines, as: 'adopt' })).rejects.toThrow('killed');
  const again = await harness.ask('statement.get', { id });
  expect(again).toMatchObject({ open: 0, decided: lines.length, onlyLedger: [] });
  expect(harness.sum(false)).toEqual([rows.length * NANO, 0]);
});

test('a full disk in the middle says that the rest follows, and it does', async () => {
  let isFull = false;
  const { harness, settle, added } = await start((entries) => {
    if (entries < LINES_PER_TURN || isFull) return;
    isFull = true;
    throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
  });
  const answer = await harness.answer('statement.settle', settle);
  expect(answer).toMatchObject({
    ok: false,
    error: { code: 'disk_full', message: expect.stringContaining('The rest is settled when there is room') },
  });
  expect(added()).toBe(LINES_PER_TURN);
  await harness.ask('statement.get', { id: settle.id });
  expect(added()).toBe(LINES);
});

test('many decisions are taken back a few in each turn, and leave no trace in the sums', async () => {
  const { harness, settle, perTransaction } = await start();
  await harness.ask('statement.settle', settle);
  perTransaction.length = 0;
  const undone = await harness.ask('statement.undo', { id: settle.id, lines: settle.lines });
  expect(undone).toMatchObject({ decided: 0 });
  expect(harness.sum(false)).toEqual([VIDEO_NANO, 0]);
  expect(Math.max(...perTransaction)).toBe(LINES_PER_TURN);
});

test.each(['killed', 'full'])('an end in the middle of taking back is finished by the next call: %s', async (how) => {
  let isDown = true;
  const { harness, settle, added } = await start((entries) => {
    if (isDown || entries < LINES + LINES_PER_TURN) return;
    isDown = true;
    throw Object.assign(new Error(how), how === 'full' ? { code: 'SQLITE_FULL' } : {});
  });
  await harness.ask('statement.settle', settle);
  isDown = false;
  const asked = harness.answer('statement.undo', { id: settle.id, lines: settle.lines });
  if (how === 'killed') await expect(asked).rejects.toThrow('killed');
  else
    expect(await asked).toMatchObject({ ok: false, error: { message: expect.stringContaining('The rest is when') } });
  expect(added()).toBe(LINES + LINES_PER_TURN);
  expect(await harness.ask('statement.get', { id: settle.id })).toMatchObject({ decided: 0 });
  expect(harness.sum(false)).toEqual([VIDEO_NANO, 0]);
  expect(added()).toBe(2 * LINES);
});

test('one decision that cannot be taken back keeps all of them', async () => {
  const { harness, job, settle, added } = await start();
  await harness.ask('statement.settle', settle);
  harness.store.transaction((db) =>
    harness.engine.bills.apply(db, job.id, { type: 'more', nano: 7, source: 'another bill' }),
  );
  const before = added();
  expect(await harness.answer('statement.undo', { id: settle.id, lines: settle.lines })).toMatchObject({
    ok: false,
    error: { code: 'conflict', message: expect.stringContaining('Nothing was changed') },
  });
  expect(added()).toBe(before);
});

test('what cannot be taken back is said', async () => {
  const jobs: string[] = [];
  let before = Number.POSITIVE_INFINITY;
  const harness = openStatements({
    nextTurn: async () => {
      const { store, engine } = harness;
      if (count(store) - before < LINES_PER_TURN) return;
      before = Number.POSITIVE_INFINITY;
      store.transaction((db) => {
        for (const id of jobs) engine.bills.apply(db, id, { type: 'more', nano: 7, source: 'another bill' });
      });
    },
  });
  jobs.push((await harness.make('2026-11-24T10:00:00Z', 'v-0', aVideo)).id);
  jobs.push((await harness.make('2026-11-25T10:00:00Z', 'v-1', aVideo)).id);
  const bill = ['started_at,operation,model,amount_usd', '2026-11-24T10:00:01Z,v-0,video-standard,1.7'];
  for (let day = 10; day < 10 + LINES_PER_TURN; day += 1) bill.push(`2026-11-${day}T10:00:00Z,,video-standard,0.4`);
  bill.push('2026-11-25T10:00:01Z,v-1,video-standard,1.7');
  const { id, onlyBill, differs } = await harness.ask('statement.read', { profileId: 'p', text: bill.join('\n') });
  const [first, last] = differs.map((line) => line.id);
  before = count(harness.store);
  const lines = [first ?? '', ...onlyBill.map((line) => line.id), last ?? ''];
  expect(await harness.answer('statement.settle', { id, lines, as: 'adopt' })).toMatchObject({
    ok: false,
    error: { code: 'conflict', message: expect.stringContaining('All was taken back but 1 line') },
  });
  expect((await harness.ask('statement.get', { id })).onlyBill).toHaveLength(LINES_PER_TURN);
});

test.each([1, LINES_PER_TURN + 1])(
  'of %i lines and one whose answer is awaited, only that one stays open',
  async (others) => {
    const harness = openStatements();
    const start = Date.parse('2026-11-25T10:00:00Z');
    harness.clock.set(start);
    harness.script.submit.push(acceptance(harness.clock, 'v-1'));
    const { id: jobId } = await harness.enqueue(aVideo);
    harness.engine.commands.cancel(jobId);
    const elsewhere = Array.from({ length: others }, (_, n) => `2026-11-${10 + n}T10:00:00Z,,video-standard,0.4`);
    const billed = [bill('2026-11-25T10:00:01Z,v-1,video-standard,1.6'), ...elsewhere].join('\n');
    const { id, onlyBill, differs } = await harness.ask('statement.read', { profileId: 'p', text: billed });
    const all = [...onlyBill, ...differs];
    const awaited = all.filter((line) => line.jobId === jobId).map((line) => line.id);
    expect([all.length, awaited.length]).toEqual([others + 1, 1]);
    const alone = await harness.answer('statement.settle', { id, lines: awaited, as: 'adopt' });
    expect(alone).toMatchObject({ ok: false, error: { message: expect.stringContaining('still awaited') } });
    const settle = { id, lines: all.map((line) => line.id), as: 'adopt' as const };
    expect(await harness.ask('statement.settle', settle)).toMatchObject({
      open: 1,
      decided: others,
      passedOver: awaited,
    });
    expect(harness.sum(false)[0]).toBe(others * NANO);
  },
);
