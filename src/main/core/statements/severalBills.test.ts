import { expect, test } from 'vitest';
import { acceptance, aVideo, VIDEO_NANO } from '../../../../test/helpers/engineHarness.ts';
import { withPlans } from '../../../../test/helpers/plans.ts';
import { bill, holds, openStatements } from '../../../../test/helpers/statementHarness.ts';
import { billedJobs } from '../jobs/index.ts';
import { sql } from '../store/index.ts';
import { billedLines } from './billJobs.ts';

/** A job on several bills of its gateway. */

test('a line of a job that an earlier bill has already is billed twice, and both bills agree once it is entered', async () => {
  const harness = openStatements();
  const { make, sum, readText, adopt, undo } = harness;
  const { id: jobId } = await make('2026-11-03T10:00:00Z', 'operations/v-1', aVideo);
  const november = bill('2026-11-03T10:00:01Z,operations/v-1,video-standard,1.6');
  const december = bill('2026-12-05T10:00:00Z,v-1,video-standard,1.6');
  expect(await readText(november)).toMatchObject({ matched: 1, open: 0 });
  const read = await readText(december);
  expect(read).toMatchObject({ matched: 0, onlyBill: [{ jobId, finding: { type: 'twice' } }], clear: { count: 0 } });
  expect(holds(read)).toBe(true);
  expect(await readText(november)).toMatchObject({ matched: 1, open: 0 });
  const lines = [read.onlyBill[0]?.id ?? ''];
  await adopt(read.id, lines);
  expect(sum(false)).toEqual([2 * VIDEO_NANO, 0]);
  for (const text of [december, november])
    expect(await readText(text)).toMatchObject({ matched: 1, open: 0, onlyBill: [], differs: [] });
  await undo(read.id, lines);
  expect(sum(false)).toEqual([VIDEO_NANO, 0]);
});

test('what settled a doubt is the charge of its job, which a later bill has once more', async () => {
  const { lose, keyOf, readLines, readText, adopt } = openStatements();
  await lose('2026-11-03T10:00:00Z', aVideo);
  const { id } = await readLines('2026-11-03T10:00:05Z,,video-standard,0.4');
  await adopt(id, ['b2']);
  const key = keyOf();
  const copy = keyed('2026-11-03T10:00:06Z', `,${key}`).replace('1.6', '0.4');
  expect(await readText(copy)).toMatchObject({ matched: 1, open: 0 });
});

const ID_AND_KEY = 'started_at,operation,idempotency_key,model,amount_usd';
const keyed = (at: string, names: string): string => [ID_AND_KEY, `${at},${names},video-standard,1.6`].join('\n');

test.each([
  ['by its id, and then by its key', () => 'operations/v-1,', (key: string) => `,${key}`],
  ['by its key, and then by its id', (key: string) => `,${key}`, () => 'v-1,'],
  ['by the id of its answer, and then by its id', () => ',rq-1', () => 'v-1,'],
])('a job that two bills have is found %s', async (_, first, second) => {
  const { make, store, keyOf, readText } = openStatements();
  const { id: jobId } = await make('2026-11-03T10:00:00Z', 'operations/v-1', aVideo);
  store.transaction((db) => db.run(sql('test.answer', "UPDATE attempts SET request_id = 'rq-1'")));
  const key = keyOf();
  const november = await readText(keyed('2026-11-03T10:00:01Z', first(key)));
  expect(november).toMatchObject({ matched: 1, open: 0 });
  const december = await readText(keyed('2026-12-05T10:00:00Z', second(key)));
  expect(december).toMatchObject({ matched: 0, onlyBill: [{ jobId, finding: { type: 'twice' } }] });
});

test('a job that an earlier bill has by what the user said is billed twice by a later one', async () => {
  const { make, ask, readText } = openStatements();
  const { id: jobId } = await make('2026-11-03T10:00:00Z', 'operations/v-1', aVideo);
  const november = await readText(keyed('2026-11-03T10:30:00Z', ','));
  const december = keyed('2026-12-05T10:00:00Z', 'v-1,');
  expect(await readText(december)).toMatchObject({ matched: 1, onlyBill: [] });
  await ask('statement.match', { id: november.id, line: 'b2', jobId });
  const read = await readText(december);
  expect(read).toMatchObject({ matched: 0, onlyBill: [{ jobId, finding: { type: 'twice' } }] });
  await ask('statement.match', { id: november.id, line: 'b2', jobId: null });
  expect(await readText(december)).toMatchObject({ matched: 1, onlyBill: [] });
});

test.each([
  ['that goes on beyond it', bill('2026-11-03T10:00:01Z,v-1,video-standard,1.6', '2026-11-09T10:00:01Z,,other,1')],
  ['of the day before', bill('2026-11-04T09:00:01Z,v-1,video-standard,1.6')],
])('a line of a bill %s is no other than that of this one', async (_, earlier) => {
  const { make, readText, readLines } = openStatements();
  await make('2026-11-03T10:00:00Z', 'v-1', aVideo);
  await readText(earlier);
  const read = await readLines('2026-11-05T08:00:00Z,v-1,video-standard,1.6');
  expect(read).toMatchObject({ matched: 1, onlyBill: [] });
});

test('what is entered once more stays so where its job is billed at another amount', async () => {
  const { make, sum, readLines, adopt, look } = openStatements();
  await make('2026-11-03T10:00:00Z', 'v-1', aVideo);
  await readLines('2026-11-03T10:00:01Z,v-1,video-standard,1.6');
  const more = '2026-12-05T10:00:00Z,v-1,video-standard,1.6';
  const december = await readLines(more);
  await adopt(december.id, ['b2']);
  // A copy that holds both months, the first at an amount that was changed since.
  const both = await readLines('2026-11-03T10:00:01Z,v-1,video-standard,1.5', more);
  expect(both).toMatchObject({ matched: 1, differs: [{ billNano: 1_500_000_000, ledgerNano: VIDEO_NANO }] });
  await adopt(
    both.id,
    both.differs.map(({ id }) => id),
  );
  expect(sum(false)).toEqual([3_100_000_000, 0]);
  expect(await look(both.id)).toMatchObject({ matched: 2, open: 0 });
});

test('a job that is given back in full and billed again is charged what its bills come to', async () => {
  const { make, sum, readText, adopt } = openStatements();
  await make('2026-11-03T10:00:00Z', 'v-1', aVideo);
  const november = bill('2026-11-03T10:00:01Z,v-1,video-standard,1.6');
  const december = bill('2026-12-05T10:00:00Z,v-1,video-standard,-1.6');
  const january = bill('2027-01-05T10:00:00Z,v-1,video-standard,1.6');
  expect(await readText(november)).toMatchObject({ matched: 1, open: 0 });
  for (const [text, type, nano] of [
    [december, 'refund', 0],
    [january, 'twice', VIDEO_NANO],
  ] as const) {
    const read = await readText(text);
    expect(read.onlyBill).toMatchObject([{ finding: { type } }]);
    await adopt(read.id, ['b2']);
    expect(sum(false)).toEqual([nano, 0]);
  }
  for (const text of [november, december, january])
    expect(await readText(text)).toMatchObject({ matched: 1, open: 0, onlyBill: [], differs: [] });
});

test.each([
  ['one column less', { units: null }, ['b6']],
  ['no ids', { remoteId: null }, ['b2', 'b6']],
])('what was entered stays so where its bill is read with %s', async (_, columns, open) => {
  const { make, ask, sum, readText, adopt, undo, look } = openStatements();
  await make('2026-11-03T10:00:00Z', 'v-1', aVideo);
  const rows = [
    '2026-11-03T10:00:01Z,v-1,1,1.6',
    '2026-11-03T10:00:01Z,v-1,1,1.6',
    '2026-11-04T10:00:00Z,x-1,1,0.4',
    '2026-11-04T10:00:00Z,x-2,1,0.4',
    '2026-11-04T10:00:00Z,x-3,1,0.4',
  ];
  const text = ['time,id,qty,cost', ...rows].join('\n');
  const first = await readText(text);
  expect(first).toMatchObject({ matched: 1, onlyBill: [{ finding: { type: 'twice' } }, {}, {}, {}] });
  await adopt(first.id, ['b3', 'b4', 'b5']);
  expect(sum(false)).toEqual([2 * VIDEO_NANO + 800_000_000, 0]);

  const again = await readText(text, { columns });
  expect(again.id).not.toBe(first.id);
  expect(again).toMatchObject({ decided: 3, onlyBill: open.map((id) => ({ id })) });
  const entered = await ask('statement.lines', { id: again.id, group: 'decided', limit: 10 });
  await undo(
    again.id,
    entered.lines.map(({ id }) => id),
  );
  expect(sum(false)).toEqual([VIDEO_NANO, 0]);
  expect(await look(first.id)).toMatchObject({ open: 4, decided: 0 });
});

test('what was entered stays so where its bill is exported with its columns in another order', async () => {
  const { make, sum, readText, adopt, keep, undo, look } = openStatements();
  await make('2026-11-03T10:00:00Z', 'v-1', aVideo);
  const rows = [
    '2026-11-03T10:00:01Z,v-1,1,1.6',
    '2026-11-03T10:00:01Z,v-1,1,1.6',
    '2026-11-04T10:00:00Z,x-1,1,0.4',
    '2026-11-04T10:00:00Z,x-2,1,0.4',
    '2026-11-04T10:00:00Z,x-3,1,0.4',
  ];
  const first = await readText(['time,id,qty,cost', ...rows].join('\n'));
  await adopt(first.id, ['b3', 'b5']);
  await keep(first.id, ['b6']);
  const entered = [2 * VIDEO_NANO + 400_000_000, 0];
  expect(sum(false)).toEqual(entered);
  const turned = rows.map((row) => row.split(',').toReversed().join(','));
  const again = await readText(['cost,qty,id,time', ...turned].join('\n'));
  expect(again).toMatchObject({ open: 1, decided: 3, matched: 3 });
  expect(again.onlyBill.map(({ id, decided }) => [id, decided?.as])).toEqual([
    ['b4', undefined],
    ['b6', 'keep'],
  ]);
  await adopt(again.id, ['b3', 'b5']);
  expect(sum(false)).toEqual(entered);
  await undo(again.id, ['b3', 'b5', 'b6']);
  expect(sum(false)).toEqual([VIDEO_NANO, 0]);
  expect(await look(first.id)).toMatchObject({ open: 4, decided: 0 });
});

test('a line without a name is not one with a name that another bill has, where lines of its bill have names', async () => {
  const { readLines, adopt } = openStatements();
  const first = await readLines('2026-11-04T10:00:00Z,x-1,other,0.4');
  await adopt(first.id, ['b2']);
  const next = await readLines('2026-11-04T10:00:00Z,,other,0.4', '2026-11-05T10:00:00Z,x-2,other,0.4');
  expect(next).toMatchObject({ open: 2, matched: 0 });
});

test('a line that says the same as another one is not that one', async () => {
  const { sum, readLines, adopt } = openStatements();
  const line = '2026-11-04T10:00:00Z,,other,0.4';
  const both = await readLines(line, line);
  await adopt(both.id, ['b3']);
  expect(await readLines(line)).toMatchObject({ open: 1, matched: 0 });
  const next = await readLines('2026-11-04T10:00:00Z,,another,0.4', '2026-11-05T10:00:00Z,,other,0.4');
  expect(next).toMatchObject({ open: 2, matched: 0 });
  expect(sum(false)).toEqual([400_000_000, 0]);
});

test('a job is found on a bill with more than fifty others since, and on none whose lines are kept no longer', async () => {
  const { make, ask, store, readLines } = openStatements();
  await make('2026-11-03T10:00:00Z', 'v-1', aVideo);
  await make('2026-11-03T10:00:00Z', 'v-2', aVideo);
  const nameless = '2026-11-03T12:00:00Z,,video-standard,1.6';
  const november = await readLines('2026-11-03T10:00:01Z,v-1,video-standard,1.6', nameless);
  const jobId = (await ask('statement.candidates', { id: november.id, line: 'b3' })).lines[0]?.jobId ?? '';
  await ask('statement.match', { id: november.id, line: 'b3', jobId });
  for (let day = 0; day < 52; day += 1) {
    const at = new Date(Date.parse('2026-11-10T10:00:00Z') + day * 86_400_000).toISOString();
    await readLines(`${at},other-${day},other,0.1`);
  }
  const lines = ['2027-02-05T10:00:00Z,v-1,video-standard,1.6', '2027-02-05T10:00:00Z,v-2,video-standard,1.6'];
  const read = await readLines(...lines);
  expect(read.onlyBill).toMatchObject([{ finding: { type: 'twice' } }, { finding: { type: 'twice' } }]);
  expect((await ask('statement.list', {})).statements).toHaveLength(50);

  store.transaction((db) =>
    db.run(sql('test.long', 'UPDATE statements SET line_count = 5000000 WHERE id = $id'), { id: read.id }),
  );
  const last = await readLines(...lines, '2027-02-06T10:00:00Z,other,other,0.1');
  expect(last).toMatchObject({ matched: 2 });
  expect((await ask('statement.list', {})).statements.map(({ id }) => id)).toEqual([last.id, read.id]);
});

/** What is lost on the 6th, while the bill has lines from the 5th to the 7th. */
const AROUND = ['2026-11-05T10:00:00Z,x-1,other,0.1', '2026-11-07T10:00:00Z,x-2,other,0.1'] as const;

test.each([
  ['could not be read', bill(...AROUND, '2026-11-06T10:00:05Z,KEY,video-standard,EUR 0.4'), {}, undefined],
  [
    'lies outside the period',
    bill(...AROUND, '2026-11-08T00:10:00Z,KEY,video-standard,0.4'),
    { to: '2026-11-08' },
    undefined,
  ],
  ['is on the next bill', bill(...AROUND), {}, bill('2026-11-08T00:10:00Z,KEY,video-standard,0.4')],
  ['is on the bill before', bill(...AROUND), {}, bill('2026-11-04T00:10:00Z,KEY,video-standard,0.4')],
  [
    'could not be read on another bill',
    bill(...AROUND),
    {},
    bill('2026-11-08T00:10:00Z,operations/KEY,video-standard,EUR 0.4', '2026-11-08T00:10:00Z,,other,0.1'),
  ],
])('what is in doubt stays so where its line %s', async (_, text, { to }: { to?: string }, another) => {
  const { lose, make, ask, keyOf, readText, look } = openStatements();
  const charged = await make('2026-11-06T08:00:00Z', 'v-1', aVideo);
  const lost = await lose('2026-11-06T10:00:00Z', aVideo);
  const key = keyOf(lost.id);
  const asked = { profileId: 'p', ...(to === undefined ? {} : { to: Date.parse(to) }) };
  const id = (await ask('statement.read', { ...asked, text: text.replace('KEY', key) })).id;
  if (another !== undefined) await readText(another.replace('KEY', key));
  const read = await look(id);
  expect(read).toMatchObject({
    clear: { count: 0 },
    onlyLedger: [
      { jobId: charged.id, finding: { type: text.includes('EUR') || to ? 'unsure' : 'notBilled' } },
      { jobId: lost.id, finding: { type: 'unsure' } },
    ],
  });
  expect(read.onlyLedger[1]?.isClear).toBeUndefined();
});

test.each(['EUR 1.6', 'pending', ''])('what is in doubt stays so where its task has the amount %j', async (amount) => {
  const { engine, store, clock, script, make, enqueue, until, sum, readLines, readText } = openStatements();
  await make('2026-11-06T08:00:00Z', 'v-2', aVideo);
  clock.set(Date.parse('2026-11-06T10:00:00Z'));
  script.submit.push(acceptance(clock, 'v-1'));
  script.poll.push(...Array.from({ length: 400 }, () => ({ type: 'missing' as const })));
  const { id: jobId } = await enqueue(aVideo);
  await until(jobId, ({ state }) => state === 'uncertain');
  await engine.commands.resolve({ id: jobId, as: 'lost' });
  const lines = [...AROUND, '2026-11-06T08:00:01Z,v-2,video-standard,1.6'];
  const read = await readLines(...lines, `2026-11-06T10:00:01Z,v-1,video-standard,${amount}`);
  expect(read).toMatchObject({ clear: { count: 0 }, onlyLedger: [{ jobId, finding: { type: 'unsure' } }] });
  // Nor does a line that may be its make it clear.
  const text = bill(...lines, '2026-11-06T10:00:01Z,,video-standard,0.4', `,v-1,video-standard,${amount}`);
  expect(await readText(text)).toMatchObject({ clear: { count: 0 }, counts: { bill: 4 } });
  expect(sum(false)).toEqual([VIDEO_NANO, VIDEO_NANO]);
  expect(billedLines(store.read, 'p', [{ id: jobId, names: ['v-1'] }]).size).toBe(0);
});

test('a line of less than the charge of its job is clear only where no other line is left out', async () => {
  const { make, readText } = openStatements();
  await make('2026-11-06T10:00:00Z', 'v-1', aVideo);
  const text = bill('2026-11-06T10:00:00Z,v-1,video-standard,1', '2026-11-07T00:00:00Z,v-1,video-standard,0.6');
  expect(await readText(text)).toMatchObject({ matched: 2, open: 0 });
  const days = await readText(text, { to: Date.parse('2026-11-07') });
  expect(days).toMatchObject({ differs: [{ billNano: 1_000_000_000 }], clear: { count: 0 } });
  expect(await readText(text.split('\n', 2).join('\n'))).toMatchObject({ clear: { count: 1 } });
});

test('a job whose task is named later is looked for on the other bills by it', async () => {
  const { engine, store, lose, readLines, look } = openStatements();
  const { id } = await lose('2026-11-06T10:00:00Z', aVideo);
  await readLines('2026-11-08T09:00:00Z,v-9,video-standard,0.4', '2026-11-08T10:00:00Z,x-3,other,0.1');
  const read = await readLines(...AROUND);
  expect(read.clear.count).toBe(1);
  store.transaction((db) => db.run(sql('test.named', "UPDATE jobs SET remote_id = 'v-9' WHERE id = $id"), { id }));
  await engine.commands.resolve({ id, as: 'lost' });
  expect(await look(read.id)).toMatchObject({ clear: { count: 0 }, onlyLedger: [{ finding: { type: 'unsure' } }] });
});

test('what is in doubt is clear where no line is its, until the user says that one of another bill is', async () => {
  const { lose, ask, readLines, look } = openStatements();
  const { id: jobId } = await lose('2026-11-06T10:00:00Z', aVideo);
  const { id } = await readLines(...AROUND);
  expect(await look(id)).toMatchObject({
    onlyLedger: [{ jobId, finding: { type: 'inDoubt' }, isClear: true }],
  });
  const next = await readLines('2026-11-07T09:00:00Z,,other,0.4');
  await ask('statement.match', { id: next.id, line: 'b2', jobId });
  expect(await look(id)).toMatchObject({ onlyLedger: [{ jobId, finding: { type: 'unsure' } }] });
});

test('what was lost as a bill ends, or as the next one begins, is clear on neither', async () => {
  const { lose, readLines } = openStatements();
  const { id: jobId } = await lose('2026-11-06T23:20:00Z', aVideo);
  const ends = await readLines('2026-11-06T10:00:00Z,x-0,other,0.1', '2026-11-06T23:50:00Z,x-1,other,0.1');
  const begins = await readLines('2026-11-06T23:22:00Z,x-2,other,0.1', '2026-11-07T10:00:00Z,x-3,other,0.1');
  const told = [ends, begins].map(({ onlyLedger: [one] }) => [one?.jobId, one?.finding?.type, one?.isClear]);
  expect(told).toEqual([
    [jobId, 'unsure', undefined],
    [jobId, 'unsure', undefined],
  ]);
});

test('the names of attempts are found by their key', () => {
  const db = withPlans(openStatements().store.read);
  billedJobs.namesOfAttempts(db, ['job']);
  expect(db.plans[0]?.plan).toContain('SEARCH attempts USING PRIMARY KEY');
  expect(db.plans[0]?.plan).not.toContain('SCAN attempts');
});
