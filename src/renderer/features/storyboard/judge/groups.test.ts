import { expect, it } from 'vitest';
import type { ShotView } from '../model/view.ts';
import { groupsToJudge, withFirst } from './groups.ts';

const shot = (number: number, takes: string[]): ShotView =>
  ({
    number,
    shot: { id: `s${number}` },
    takes: takes.map((jobId) => ({ jobId, clips: [{}] })),
  }) as unknown as ShotView;

it('goes by the film, then through everything else four at a time, each job once', () => {
  const groups = groupsToJudge(
    ['b', 'p1', 'a', 'p2', 'p3', 'p4', 'p5'],
    [shot(1, ['old', 'a']), shot(2, ['old2']), shot(3, ['b', 'a'])],
  );
  expect(groups.map(({ title, ids }) => [title, ids])).toEqual([
    ['Shot 1', ['a']],
    ['Shot 3', ['b']],
    ['Others, 1 of 2', ['p1', 'p2', 'p3', 'p4']],
    ['Others, 2 of 2', ['p5']],
  ]);
});

it('shows no more takes of a shot at once than there is room for beside the kept one', () => {
  const groups = groupsToJudge(['a', 'b', 'c', 'd', 'e'], [shot(3, ['old', 'a', 'b', 'c', 'd', 'e'])]);
  expect(groups.map(({ title, ids }) => [title, ids])).toEqual([
    ['Shot 3, 1 of 2', ['a', 'b', 'c']],
    ['Shot 3, 2 of 2', ['d', 'e']],
  ]);
  const many = {
    ...shot(1, []),
    takes: [
      { jobId: 'a', clips: [1, 2, 3, 4] },
      { jobId: 'b', clips: [1] },
    ],
  };
  expect(groupsToJudge(['a', 'b'], [many as unknown as ShotView]).map(({ ids }) => ids)).toEqual([['a'], ['b']]);
});

it('begins with the groups of the jobs that are named, each group in its order', () => {
  const groups = groupsToJudge(['a', 'b', 'c', 'p'], [shot(1, ['a']), shot(2, ['b']), shot(3, ['c'])]);
  const titles = (first: string[]) => withFirst(groups, new Set(first)).map(({ title }) => title);
  expect(titles(['c', 'p'])).toEqual(['Shot 3', 'Others, 1', 'Shot 1', 'Shot 2']);
  expect(titles(['gone', ''])).toEqual(['Shot 1', 'Shot 2', 'Shot 3', 'Others, 1']);
});
