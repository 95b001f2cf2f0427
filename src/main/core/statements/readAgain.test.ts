import { expect, test } from 'vitest';
import { openStatements } from '../../../../test/helpers/statementHarness.ts';

test('what was entered for a line that is read at another amount is taken back before the line is entered', async () => {
  const { ask, answer, sum, readText, adopt, undo, look } = openStatements();
  const rows = ['2026-11-12T11:00:00Z,x,7,1', '2026-11-12T12:00:00Z,x,9,2'];
  const text = ['time,model,requests,cost', ...rows].join('\n');
  const first = await readText(text, { columns: { amount: 'requests' } });
  const unpaid = sum(false);
  await adopt(first.id, ['b2']);
  const paid = sum(false);
  expect(paid).toEqual([7_000_000_000, 0]);
  const { id } = await readText(text, { columns: {} });
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
  expect(sum(false)).toEqual([3_000_000_000, 0]);
});
