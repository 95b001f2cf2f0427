import { expect, test } from 'vitest';
import { recordingLog } from '../../../../test/helpers/testPorts.ts';
import { createKeyStore, type Vault } from './keys.ts';

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
  const open = () => createKeyStore({ openVault: async () => vault, log: recordingLog() });
  expect(await open().set('p1', 'sk-one')).toBe('keychain');
  expect(await open().get('p1')).toEqual({ value: 'sk-one', place: 'keychain' });
});

test.each([
  ['there is no keychain', async () => null],
  ['the keychain cannot be opened', async () => Promise.reject(new Error('locked'))],
])('%s: a key is kept in memory and gone with the program', async (_, openVault) => {
  const store = createKeyStore({ openVault, log: recordingLog() });
  expect(await store.set('p1', 'sk-one')).toBe('memory');
  expect(await store.get('p1')).toEqual({ value: 'sk-one', place: 'memory' });
  expect(await createKeyStore({ openVault, log: recordingLog() }).get('p1')).toBeNull();
});

test('a keychain that refuses to write leaves the key in memory, and the page shows it', async () => {
  const vault = { ...memoryVault(), set: () => Promise.reject(new Error('denied')) };
  const store = createKeyStore({ openVault: async () => vault, log: recordingLog() });
  expect(await store.set('p1', 'sk-one')).toBe('memory');
  expect(await store.get('p1')).toMatchObject({ place: 'memory' });
});

test('the key of the environment serves a profile that has none, but neither the sandbox nor a bot token', async () => {
  const store = createKeyStore({ openVault: async () => null, environmentKey: 'sk-env', log: recordingLog() });
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
  const log = recordingLog();
  const store = createKeyStore({ openVault: async () => vault, environmentKey: 'sk-env-key', log });
  await store.set('p1', 'sk-typed-in');
  await store.get('old');
  expect(log.hidden).toEqual(new Set(['sk-env-key', 'sk-typed-in', 'sk-from-keychain']));
});

test('the storage of a new key is shown before it is typed', async () => {
  const place = (openVault: () => Promise<Vault | null>) => createKeyStore({ openVault, log: recordingLog() }).place();
  expect(await place(async () => memoryVault())).toBe('keychain');
  expect(await place(async () => null)).toBe('memory');
});

test('a keychain that hangs hangs nothing: its key counts as missing, a new one is kept in memory', async () => {
  const never = () => new Promise<never>(() => undefined);
  const hanging: Vault = { get: never, set: never, forget: never };
  const timeout = () => Promise.reject(new Error('the keychain does not answer'));
  const store = createKeyStore({ openVault: async () => hanging, log: recordingLog(), timeout });
  expect(await store.get('p1')).toBeNull();
  expect(await store.set('p1', 'sk-one')).toBe('memory');
  await expect(store.forget('p1')).rejects.toThrow('does not answer');
});

test('a keychain that is still asking the user hangs nothing, and serves from when it is open', async () => {
  const kept = memoryVault();
  kept.kept.set('p1', 'sk-kept');
  const { promise: unlocked, resolve: unlock } = Promise.withResolvers<void>();
  let tries = 0;
  // The first wait is over at once; later ones are as long as anybody's.
  const timeout = () =>
    tries++ === 0 ? Promise.reject(new Error('the keychain does not answer')) : new Promise<never>(() => undefined);
  const store = createKeyStore({ openVault: () => unlocked.then(() => kept), log: recordingLog(), timeout });
  expect(await store.get('p1')).toBeNull();
  unlock();
  expect(await store.get('p1')).toEqual({ value: 'sk-kept', place: 'keychain' });
});

test('a new key that the keychain refuses does not leave the old one to come back at the next start', async () => {
  const kept = memoryVault();
  kept.kept.set('p1', 'sk-old');
  const refusing = { ...kept, set: () => Promise.reject(new Error('denied')) };
  await createKeyStore({ openVault: async () => refusing, log: recordingLog() }).set('p1', 'sk-new');
  expect(await createKeyStore({ openVault: async () => kept, log: recordingLog() }).get('p1')).toBeNull();
});

test.each([
  ['sk-env-0123\n', 'sk-env-0123'],
  ['sk-env 0123', undefined],
  ['sk-\u00e9nv', undefined],
])('the environment offers %j: used as %j, by the rules of a key that is typed', async (offered, used) => {
  const log = recordingLog();
  const store = createKeyStore({ openVault: async () => null, environmentKey: offered, log });
  expect((await store.get('p1'))?.value).toBe(used);
  expect(log.lines.some((line) => line.startsWith('DAILIES_API_KEY must'))).toBe(used === undefined);
  expect(log.lines.join()).not.toContain(offered.trim());
});
