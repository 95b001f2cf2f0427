import { expect, test } from 'vitest';
import { refusalOf } from './soleInstance.ts';

const taken = { ok: true as const, folder: { path: '/films', release: () => undefined } };
const busy = { ok: false as const, message: 'The data folder /films is in use by another Dailies.', path: '/films' };

test('a start leaves without a box only where another one has come to the front', () => {
  expect(refusalOf(taken, () => true)).toBeUndefined();
  expect(refusalOf(busy, () => false)).toEqual({ message: busy.message, isShownByOther: true });
  expect(refusalOf(busy, () => true)).toEqual({ message: busy.message, isShownByOther: false });
  expect(refusalOf({ ok: false, message: 'No.' }, () => false)).toEqual({ message: 'No.', isShownByOther: false });
});

test('a lock of the window that fails though the folder is ours is told, as what it is', () => {
  const asked: string[] = [];
  const refusal = refusalOf(taken, (folder) => asked.push(folder) === 0);
  expect(refusal).toEqual({ message: expect.stringContaining('could not lock'), isShownByOther: false });
  expect(asked).toEqual([expect.stringMatching(/films.window$/)]);
});
