import { expect, test } from 'vitest';
import { countsOf, slowestOf } from './countsReporter.ts';

const timed = (file: string, collectDuration: number, duration: number) =>
  ({ relativeModuleId: file, diagnostic: () => ({ collectDuration, duration }) }) as never;

test('the ten files that take longest, the longest first, with what they take to load', () => {
  const files = Array.from({ length: 12 }, (_, n) => timed(`${n}.test.ts`, 500, 1_000 * n));
  const lines = slowestOf(files).split('\n');
  expect(lines.slice(0, 2)).toEqual(['   11.5 s  11.test.ts', '   10.5 s  10.test.ts']);
  expect(lines.slice(9)).toEqual(['    2.5 s  2.test.ts', '']);
});

const module = (states: string[], errors = 0) =>
  ({
    children: { allTests: () => states.map((state) => ({ result: () => ({ state }) })) },
    state: () => (errors > 0 ? 'failed' : 'passed'),
    errors: () => Array.from({ length: errors }),
  }) as never;

test.each([
  ['tests', [module(['passed', 'failed', 'skipped']), module(['passed'])], 0, 'failed', '2 passed, 1 failed'],
  ['a file that does not load', [module([], 1), module(['passed'])], 0, 'failed', '1 passed, 1 failed'],
  ['an error outside every test', [module(['passed'])], 1, 'failed', '1 passed, 1 failed'],
  ['a run without tests', [], 0, 'failed', '0 passed, 1 failed'],
] as const)('%s are counted', (_, modules, unhandled, reason, counts) => {
  expect(countsOf(modules, unhandled, reason)).toBe(counts);
});
