import { expect, test } from 'vitest';
import { createKeyStore, type Vault } from './keys.ts';
import { silentLog } from './testing.ts';

function memoryVault(): Vault & { kept: Map<string, string> } {
  const kept = new Map<string, string>();
  return {
    kept,
    get: async (name) => kept.get(name) ?? null,
    set: async (name, value) => void kept.set(name, value),
    forget: async (name) => void kept.delete(name),
  };
}

test('a key goes to the keychain where there is one and is found there again', async () => {
  const vault = memoryVault();
  const open = () => createKeyStore({ openVault: async () => vault, log: silentLog() });
  expect(await open().set('p1', 'sk-one')).toBe('keychain');
  expect(await open().get('p1')).toEqual({ value: 'sk-one', place: 'keychain' });
});

test.each([
  ['there is no keychain', async () => null],
  ['the keychain cannot be opened', async () => Promise.reject(new Error('locked'))],
])('%s: a key is kept in memory and gone with the program', async (_, openVault) => {
  const store = createKeyStore({ openVault, log: silentLog() });
  expect(await store.set('p1', 'sk-one')).toBe('memory');
  expect(await store.get('p1')).toEqual({ value: 'sk-one', place: 'memory' });
  expect(await createKeyStore({ openVault, log: silentLog() }).get('p1')).toBeNull();
});

test('a keychain that refuses to write leaves the key in memory, and the page is told so', async () => {
  const vault = { ...memoryVault(), set: () => Promise.reject(new Error('denied')) };
  const store = createKeyStore({ openVault: async () => vault, log: silentLog() });
  expect(await store.set('p1', 'sk-one')).toBe('memory');
  expect(await store.get('p1')).toMatchObject({ place: 'memory' });
});

test('the key of the environment serves a profile that has none, but neither the sandbox nor a bot token', async () => {
  const store = createKeyStore({ openVault: async () => null, environmentKey: 'sk-env', log: silentLog() });
  expect(await store.get('p1')).toEqual({ value: 'sk-env', place: 'environment' });
  expect(await store.get('sandbox')).toBeNull();
  expect(await store.get('p1:bot')).toBeNull();
  await store.set('p1', 'sk-own');
  expect(await store.get('p1')).toMatchObject({ value: 'sk-own' });
  await store.forget('p1');
  expect(await store.get('p1')).toMatchObject({ place: 'environment' });
});

test('every key that is read or written is hidden from the log', async () => {
  const vault = memoryVault();
  vault.kept.set('old', 'sk-from-keychain');
  const log = silentLog();
  const store = createKeyStore({ openVault: async () => vault, environmentKey: 'sk-env-key', log });
  await store.set('p1', 'sk-typed-in');
  await store.get('old');
  expect(log.hidden).toEqual(new Set(['sk-env-key', 'sk-typed-in', 'sk-from-keychain']));
});
