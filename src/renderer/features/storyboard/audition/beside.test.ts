import { expect, test } from 'vitest';
import type { Asset } from '../../../../shared/asset.ts';
import type { Shot } from '../../../../shared/board.ts';
import type { Job, Verdict } from '../../../../shared/job.ts';
import type { TakeView } from '../model/take.ts';
import { firstToJudge, keptBeside, withAnother } from './beside.ts';
import { candidatesOf } from './candidates.ts';

function take(number: number, { verdict, clips = 1 }: { verdict?: Verdict; clips?: number } = {}): TakeView {
  const outputs = Array.from(
    { length: clips },
    (_, index) => ({ id: `a${number}${index}`, mime: 'video/mp4', role: 'output', state: 'local' }) as Asset,
  );
  const state = clips > 0 ? 'succeeded' : 'failed';
  const job = { id: `j${number}`, outputs, state, ...(verdict ? { verdict } : {}) } as unknown as Job;
  return { jobId: `j${number}`, number, job, clips: outputs, clip: outputs[0], clipIndex: 0 };
}

const shot = (more: Partial<Shot> = {}): Shot => ({ id: 's1', ...more }) as Shot;
const besideOf = (takes: TakeView[], active: TakeView | undefined, isNew: string[], more: Partial<Shot> = {}) =>
  keptBeside({ shot: shot(more), takes, active }, new Set(isNew))?.jobId;

test('new takes are judged beside what plays, or beside what played until one of them came', () => {
  const takes = [take(1, { verdict: 'keep' }), take(2), take(3, { clips: 0 }), take(4), take(5)];
  expect(besideOf(takes, takes[1], ['j4', 'j5'])).toBe('j2');
  expect(besideOf(takes, takes[4], ['j4', 'j5'], { meanwhile: { take: 'j2' } })).toBe('j2');
  expect(besideOf(takes, takes[4], ['j4', 'j5'])).toBe('j1');
});

test('a take that was refused, failed, or is new itself is nothing to judge beside', () => {
  const takes = [take(1, { verdict: 'no' }), take(2, { clips: 0 }), take(3)];
  expect(besideOf(takes, takes[2], ['j3'])).toBeUndefined();
  expect(besideOf([take(1), ...takes.slice(1)], takes[2], ['j3'])).toBe('j1');
});

test('what is kept is first, then the new ones from the oldest on, and nothing that is not asked for', () => {
  const takes = [take(1), take(2), take(3, { clips: 2 }), take(4)];
  const all = candidatesOf({ takes });
  expect(firstToJudge(all, { isNew: new Set(['j3', 'j4']), beside: takes[1] })).toEqual([
    'j2 0',
    'j3 0',
    'j3 1',
    'j4 0',
  ]);
  expect(firstToJudge(all, { isNew: new Set(['j4']), beside: undefined })).toEqual(['j4 0']);
});

test('each older take can be brought, into the last place where there is no room', () => {
  const all = candidatesOf({ takes: [1, 2, 3, 4, 5, 6].map((number) => take(number)) });
  const three = ['j4 0', 'j5 0', 'j6 0'];
  const four = withAnother(three, all);
  expect(four).toEqual([...three, 'j3 0']);
  expect(withAnother(four, all)).toEqual([...three, 'j2 0']);
  expect(withAnother([...three, 'j1 0'], all)).toEqual(four);
  expect(withAnother(['j1 0'], candidatesOf({ takes: [take(1)] }))).toEqual(['j1 0']);
});
