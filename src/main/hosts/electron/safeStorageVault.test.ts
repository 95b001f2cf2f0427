import { beforeEach, expect, test, vi } from 'vitest';

/** A keychain that changed its own key: decrypted values must be encrypted again (electron: docs/api/safe-storage.md). */

const { encrypt } = vi.hoisted(() => ({ encrypt: vi.fn<(text: string) => Promise<Buffer>>() }));
vi.mock('electron', () => ({
  safeStorage: {
    isAsyncEncryptionAvailable: async () => true,
    getSelectedStorageBackend: () => 'basic_text',
    encryptStringAsync: encrypt,
    decryptStringAsync: async (cipher: Buffer) => ({ result: cipher.toString().split(':')[1], shouldReEncrypt: true }),
  },
}));
const { holdsSealed, openSafeStorageVault } = await import('./safeStorageVault.ts');

const base64 = (text: string) => Buffer.from(text).toString('base64');
let kept: Record<string, unknown>;
beforeEach(() => {
  vi.restoreAllMocks();
  vi.stubEnv('DAILIES_KEYCHAIN', 'on');
  kept = { sealedKeys: { mine: base64('old:first') } };
  encrypt.mockReset().mockImplementation(async (text) => Buffer.from(`new:${text}`));
});
const file = {
  get: (key: string) => kept[key],
  set: (key: string, value: unknown) => void Object.assign(kept, { [key]: value }),
  delete: (key: string) => void delete kept[key],
};
let copy: Record<string, unknown> | undefined;
const open = async () => {
  copy = structuredClone(kept);
  const vault = await openSafeStorageVault(file, () => {
    copy = structuredClone(kept);
  });
  if (!vault) throw new Error('There is a keychain.');
  return vault;
};

const base64Of = (value: unknown) => Object.values((value as { sealedKeys: Record<string, string> }).sealedKeys);

test('on Linux a cipher under the password of Chromium is no encryption, and none is left in the file or its copy', async () => {
  vi.spyOn(process, 'platform', 'get').mockReturnValue('linux');
  kept = { sealedKeys: { mine: base64('v10old:first'), other: base64('v11old:second') } };
  encrypt.mockImplementation(async (text) => Buffer.from(`v10${text}`));
  expect(
    await openSafeStorageVault(file, () => {
      copy = structuredClone(kept);
    }),
  ).toBeNull();
  expect(base64Of(kept)).toEqual([base64('v11old:second')]);
  expect(base64Of(copy)).toEqual([base64('v11old:second')]);
});

test.each(['win32', 'darwin'] as const)('on %s the same tag means the keychain of the system', async (platform) => {
  vi.spyOn(process, 'platform', 'get').mockReturnValue(platform);
  encrypt.mockImplementation(async (text) => Buffer.from(`v10${text}`));
  expect(await openSafeStorageVault(file, () => undefined)).not.toBeNull();
});

test('on Linux a desktop that Electron does not know is judged by its cipher alone', async () => {
  vi.spyOn(process, 'platform', 'get').mockReturnValue('linux');
  encrypt.mockImplementation(async (text) => Buffer.from(`v11${text}`));
  expect(await openSafeStorageVault(file, () => undefined)).not.toBeNull();
});

test('what is sealed is known without the keychain, but where that is switched off', () => {
  const holds = holdsSealed(file);
  expect([holds('mine'), holds('other'), holds('constructor')]).toEqual([true, false, false]);
  vi.stubEnv('DAILIES_KEYCHAIN', 'off');
  expect(holds('mine')).toBe(false);
});

test('a key that is read is sealed anew', async () => {
  expect(await (await open()).get('mine')).toBe('first');
  expect(kept).toEqual({ sealedKeys: { mine: base64('new:first') } });
});

test('a key that cannot be sealed anew is read all the same', async () => {
  const vault = await open();
  encrypt.mockRejectedValue(new Error('Error while encrypting the text provided to safeStorage.encryptStringAsync.'));
  expect(await vault.get('mine')).toBe('first');
  expect(kept).toEqual({ sealedKeys: { mine: base64('old:first') } });
});

test('a key that changes meanwhile keeps its change', async () => {
  const vault = await open();
  const late = Promise.withResolvers<Buffer>();
  encrypt.mockClear();
  encrypt.mockReturnValueOnce(late.promise);
  const reading = vault.get('mine');
  await expect.poll(() => encrypt).toHaveBeenCalledOnce();
  await vault.set('mine', 'second');
  late.resolve(Buffer.from('new:first'));
  expect(await reading).toBe('first');
  expect(kept).toEqual({ sealedKeys: { mine: base64('new:second') } });
});

test('a key that is forgotten or replaced is in no copy of the settings', async () => {
  const vault = await open();
  await vault.set('mine', 'second');
  expect(copy).toEqual({ sealedKeys: { mine: base64('new:second') } });
  await vault.forget('mine');
  expect(copy).toEqual({ sealedKeys: {} });
});

test('a new key is kept where the copy cannot be written, and one that is to be forgotten says so', async () => {
  const vault = await openSafeStorageVault(file, () => {
    throw new Error('ENOSPC');
  });
  await vault?.set('mine', 'second');
  expect(kept).toEqual({ sealedKeys: { mine: base64('new:second') } });
  await expect(vault?.forget('mine')).rejects.toThrow('ENOSPC');
});
