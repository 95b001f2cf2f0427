import { expect, test } from 'vitest';
import { name, printed } from './words.ts';

/** Bug: a prompt with a carriage return wrote over the price of its own line, and one with a line end wrote a line of ours. */
test('a name is one line, and commands nothing', () => {
  expect(name('A quay\rab12  approved  $0.01')).toBe('A quay ab12 approved $0.01');
  expect(name('A quay\nQueued 3 jobs.\u001b[2J\u009b2J')).toBe('A quay Queued 3 jobs.‹U+001B›[2J‹U+009B›2J');
  expect(name('a'.repeat(1_000_000)).length).toBeLessThanOrEqual(200);
});

test('a text keeps its lines', () => {
  expect(printed('one\ntwo\r\u001b]0;x\u0007')).toBe('one\ntwo‹U+000D›‹U+001B›]0;x‹U+0007›');
});
