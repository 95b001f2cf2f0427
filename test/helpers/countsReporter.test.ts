import { expect, test } from 'vitest';
import { countsOf } from './countsReporter.ts';

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
