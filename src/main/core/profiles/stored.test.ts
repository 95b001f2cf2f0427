import { expect, it } from 'vitest';
import { openProfiles } from '../../../../test/helpers/profilesHarness.ts';
import { memoryKeys, memorySettings } from '../../../../test/helpers/testPorts.ts';
import { MAX_PRICES } from '../../../shared/money/price.ts';
import type { SettingsStore } from '../ports.ts';

/** What is in the settings file, good and bad, and what of it a save leaves there. */

const open = (settings: SettingsStore) => openProfiles({ settings });

const good = (id: string) => ({ id, name: id.toUpperCase(), baseUrl: `http://${id}.example` });
const damaged = { ...good('b'), fieldCase: 'kebab', note: 'of a later version' };

function stored(profiles: unknown, settings: unknown = {}): SettingsStore {
  const file = memorySettings();
  file.write('profiles', profiles);
  file.write('settings', settings);
  return file;
}

it('one damaged profile affects no other, is reported by field and rule, and is kept by the next save', async () => {
  const file = stored([good('a'), damaged, good('c')]);
  const profiles = open(file);
  const { profiles: listed, unreadable } = await profiles.list();
  expect(listed.map(({ id }) => id)).toEqual(['a', 'c']);
  expect(unreadable).toEqual([
    { id: 'b', name: 'B', field: 'fieldCase', message: "fieldCase: must be 'camel' or 'snake'" },
  ]);
  await profiles.save({ id: 'a', name: 'Renamed' });
  profiles.writePrices('c', []);
  expect(file.read('profiles')).toContainEqual(damaged);
  expect((await open(file).list()).unreadable).toEqual(unreadable);
});

it('what was done about a damaged settings file is told beside the entries that are no profiles', async () => {
  const { unreadable, repairNotice } = await open({
    ...stored([good('a'), damaged]),
    repairNotice: 'It was damaged.',
  }).list();
  expect([unreadable.length, repairNotice]).toEqual([1, 'It was damaged.']);
});

it.each([[null], ['text'], [{ id: 'x' }], [[null, 7, [], good('a')]], [[good('a'), good('a')]]])(
  'a file that holds %j loses nothing of it to a save',
  async (value) => {
    const file = stored(value);
    const profiles = open(file);
    await profiles.save({ id: 'new', baseUrl: 'http://new.example' });
    const after = JSON.stringify(file.read('profiles'));
    for (const entry of Array.isArray(value) ? value : [value]) {
      if (entry === null && !Array.isArray(value)) continue;
      const raw = entry as { name?: string };
      expect(after).toContain(raw?.name ? raw.name : JSON.stringify(entry));
    }
  },
);

it('a damaged entry is repaired by its id and the invalid field; its other fields stay', async () => {
  const file = stored([{ ...damaged, vendor: 'their-vendor' }]);
  const profiles = open(file);
  expect(await profiles.save({ id: 'b', vendor: 'x' })).toMatchObject({ error: { data: { field: 'fieldCase' } } });
  expect(await profiles.save({ id: 'b', fieldCase: 'snake' })).toMatchObject({
    data: { name: 'B', vendor: 'their-vendor', fieldCase: 'snake' },
  });
  expect((await profiles.list()).unreadable).toEqual([]);
  expect(file.read('profiles')).toHaveLength(1);
});

it('one damaged setting affects no other, and stays in the file until it is set', () => {
  const file = stored([], { theme: 'sepia', welcomed: true, activeProfileId: 'a', later: 1 });
  const profiles = open(file);
  expect(profiles.getSettings()).toMatchObject({ theme: 'dark', welcomed: true, activeProfileId: 'a' });
  profiles.patchSettings({ projectId: 'p' });
  expect(file.read('settings')).toMatchObject({ theme: 'sepia', welcomed: true, later: 1, projectId: 'p' });
  profiles.patchSettings({ theme: 'light' });
  expect(file.read('settings')).toMatchObject({ theme: 'light', later: 1 });
});

it('after a refusal of the disk what is shown is what is there', async () => {
  const file = stored([good('a')], { theme: 'light' });
  let full = false;
  const keys = memoryKeys();
  const profiles = openProfiles({
    keys,
    settings: {
      read: file.read,
      write(key, value) {
        if (full) throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
        file.write(key, value);
      },
    },
  });
  full = true;
  const bad = { id: 'a', name: 'Lost', botToken: 'bot-0123456789ab', extraHeaders: { 'X-Team': 'team-secret-0123' } };
  await expect(profiles.save(bad)).rejects.toThrow('no space');
  await expect(profiles.save({ baseUrl: 'http://new.example' })).rejects.toThrow('no space');
  await expect(profiles.remove('a')).rejects.toThrow('no space');
  expect(() => profiles.patchSettings({ theme: 'dark' })).toThrow('no space');
  expect(() => profiles.activate('a')).toThrow('no space');
  const fresh = open(file);
  expect(profiles.all()).toEqual(fresh.all());
  expect(profiles.getSettings()).toEqual(fresh.getSettings());
  expect([await keys.get('a:bot'), await keys.get('a:header:x-team')]).toEqual([null, null]);
});

it('a profile with a longer price book than it may have is read, and its other fields can be changed', async () => {
  const price = { kind: 'video', readings: [{ unit: 'video', nano: 1 }], settledReading: 0, source: 'set by you' };
  const prices = Array.from({ length: MAX_PRICES + 1 }, (_, n) => ({ ...price, model: `m${n}` }));
  const file = stored([{ ...good('a'), prices }]);
  expect(await open(file).save({ id: 'a', name: 'Renamed' })).toMatchObject({ ok: true });
  expect(open(file).all()).toMatchObject([{ id: 'a', name: 'Renamed', prices }]);
});
