import { describe, expect, onTestFinished, test } from 'vitest';
import { compared, job, line, MINUTE, START } from '../../../../test/helpers/comparedBill.ts';
import { aVideo } from '../../../../test/helpers/engineHarness.ts';
import { openStatements } from '../../../../test/helpers/statementHarness.ts';
import { setBudget } from '../ledger/index.ts';
import { sql } from '../store/index.ts';
import type { BillJob } from './billJobs.ts';
import type { BillLine } from './readBill.ts';

/** Bills that have no line for each order, but one for all of a time. */

const DAY = 24 * 60 * MINUTE;
const [from, to] = [START - DAY, START + 3 * DAY];
const clip = (hour: number, fields: Partial<BillJob> = {}) =>
  job(`${hour}`, { sentAt: START + hour * 60 * MINUTE, ...fields });
const inDoubt = { isCharged: false, chargedNano: 0, lowNano: 0, readings: [0], uncertainNano: 1_600, isInDoubt: true };
const lost = clip(20, { ...inDoubt, ids: [] });
const aDay = (nano: number, fields: Partial<BillLine> = {}) => line({ at: START, spanMs: DAY, nano, ...fields });
const toldOf = (lines: BillLine[], jobs: BillJob[]) =>
  compared(lines, jobs, { from, to }).map(({ job: of, finding, isClear }) => [of?.id, finding?.type, isClear]);

describe('a line that is the sum of a day', () => {
  test('settles no doubt by one press, and is no word that its charges are not billed', () => {
    const charged = Array.from({ length: 10 }, (_, hour) => clip(hour));
    expect(toldOf([aDay(10 * 400 + 1_600)], [...charged, lost])).toEqual([
      ['20', 'doubt', false],
      ...charged.map(({ id }) => [id, 'unsure', false]),
    ]);
  });
});

describe('a row with a beginning and an end', () => {
  const text = (...rows: string[]) => ['start_time,end_time,model,cost', ...rows].join('\n');
  const epoch = (at: string) => Date.parse(at) / 1_000;
  const days = (first: string, last: string, model = 'video-standard') => `${epoch(first)},${epoch(last)},${model},9`;
  test('is of all that time', async () => {
    const { make, lose, readText } = openStatements();
    await make('2026-11-13T11:00:00Z', 'v-1', aVideo);
    await lose('2026-11-13T12:00:00Z', aVideo);
    const around = [days('2026-11-12', '2026-11-13', 'x'), days('2026-11-14', '2026-11-15', 'x')];
    const read = await readText(text(days('2026-11-13', '2026-11-14'), ...around));
    expect(read).toMatchObject({ clear: { count: 0 }, onlyLedger: [{ finding: { type: 'unsure' } }] });
  });
  test('makes the days that are compared as many as it has', async () => {
    const { lose, readText } = openStatements();
    await lose('2026-11-13T12:00:00Z', aVideo);
    const read = await readText(text(days('2026-11-01', '2026-12-01')));
    expect([read.from, read.to]).toEqual([Date.UTC(2026, 10, 1), Date.UTC(2026, 11, 1)]);
    expect(read).toMatchObject({ onlyBill: [{ finding: { type: 'doubt' } }], clear: { count: 0 } });
  });
  test('that begins before the days that are compared may be of what was sent in them', async () => {
    const { lose, readText } = openStatements();
    await lose('2026-11-13T12:00:00Z', aVideo);
    const others = ['11', '12', '13', '14'].map((day) => days(`2026-11-${day}`, `2026-11-${Number(day) + 1}`, 'x'));
    const read = await readText(text(days('2026-11-01', '2026-12-01'), ...others), {
      from: Date.UTC(2026, 10, 12),
      to: Date.UTC(2026, 10, 15),
    });
    expect(read).toMatchObject({ outside: 2, onlyLedger: [{ finding: { type: 'unsure' } }], clear: { count: 0 } });
  });
});

test('a line with a date alone counts on that day, wherever it is read', async () => {
  const zone = process.env.TZ;
  onTestFinished(() => {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  });
  const { store, sum, readText, adopt, undo } = openStatements();
  const text = ['time,model,cost', '2026-11-01,other,12.5', '2026-11-01T01:00:00Z,other,1'].join('\n');
  const daysIn = async (place: string) => {
    process.env.TZ = place;
    const { id, onlyBill } = await readText(text, { columns: { zone: 0 } });
    const lines = onlyBill.map((line) => line.id);
    await adopt(id, lines);
    const entries = store.read.all<{ day: string; at: number }>(
      sql('test.days', 'SELECT day, counted_at AS at FROM ledger_entries ORDER BY seq DESC LIMIT 2'),
    );
    await undo(id, lines);
    expect(sum(false)).toEqual([0, 0]);
    return [onlyBill.map(({ day }) => day), entries.map(({ day, at }) => [day, new Date(at).getHours()]).reverse()];
  };
  const own = ['2026-11-01', undefined];
  expect(await daysIn('America/New_York')).toEqual([
    own,
    [
      ['2026-11-01', 12],
      ['2026-10-31', 21],
    ],
  ]);
  expect(await daysIn('Asia/Tokyo')).toEqual([
    own,
    [
      ['2026-11-01', 12],
      ['2026-11-01', 10],
    ],
  ]);
});

test('a line of a bill that no job here made warns of the soft cap that it exceeds', async () => {
  const { readLines, adopt, store, coreEvents, clock, events } = openStatements();
  store.transaction((db) => setBudget(db, { scope: 'day', softNano: 100_000_000 }));
  coreEvents.emit('budgets.changed');
  await clock.advance(1_000);
  const at = new Date(clock.now()).toISOString();
  await adopt((await readLines(`${at},x-1,other,0.25`)).id, ['b2']);
  await clock.advance(1_000);
  expect(events).toContainEqual(
    expect.objectContaining({ type: 'notice', text: expect.stringMatching(/Over budget/) }),
  );
});
