import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { languageTag, setLanguage, t } from '../../../shared/text/texts.ts';
import { chosenLanguage, setHostLanguage } from './language.ts';

afterEach(() => setLanguage(undefined));

const folderOf = (files: Record<string, string>) => {
  const folder = mkdtempSync(join(tmpdir(), 'dailies-language-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
};
const locales = folderOf({ 'en.json': '{}', 'de.json': '{"Queue":{"defaultMessage":"Warteschlange"}}' });
const settingsIn = (text: string) => folderOf({ 'settings.json': text });

it.each([
  [['de-CH', 'fr'], 'de'],
  [['fr', 'de'], 'de'],
  [['fr-CA'], 'en'],
  [['en-US', 'de'], 'en'],
  [['en-XA'], 'en-XA'],
  [['de_AT.UTF-8'], 'de'],
  [['zh-CN', 'de'], 'zh-Hans'],
  [['zh_SG.UTF-8'], 'zh-Hans'],
  [['zh-TW', 'de'], 'de'],
  [['C', 'not a tag', 'de'], 'de'],
  [[], 'en'],
])('of %j it is %s', (wanted, tag) => {
  expect(chosenLanguage(wanted, ['de', 'pt', 'zh-Hans'])).toBe(tag);
});

it('is that of the command line, of the settings or of the system, in this order', () => {
  const german = settingsIn('{"settings":{"language":"de"}}');
  const none = settingsIn('{}');
  const spoken = (flag: string | undefined, dataDir: string, system: string[]) => {
    setHostLanguage({ flag, dataDir, system }, locales);
    return [languageTag(), t`Queue`];
  };
  expect(spoken(undefined, none, ['de-DE'])).toEqual(['de', 'Warteschlange']);
  expect(spoken(undefined, settingsIn('{"settings":{"language":"en"}}'), ['de'])).toEqual(['en', 'Queue']);
  expect(spoken(undefined, german, ['fr'])).toEqual(['de', 'Warteschlange']);
  expect(spoken('en', german, ['de'])).toEqual(['en', 'Queue']);
  expect(spoken('en-XA', german, [])[0]).toBe('en-XA');
});

it.each([
  ['no JSON', settingsIn('{')],
  ['no settings', settingsIn('[]')],
  ['that of the system', settingsIn('{"settings":{"language":"system"}}')],
  ['a language that is no text', settingsIn('{"settings":{"language":7}}')],
  [
    'a folder in its place',
    (() => {
      const folder = folderOf({});
      mkdirSync(join(folder, 'settings.json'));
      return folder;
    })(),
  ],
  ['nothing', join(locales, 'gone')],
])('is that of the system where the settings are %s', (_what, dataDir) => {
  setHostLanguage({ flag: undefined, dataDir, system: ['de'] }, locales);
  expect(languageTag()).toBe('de');
});

it('is English without any catalogue', () => {
  setHostLanguage({ flag: 'de', dataDir: locales, system: [] }, join(locales, 'gone'));
  expect([languageTag(), t`Queue`]).toEqual(['en', 'Queue']);
});
