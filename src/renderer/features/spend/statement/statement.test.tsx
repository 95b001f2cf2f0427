import { beforeEach, expect, it } from 'vitest';
import { labels } from '../../../../../test/labels.ts';
import { fail } from '../../../../shared/contract/result.ts';
import type { Profile } from '../../../../shared/gateway/profile.ts';
import type { Statement, StatementLine } from '../../../../shared/money/statement/statement.ts';
import { useStudio } from '../../../app/index.ts';
import { says, textOf, textsOf } from '../../../testing/find.ts';
import { acting, aJob, byText, click, clickOn, fakeStudio, press, showOver, until } from '../../../testing/page.tsx';
import { SpendPage } from '../SpendPage.tsx';
import { findingsCsv } from './findings.ts';
import { bill, openStatement, readColumns, readInZone, useStatementView, withColumn } from './useStatement.ts';
import { candidateWords, findingWords, waysOf, zoneWords } from './words.ts';

const AT = Date.UTC(2026, 10, 13, 3, 12);
const line = { at: AT, model: 'video-standard' };
const lost: StatementLine = {
  ...{
    ...line,
    id: 'b2',
    line: 2,
    remoteId: '=op',
    jobId: 'job-lost',
    billNano: 4e8,
    uncertainNano: 16e8,
    isClear: true,
  },
  finding: { type: 'doubt', apartMs: 40_000 },
};
const unbilled: StatementLine = {
  ...{ ...line, id: 'c:job-2', model: 'imagine', jobId: 'job-2', ledgerNano: 5e7 },
  finding: { type: 'notBilled' },
};
const differs: StatementLine = {
  ...{ ...line, id: 'b4', line: 4, jobId: 'job-4', billNano: 6e8, ledgerNano: 4e8, isClear: true },
  finding: { type: 'noReading' },
};
const statement: Statement = {
  ...{ id: 'st-1', profileId: 'real', play: false, name: 'november.csv', readAt: AT, matched: 210 },
  ...{ from: Date.UTC(2026, 10, 1), to: Date.UTC(2026, 10, 20) },
  onlyBill: [lost],
  onlyLedger: [unbilled],
  differs: [differs],
  sums: { bill: 40e9, matched: 39e9, onlyBill: 4e8, onlyLedger: 5e7, differs: 6e8 },
  counts: { bill: 212, onlyBill: 1, onlyLedger: 1, differs: 1 },
  columns: [
    { name: 'started_at', role: 'at' },
    { name: 'operation', role: 'remoteId' },
    { name: 'amount_usd', role: 'amount', unit: 'dollar' },
    { name: 'invoice' },
  ],
  ...{ zoneMinutes: 60, isZoneAssumed: false, isMonthFirst: false, outside: 0, settles: [], open: 3, decided: 0 },
  unread: { count: 1, lines: [{ line: 9, message: 'It is empty.' }] },
  matchedBy: { id: 199, key: 7, near: 4, user: 0 },
  cheaper: { lines: 0, billNano: 0, ledgerNano: 0 },
  clear: { count: 2, ids: ['b2', 'b4'] },
};
const settled: Statement = {
  ...{ ...statement, matched: 212, onlyBill: [], differs: [], open: 1, decided: 2 },
  counts: { ...statement.counts, onlyBill: 0, differs: 0 },
  clear: { count: 0, ids: [] },
};

beforeEach(() => {
  useStudio.setState({
    profiles: [{ id: 'real', name: 'Studio gateway' } as Profile & { keyState: never }] as never,
    activeProfileId: 'real',
  });
  bill.clear();
  useStatementView.setState(useStatementView.getInitialState(), true);
  window.location.hash = '#/spend/statement';
});

const field = () => document.querySelector<HTMLTextAreaElement>('textarea[aria-label="The bill"]');
const parts = () => textsOf('.figbar dd:not(.t3)');

async function read(calls: Parameters<typeof fakeStudio>[0] = {}) {
  const studio = await showOver(<SpendPage />, {
    'statement.list': () => ({ statements: [] }),
    'statement.read': () => statement,
    'statement.get': () => statement,
    ...calls,
  });
  bill.useDraft.setState({ typed: 'started_at,amount_usd' });
  await until(() => expect(field()?.value).toBe('started_at,amount_usd'));
  await click(byText(labels.readRows));
  return studio;
}

it('the equation stands on top, and each line with its job and its ways out', async () => {
  const studio = await read({ 'statement.settle': () => settled });
  await until(() => expect(parts()).toEqual(['$40.00', '$39.00', '$0.40', '$0.60', '$0.05']));
  expect(studio.callsOf('statement.read')).toEqual([{ text: 'started_at,amount_usd' }]);
  expect(window.location.hash).toBe('#/spend/statement?id=st-1');
  expect([...document.querySelectorAll('.lines a')].map((link) => link.getAttribute('href'))).toEqual([
    '#/queue?job=job-lost',
    '#/queue?job=job-2',
    '#/queue?job=job-4',
  ]);
  const text = document.body.textContent ?? '';
  expect(text).toContain('Fits an unconfirmed job of $1.60, 40 s apart');
  expect(text).toContain('+$0.20');
  expect(text).toContain('Line 9 It is empty.');
  expect(text).toContain('Time, UTC +1');
  await click(byText('Match, confirms $0.40, video-standard, Line 2'));
  expect(studio.callsOf('statement.settle')).toEqual([{ id: 'st-1', lines: ['b2'], as: 'adopt' }]);
});

it('Ctrl Enter accepts what has one clear answer, once', async () => {
  const studio = await read({ 'statement.settle': () => settled });
  await until(() => byText(labels.acceptThose(2)));
  await press('Enter', { ctrlKey: true });
  await says(labels.ofOpen(1));
  await press('Enter', { ctrlKey: true });
  expect(studio.callsOf('statement.settle')).toEqual([{ id: 'st-1', lines: ['b2', 'b4'], as: 'adopt' }]);
});

it('a refusal stands at its line, and nothing of the bill is lost', async () => {
  await read({ 'statement.settle': () => fail('conflict', 'The cost of its job was changed meanwhile: look again.') });
  await clickOn('Use billed amount, video-standard, Line 4');
  await until(() =>
    expect(document.querySelector('.lines')?.parentElement?.parentElement?.textContent).toContain('look again'),
  );
  expect(parts()[0]).toBe('$40.00');
});

it('the days of another bill can be chosen after one that was read before', async () => {
  window.location.hash = '#/spend/statement?id=st-1';
  const get = { 'statement.get': () => statement, 'statement.list': () => ({ statements: [] }) };
  await showOver(<SpendPage />, get);
  await until(() => expect(parts()[0]).toBe('$40.00'));
  const days = () => document.querySelectorAll('[aria-label="Days to compare"]').length;
  expect(days()).toBe(0);
  await acting(() => {
    window.location.hash = '#/spend/statement';
  });
  await until(() => expect(days()).toBeGreaterThan(0));
});

const other: Statement = { ...statement, id: 'st-2', name: 'october.csv', sums: { ...statement.sums, bill: 7e9 } };

it('an answer about a bill that was left is not shown', async () => {
  const late = Promise.withResolvers<Statement>();
  const next = Promise.withResolvers<Statement>();
  await read({ 'statement.settle': () => late.promise, 'statement.get': () => next.promise });
  await clickOn('Use billed amount, video-standard, Line 4');
  await acting(() => openStatement('st-2'));
  await until(() => expect(document.querySelector('.skel')).not.toBeNull());
  await acting(() => late.resolve(settled));
  expect(parts()).toEqual([]);
  await acting(() => next.resolve(other));
  await until(() => expect(parts()[0]).toBe('$7.00'));
});

it('what is accepted goes on in its own bill', async () => {
  const first = Promise.withResolvers<Statement>();
  let count = 0;
  const studio = await read({
    'statement.settle': () => {
      count += 1;
      return count === 1 ? first.promise : Promise.resolve(settled);
    },
    'statement.get': () => ({ ...other, clear: { count: 1, ids: ['b9'] } }),
  });
  await clickOn(labels.acceptThose(2));
  await acting(() => openStatement('st-2'));
  await until(() => expect(parts()[0]).toBe('$7.00'));
  await acting(() => first.resolve({ ...settled, clear: { count: 1, ids: ['b4'] } }));
  await until(() => expect(count).toBe(2));
  expect(studio.callsOf('statement.settle')).toEqual([
    { id: 'st-1', lines: ['b2', 'b4'], as: 'adopt' },
    { id: 'st-1', lines: ['b4'], as: 'adopt' },
  ]);
  expect(parts()[0]).toBe('$7.00');
});

it('Undo is off while it is under way', async () => {
  const undone = Promise.withResolvers<Statement>();
  const decided = { ...differs, decided: { as: 'adopt' as const, at: AT } };
  const studio = await read({
    'statement.read': () => settled,
    'statement.lines': ({ group }) => ({ lines: group === 'decided' ? [decided] : [], total: 1 }),
    'statement.undo': () => undone.promise,
  });
  await clickOn('Show Decided');
  await until(() => byText('Undo, video-standard, Line 4'));
  const undo = byText('Undo, video-standard, Line 4');
  await click(undo);
  await click(undo);
  expect(studio.callsOf('statement.undo')).toHaveLength(1);
  await acting(() => undone.resolve(statement));
  await until(() => byText('Use billed amount, video-standard, Line 4'));
});

it('a bill that cannot be read says why, keeps the text, and shows what its columns were read as', async () => {
  const found = [
    { name: 'when', role: 'at' },
    { name: 'sum', role: 'amount', unit: 'cent' },
  ];
  const data = { field: 'text', columns: ['when', 'sum'], found };
  await read({ 'statement.read': () => fail('invalid_input', 'text: no line of it could be read.', data) });
  await says('No line of it could be read');
  expect(field()?.value).toBe('started_at,amount_usd');
  expect(textOf('[aria-label="Column sum"]')).toBe('Amount, cents');
  expect(textOf('[aria-label="Column when"]')).toMatch(/^Time/);
  await press('Escape');
  expect(window.location.hash).toBe('#/spend');
});

it('a column that is read as something else takes the part from the one that had it', () => {
  expect(withColumn(statement.columns, 'invoice', 'remoteId')).toEqual({
    at: 'started_at',
    remoteId: 'invoice',
    amount: 'amount_usd',
    unit: 'dollar',
  });
  expect(withColumn(statement.columns, 'amount_usd', 'cent')).toMatchObject({ amount: 'amount_usd', unit: 'cent' });
  expect(withColumn(statement.columns, 'operation', 'unused')).toMatchObject({ remoteId: null });
});

it('a line that names no time of day is shown with its day', async () => {
  const line = { ...lost, day: '2026-11-01' };
  await read({ 'statement.read': () => ({ ...statement, onlyBill: [line] }) });
  const shown = () => textOf('.lines td');
  await until(() => expect(shown()).toMatch(/^Sun 1 Nov( 2026)?$/));
});

it('a zone is chosen for times that state none, and stays where a column is read as something else', async () => {
  const zoneField = () => document.querySelector('[aria-label="Time zone"]');
  const studio = await read({ 'statement.read': () => ({ ...statement, isZoneAssumed: true }) });
  await until(() => expect(zoneField()).not.toBeNull());
  await acting(() => readInZone(480));
  await acting(() => readColumns(withColumn(statement.columns, 'operation', 'unused')));
  await acting(() => readInZone(undefined));
  const calls = studio.callsOf('statement.read') as { columns?: object }[];
  const asked = calls.map(({ columns }) => columns);
  expect(asked.slice(1)).toMatchObject([{ zone: 480 }, { zone: 480, remoteId: null }, { remoteId: null }]);
  expect(asked[3]).not.toHaveProperty('zone');
  expect([0, 330, -570, 840].map((zone) => zoneWords(zone, false))).toEqual([
    'UTC',
    'UTC +5:30',
    'UTC −9:30',
    'UTC +14',
  ]);
});

it('says what is not known of its times, and that it is read as the last one of its kind', async () => {
  const words = () => document.body.textContent;
  await read({ 'statement.read': () => ({ ...statement, isZoneAssumed: true }) });
  await until(() => expect(words()).toContain('Choose the time zone to match lines by time.'));
  await acting(() => bill.useDraft.setState({ text: '' }));
  expect(words()).toContain('Read the file again to choose its time zone.');
  const remembered = { ...statement, asked: { zone: 480 }, isRemembered: true as const };
  await acting(() => useStatementView.setState({ statement: remembered }));
  expect(words()).toContain('Same columns as your last bill.');
});

it('keeps a zone that is remembered where a column is read as something else', async () => {
  const studio = await read({
    'statement.read': () => ({ ...statement, asked: { zone: 480 }, isRemembered: true as const }),
  });
  await until(() => expect(studio.callsOf('statement.read')).toHaveLength(1));
  expect(studio.callsOf('statement.read')[0]).not.toHaveProperty('columns');
  await acting(() => readColumns(withColumn(statement.columns, 'operation', 'unused')));
  expect(studio.callsOf('statement.read')[1]).toMatchObject({ columns: { zone: 480, remoteId: null } });
});

it('a line of an amount that a job near it is billed already says so', () => {
  const words = (finding: object) => findingWords({ ...lost, finding: { type: 'unknown', ...finding } });
  expect(words({})).toBe('No job of this model and amount within 5 min');
  expect(words({ isBilled: true })).toMatch(/^May bill a job twice/);
  expect(words({ isEntered: true })).toMatch(/^May be entered already/);
});

it('the findings are a table without formulas', async () => {
  fakeStudio({ 'statement.lines': ({ group }) => ({ lines: group === 'onlyBill' ? [lost] : [], total: 1 }) });
  const [, row, unread] = (await findingsCsv(statement)).split('\r\n');
  expect(row).toBe(
    `"Only on the bill","2","2026-11-13T03:12:00.000Z","video-standard","'=op","job-lost",0.400000000,"",1.600000000,"Fits an unconfirmed job of $1.60, 40 s apart",""`,
  );
  expect(unread).toContain('"It is empty."');
});

it.each([
  ['inDoubt', ['adopt', 'keep']],
  ['unsure', ['keep', 'adopt']],
] as const)('offers what is in doubt and %s in this order: %j', (type, expected) => {
  const ways = waysOf('onlyLedger', { ...unbilled, id: 'd:job-2', finding: { type } });
  expect(ways.map(({ as }) => as)).toEqual(expected);
});

it('names an amount of a candidate only where there is one', () => {
  expect(candidateWords({ ...unbilled, model: 'picture', ledgerNano: 0 })).toMatch(/^picture, [^$]+$/);
  expect(candidateWords({ ...unbilled, model: 'picture', ledgerNano: 4e8 })).toMatch(/^picture, .+, \$0\.40$/);
});

it.each(['ledger.changed', 'job.changed'])('is compared again after %s', async (type) => {
  const studio = await read({ 'statement.get': () => settled });
  await until(() => expect(parts()).toContain('$0.40'));
  const asked = studio.callsOf('statement.get').length;
  await studio.emit({ type, job: aJob({ id: 'job-2' }) } as never);
  await until(() => expect(studio.callsOf('statement.get').length).toBe(asked + 1));
});
