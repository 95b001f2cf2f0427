import { afterEach, expect, test, vi } from 'vitest';
import { revokeLater } from './revokeLater.ts';

afterEach(() => vi.useRealTimers());

test('an address can be read for a while after it is done with, and then its memory is given back', () => {
  vi.useFakeTimers();
  const revoke = vi.spyOn(URL, 'revokeObjectURL').mockImplementation(() => undefined);
  revokeLater('blob:one');
  expect(revoke).not.toHaveBeenCalled();
  vi.runAllTimers();
  expect(revoke.mock.calls).toEqual([['blob:one']]);
});
