import { expect, test } from 'vitest';
import { madeGroups, type Sent } from './madeGroups.ts';
import { nothingMade } from './morningWords.ts';

const sent = (jobId: string, state: Sent['state'] = 'succeeded', more: Partial<Sent> = {}): Sent => ({
  jobId,
  lane: 'video:p',
  state,
  startsAt: 0,
  nano: 0,
  lowNano: 0,
  countedByThenNano: 0,
  ...more,
});

const shots = [
  { title: 'Shot 1', takes: ['old', 'a'], plays: 'old' },
  { title: 'The quay', takes: ['b', 'lost'] },
];

test('new takes stand by shot, with what was not made of it, then what belongs to no shot', () => {
  const all = [sent('p1'), sent('lost', 'uncertain'), sent('b'), sent('a'), sent('p2', 'failed', { refused: true })];
  expect(
    madeGroups(all, shots, 'judge').map(({ title, note, tiles }) => [title, note, tiles.map(({ label }) => label)]),
  ).toEqual([
    ['Shot 1', 'plays: 1', ['T2']],
    ['The quay', '1 new, 1 in doubt', ['T1', 'T2']],
    ['Others', '1 new, 1 refused', ['1', '2']],
  ]);
});

test('a tab shows what has its verdict and nothing else; a shot of which nothing is left is not named', () => {
  const all = [
    sent('a', 'succeeded', { verdict: 'keep' }),
    sent('b', 'succeeded', { verdict: 'no' }),
    sent('lost', 'failed'),
  ];
  const titles = (tab: 'judge' | 'kept' | 'others') => madeGroups(all, shots, tab).map(({ title }) => title);
  expect([titles('judge'), titles('kept'), titles('others')]).toEqual([[], ['Shot 1'], ['The quay']]);
});

const report = (more: object) => ({
  ...{ jobs: 3, made: 0, failed: 0, refused: 0, canceled: 0, inDoubt: 0, underWay: 0, notRun: 0 },
  spent: { settledNano: 0, settledLowNano: 0, reservedNano: 0, uncertainNano: 0, unpriced: 0 },
  ...more,
});

/** At a price that is not settled. */
const spent = { ...report({}).spent, settledNano: 50_000_000, settledLowNano: 10_000_000 };

test.each([
  ['nothing was in it', { jobs: 0 }, 'No job was in this night: nothing was made, and nothing was spent.'],
  ['all failed', { failed: 3 }, 'Nothing was made: 3 failed. Nothing was spent.'],
  ['one was refused', { jobs: 1, refused: 1 }, 'Nothing was made: 1 was refused by the filter. Nothing was spent.'],
  [
    'some cost money all the same',
    { failed: 1, inDoubt: 2, spent: { ...spent, settledLowNano: 50_000_000, uncertainNano: 2_400_000_000 } },
    'Nothing was made: 1 failed, 2 are in doubt. $0.05 was spent, and $2.40 is in doubt.',
  ],
  ['it cost at most so much', { failed: 3, spent }, 'Nothing was made: 3 failed. ≤ $0.05 was spent.'],
  ['none was sent', { notRun: 3 }, 'Nothing was made: 3 were not sent. Nothing was spent.'],
  [
    'a price is not known',
    { failed: 1, spent: { ...report({}).spent, unpriced: 1 } },
    'Nothing was made: 1 failed. What 1 of them cost is not known.',
  ],
  ['something was made', { made: 1, failed: 2 }, undefined],
])('says what came of a night where %s', (_, more, words) => {
  expect(nothingMade(report(more))).toBe(words);
});
