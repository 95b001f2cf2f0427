import { expect, test } from 'vitest';
import { aVideo } from '../../../../test/helpers/engineHarness.ts';
import { bill, openStatements } from '../../../../test/helpers/statementHarness.ts';
import { sql } from '../store/index.ts';

/** As a version left it that took 7 requests for $7.00. */
const olderKey = sql('test.olderKey', `UPDATE statements SET text_key = json_remove(text_key, '$[5]')`);
const olderLine = sql('test.olderLine', 'UPDATE statement_lines SET nano = 7000000000 WHERE line = 2');
const olderMark = sql(
  'test.olderMark',
  `UPDATE statement_decisions SET mark = replace(mark, ',1000000000]', ',7000000000]')`,
);

test('a bill that an earlier version read is read anew, and what was decided about it stays', async () => {
  const { make, ask, sum, store, readText, adopt } = openStatements();
  await make('2026-11-12T10:00:00Z', 'v-1', aVideo);
  const text = bill('2026-11-12T10:00:05Z,v-1,video-standard,1.6', '2026-11-12T11:00:00Z,other,x,1');
  const read = () => readText(text);
  const first = await read();
  expect((await read()).id).toBe(first.id);
  await adopt(first.id, ['b3']);
  const paid = sum(false);
  store.transaction((db) => db.run(olderKey, {}) + db.run(olderLine, {}));
  const again = await read();
  expect(again).toMatchObject({ matched: 2, open: 0, sums: { bill: 2.6e9 } });
  expect(again.id).not.toBe(first.id);
  const decided = await ask('statement.lines', { id: again.id, group: 'decided', limit: 5 });
  expect(decided.lines).toMatchObject([{ id: 'b3' }]);
  expect(sum(false)).toEqual(paid);
  expect((await read()).id).toBe(again.id);
});

test('what was entered for a line that is read at another amount is taken back before the line is entered', async () => {
  const { ask, answer, sum, store, readText, adopt, undo, look } = openStatements();
  const text = bill('2026-11-12T11:00:00Z,other,x,1', '2026-11-12T12:00:00Z,more,x,2');
  const first = await readText(text);
  const unpaid = sum(false);
  await adopt(first.id, ['b2']);
  const paid = sum(false);
  store.transaction((db) => db.run(olderKey, {}) + db.run(olderMark, {}));
  const { id } = await readText(text);
  expect(await ask('statement.lines', { id, group: 'decided', limit: 5 })).toMatchObject({ lines: [{ id: 'b2' }] });
  expect(await answer('statement.settle', { id, lines: ['b2'], as: 'adopt' })).toMatchObject({
    ok: false,
    error: { code: 'wrong_state' },
  });
  expect(sum(false)).toEqual(paid);
  await undo(id, ['b2']);
  expect(sum(false)).toEqual(unpaid);
  await adopt(id, ['b2', 'b3']);
  expect(await look(id)).toMatchObject({ open: 0, decided: 2 });
});

test('a bill of which some times state their zone says so', async () => {
  const { readLines } = openStatements();
  const read = (...times: string[]) => readLines(...times.map((at) => `${at},,x,1`));
  expect(await read('2026-11-12T10:00:00Z', '2026-11-13')).toMatchObject({ isZoneAssumed: true, isZoneMixed: true });
  expect(await read('2026-11-12 10:00:00', '2026-11-13')).not.toHaveProperty('isZoneMixed');
});
