import { expect, test, vi } from 'vitest';
import type { KeyStore } from '../ports.ts';
import { changeSecrets } from './profileSecrets.ts';

test('where the last one is refused, stored ones are put back, and one of the environment is not stored', async () => {
  const stored = { mine: { value: 'old-key', place: 'keychain' }, given: { value: 'env-key', place: 'environment' } };
  const set = vi.fn<KeyStore['set']>(async (name) => {
    if (name === 'refused') throw new Error('the keychain is locked');
    return 'keychain';
  });
  const forget = vi.fn<KeyStore['forget']>(async () => {});
  const get = async (name: string) => stored[name as keyof typeof stored] ?? null;
  const changes = new Map(['mine', 'given', 'refused'].map((name) => [name, 'new-key']));
  await expect(changeSecrets({ get, set, forget } as Partial<KeyStore> as KeyStore, changes)).rejects.toThrow('locked');
  expect(set.mock.calls.slice(3)).toEqual([['mine', 'old-key']]);
  expect(forget.mock.calls).toEqual([['refused'], ['given']]);
});
