import { afterEach, expect, it } from 'vitest';
import { languageTag, setLanguage, t } from '../shared/text/texts.ts';
import { type CatalogueFiles, loadLanguage, otherLanguages } from './language.ts';

afterEach(() => setLanguage(undefined));

const files: CatalogueFiles = {
  '../../resources/locales/de.json': async () => ({ Queue: { defaultMessage: 'Warteschlange' } }),
};

it('lists the languages by the names of their files', () => {
  expect(otherLanguages(files)).toEqual(['de']);
});

it.each([
  ['de', 'de', 'Warteschlange'],
  ['fr', 'en', 'Queue'],
  ['en', 'en', 'Queue'],
])('asked for %s, a page speaks %s', async (tag, spoken, queue) => {
  await loadLanguage(tag, files);
  expect([languageTag(), t`Queue`]).toEqual([spoken, queue]);
});
