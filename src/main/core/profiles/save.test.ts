import { expect, it } from 'vitest';
import { countingIds, memoryKeys, memorySettings } from '../../../../test/helpers/testPorts.ts';
import type { Profile } from '../../../shared/profile.ts';
import type { Gateway } from '../gateway/index.ts';
import { Profiles } from './index.ts';

/** A save that goes wrong halfway: between the file and the keychain. */

const HEADER = 'p:header:x-team';

async function scene() {
  const keys = memoryKeys({ p: 'sk-one-0123456789', 'p:bot': 'bot-0123456789' });
  const settings = memorySettings();
  const faults: { write?: Error; forget?: Promise<void> } = {};
  const profiles = new Profiles({
    keys: {
      ...keys,
      forget: async (name) => {
        await faults.forget;
        await keys.forget(name);
      },
    },
    settings: {
      read: settings.read,
      write: (name, value) => {
        if (faults.write) throw faults.write;
        settings.write(name, value);
      },
    },
    ids: countingIds(),
    openGateway: ({ baseUrl }: Profile) => ({ baseUrl, retire: async () => undefined }) as unknown as Gateway,
    hide: () => undefined,
    openJobs: () => 0,
  });
  await profiles.save({ id: 'p', baseUrl: 'http://old.example', extraHeaders: { 'X-Team': 'blue-0123456789' } });
  return { profiles, keys, faults, settings };
}

/** Bug: the secrets were forgotten first; on a full disk the profile still named a header whose value was gone. */
it('a file that cannot be written loses no secret', async () => {
  const { profiles, keys, faults } = await scene();
  faults.write = new Error('ENOSPC');
  await expect(profiles.save({ id: 'p', extraHeaders: {}, botToken: null })).rejects.toThrow('ENOSPC');
  expect([await keys.get(HEADER), await keys.get('p:bot')]).toEqual([
    expect.objectContaining({ value: 'blue-0123456789' }),
    expect.objectContaining({ value: 'bot-0123456789' }),
  ]);
  expect(profiles.get('p')?.extraHeaders).toEqual({ 'X-Team': null });
});

/** Bug: while the keychain took its time, requests still went where the profile no longer points. */
it('a client asked for while the keychain forgets is one of the new profile', async () => {
  const { profiles, faults } = await scene();
  await profiles.gatewayFor('p');
  const { promise, resolve } = Promise.withResolvers<void>();
  faults.forget = promise;
  const saving = profiles.save({ id: 'p', baseUrl: 'http://new.example', extraHeaders: {} });
  expect(await profiles.gatewayFor('p')).toMatchObject({ baseUrl: 'http://new.example' });
  resolve();
  expect(await saving).toMatchObject({ ok: true });
});

it('a keychain that does not let go leaves the profile as it was, and the next try forgets', async () => {
  const { profiles, keys, faults, settings } = await scene();
  const refused = Promise.reject(new Error('locked'));
  refused.catch(() => undefined);
  faults.forget = refused;
  expect(await profiles.save({ id: 'p', name: 'New', extraHeaders: {} })).toMatchObject({
    ok: false,
    error: { code: 'wrong_state' },
  });
  expect(profiles.get('p')).toMatchObject({ name: 'old.example', extraHeaders: { 'X-Team': null } });
  expect(settings.read('profiles')).toMatchObject([{ id: 'p', name: 'old.example' }]);
  delete faults.forget;
  expect(await profiles.save({ id: 'p', extraHeaders: {} })).toMatchObject({ ok: true });
  expect(await keys.get(HEADER)).toBeNull();
});
