import { expect, test } from 'vitest';
import { compared, line } from '../../../../test/helpers/comparedBill.ts';
import { aVideo } from '../../../../test/helpers/engineHarness.ts';
import { openStatements } from '../../../../test/helpers/statementHarness.ts';
import { readBill } from './readBill.ts';

async function spansOf(...rows: string[]) {
  const bill = await readBill(rows.join('\n'), {}, async () => undefined);
  return bill.ok ? bill.data.lines.map(({ spanMs }) => spanMs) : bill.error.message;
}

test.each([
  ['request_id,startTime,endTime,spend', 'a,2026-01-01T10:00:00.000Z,None,1'],
  ['time,to,cost', '2026-01-01T10:00:00.000Z,me,1'],
  ['time,end,cost', '2026-01-01T10:00:00.000Z,stop,1'],
])('an end that is no time, in a column that nobody chose, is none: %s', async (header, row) => {
  expect(await spansOf(header, row)).toEqual([1]);
});

test('a row of less than an hour is one call, at its start, unless it is of whole quarters of an hour', async () => {
  const row = (from: string, to: string) => `2026-01-01T${from}Z,2026-01-01T${to}Z,1`;
  const rows = [
    row('10:00:00', '10:02:10'),
    row('10:00:10', '10:59:59'),
    row('10:00:00', '10:59:59'),
    row('10:00:00', '11:00:00'),
    row('10:15:00', '10:30:00'),
  ];
  const minute = 60_000;
  expect(await spansOf('start_time,end_time,cost', ...rows)).toEqual([
    1_000,
    1_000,
    60 * minute - 1_000,
    60 * minute,
    15 * minute,
  ]);
});
test('a long call settles the doubt that it fits', async () => {
  const { make, lose, ask } = openStatements();
  const lost = await lose('2026-11-13T10:00:00Z', aVideo);
  await make('2026-11-13T10:03:00Z', 'v-1', aVideo);
  const text = 'start_time,end_time,model,cost\n2026-11-13T10:00:05Z,2026-11-13T10:02:10Z,video-standard,1.5';
  expect((await ask('statement.read', { profileId: 'p', text })).onlyBill).toMatchObject([
    { jobId: lost.id, finding: { type: 'doubt' }, isClear: true },
  ]);
});

test('a row of a day is of that day where the bill states several offsets', () => {
  const DAY = 86_400_000;
  const dayOf = (at: string) => compared([line({ at: Date.parse(at), spanMs: DAY })], [])[0]?.day;
  expect(['2026-11-01T00:00:00+13:00', '2026-11-01T00:00:00-08:00', '2026-11-01T00:00:00+01:00'].map(dayOf)).toEqual(
    Array.from({ length: 3 }, () => '2026-11-01'),
  );
});
