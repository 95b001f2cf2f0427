import { expect, test } from 'vitest';
import type { Shot } from '../../../shared/board/board.ts';
import type { Job, Verdict } from '../../../shared/jobs/job.ts';
import type { Asset } from '../../../shared/library/asset.ts';
import type { ShotView, TakeView } from '../storyboard/model/view.ts';
import { keptBeside, newGroups, nextUnrated, type ReviewGroup, shotGroups, sidesOf, withAnother } from './items.ts';

function take(number: number, { verdict, clips = 1 }: { verdict?: Verdict; clips?: number } = {}): TakeView {
  const outputs = Array.from(
    { length: clips },
    (_, index) => ({ id: `a${number}${index}`, mime: 'video/mp4', role: 'output', state: 'local' }) as Asset,
  );
  const state = clips > 0 ? 'succeeded' : 'failed';
  const job = { id: `j${number}`, outputs, state, ...(verdict ? { verdict } : {}) } as unknown as Job;
  return { jobId: `j${number}`, number, job, clips: outputs, clip: outputs[0], clipIndex: 0 };
}
const shotOf = (number: number, takes: TakeView[], active?: TakeView, more: Partial<Shot> = {}): ShotView =>
  ({ number, shot: { id: `s${number}`, ...more } as Shot, takes, active }) as unknown as ShotView;
const besideOf = (takes: TakeView[], active: TakeView | undefined, isNew: string[], more: Partial<Shot> = {}) =>
  keptBeside(shotOf(1, takes, active, more), new Set(isNew))?.jobId;
const names = ({ items }: ReviewGroup) => items.map(({ name }) => name);
const only = (takes: TakeView[], active?: TakeView): ReviewGroup => {
  const [group] = shotGroups([shotOf(1, takes, active)]);
  if (!group) throw new Error('no group');
  return group;
};
const itemOf = ({ items }: ReviewGroup, key: string) => {
  const item = items.find((one) => one.key === key);
  if (!item) throw new Error(`no ${key}`);
  return item;
};

test('new takes are reviewed beside the selected one, or beside what was selected until one of them came', () => {
  const takes = [take(1, { verdict: 'keep' }), take(2), take(3, { clips: 0 }), take(4), take(5)];
  expect(besideOf(takes, takes[1], ['j4', 'j5'])).toBe('j2');
  expect(besideOf(takes, takes[4], ['j4', 'j5'], { meanwhile: { take: 'j2' } })).toBe('j2');
  expect(besideOf(takes, takes[4], ['j4', 'j5'])).toBe('j1');
});

test('a take that was rated No, failed, or is new itself is nothing to review beside', () => {
  const takes = [take(1, { verdict: 'no' }), take(2, { clips: 0 }), take(3)];
  expect(besideOf(takes, takes[2], ['j3'])).toBeUndefined();
  expect(besideOf([take(1), ...takes.slice(1)], takes[2], ['j3'])).toBe('j1');
});

test('goes by the film, then through everything else, each shot with the take beside', () => {
  const shots = [shotOf(1, [take(1), take(2)]), shotOf(2, [take(9)]), shotOf(3, [take(3, { clips: 2 }), take(2)])];
  const jobs = new Map([['p', { id: 'p', state: 'succeeded', outputs: [], result: {} } as unknown as Job]]);
  const groups = newGroups(['j3', 'p', 'j2'], shots, jobs);
  expect(groups.map((group) => [group.title, names(group)])).toEqual([
    ['Shot 1', ['Take 1', 'Take 2']],
    ['Shot 3', ['Take 3, 1 of 2', 'Take 3, 2 of 2', 'Take 2']],
    ['Others', ['Text 1']],
  ]);
});

test('a take that was not made stands among the others of its shot', () => {
  expect(names(only([take(1), take(2, { clips: 0 })]))).toEqual(['Take 1', 'Take 2']);
});

test('side by side the selected take comes first, however old it is, and what was not made is not there', () => {
  const takes = [1, 2, 3, 4, 5, 6].map((number) => take(number, { clips: number === 5 ? 0 : 1 }));
  const group = only(takes, takes[0]);
  expect(sidesOf(group, itemOf(group, 'j4 0'), 4)).toEqual(['j1 0', 'j4 0', 'j6 0', 'j3 0']);
  expect(sidesOf(group, itemOf(group, 'j4 0'), 1)).toEqual(['j4 0']);
});

test('each other take can be brought beside, into the last place where there is no room', () => {
  const { items } = only([1, 2, 3, 4, 5].map((number) => take(number)));
  const four = withAnother(['j3 0', 'j4 0', 'j5 0'], items);
  expect(four).toEqual(['j3 0', 'j4 0', 'j5 0', 'j1 0']);
  expect(withAnother(four, items)).toEqual(['j3 0', 'j4 0', 'j5 0', 'j2 0']);
  expect(withAnother(['j1 0'], only([take(1)]).items)).toEqual(['j1 0']);
});

test('a rating goes on to the next take without one, round to the first', () => {
  const group = only([take(1), take(2, { verdict: 'no' }), take(3, { clips: 2 })]);
  const next = (key: string, isNo: boolean) => nextUnrated(group.items, itemOf(group, key), isNo)?.key;
  expect(next('j1 0', false)).toBe('j3 0');
  expect(next('j3 0', true)).toBe('j3 1');
  expect(next('j3 0', false)).toBe('j1 0');
});
