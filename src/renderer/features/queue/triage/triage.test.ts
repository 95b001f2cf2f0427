import { expect, test } from 'vitest';
import { labels } from '../../../../../test/labels.ts';
import { packFrames } from '../../../../shared/frameSeries.ts';
import type { MediaMeasures } from '../../../../shared/measures.ts';
import type { TriageTake } from '../../../../shared/triage/calls.ts';
import type { Finding } from '../../../../shared/triage/findings.ts';
import { SHIPPED_TRIAGE_LIMITS } from '../../../../shared/triage/limits.ts';
import { lanesOf } from './laneShapes.ts';
import { countsText, groupsOf, inOrder, keyOfTake, nextPlace, tookMs } from './takes.ts';
import { brokenText, findingText, rowText, timeText, unnamedAt } from './words.ts';

const take = (jobId: string, state: TriageTake['state'], findings: Finding[] = []): TriageTake => ({
  jobId,
  output: 0,
  assetId: `as ${jobId}`,
  sha256: `hash ${jobId}`,
  seconds: 7,
  state,
  findings,
  tookMs: 500,
});

const jump: Finding = { kind: 'jump', at: 0, frame: 1, value: 0.24, colour: 6.1 };
const cut: Finding = { kind: 'cut', at: 3.5, frame: 85, value: 0.46, around: 0.05 };
const frozen: Finding = { kind: 'frozen', at: 5.2, to: 5.7, frame: 126, value: 12, isHeard: true };
const black: Finding = { kind: 'black', at: 1.5, to: 3.96, frame: 37, value: 0.001 };

test('takes are counted, and the odd ones stand first', () => {
  const takes = [
    take('a', 'clean'),
    take('b', 'look', [jump, cut]),
    take('c', 'broken', [black]),
    take('d', 'waiting'),
  ];
  const groups = groupsOf(takes);
  expect(countsText(groups)).toBe('1 clean, 1 to look at, 1 broken, 1 being measured');
  expect(inOrder(groups).map(({ jobId }) => jobId)).toEqual(['c', 'b', 'd', 'a']);
  expect(countsText(groupsOf([]))).toBe('0 clean');
  expect(tookMs(takes)).toBe(2_000);
});

test('the next finding is of the same take, then of the next that has one, then round', () => {
  const takes = [take('c', 'broken', [black]), take('b', 'look', [jump, cut]), take('a', 'clean')];
  const [c = '', b = '', a = ''] = takes.map(keyOfTake);
  expect(nextPlace(takes, { key: c, finding: 0 })).toEqual({ key: b, finding: 0 });
  expect(nextPlace(takes, { key: b, finding: 0 })).toEqual({ key: b, finding: 1 });
  expect(nextPlace(takes, { key: b, finding: 1 })).toEqual({ key: c, finding: 0 });
  expect(nextPlace(takes, { key: a, finding: 0 })).toEqual({ key: c, finding: 0 });
  expect(nextPlace([take('a', 'clean')], { key: a, finding: 0 })).toBeUndefined();
});

test('a row says what is where in few words', () => {
  expect(rowText(take('b', 'look', [jump, cut, frozen]))).toBe('Jump, cut at 0:03.5, frozen');
  expect(rowText({ ...take('c', 'broken', [black]), seconds: 4 })).toBe(labels.fromToTheEnd('Black', '0:01.5'));
  expect(rowText(take('d', 'look', [{ kind: 'doubled', at: 2, to: 2.4, value: 5 }]))).toBe(
    'Doubled frames, 0:02.0 to 0:02.4',
  );
  expect(rowText(take('e', 'look', [jump]))).toBe('Jump from the frame given');
  expect(rowText(take('f', 'look', [cut, { ...cut, at: 5 }]))).toBe('Cut 2 times');
  expect(rowText(take('g', 'clean'))).toBe(labels.nothingFound);
  expect(rowText({ ...take('h', 'broken'), why: 'Clips coded as hevc cannot be decoded here.' })).toBe(
    'Clips coded as hevc cannot be decoded here.',
  );
});

test('a finding says its figures and what they are held against', () => {
  const given = { jobId: 'x', end: 'last' as const };
  const context = { take: { seconds: 7, given }, limits: SHIPPED_TRIAGE_LIMITS, givenName: 'Shot 3, take 4' };
  expect(findingText(jump, context)).toBe('0.24 and ΔE 6.1 from the last frame of Shot 3, take 4. Limits 0.08, 3.0.');
  expect(findingText(cut, context)).toBe('0.46 from frame 84 to 85; the motion around it is 0.05.');
  expect(findingText(frozen, context)).toBe('12 frames alike to 0.0001, with sound going on.');
  expect(findingText({ kind: 'silence', at: 3.1, to: 6.98, value: 3.88 }, context)).toBe(
    '3.9 s at or below −60 dBFS, to the end.',
  );
});

test('what is missing of a broken take is told in seconds', () => {
  expect(brokenText({ ...take('c', 'broken', [black]), seconds: 4 })).toBe('2.5 of 4 s are black.');
});

test('the limit at which a finding goes unnamed is beyond it', () => {
  expect(unnamedAt(cut)).toMatchObject({ name: 'cut', at: '0.41' });
  expect(unnamedAt({ ...cut, value: 0.4666 })).toMatchObject({ at: '0.42' });
  expect(unnamedAt(frozen)).toMatchObject({ name: 'frozen', at: '13' });
  expect(unnamedAt({ kind: 'silence', at: 0, to: 1.3, value: 1.3 })).toMatchObject({ at: '1.4' });
  expect(unnamedAt(jump)).toBeUndefined();
});

test('times are read to a tenth', () => {
  expect([timeText(0), timeText(3.5), timeText(62.04)]).toEqual(['0:00.0', '0:03.5', '1:02.0']);
});

function measures(pieces: number[][]): MediaMeasures {
  const frames = pieces.flatMap((piece) =>
    piece.map((at, index) => ({
      at,
      light: 0.4,
      peak: 0.9,
      change: at === 2 ? 0.5 : 0.02,
      lasting: at === 2 ? 0.5 : 0.02,
      repeats: at > 3 && index > 0 ? index : 0,
      isFirst: index === 0,
    })),
  );
  const pictures = { width: 16, height: 9, frames: 4, fps: 1, first: '', last: '', start: [], end: [] };
  return { seconds: 8, pictures: { ...pictures, series: packFrames(frames) } };
}

test('lanes share one axis; what was not looked at is not drawn', () => {
  const lanes = lanesOf(
    measures([
      [0, 1, 2, 3],
      [6, 7],
    ]),
    SHIPPED_TRIAGE_LIMITS,
  );
  expect(lanes?.light.paths).toHaveLength(2);
  expect(lanes?.change.highest).toMatchObject({ at: 2, value: expect.closeTo(0.5, 3) });
  const jumps = lanes?.change.bars.filter(({ isBeyond }) => isBeyond).map(({ x }) => x);
  expect(jumps).toEqual([250, 875]);
  // What is beyond the limit is drawn above its line.
  const highest = Math.min(...(lanes?.change.bars ?? []).map(({ y }) => y));
  expect(highest).toBeLessThan(lanes?.change.limitY ?? 0);
  expect(lanes?.alike.longest).toEqual({ at: 7, frames: 1 });
});
