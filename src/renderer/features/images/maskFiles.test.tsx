import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { fail, ok } from '../../../shared/contract/result.ts';
import { anAsset } from '../../testing/page.tsx';

let uploads: string[];

beforeEach(() => {
  window.sessionStorage.clear();
  uploads = [];
  // The DOM of these tests hashes nothing: each file is its own hash.
  vi.stubGlobal('crypto', { subtle: { digest: async (_: string, bytes: ArrayBuffer) => bytes } });
});
afterEach(() => vi.unstubAllGlobals());

/** The module as after a reload: what it had in memory is gone. */
async function loaded() {
  vi.resetModules();
  const testing = await import('../../testing/page.tsx');
  const take = (name: string) => {
    uploads.push(name);
    return ok(anAsset({ id: `m${uploads.length}`, role: 'mask' }));
  };
  testing.fakeStudio({}, take);
  return import('./maskFiles.ts');
}

const file = (text: string) => new Blob([text], { type: 'image/png' });

it('the same mask is the same asset, also after a reload', async () => {
  const first = await loaded();
  expect(await first.maskAsset(file('a'), 'a.png')).toEqual({ id: 'm1' });
  expect(await first.maskAsset(file('b'), 'b.png')).toEqual({ id: 'm2' });
  const again = await loaded();
  expect(await again.maskAsset(file('a'), 'a.png')).toEqual({ id: 'm1' });
  expect(uploads).toEqual(['a.png', 'b.png']);
});

it('is uploaded anew only after an edit was refused for it', async () => {
  const { maskAsset, forgetRefusedMask } = await loaded();
  await maskAsset(file('a'), 'a.png');
  const errors = [
    fail('unreachable', 'No answer.'),
    fail('conflict', 'The same was ordered for tonight.'),
    fail('invalid_input', 'base: is gone.', { field: 'requests.0.base' }),
  ];
  for (const { error } of errors.flatMap((one) => (one.ok ? [] : [one]))) await forgetRefusedMask(file('a'), error);
  expect(await maskAsset(file('a'), 'a.png')).toEqual({ id: 'm1' });
  const refused = fail('invalid_input', 'mask: there is no such asset.', { field: 'requests.0.mask' });
  if (!refused.ok) await forgetRefusedMask(file('a'), refused.error);
  expect(await maskAsset(file('a'), 'a.png')).toEqual({ id: 'm2' });
});
