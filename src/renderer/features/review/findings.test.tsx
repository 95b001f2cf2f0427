import { expect, test } from 'vitest';
import type { TriageTake } from '../../../shared/triage/calls.ts';
import type { Finding } from '../../../shared/triage/findings.ts';
import { SHIPPED_TRIAGE_LIMITS } from '../../../shared/triage/limits.ts';
import { brokenText, findingText, findingTitle, itemsIn, nextFinding } from './checks.tsx';
import type { ReviewItem } from './items.ts';

const item = (key: string): ReviewItem => ({ key }) as ReviewItem;
const checked = (state: TriageTake['state'], findings: Finding[] = []) =>
  ({ state, findings, seconds: 7 }) as TriageTake;

const jump: Finding = { kind: 'jump', at: 0, frame: 1, value: 0.24, colour: 6.1 };
const cut: Finding = { kind: 'cut', at: 3.5, frame: 85, value: 0.46, around: 0.05 };
const frozen: Finding = { kind: 'frozen', at: 5.2, to: 5.7, frame: 126, value: 12, isHeard: true };
const black: Finding = { kind: 'black', at: 1.5, to: 3.96, frame: 37, value: 0.001 };

const items = ['c', 'b', 'a'].map(item);
const checks = new Map([
  ['c', checked('broken', [black])],
  ['b', checked('look', [jump, cut])],
  ['a', checked('clean')],
]);

test('the next finding is of the same take, then of the next that has one, then round', () => {
  expect(nextFinding(items, checks, { key: 'c', finding: 0 })).toEqual({ key: 'b', finding: 0 });
  expect(nextFinding(items, checks, { key: 'b', finding: 0 })).toEqual({ key: 'b', finding: 1 });
  expect(nextFinding(items, checks, { key: 'b', finding: 1 })).toEqual({ key: 'c', finding: 0 });
  expect(nextFinding(items, checks, { key: 'a', finding: -1 })).toEqual({ key: 'c', finding: 0 });
  expect(nextFinding([item('a')], checks, { key: 'a', finding: -1 })).toBeUndefined();
});

test('takes are filtered by what their check says', () => {
  expect(itemsIn(items, checks, 'broken').map(({ key }) => key)).toEqual(['c']);
});

test('a finding is named with its time', () => {
  expect([jump, cut, frozen, black].map((one) => findingTitle(one, 5.5))).toEqual([
    'Jump at the start',
    'Cut within the clip 0:03.5',
    'Frozen 0:05.2–0:05.5',
    'Black 0:01.5–0:03.9',
  ]);
});

test('a finding says its figures and what they are held against', () => {
  expect(findingText(jump, SHIPPED_TRIAGE_LIMITS)).toBe('0.24, ΔE 6.1; limits 0.08, 3.0');
  expect(findingText(cut, SHIPPED_TRIAGE_LIMITS)).toBe('0.46 from frame 84 to 85, motion around it 0.05');
  expect(findingText(frozen, SHIPPED_TRIAGE_LIMITS)).toBe('12 equal frames');
});

test('what is missing of a broken take is told in seconds', () => {
  expect(brokenText({ findings: [black], seconds: 4 })).toBe('2.5 of 4 s are black.');
});
