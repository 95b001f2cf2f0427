import { expect, it } from 'vitest';
import { openProfiles } from '../../../../test/helpers/profilesHarness.ts';
import { memoryKeys, memorySettings } from '../../../../test/helpers/testPorts.ts';
import type { Profile } from '../../../shared/gateway/profile.ts';
import { SANDBOX_PRICES } from '../../../shared/money/price.ts';
import type { Gateway, Secrets } from '../gateway/index.ts';
import type { KeyStore, SettingsStore } from '../ports.ts';
import type { Profiles } from './profiles.ts';

/** A save that goes wrong halfway: between the file and the keychain. */

const HEADER = 'p:header:x-team';

interface Faults {
  /** The keychain is locked. */
  locked?: boolean;
  write?: Error;
  /** What alone cannot be written; without it nothing can. */
  unwritable?: string;
  /** What every change of a secret waits for. */
  slow?: Promise<void>;
  /** The secret that the keychain does not let go. */
  stuck?: string;
  /** The number of requests at the service. */
  orders?: number;
}

function start(keys: KeyStore, settings: SettingsStore) {
  const faults: Faults = {};
  const opened: { baseUrl: string; secrets: Secrets }[] = [];
  const hidden = new Set<string>();
  const profiles = openProfiles({
    keys: {
      ...keys,
      get: async (name) => {
        if (faults.locked) throw new Error('locked');
        return keys.get(name);
      },
      set: async (name, value) => {
        await faults.slow;
        return keys.set(name, value);
      },
      forget: async (name) => {
        await faults.slow;
        if (name === faults.stuck) throw new Error('locked');
        await keys.forget(name);
      },
    },
    settings: {
      read: settings.read,
      write: (name, value) => {
        if (faults.write && (faults.unwritable ?? name) === name) throw faults.write;
        settings.write(name, value);
      },
    },
    openGateway: ({ baseUrl }: Profile, secrets: Secrets) => {
      opened.push({ baseUrl, secrets });
      return { baseUrl, retire: async () => undefined } as unknown as Gateway;
    },
    hide: (secret) => void hidden.add(secret),
    jobs: { openJobs: () => 0, jobsAtService: () => faults.orders ?? 0 },
  });
  return { profiles, faults, opened, settings, hidden };
}

async function scene() {
  const keys = memoryKeys({ p: 'sk-one-0123456789', 'p:bot': 'bot-0123456789' });
  const settings = memorySettings();
  const run = start(keys, settings);
  await run.profiles.save({ id: 'p', baseUrl: 'http://old.example', extraHeaders: { 'X-Team': 'blue-0123456789' } });
  return { ...run, keys, restart: () => start(keys, settings) };
}

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

it.each<{ baseUrl: string; botToken?: string | null; extraHeaders?: Record<string, string> }>([
  { baseUrl: 'http://old.example/api', botToken: 'bot-new-0123456789' },
  { baseUrl: 'http://old.example/api', extraHeaders: { 'X-Team': 'green-0123456789' } },
  { baseUrl: 'http://old.example/api', extraHeaders: {} },
  { baseUrl: 'http://old.example/api', botToken: null },
])('a client asked for while %j is being stored has the new address with the new secrets', async (change) => {
  const { profiles, faults, opened } = await scene();
  await profiles.openClient('p');
  const { promise, resolve } = Promise.withResolvers<void>();
  faults.slow = promise;
  const saving = profiles.save({ id: 'p', ...change });
  const asked = [profiles.openClient('p'), profiles.openClient('p', { allowNoKey: true })];
  await new Promise((turn) => setImmediate(turn));
  resolve();
  expect(await saving).toMatchObject({ ok: true });
  await Promise.all(asked);
  const headers = change.extraHeaders ?? { 'X-Team': 'blue-0123456789' };
  const botToken = change.botToken === null ? undefined : (change.botToken ?? 'bot-0123456789');
  expect(opened.map(({ baseUrl }) => baseUrl)).toEqual(['http://old.example', 'http://old.example/api']);
  expect(opened.at(-1)?.secrets).toEqual({
    apiKey: 'sk-one-0123456789',
    headers,
    ...(botToken === undefined ? {} : { botToken }),
  });
});

it('a kill between the file and the keychain leaves no secret that goes to another address', async () => {
  const { profiles, faults, restart } = await scene();
  faults.slow = new Promise(() => undefined);
  void profiles.save({
    id: 'p',
    baseUrl: 'http://new.example',
    botToken: 'bot-new-0123456789',
    extraHeaders: { 'X-Team': 'green-0123456789' },
  });
  const next = restart();
  const { profiles: listed } = await next.profiles.list();
  expect(listed).toMatchObject([{ baseUrl: 'http://new.example', hasBotToken: false, missingHeaders: ['X-Team'] }]);
  expect(await next.profiles.openClient('p')).toEqual({ status: 'no key' });
  await next.profiles.save({ id: 'p', name: 'Another name' });
  expect(await next.profiles.openClient('p')).toEqual({ status: 'no key' });
  await next.profiles.save({ id: 'p', botToken: 'bot-2-0123456789', extraHeaders: { 'X-Team': 'red-0123456789' } });
  expect(await next.profiles.openClient('p')).toEqual({ status: 'no key' });
  await next.profiles.setKey('p', 'sk-two-0123456789');
  await next.profiles.openClient('p');
  expect(next.opened.at(-1)).toMatchObject({
    secrets: { botToken: 'bot-2-0123456789', headers: { 'X-Team': 'red-0123456789' } },
  });
  expect(JSON.stringify(next.settings.read('profiles'))).not.toContain('secretsChanging');
});

it.each<[string, (profiles: Profiles) => unknown, string[], string[]]>([
  ['secret of a profile that was removed', (all) => all.remove('p'), ['p', 'p:bot', HEADER], []],
  ['value of a header that was taken out', (all) => all.save({ id: 'p', extraHeaders: {} }), [HEADER], ['p']],
])('a kill between the file and the keychain leaves no %s', async (_, change, gone, kept) => {
  const { profiles, faults, restart, keys, settings } = await scene();
  faults.slow = new Promise(() => undefined);
  void change(profiles);
  const next = restart();
  expect(next.profiles.get('p')?.extraHeaders ?? {}).toEqual({});
  await next.profiles.forgetLeftovers();
  for (const name of gone) expect(await keys.get(name)).toBeNull();
  for (const name of kept) expect(await keys.get(name)).not.toBeNull();
  expect(JSON.stringify(settings.read('profiles'))).not.toContain('secretsChanging');
});

it('a profile that cannot be read goes with all its secrets', async () => {
  const { restart, keys, settings } = await scene();
  const [stored] = settings.read('profiles') as [object];
  settings.write('profiles', [{ ...stored, baseUrl: 'no address' }]);
  const next = restart();
  expect(next.profiles.get('p')).toBeUndefined();
  expect(await next.profiles.remove('p')).toMatchObject({ ok: true });
  expect(await Promise.all(['p', 'p:bot', HEADER].map((name) => keys.get(name)))).toEqual([null, null, null]);
});

it('a profile that could not be read is repaired without the value of a header that it has no more', async () => {
  const { restart, keys, settings } = await scene();
  const [stored] = settings.read('profiles') as [object];
  settings.write('profiles', [{ ...stored, prices: 'no list' }]);
  const next = restart();
  expect(next.profiles.get('p')).toBeUndefined();
  const repaired = { id: 'p', baseUrl: 'http://old.example', prices: [], extraHeaders: { 'X-Org': 'red-0123456789' } };
  expect(await next.profiles.save(repaired)).toMatchObject({ ok: true });
  expect(await keys.get(HEADER)).toBeNull();
  expect(await keys.get('p')).not.toBeNull();
});

it('where the profile is still there, its secrets are too', async () => {
  const { profiles, faults, restart, keys, settings } = await scene();
  faults.write = new Error('ENOSPC');
  faults.unwritable = 'profiles';
  await expect(profiles.remove('p')).rejects.toThrow('ENOSPC');
  const secrets = ['p', 'p:bot', HEADER];
  expect(settings.read('secretsToForget')).toEqual(secrets);
  const next = restart();
  await next.profiles.forgetLeftovers();
  for (const name of secrets) expect(await keys.get(name)).not.toBeNull();
  expect(settings.read('secretsToForget')).toEqual([]);
});

it('a removal that the keychain refuses halfway puts back what it has forgotten', async () => {
  const { profiles, faults, settings } = await scene();
  faults.stuck = 'p:bot';
  expect(await profiles.remove('p')).toMatchObject({ ok: false, error: { code: 'wrong_state' } });
  expect((await profiles.list()).profiles).toMatchObject([
    { id: 'p', key: 'memory', hasBotToken: true, missingHeaders: [] },
  ]);
  expect(settings.read('profiles')).toMatchObject([{ id: 'p' }]);
  delete faults.stuck;
  expect(await profiles.remove('p')).toMatchObject({ ok: true });
  expect(settings.read('profiles')).toEqual([]);
});

it('of two saves at once the second begins where the first ended', async () => {
  const { profiles, faults } = await scene();
  faults.slow = Promise.reject(new Error('locked'));
  const first = profiles.save({ id: 'p', name: 'First', extraHeaders: {} });
  const second = profiles.save({ id: 'p', baseUrl: 'http://old.example/api' });
  expect([(await first).ok, (await second).ok]).toEqual([false, true]);
  expect(profiles.get('p')).toMatchObject({ name: 'old.example', baseUrl: 'http://old.example/api' });
  expect(profiles.get('p')?.extraHeaders).toEqual({ 'X-Team': null });
});

it('a keychain that does not let go leaves the profile as it was, and the next try forgets', async () => {
  const { profiles, keys, faults, settings } = await scene();
  const refused = Promise.reject(new Error('locked'));
  refused.catch(() => undefined);
  faults.slow = refused;
  expect(await profiles.save({ id: 'p', name: 'New', extraHeaders: {} })).toMatchObject({
    ok: false,
    error: { code: 'wrong_state' },
  });
  expect(profiles.get('p')).toMatchObject({ name: 'old.example', extraHeaders: { 'X-Team': null } });
  expect(settings.read('profiles')).toMatchObject([{ id: 'p', name: 'old.example' }]);
  delete faults.slow;
  expect(await profiles.save({ id: 'p', extraHeaders: {} })).toMatchObject({ ok: true });
  expect(await keys.get(HEADER)).toBeNull();
});

it("a profile's origin cannot change while its service has accepted requests", async () => {
  const { profiles, faults } = await scene();
  faults.orders = 2;
  for (const baseUrl of ['http://new.example', 'https://old.example', 'http://old.example:8080']) {
    const refused = await profiles.save({ id: 'p', baseUrl });
    expect(refused).toMatchObject({ ok: false, error: { code: 'wrong_state', data: { field: 'baseUrl' } } });
    expect(refused.ok ? '' : refused.error.message).toMatch(/^baseUrl: 2 jobs .* http:\/\/old\.example/);
  }
  expect(profiles.get('p')?.baseUrl).toBe('http://old.example');
  for (const change of [
    { name: 'Other' },
    { baseUrl: 'http://OLD.example:80/v1' },
    { baseUrl: 'http://old.example/api' },
  ])
    expect(await profiles.save({ id: 'p', ...change })).toMatchObject({ ok: true });
  faults.orders = 0;
  expect(await profiles.save({ id: 'p', baseUrl: 'http://new.example' })).toMatchObject({ ok: true });
});

it('what is saved while the keychain refuses another profile stays', async () => {
  const { profiles, faults } = await scene();
  const { promise, resolve } = Promise.withResolvers<void>();
  faults.slow = promise;
  faults.stuck = 'p:bot';
  const refused = profiles.save({ id: 'p', name: 'Other', botToken: null });
  await new Promise((turn) => setImmediate(turn));
  await profiles.save({ id: 'q', baseUrl: 'http://q.example' });
  profiles.writePrices('p', SANDBOX_PRICES.slice(0, 1));
  resolve();
  expect(await refused).toMatchObject({ ok: false });
  expect(profiles.get('q')).toMatchObject({ baseUrl: 'http://q.example' });
  expect(profiles.get('p')).toMatchObject({
    baseUrl: 'http://old.example',
    name: 'old.example',
    prices: SANDBOX_PRICES.slice(0, 1),
  });
});

it('secrets of two profiles that change at once are both known afterwards', async () => {
  const { profiles, settings } = await scene();
  await profiles.save({ id: 'q', baseUrl: 'http://q.example' });
  await Promise.all([
    profiles.save({ id: 'p', botToken: 'bot-p-0123456789' }),
    profiles.save({ id: 'q', botToken: 'bot-q-0123456789' }),
  ]);
  const { profiles: listed } = await profiles.list();
  expect(listed).toMatchObject([{ hasBotToken: true }, { hasBotToken: true }]);
  expect(JSON.stringify(settings.read('profiles'))).not.toContain('secretsChanging');
});

it('a key in a locked keychain is not said to be missing, and is known once it can be read', async () => {
  const { restart } = await scene();
  const { profiles, faults, hidden } = restart();
  faults.locked = true;
  await profiles.secretsKnown();
  expect((await profiles.list()).profiles).toMatchObject([{ id: 'p', key: 'unreadable', missingHeaders: [] }]);
  expect(await profiles.openClient('p')).toEqual({ status: 'unreadable' });
  expect(await profiles.openClient('p', { allowNoKey: true })).toMatchObject({ status: 'ready' });
  faults.locked = false;
  await profiles.secretsKnown();
  expect(hidden).toEqual(new Set(['sk-one-0123456789', 'bot-0123456789', 'blue-0123456789']));
  expect(await profiles.openClient('p')).toMatchObject({ status: 'ready' });
});

it('a secret is stored also where the old one cannot be read', async () => {
  const { profiles, faults, keys } = await scene();
  faults.locked = true;
  expect(await profiles.save({ id: 'p', botToken: 'bot-new-0123456789' })).toMatchObject({ ok: true });
  expect(await keys.get('p:bot')).toMatchObject({ value: 'bot-new-0123456789' });
});

const DOCUMENTED = {
  kind: 'documented' as const,
  source: 'https://old.example/docs',
  windowHours: 24,
  readAt: 5,
  night: true,
};

it.each([
  ['alone', { baseUrl: 'http://new.example' }],
  ['with all that a form sends', { baseUrl: 'http://old.example/other', idempotency: DOCUMENTED }],
  ['nor with what a night does', { baseUrl: 'http://new.example', idempotency: { ...DOCUMENTED, night: false } }],
] as const)('what one service documents about a repeated key is not said of another address, %s', async (_, change) => {
  const { profiles } = await scene();
  await profiles.save({ id: 'p', idempotency: DOCUMENTED });
  await profiles.save({ id: 'p', baseUrl: 'http://old.example/', name: 'Other' });
  expect(profiles.get('p')?.idempotency).toEqual(DOCUMENTED);
  expect(await profiles.save({ id: 'p', ...change })).toMatchObject({ data: { idempotency: { kind: 'none' } } });
  expect(profiles.get('p')?.idempotency).toEqual({ kind: 'none' });
});

it('what is documented of the new address stays with it, and what showed the old one wrong does not', async () => {
  const { profiles } = await scene();
  await profiles.save({ id: 'p', idempotency: DOCUMENTED });
  const other = { ...DOCUMENTED, source: 'https://new.example/docs' };
  await profiles.save({ id: 'p', baseUrl: 'http://new.example', idempotency: other });
  expect(profiles.get('p')?.idempotency).toEqual(other);
  profiles.markKeyIgnored('p', 7);
  await profiles.save({ id: 'p', baseUrl: 'http://third.example' });
  expect(profiles.get('p')?.idempotency).toEqual({ kind: 'none' });
});
