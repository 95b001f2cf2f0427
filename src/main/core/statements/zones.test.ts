import { describe, expect, test } from 'vitest';
import { aVideo } from '../../../../test/helpers/engineHarness.ts';
import { bill, openStatements } from '../../../../test/helpers/statementHarness.ts';
import type { Statement } from '../../../shared/money/statement/statement.ts';

/** Bills whose times have no zone: most gateways write those of where they are. */

const video = (at: string, id: string, dollars = '1.6') => `${at},${id},video-standard,${dollars}`;

describe('a bill whose zone nobody knows', () => {
  test('has no clear answer for what was sent within any zone of its lines', async () => {
    const { lose, readLines } = openStatements();
    await lose('2026-11-13T02:00:00Z', aVideo);
    const x = (at: string) => `${at},,x,1`;
    const read = await readLines(
      x('2026-11-11 10:00:00'),
      video('2026-11-13 10:00:40', 'req-1'),
      x('2026-11-15 10:00:00'),
    );
    expect(read).toMatchObject({
      isZoneAssumed: true,
      clear: { count: 0 },
      onlyLedger: [{ finding: { type: 'unsure' } }],
    });
    expect(read.onlyBill.map(({ finding }) => finding?.type)).toEqual(['zone', 'zone', 'zone']);
  });
  test('enters no line that may be of a job in another zone', async () => {
    const { make, answer, sum, readText, adopt } = openStatements();
    await make('2026-11-13T02:00:00Z', 'v-1', aVideo);
    const text = 'time,model,cost\n2026-11-13 10:00:10,video-standard,1.6\n2027-02-13 10:00:10,video-standard,1';
    const read = await readText(text);
    expect(await answer('statement.settle', { id: read.id, lines: ['b2'], as: 'adopt' })).toMatchObject({
      error: { code: 'wrong_state', message: expect.stringMatching(/^Line 2 may be of a job .* choose the zone/) },
    });
    const inZone = await readText(text, { columns: { zone: 480 } });
    expect(inZone).toMatchObject({ matched: 1, onlyBill: [{ id: 'b3', finding: { type: 'unknown' } }] });
    await adopt(inZone.id, ['b3']);
    expect(sum(false)).toEqual([2_600_000_000, 0]);
  });
  test('of days says nothing about those beside them', async () => {
    const { lose, readLines } = openStatements();
    await lose('2026-11-03T05:00:00Z', aVideo);
    const days = ['2026-11-01,,x,1', '2026-11-02,,video-standard,1.6', '2026-11-05,,x,1'];
    const read = await readLines(...days);
    expect(read).toMatchObject({ clear: { count: 0 }, onlyLedger: [{ finding: { type: 'unsure' } }] });
  });
  test('has none for lines beside others that state their zone either', async () => {
    const { make, readText } = openStatements();
    await make('2026-11-13T02:00:00Z', 'v-1', aVideo);
    const rows = ['2026-11-13 10:00:10,video-standard,1.6', '2026-11-13T02:00:10Z,video-standard,1.6'];
    const text = ['time,model,cost', ...rows].join('\n');
    const read = await readText(text);
    expect(read).toMatchObject({ isZoneAssumed: true, matched: 0, clear: { count: 0 } });
    expect(read.onlyBill.map(({ finding }) => finding?.type)).toEqual(['zone', 'zone']);
    expect(await readText(text, { columns: { zone: 0 } })).toMatchObject({ isZoneAssumed: false, matched: 1 });
  });
});

describe('what is chosen for a bill', () => {
  const days = (day: number) => bill(video(`2026-11-${day} 18:00:05`, 'v-1'), video(`2026-11-${day} 20:00:05`, 'v-2'));
  const isRead = ({ zoneMinutes, isZoneAssumed, asked, isRemembered }: Statement) => [
    zoneMinutes,
    isZoneAssumed,
    asked,
    isRemembered,
  ];
  test('is how the next one with its columns is read, of this gateway alone, until something else is chosen', async () => {
    const { readText } = openStatements();
    const unknown = [undefined, true, undefined, undefined];
    const columns = { zone: 480, model: null };
    expect(isRead(await readText(days(12)))).toEqual(unknown);
    expect(isRead(await readText(days(12), { columns }))).toEqual([480, false, columns, undefined]);
    const next = await readText(days(13));
    expect(isRead(next)).toEqual([480, false, columns, true]);
    // Days of the bill are days there.
    expect(new Date(next.from).toISOString()).toBe('2026-11-12T16:00:00.000Z');
    expect(isRead(await readText(days(13), { profileId: 'q' }))).toEqual(unknown);
    expect(isRead(await readText(days(13).replace('model', 'model_id')))).toEqual(unknown);
    expect(isRead(await readText(days(13), { columns: {} }))).toEqual([undefined, true, {}, undefined]);
    expect(isRead(await readText(days(14)))).toEqual(unknown);
  });
  test('reads the next bill whose columns say nothing by their names', async () => {
    const { answer, ask } = openStatements();
    const text = (day: number) => `when,what,how much\n2026-11-${day}T10:00:00Z,x,1`;
    const columns = { at: 'when', amount: 'how much', unit: 'cent' as const };
    expect(await answer('statement.read', { text: text(12) })).toMatchObject({ ok: false });
    await ask('statement.read', { text: text(12), columns });
    expect(await ask('statement.read', { text: text(13) })).toMatchObject({
      ...{ isRemembered: true, sums: { bill: 10_000_000 } },
    });
  });
  test('is no zone where lines that name their jobs are at other hours', async () => {
    const { make, lose, readText } = openStatements();
    await make('2026-10-12T10:00:00Z', 'o-1', aVideo);
    const summer = bill(video('2026-10-12 12:00:05', 'o-1'));
    await readText(summer, { columns: { zone: 120, model: null } });
    await make('2026-11-11T10:00:00Z', 'v-1', aVideo);
    await lose('2026-11-12T10:00:00Z', aVideo);
    await make('2026-11-13T10:00:00Z', 'v-2', aVideo);
    const winter = (hour: number) =>
      bill(
        video(`2026-11-11 ${hour}:00:05`, 'v-1'),
        video(`2026-11-12 ${hour}:00:05`, ''),
        video(`2026-11-13 ${hour}:00:05`, 'v-2'),
      );
    const columns = { model: null };
    expect(isRead(await readText(winter(12)))).toEqual([120, false, { ...columns, zone: 120 }, true]);
    const read = await readText(winter(11));
    expect(read).toMatchObject({ matched: 2, clear: { count: 0 }, onlyBill: [{ finding: { type: 'zone' } }] });
    // Chosen for this bill, it holds.
    const chosen = await readText(winter(11), { columns: { zone: 60, model: null } });
    expect(chosen).toMatchObject({ matched: 2, onlyBill: [{ finding: { type: 'doubt' } }] });
  });
  test('is none either where those lines are left out', async () => {
    const { make, readText } = openStatements();
    await readText(bill(video('2026-10-12 12:00:05', 'o-1')), { columns: { zone: 120 } });
    await make('2026-11-11T10:00:00Z', 'v-1', aVideo);
    await make('2026-11-13T10:00:00Z', 'v-2', aVideo);
    const text = bill(video('2026-11-11 11:00:05', 'v-1'), video('2026-11-13 11:00:05', ''));
    const from = Date.parse('2026-11-12');
    const read = await readText(text, { from });
    expect(read).toMatchObject({ matched: 0, outside: 1, onlyBill: [{ finding: { type: 'zone' } }] });
    expect(await readText(text, { from, columns: { zone: 60 } })).toMatchObject({ matched: 1, open: 0 });
  });
  test('changes no text that was read before it', async () => {
    const { readText } = openStatements();
    const text = bill('2026-10-12T12:00:05Z,o-1,video-standard,1.6');
    const first = await readText(text);
    const columns = { unit: 'cent' as const };
    expect((await readText(text, { columns })).sums.bill).toBe(16_000_000);
    expect(await readText(text)).toEqual(first);
    const other = text.replace('o-1', 'o-2');
    const next = await readText(other);
    expect(next).toMatchObject({ asked: columns, isRemembered: true, sums: { bill: 16_000_000 } });
    // Read again, it is no choice that is newer than this one.
    await readText(text, { columns: {} });
    expect(await readText(other)).toEqual(next);
    expect(await readText(text.replace('o-1', 'o-3'))).toMatchObject({ sums: { bill: 1_600_000_000 } });
  });
  test('leaves decisions with their lines', async () => {
    const { sum, readText, adopt } = openStatements();
    const text = bill(video('2026-11-12 18:00:05', 'foreign-1'));
    const read = await readText(text, { columns: { zone: 0 } });
    await adopt(read.id, ['b2']);
    for (const zone of [480, -300]) {
      const again = await readText(text, { columns: { zone } });
      expect(again).toMatchObject({ matched: 1, open: 0 });
    }
    expect(sum(false)).toEqual([1_600_000_000, 0]);
  });
});
