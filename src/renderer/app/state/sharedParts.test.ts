import { expect, test } from 'vitest';
import { withSharedParts } from './sharedParts.ts';

const before = {
  shots: [
    { id: 'a', takes: ['t'] },
    { id: 'b', takes: [] },
  ],
  title: undefined,
};

test('what is equal is the same as before, part by part', () => {
  expect(withSharedParts(before, structuredClone(before))).toBe(before);
  const now = withSharedParts(before, {
    ...structuredClone(before),
    shots: [
      { id: 'a', takes: ['t', 'u'] },
      { id: 'b', takes: [] },
    ],
  });
  expect(now.shots[0]).toEqual({ id: 'a', takes: ['t', 'u'] });
  expect(now.shots[1]).toBe(before.shots[1]);
});

test.each([
  ['a part that is gone', { shots: before.shots }],
  ['a part that is new', { ...before, more: undefined }],
  ['a shorter list', { ...before, shots: before.shots.slice(0, 1) }],
  ['an object in place of a list', { ...before, shots: { ...before.shots } }],
  ['another class', { ...before, title: new Map() }],
])('%s is taken as it is', (_, now) => {
  expect(withSharedParts<unknown>(before, now)).toEqual(now);
  expect(Object.keys(withSharedParts<object>(before, now))).toEqual(Object.keys(now));
});
