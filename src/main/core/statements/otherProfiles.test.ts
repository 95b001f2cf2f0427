import { expect, test } from 'vitest';
import { aVideo, VIDEO_NANO } from '../../../../test/helpers/engineHarness.ts';
import { bill, openStatements } from '../../../../test/helpers/statementHarness.ts';
import { sql } from '../store/index.ts';

const move = sql('test.move', 'UPDATE jobs SET profile_id = $profileId WHERE id = $id');
const line = (operation: string) => `2026-11-03T10:00:01Z,${operation},video-standard,1.6`;

test('a line of a job of another profile is not entered once more', async () => {
  const { make, answer, store, sum, readLines, adopt, keep } = openStatements();
  const { id } = await make('2026-11-03T10:00:00Z', 'v-1', aVideo);
  store.transaction((db) => db.run(move, { id, profileId: 'q' }));
  const read = await readLines(line('operations/v-1'), line('v-2'));
  expect(read.onlyBill).toMatchObject([
    { jobId: id, finding: { type: 'otherProfile', profile: 'Other key' } },
    { finding: { type: 'unknown' } },
  ]);
  expect(await answer('statement.settle', { id: read.id, lines: ['b2'], as: 'adopt' })).toMatchObject({
    error: {
      code: 'wrong_state',
      message: expect.stringMatching(/^Line 2 is of a job that Other key ordered/),
    },
  });
  expect(sum(false)).toEqual([VIDEO_NANO, 0]);
  await keep(read.id, ['b2']);
  await adopt(read.id, ['b3']);
  expect(sum(false)).toEqual([2 * VIDEO_NANO, 0]);
});

test('a line of a job that was not charged can be entered where its profile is gone', async () => {
  const { lose, store, keyOf, sum, readLines, adopt } = openStatements();
  const { id } = await lose('2026-11-03T10:00:00Z', aVideo);
  const key = keyOf();
  const readBy = async (profileId: string) => {
    store.transaction((db) => db.run(move, { id, profileId }));
    return readLines(line(key));
  };
  expect((await readBy('q')).onlyBill).toMatchObject([{ finding: { type: 'otherProfile', profile: 'Other key' } }]);
  const read = await readBy('gone');
  expect(read.onlyBill).toMatchObject([{ finding: { type: 'unknown' } }]);
  await adopt(read.id, ['b2']);
  expect(sum(false)[0]).toBe(VIDEO_NANO);
});

test('a profile that is gone, and keys, are looked for as well, and play money is another side', async () => {
  const { make, store, keyOf, readText } = openStatements();
  const findingOf = async (text: string, profileId: string) =>
    (await readText(bill(text), { profileId })).onlyBill[0]?.finding;
  const { id } = await make('2026-11-03T10:00:00Z', 'v-1', aVideo);
  store.transaction((db) => db.run(move, { id, profileId: 'gone' }));
  expect(await findingOf(line(keyOf()), 'p')).toEqual({ type: 'otherProfile' });
  expect(await findingOf(line('v-1'), 'sandbox')).toEqual({ type: 'unknown' });
});
