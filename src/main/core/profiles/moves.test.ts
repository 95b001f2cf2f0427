import { expect, it } from 'vitest';
import { openProfiles } from '../../../../test/helpers/profilesHarness.ts';
import { memoryKeys, memorySettings } from '../../../../test/helpers/testPorts.ts';
import type { KeyStore, SettingsStore } from '../ports.ts';
import type { Profiles } from './profiles.ts';

/** Secrets belong to an origin: scheme, host and port. */

const open = (keys: KeyStore, settings: SettingsStore) => openProfiles({ keys, settings });

async function scene() {
  const keys = memoryKeys({ p: 'sk-one-0123456789', 'p:bot': 'bot-0123456789' });
  const settings = memorySettings();
  const profiles = open(keys, settings);
  await profiles.save({ id: 'p', baseUrl: 'http://one.example:8080', extraHeaders: { 'X-Team': 'blue-0123456789' } });
  return { keys, settings, profiles, restart: () => open(keys, settings) };
}

const listed = async (profiles: Profiles) => (await profiles.list()).profiles.find(({ id }) => id === 'p');

it.each(['https://one.example:8080', 'http://two.example:8080', 'http://one.example:8081'])(
  'a move to %s drops the key, the bot token and the values of headers until they are entered again',
  async (baseUrl) => {
    const { keys, profiles, restart } = await scene();
    const kept = { key: null, hasBotToken: false, missingHeaders: ['X-Team'] };
    expect(await profiles.save({ id: 'p', baseUrl })).toMatchObject({ ok: true, data: kept });
    expect(await Promise.all(['p', 'p:bot', 'p:header:x-team'].map(keys.get))).toEqual([null, null, null]);
    expect(await profiles.openClient('p')).toEqual({ status: 'no key' });
    expect(await listed(restart())).toMatchObject(kept);
    await profiles.setKey('p', 'sk-two-0123456789');
    await profiles.save({ id: 'p', extraHeaders: { 'X-Team': 'red-0123456789' } });
    expect(await listed(profiles)).toMatchObject({ key: 'memory', missingHeaders: [] });
    expect(await profiles.openClient('p')).toMatchObject({ status: 'ready' });
  },
);

it('secrets stay where only the path changes, or the same origin is spelt in another way', async () => {
  const { profiles } = await scene();
  await profiles.save({ id: 'p', baseUrl: 'HTTP://ONE.example:8080/api/v1' });
  expect(await listed(profiles)).toMatchObject({ key: 'memory', hasBotToken: true, missingHeaders: [] });
});

it('what is given with the move belongs to the new origin', async () => {
  const { keys, profiles } = await scene();
  const given = { botToken: 'bot-new-0123456789', extraHeaders: { 'X-Team': 'red-0123456789' } };
  expect(await profiles.save({ id: 'p', baseUrl: 'http://two.example', ...given })).toMatchObject({
    data: { key: null, hasBotToken: true, missingHeaders: [] },
  });
  expect((await keys.get('p:bot'))?.value).toBe('bot-new-0123456789');
});

const withEnvironment = (keys: KeyStore): KeyStore => ({
  ...keys,
  get: async (name) =>
    (await keys.get(name)) ?? (name.includes(':') ? null : { value: 'sk-env-0123456789', place: 'environment' }),
});

it('a key of the environment serves a new profile', async () => {
  const profiles = open(withEnvironment(memoryKeys()), memorySettings());
  await profiles.save({ id: 'p', baseUrl: 'http://one.example' });
  expect(await listed(profiles)).toMatchObject({ key: 'environment' });
  expect(await profiles.openClient('p')).toMatchObject({ status: 'ready' });
});

it('a key of the environment does not follow a profile that has moved twice, the second time without it', async () => {
  const { keys, settings, profiles, restart } = await scene();
  await profiles.save({ id: 'p', baseUrl: 'http://two.example' });
  await restart().save({ id: 'p', baseUrl: 'http://three.example' });
  const served = open(withEnvironment(keys), settings);
  expect(await listed(served)).toMatchObject({ key: null });
  expect(await served.openClient('p')).toEqual({ status: 'no key' });
  await served.setKey('p', 'sk-three-0123456789');
  expect(await listed(served)).toMatchObject({ key: 'memory' });
});

it('a key of the environment does not follow a profile that it served to another origin', async () => {
  const { keys, settings } = await scene();
  await keys.forget('p');
  const profiles = open(withEnvironment(keys), settings);
  expect(await listed(profiles)).toMatchObject({ key: 'environment' });
  await profiles.save({ id: 'p', baseUrl: 'http://two.example' });
  expect(await listed(profiles)).toMatchObject({ key: null });
  expect(await listed(open(withEnvironment(keys), settings))).toMatchObject({ key: null });
});

it('an address that the file does not tell any more keeps no secret, and one that it tells does', async () => {
  const { keys, settings, restart } = await scene();
  const [stored] = settings.read('profiles') as [object];
  settings.write('profiles', [{ ...stored, prices: 'no list' }]);
  await restart().save({ id: 'p', prices: [] });
  expect(await keys.get('p')).not.toBeNull();
  settings.write('profiles', [{ ...stored, baseUrl: 'no address' }]);
  await restart().save({ id: 'p', baseUrl: 'http://two.example' });
  expect(await keys.get('p')).toBeNull();
});

it('a keychain that does not let the key go refuses the move', async () => {
  const { keys, settings } = await scene();
  const profiles = open({ ...keys, forget: () => Promise.reject(new Error('locked')) }, settings);
  expect(await profiles.save({ id: 'p', baseUrl: 'http://two.example' })).toMatchObject({
    ok: false,
    error: { code: 'wrong_state' },
  });
  expect(await listed(profiles)).toMatchObject({ baseUrl: 'http://one.example:8080', key: 'memory' });
});
