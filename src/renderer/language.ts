import type { Catalogue } from '../shared/text/language.ts';
import { PSEUDO_LANGUAGE } from '../shared/text/language.ts';
import { setLanguage } from '../shared/text/texts.ts';

/** Catalogues by path; only that of the current language is loaded. */
export type CatalogueFiles = Readonly<Record<string, () => Promise<Catalogue>>>;

/** The catalogues in `resources/locales`; English texts are in the code. */
const CATALOGUES: CatalogueFiles = import.meta.glob<Catalogue>(
  ['../../resources/locales/*.json', '!../../resources/locales/en.json'],
  { import: 'default' },
);

/** The languages besides English, by their tags. */
export const otherLanguages = (files = CATALOGUES): readonly string[] => Object.keys(files).map(tagOf);

const tagOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1, -'.json'.length);

/** Loads the language that the page was served in, before any module that holds texts. Without a catalogue, texts are English. */
export async function loadLanguage(tag: string, files = CATALOGUES): Promise<void> {
  const load = Object.entries(files).find(([path]) => tagOf(path) === tag)?.[1];
  if (tag !== PSEUDO_LANGUAGE && load === undefined) return;
  const { languageOf, pseudoLanguage } = await import('../shared/text/language.ts');
  setLanguage(load === undefined ? pseudoLanguage() : languageOf(tag, await load()));
}
