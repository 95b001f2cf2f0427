import { expect, test } from 'vitest';
import { aVideo, VIDEO_NANO } from '../../../../test/helpers/engineHarness.ts';
import { withPlans } from '../../../../test/helpers/plans.ts';
import { bill, holds, openStatements } from '../../../../test/helpers/statementHarness.ts';
import { billedJobs } from '../jobs/index.ts';
import { sql } from '../store/index.ts';
import { billedElsewhere } from './billedLines.ts';
import { otherBills } from './otherBills.ts';

/** A job on several bills of its gateway. */

test('a line names a job of any time by the end of its id', async () => {
  const { make, ask } = openStatements();
  const { id: jobId } = await make('2026-11-03T10:00:00Z', 'operations/v-1', aVideo);
  const read = await ask('statement.read', { text: bill('2026-12-05T10:00:00Z,v-1,video-standard,-1.6') });
  expect(read.onlyBill).toMatchObject([{ jobId, matchedBy: 'id', finding: { type: 'refund' } }]);
});

test('a line of a job that an earlier bill has already is billed twice, and both bills agree once it is entered', async () => {
  const harness = openStatements();
  const { make, ask, sum } = harness;
  const { id: jobId } = await make('2026-11-03T10:00:00Z', 'operations/v-1', aVideo);
  const november = bill('2026-11-03T10:00:01Z,operations/v-1,video-standard,1.6');
  const december = bill('2026-12-05T10:00:00Z,v-1,video-standard,1.6');
  expect(await ask('statement.read', { text: november })).toMatchObject({ matched: 1, open: 0 });
  const read = await ask('statement.read', { text: december });
  expect(read).toMatchObject({ matched: 0, onlyBill: [{ jobId, finding: { type: 'twice' } }], clear: { count: 0 } });
  expect(holds(read)).toBe(true);
  expect(await ask('statement.read', { text: november })).toMatchObject({ matched: 1, open: 0 });
  const lines = [read.onlyBill[0]?.id ?? ''];
  await ask('statement.settle', { id: read.id, lines, as: 'adopt' });
  expect(sum(false)).toEqual([2 * VIDEO_NANO, 0]);
  for (const text of [december, november])
    expect(await ask('statement.read', { text })).toMatchObject({ matched: 1, open: 0, onlyBill: [], differs: [] });
  const january = bill('2027-01-05T10:00:00Z,v-1,video-standard,1.6', '2027-01-06T10:00:00Z,v-1,video-standard,-1.6');
  const again = await ask('statement.read', { text: january });
  expect(again.onlyBill.map(({ finding }) => finding?.type)).toEqual(['twice', 'refund']);
  await ask('statement.settle', { id: again.id, lines: again.onlyBill.map(({ id }) => id), as: 'adopt' });
  for (const text of [january, december, november])
    expect(await ask('statement.read', { text })).toMatchObject({ open: 0, onlyBill: [], differs: [] });
  await ask('statement.undo', { id: again.id, lines: ['b2', 'b3'] });
  await ask('statement.undo', { id: read.id, lines });
  expect(sum(false)).toEqual([VIDEO_NANO, 0]);
});

const ID_AND_KEY = 'started_at,operation,idempotency_key,model,amount_usd';
const keyed = (at: string, names: string): string => [ID_AND_KEY, `${at},${names},video-standard,1.6`].join('\n');

test.each([
  ['by its id, and then by its key', () => 'operations/v-1,', (key: string) => `,${key}`],
  ['by its key, and then by its id', (key: string) => `,${key}`, () => 'v-1,'],
  ['by the id of its answer, and then by its id', () => ',rq-1', () => 'v-1,'],
])('a job that two bills have is found %s', async (_, first, second) => {
  const { make, ask, store } = openStatements();
  const { id: jobId } = await make('2026-11-03T10:00:00Z', 'operations/v-1', aVideo);
  store.transaction((db) => db.run(sql('test.answer', "UPDATE attempts SET request_id = 'rq-1'")));
  const { key = '' } =
    store.read.one<{ key: string }>(sql('test.key', 'SELECT idempotency_key AS key FROM jobs')) ?? {};
  const november = await ask('statement.read', { text: keyed('2026-11-03T10:00:01Z', first(key)) });
  expect(november).toMatchObject({ matched: 1, open: 0 });
  const december = await ask('statement.read', { text: keyed('2026-12-05T10:00:00Z', second(key)) });
  expect(december).toMatchObject({ matched: 0, onlyBill: [{ jobId, finding: { type: 'twice' } }] });
});

test('a job that an earlier bill has by what the user said is billed twice by a later one', async () => {
  const { make, ask } = openStatements();
  const { id: jobId } = await make('2026-11-03T10:00:00Z', 'operations/v-1', aVideo);
  const november = await ask('statement.read', { text: keyed('2026-11-03T10:30:00Z', ',') });
  const december = keyed('2026-12-05T10:00:00Z', 'v-1,');
  expect(await ask('statement.read', { text: december })).toMatchObject({ matched: 1, onlyBill: [] });
  await ask('statement.match', { id: november.id, line: 'b2', jobId });
  const read = await ask('statement.read', { text: december });
  expect(read).toMatchObject({ matched: 0, onlyBill: [{ jobId, finding: { type: 'twice' } }] });
  await ask('statement.match', { id: november.id, line: 'b2', jobId: null });
  expect(await ask('statement.read', { text: december })).toMatchObject({ matched: 1, onlyBill: [] });
});

test.each([
  ['that goes on beyond it', bill('2026-11-03T10:00:01Z,v-1,video-standard,1.6', '2026-11-09T10:00:01Z,,other,1')],
  ['of the day before', bill('2026-11-04T09:00:01Z,v-1,video-standard,1.6')],
])('a line of a bill %s is no other than that of this one', async (_, earlier) => {
  const { make, ask } = openStatements();
  await make('2026-11-03T10:00:00Z', 'v-1', aVideo);
  await ask('statement.read', { text: earlier });
  const read = await ask('statement.read', { text: bill('2026-11-05T08:00:00Z,v-1,video-standard,1.6') });
  expect(read).toMatchObject({ matched: 1, onlyBill: [] });
});

test('what is entered once more stays so where its job is billed at another amount', async () => {
  const { make, ask, sum } = openStatements();
  await make('2026-11-03T10:00:00Z', 'v-1', aVideo);
  await ask('statement.read', { text: bill('2026-11-03T10:00:01Z,v-1,video-standard,1.6') });
  const more = '2026-12-05T10:00:00Z,v-1,video-standard,1.6';
  const december = await ask('statement.read', { text: bill(more) });
  await ask('statement.settle', { id: december.id, lines: ['b2'], as: 'adopt' });
  // A copy that holds both months, the first at an amount that was changed since.
  const both = await ask('statement.read', { text: bill('2026-11-03T10:00:01Z,v-1,video-standard,1.5', more) });
  expect(both).toMatchObject({ matched: 1, differs: [{ billNano: 1_500_000_000, ledgerNano: VIDEO_NANO }] });
  await ask('statement.settle', { id: both.id, lines: both.differs.map(({ id }) => id), as: 'adopt' });
  expect(sum(false)).toEqual([3_100_000_000, 0]);
  expect(await ask('statement.get', { id: both.id })).toMatchObject({ matched: 2, open: 0 });
});

test('a job that is given back in full and billed again is charged what its bills come to', async () => {
  const { make, ask, sum } = openStatements();
  await make('2026-11-03T10:00:00Z', 'v-1', aVideo);
  const november = bill('2026-11-03T10:00:01Z,v-1,video-standard,1.6');
  const december = bill('2026-12-05T10:00:00Z,v-1,video-standard,-1.6');
  const january = bill('2027-01-05T10:00:00Z,v-1,video-standard,1.6');
  expect(await ask('statement.read', { text: november })).toMatchObject({ matched: 1, open: 0 });
  for (const [text, type, nano] of [
    [december, 'refund', 0],
    [january, 'twice', VIDEO_NANO],
  ] as const) {
    const read = await ask('statement.read', { text });
    expect(read.onlyBill).toMatchObject([{ finding: { type } }]);
    await ask('statement.settle', { id: read.id, lines: ['b2'], as: 'adopt' });
    expect(sum(false)).toEqual([nano, 0]);
  }
  for (const text of [november, december, january])
    expect(await ask('statement.read', { text })).toMatchObject({ matched: 1, open: 0, onlyBill: [], differs: [] });
});

test.each([
  ['one column less', { units: null }, '', ['b6']],
  // Without its id, the line that agreed by it is no better than the one that was entered once more.
  ['no ids', { remoteId: null }, '', ['b2', 'b6']],
  ['a column more, in another text', {}, 'model', ['b6']],
])('what was entered stays so where its bill is read with %s', async (_, columns, more, open) => {
  const { make, ask, sum } = openStatements();
  await make('2026-11-03T10:00:00Z', 'v-1', aVideo);
  const rows = [
    '2026-11-03T10:00:01Z,v-1,1,1.6',
    '2026-11-03T10:00:01Z,v-1,1,1.6',
    '2026-11-04T10:00:00Z,x-1,1,0.4',
    '2026-11-04T10:00:00Z,x-2,1,0.4',
    '2026-11-04T10:00:00Z,x-3,1,0.4',
  ];
  const first = await ask('statement.read', { text: ['time,id,qty,cost', ...rows].join('\n') });
  expect(first).toMatchObject({ matched: 1, onlyBill: [{ finding: { type: 'twice' } }, {}, {}, {}] });
  await ask('statement.settle', { id: first.id, lines: ['b3', 'b4', 'b5'], as: 'adopt' });
  expect(sum(false)).toEqual([2 * VIDEO_NANO + 800_000_000, 0]);

  const other = [`time,id,qty,cost,${more}`, ...rows.map((row) => (more === '' ? `${row},` : `${row},a model`))];
  const again = await ask('statement.read', { text: other.join('\n'), columns });
  expect(again.id).not.toBe(first.id);
  expect(again).toMatchObject({ decided: 3, onlyBill: open.map((id) => ({ id })) });
  const entered = await ask('statement.lines', { id: again.id, group: 'decided', limit: 10 });
  await ask('statement.undo', { id: again.id, lines: entered.lines.map(({ id }) => id) });
  expect(sum(false)).toEqual([VIDEO_NANO, 0]);
  expect(await ask('statement.get', { id: first.id })).toMatchObject({ open: 4, decided: 0 });
});

test('what was entered stays so where another column of its text is its time', async () => {
  const { ask, sum } = openStatements();
  const line = '2026-11-04T10:00:00Z,2026-11-04T10:02:00Z,0.4';
  const text = ['started_at,ended_at,cost', line, line].join('\n');
  const first = await ask('statement.read', { text });
  await ask('statement.settle', { id: first.id, lines: ['b3'], as: 'adopt' });
  const again = await ask('statement.read', { text, columns: { at: 'ended_at' } });
  expect(again).toMatchObject({ matched: 1, onlyBill: [{ id: 'b2' }], decided: 1 });
  // At another amount it is to be looked at, and in another text it is another line.
  expect(await ask('statement.read', { text, columns: { at: 'ended_at', unit: 'cent' } })).toMatchObject({ open: 2 });
  expect(await ask('statement.read', { text: text.replaceAll('10:00', '09:00') })).toMatchObject({ open: 2 });
  expect(sum(false)).toEqual([400_000_000, 0]);
});

test.each([
  ['read with a column less', { units: null }, ''],
  ['in another text with a column more', {}, 'model'],
])('what was matched and then entered stays so where its bill is %s', async (_, columns, more) => {
  const { make, ask, sum } = openStatements();
  const { id: jobId } = await make('2026-11-03T10:00:00Z', 'v-1', aVideo);
  const rows = ['2026-11-03T10:00:01Z,v-1,1,1.6', '2026-11-03T12:00:00Z,,1,-1.6'];
  const { id } = await ask('statement.read', { text: ['time,id,qty,cost', ...rows].join('\n') });
  await ask('statement.match', { id, line: 'b3', jobId });
  expect(await ask('statement.settle', { id, lines: ['b3'], as: 'adopt' })).toMatchObject({ open: 0, onlyBill: [] });

  const other = [`time,id,qty,cost,${more}`, ...rows.map((row) => (more === '' ? `${row},` : `${row},a model`))];
  const again = await ask('statement.read', { text: other.join('\n'), columns });
  expect(again).toMatchObject({ matched: 2, open: 0, onlyBill: [], decided: 1 });
  expect(sum(false)).toEqual([0, 0]);
});

test('what was said of a line without a name is said of the one that names its job, and of none of another job', async () => {
  const { make, ask } = openStatements();
  const { id: jobId } = await make('2026-11-03T10:00:00Z', 'v-1', aVideo);
  await make('2026-11-03T11:00:00Z', 'v-2', aVideo);
  const line = '2026-11-03,1.6';
  const nameless = await ask('statement.read', { text: ['time,cost', line, line].join('\n') });
  await ask('statement.match', { id: nameless.id, line: 'b2', jobId });
  const named = (...ids: string[]) => ['time,cost,id', ...ids.map((id) => `${line},${id}`)].join('\n');
  for (const [text, matched] of [
    [named('v-2', 'v-1'), { id: 2, user: 0 }],
    [named('v-2', 'x-1'), { id: 1, user: 1 }],
    [named('v-2'), { id: 1, user: 0 }],
  ] as const)
    expect(await ask('statement.read', { text })).toMatchObject({ matchedBy: matched, onlyBill: [], differs: [] });
});

test('a line that says the same as another one is not that one', async () => {
  const { ask, sum } = openStatements();
  const line = '2026-11-04T10:00:00Z,,other,0.4';
  const both = await ask('statement.read', { text: bill(line, line) });
  await ask('statement.settle', { id: both.id, lines: ['b3'], as: 'adopt' });
  expect(await ask('statement.read', { text: bill(line) })).toMatchObject({ open: 1, matched: 0 });
  const next = await ask('statement.read', {
    text: bill('2026-11-04T10:00:00Z,,another,0.4', '2026-11-05T10:00:00Z,,other,0.4'),
  });
  expect(next).toMatchObject({ open: 2, matched: 0 });
  expect(sum(false)).toEqual([400_000_000, 0]);
});

test('a job is found on a bill with more than fifty others since, and on none whose lines are kept no longer', async () => {
  const { make, ask, store } = openStatements();
  await make('2026-11-03T10:00:00Z', 'v-1', aVideo);
  await make('2026-11-03T10:00:00Z', 'v-2', aVideo);
  const nameless = '2026-11-03T12:00:00Z,,video-standard,1.6';
  const november = await ask('statement.read', { text: bill('2026-11-03T10:00:01Z,v-1,video-standard,1.6', nameless) });
  const jobId = (await ask('statement.candidates', { id: november.id, line: 'b3' })).lines[0]?.jobId ?? '';
  await ask('statement.match', { id: november.id, line: 'b3', jobId });
  for (let day = 0; day < 52; day += 1) {
    const at = new Date(Date.parse('2026-11-10T10:00:00Z') + day * 86_400_000).toISOString();
    await ask('statement.read', { text: bill(`${at},other-${day},other,0.1`) });
  }
  const lines = ['2027-02-05T10:00:00Z,v-1,video-standard,1.6', '2027-02-05T10:00:00Z,v-2,video-standard,1.6'];
  const read = await ask('statement.read', { text: bill(...lines) });
  expect(read.onlyBill).toMatchObject([{ finding: { type: 'twice' } }, { finding: { type: 'twice' } }]);
  expect((await ask('statement.list', {})).statements).toHaveLength(50);

  store.transaction((db) =>
    db.run(sql('test.long', 'UPDATE statements SET line_count = 5000000 WHERE id = $id'), { id: read.id }),
  );
  const last = await ask('statement.read', { text: bill(...lines, '2027-02-06T10:00:00Z,other,other,0.1') });
  expect(last).toMatchObject({ matched: 2 });
  expect((await ask('statement.list', {})).statements.map(({ id }) => id)).toEqual([last.id, read.id]);
});

test('what rows name that are no lines counts as lines do where bills are kept no longer', async () => {
  const { ask, store } = openStatements();
  const lines = [
    '2026-11-03T10:00:00Z,v-1,other,1',
    '2026-11-04T10:00:00Z,v-2,other,1',
    '2026-11-04T11:00:00Z,v-2,other,1',
  ];
  const text = bill(...lines, '2026-11-03T11:00:00Z,v-3,other,EUR 1', '2026-11-04T12:00:00Z,,other,1');
  const first = await ask('statement.read', { text, to: Date.parse('2026-11-04') });
  expect(first).toMatchObject({ outside: 3 });
  expect(first).not.toHaveProperty('names');
  const names = sql('test.names', "SELECT facts ->> 'names' AS n FROM statements");
  expect(store.read.all(names)).toEqual([{ n: 2 }]);
  const many = sql('test.many', "UPDATE statements SET facts = json_set(facts, '$.names', 5000000)");
  store.transaction((db) => db.run(many));
  const next = await ask('statement.read', { text });
  expect((await ask('statement.list', {})).statements.map(({ id }) => id)).toEqual([next.id]);
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
  const { lose, make, ask, store } = openStatements();
  const charged = await make('2026-11-06T08:00:00Z', 'v-1', aVideo);
  const lost = await lose('2026-11-06T10:00:00Z', aVideo);
  const ownKey = sql('test.key', 'SELECT idempotency_key AS key FROM jobs WHERE id = $id');
  const { key = '' } = store.read.one<{ key: string }>(ownKey, { id: lost.id }) ?? {};
  const asked = { profileId: 'p', ...(to === undefined ? {} : { to: Date.parse(to) }) };
  const id = (await ask('statement.read', { ...asked, text: text.replace('KEY', key) })).id;
  if (another !== undefined) await ask('statement.read', { profileId: 'p', text: another.replace('KEY', key) });
  const read = await ask('statement.get', { id });
  expect(read).toMatchObject({
    clear: { count: 0 },
    onlyLedger: [
      { jobId: charged.id, finding: { type: 'notBilled' } },
      { jobId: lost.id, finding: { type: 'unsure' } },
    ],
  });
  expect(read.onlyLedger[1]?.isClear).toBeUndefined();
});

test('what is in doubt is clear where no line is its, until the user says that one of another bill is', async () => {
  const { lose, ask } = openStatements();
  const { id: jobId } = await lose('2026-11-06T10:00:00Z', aVideo);
  const { id } = await ask('statement.read', { text: bill(...AROUND) });
  expect(await ask('statement.get', { id })).toMatchObject({
    onlyLedger: [{ jobId, finding: { type: 'inDoubt' }, isClear: true }],
  });
  const next = await ask('statement.read', { text: bill('2026-11-07T09:00:00Z,,other,0.4') });
  await ask('statement.match', { id: next.id, line: 'b2', jobId });
  expect(await ask('statement.get', { id })).toMatchObject({ onlyLedger: [{ jobId, finding: { type: 'unsure' } }] });
});

test.each([
  ['is in doubt on neither', '23:50:00Z,x-1,other,0.1', '00:10:00Z,x-2,other,0.1', ['inDoubt', true]],
  ['may have a line on the first', '23:50:00Z,,video-standard,0.4', '00:10:00Z,x-2,other,0.1', ['unsure', undefined]],
  ['may have a line on the second', '23:50:00Z,x-1,other,0.1', '00:10:00Z,,video-standard,0.4', ['unsure', undefined]],
  ['may be between them', '23:21:00Z,x-1,other,0.1', '00:30:00Z,x-2,other,0.1', ['before', undefined]],
])('what was lost as a bill ends, and %s, is decided with the next one', async (_, last, first, expected) => {
  const { lose, ask } = openStatements();
  const { id: jobId } = await lose('2026-11-06T23:20:00Z', aVideo);
  const today = await ask('statement.read', { text: bill('2026-11-06T10:00:00Z,x-0,other,0.1', `2026-11-06T${last}`) });
  expect(today.onlyLedger).toMatchObject([{ jobId, finding: { type: 'wait' } }]);
  const next = bill(`2026-11-07T${first}`, '2026-11-07T10:00:00Z,x-3,other,0.1');
  const { onlyLedger } = await ask('statement.read', { text: next });
  expect(onlyLedger.map((one) => [one.jobId, one.finding?.type, one.isClear])).toEqual([[jobId, ...expected]]);
});

test.each(['v-1', ''])('what the bill before has, as %j, is not in the list of the next one', async (task) => {
  const { make, ask } = openStatements();
  await make('2026-11-06T23:58:00Z', 'v-1', aVideo);
  const lines = ['2026-11-06T10:00:00Z,x-0,other,0.1', `2026-11-06T23:58:01Z,${task},video-standard,1.6`];
  expect(await ask('statement.read', { text: bill(...lines) })).toMatchObject({ matched: 1, onlyLedger: [] });
  const next = bill('2026-11-07T00:10:00Z,x-2,other,0.1', '2026-11-07T10:00:00Z,x-3,other,0.1');
  expect((await ask('statement.read', { text: next })).onlyLedger).toEqual([]);
});

test('what is on neither of two bills is missing, also where a fee of the first states no zone', async () => {
  const { make, ask } = openStatements();
  const { id: jobId } = await make('2026-11-06T23:58:00Z', 'v-1', aVideo);
  const lines = ['2026-11-01,fee,other,20', '2026-11-06T10:00:00Z,x-0,other,0.1', '2026-11-06T23:50:00Z,x-1,other,0.1'];
  expect(await ask('statement.read', { text: bill(...lines) })).toMatchObject({ isZoneMixed: true });
  const next = bill('2026-11-07T00:10:00Z,x-2,other,0.1', '2026-11-07T10:00:00Z,x-3,other,0.1');
  const { onlyLedger } = await ask('statement.read', { text: next });
  expect(onlyLedger).toMatchObject([{ jobId, finding: { type: 'notBilled' } }]);
});

test.each(['2026-11-06 15:20:30', '2026-11-07 00:20:30'])(
  'what may stand on the bill before at %s, in some zone, is not settled as missing',
  async (time) => {
    const { lose, ask } = openStatements();
    const { id: jobId } = await lose('2026-11-06T23:20:00Z', aVideo);
    const lines = ['2026-11-06T10:00:00Z,x-0,other,0.1', '2026-11-06T23:10:00Z,x-1,other,0.1'];
    await ask('statement.read', { text: bill(...lines, `${time},,video-standard,0.4`) });
    const next = bill('2026-11-07T00:10:00Z,x-2,other,0.1', '2026-11-07T10:00:00Z,x-3,other,0.1');
    const { onlyLedger } = await ask('statement.read', { text: next });
    expect(onlyLedger).toMatchObject([{ jobId, finding: { type: 'unsure' } }]);
    expect(onlyLedger[0]?.isClear).toBeFalsy();
  },
);

test('lines of other bills are found by indexes', () => {
  const db = withPlans(openStatements().store.read);
  const row = { id: 'st', profileId: 'p', from: 1 } as Parameters<typeof otherBills.lines>[1];
  otherBills.lines(db, row, ['a/b']);
  const [{ plan = '' } = {}] = db.plans;
  for (const index of ['remote', 'part', 'key']) expect(plan).toContain(`INDEX statement_lines_by_${index}`);
  expect(plan).not.toMatch(/SCAN [ls]\b/);
  billedElsewhere(db, row, { jobs: [{ id: 'job', names: ['a/b'] }], marks: new Set() });
  expect(db.plans.pop()?.plan).toContain('SEARCH n USING PRIMARY KEY');
  billedJobs.namesOfAttempts(db, ['job']);
  expect(db.plans[1]?.plan).toContain('SEARCH attempts USING PRIMARY KEY');
  expect(db.plans[1]?.plan).not.toContain('SCAN attempts');
});
