import { expect, test } from 'vitest';
import { recordingLog, settle } from '../../../../test/helpers/testPorts.ts';
import { createKeyStore } from './keys.ts';
import type { Vault } from './patientVault.ts';

function memoryVault(entries: Record<string, string> = {}): Vault & { kept: Map<string, string> } {
  const kept = new Map(Object.entries(entries));
  return {
    kept,
    get: async (name) => kept.get(name) ?? null,
    set: async (name, value) => void kept.set(name, value),
    forget: async (name) => void kept.delete(name),
  };
}

/** A store of a machine without a keychain, or with what is given. */
const open = (parts: Partial<Parameters<typeof createKeyStore>[0]> = {}) =>
  createKeyStore({ openVault: async () => null, log: recordingLog(), ...parts });
const openWith = (vault: Vault) => open({ openVault: async () => vault });

const noAnswer = () => Promise.reject(new Error('the keychain does not answer'));
const never = () => new Promise<never>(() => undefined);

test('a key goes to the keychain where there is one and is found there again', async () => {
  const vault = memoryVault();
  expect(await openWith(vault).set('p1', 'sk-one')).toBe('keychain');
  expect(await openWith(vault).get('p1')).toEqual({ value: 'sk-one', place: 'keychain' });
});

test.each([
  ['there is no keychain', async () => null, null],
  ['the keychain cannot be opened', async () => Promise.reject(new Error('locked')), 'locked'],
])('%s: a key is kept in memory and gone with the program', async (_, openVault, found) => {
  const store = open({ openVault });
  expect(await store.set('p1', 'sk-one')).toBe('memory');
  expect(await store.get('p1')).toEqual({ value: 'sk-one', place: 'memory' });
  const nextRun = open({ openVault });
  expect(await nextRun.get('p1').catch(({ message }) => message)).toBe(found);
});

test('a keychain that refuses to write leaves the key in memory, and the page shows it', async () => {
  const vault = { ...memoryVault(), set: () => Promise.reject(new Error('denied')) };
  const store = openWith(vault);
  expect(await store.set('p1', 'sk-one')).toBe('memory');
  expect(await store.get('p1')).toMatchObject({ place: 'memory' });
});

test('the key of the environment serves a profile that has none, but neither the sandbox nor a bot token', async () => {
  const store = open({ environmentKey: 'sk-env' });
  expect(await store.get('p1')).toEqual({ value: 'sk-env', place: 'environment' });
  expect(await store.get('sandbox')).toBeNull();
  expect(await store.get('p1:bot')).toBeNull();
  await store.set('p1', 'sk-own');
  expect(await store.get('p1')).toMatchObject({ value: 'sk-own' });
  await store.forget('p1');
  expect(await store.get('p1')).toMatchObject({ place: 'environment' });
});

test('every key that is read or written is hidden from the log', async () => {
  const vault = memoryVault({ old: 'sk-from-keychain' });
  const log = recordingLog();
  const store = open({ openVault: async () => vault, environmentKey: 'sk-env-key', log });
  await store.set('p1', 'sk-typed-in');
  await store.get('old');
  expect(log.hidden).toEqual(new Set(['sk-env-key', 'sk-typed-in', 'sk-from-keychain']));
});

test('the storage of a new key is shown before it is typed', async () => {
  const place = (openVault: () => Promise<Vault | null>) => open({ openVault }).place();
  expect(await place(async () => memoryVault())).toBe('keychain');
  expect(await place(async () => null)).toBe('memory');
});

test.each<[string, () => Promise<Vault>]>([
  ['hangs', async () => ({ get: never, set: never, forget: never })],
  ['does not open', never],
])(
  'a keychain that %s hangs nothing: its keys are unknown and stay, a new one is kept in memory',
  async (_, openVault) => {
    const store = open({ openVault, timeout: noAnswer });
    await expect(store.get('p1')).rejects.toThrow('does not answer');
    await expect(store.forget('p1')).rejects.toThrow('does not answer');
    expect(await store.set('p1', 'sk-one')).toBe('memory');
  },
);

test('a keychain that is still asking the user hangs nothing, and serves from when it is open', async () => {
  const kept = memoryVault({ p1: 'sk-kept' });
  const { promise: unlocked, resolve: unlock } = Promise.withResolvers<void>();
  let tries = 0;
  // The first wait is over at once; later ones are as long as anybody's.
  const timeout = () => (tries++ === 0 ? noAnswer() : never());
  const store = open({ openVault: () => unlocked.then(() => kept), timeout });
  await expect(store.get('p1')).rejects.toThrow('does not answer');
  unlock();
  await settle();
  expect(await store.get('p1')).toEqual({ value: 'sk-kept', place: 'keychain' });
});

test('a new key that the keychain refuses does not leave the old one to come back at the next start', async () => {
  const kept = memoryVault({ p1: 'sk-old' });
  const refusing = { ...kept, set: () => Promise.reject(new Error('denied')) };
  await openWith(refusing).set('p1', 'sk-new');
  expect(await openWith(kept).get('p1')).toBeNull();
});

test.each([
  ['sk-env-0123\n', 'sk-env-0123'],
  ['sk-env 0123', undefined],
  ['sk-\u00e9nv', undefined],
])('the environment offers %j: used as %j, by the rules of a key that is typed', async (offered, used) => {
  const log = recordingLog();
  const store = open({ environmentKey: offered, log });
  expect((await store.get('p1'))?.value).toBe(used);
  expect(log.lines.some((line) => line.startsWith('DAILIES_API_KEY must'))).toBe(used === undefined);
  expect(log.lines.join()).not.toContain(offered.trim());
});

test('while the keychain is locked no other key takes the place of one that may be in it', async () => {
  const vault = memoryVault({ 'gateway-b': 'sk-of-b' });
  let isLocked = true;
  const locked = {
    ...vault,
    get: async (name: string) => (isLocked ? Promise.reject(new Error('locked')) : vault.get(name)),
  };
  const rested = Promise.withResolvers<void>();
  const store = open({
    openVault: async () => locked,
    environmentKey: 'sk-env-of-a',
    rest: () => rested.promise,
  });
  await expect(store.get('gateway-b')).rejects.toThrow('locked');
  isLocked = false;
  // It is not asked again at once: each time may be a question to the user.
  await expect(store.get('gateway-b')).rejects.toThrow('locked');
  rested.resolve();
  await settle();
  expect(await store.get('gateway-b')).toEqual({ value: 'sk-of-b', place: 'keychain' });
  expect(await store.get('gateway-c')).toEqual({ value: 'sk-env-of-a', place: 'environment' });
});

test('a key that is known to be kept is not taken for missing where there is no keychain now', async () => {
  const parts = { openVault: async () => null, environmentKey: 'sk-env' };
  const store = open({ ...parts, holds: (name) => name === 'p1' });
  await expect(store.get('p1')).rejects.toThrow('not available');
  await expect(store.forget('p1')).rejects.toThrow('not available');
  expect(await store.get('p2')).toEqual({ value: 'sk-env', place: 'environment' });
  await store.set('p1', 'sk-new');
  expect(await store.get('p1')).toEqual({ value: 'sk-new', place: 'memory' });
});

test.each([
  ['does not open', () => Promise.reject(new Error('not up yet')), 'not up yet'],
  ['is not there', async () => null, 'sk-env-of-a'],
])('a keychain that %s is tried again after a rest', async (_, before, meanwhile) => {
  const vault = memoryVault({ 'gateway-b': 'sk-of-b' });
  let isUp = false;
  let tries = 0;
  const rested = Promise.withResolvers<void>();
  const store = open({
    openVault: () => {
      tries += 1;
      return isUp ? Promise.resolve(vault) : before();
    },
    environmentKey: 'sk-env-of-a',
    rest: () => rested.promise,
  });
  const told = () =>
    store.get('gateway-b').then(
      (found) => found?.value,
      ({ message }) => message,
    );
  expect(await told()).toBe(meanwhile);
  isUp = true;
  // It is not asked again at once: each time may be a question to the user.
  expect([await told(), tries]).toEqual([meanwhile, 1]);
  rested.resolve();
  await settle();
  expect([await told(), tries]).toEqual(['sk-of-b', 2]);
});

test.each<[string, (store: ReturnType<typeof open>) => Promise<unknown>, string | undefined]>([
  ['replaced', (store) => store.set('p1', 'sk-new'), 'sk-new'],
  ['forgotten', (store) => store.forget('p1'), undefined],
])('a key that was %s before the keychain opens at a second try does not come back', async (_, change, after) => {
  const kept = memoryVault({ p1: 'sk-old' });
  let tries = 0;
  const store = open({ openVault: async () => (tries++ === 0 ? null : kept), rest: async () => undefined });
  await change(store);
  await settle();
  expect(await store.place()).toBe('keychain');
  await settle();
  expect((await store.get('p1'))?.value).toBe(after);
  expect(kept.kept.has('p1')).toBe(false);
});

test('a keychain that asks the user is asked one thing at a time, and is waited for once', async () => {
  const { promise: unlocked, resolve: unlock } = Promise.withResolvers<void>();
  const asked: string[] = [];
  const get = (name: string) => {
    asked.push(name);
    return unlocked.then(() => `sk-${name}`);
  };
  const log = recordingLog();
  let waits = 0;
  const timeout = () => {
    waits += 1;
    return settle().then(noAnswer);
  };
  const store = open({ openVault: async () => ({ ...memoryVault(), get }), log, timeout });
  const before = waits;
  await expect(Promise.all([store.get('p1'), store.get('p2')])).rejects.toThrow('does not answer');
  await settle();
  const waited = waits - before;
  for (let n = 0; n < 3; n++) await expect(store.get('p1')).rejects.toThrow('does not answer');
  expect([asked, waits - before]).toEqual([['p1'], waited]);
  unlock();
  await settle();
  expect([await store.get('p1'), await store.get('p2')]).toMatchObject([{ value: 'sk-p1' }, { value: 'sk-p2' }]);
  expect(asked).toEqual(['p1', 'p2']);
});

test('a new key is entered while the keychain opens: the old one does not come back at the next start', async () => {
  const kept = memoryVault({ p1: 'sk-old' });
  const { promise: unlocked, resolve: unlock } = Promise.withResolvers<void>();
  let waits = 0;
  const timeout = () => (waits++ === 0 ? noAnswer() : never());
  const store = open({ openVault: () => unlocked.then(() => kept), timeout });
  expect(await store.set('p1', 'sk-new')).toBe('memory');
  unlock();
  await settle();
  expect(await openWith(kept).get('p1')).toBeNull();
});

test('what was read before a change is not the answer after it', async () => {
  const { promise: unlocked, resolve: unlock } = Promise.withResolvers<void>();
  const vault = memoryVault({ p1: 'sk-old' });
  const get = async (name: string) => {
    const found = await vault.get(name);
    await unlocked;
    return found;
  };
  const store = openWith({ ...vault, get });
  const early = store.get('p1');
  await settle();
  await store.set('p1', 'sk-new');
  unlock();
  expect(await early).toMatchObject({ value: 'sk-old' });
  expect(await store.get('p1')).toMatchObject({ value: 'sk-new' });
});
