import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Catalogue, languageOf, PSEUDO_LANGUAGE, pseudoLanguage } from '../../../shared/text/language.ts';
import { setLanguage } from '../../../shared/text/texts.ts';
import { defaultDataDir } from './defaultDataDir.ts';
import { readRegularFile } from './regularFile.ts';

const LOCALES = join(import.meta.dirname, '..', '..', 'resources', 'locales');

interface Wanted {
  /** `--language`. */
  flag: string | undefined;
  dataDir: string | undefined;
  /** In order of preference. */
  system: readonly string[];
}

/**
 * Sets the language of this process: the first of command line, settings and system with a catalogue. It runs before modules that keep texts
 * are loaded, so it reads the settings file itself and ignores one that cannot be read.
 */
export function setHostLanguage({ flag, dataDir, system }: Wanted, folder = LOCALES): void {
  const own = flag ?? languageOfSettings(join(dataDir ?? defaultDataDir(), 'settings.json'));
  const catalogues = catalogueFiles(folder);
  const tag = chosenLanguage(own === undefined ? system : [own], Object.keys(catalogues));
  const file = catalogues[tag];
  if (tag === PSEUDO_LANGUAGE) setLanguage(pseudoLanguage());
  else setLanguage(file === undefined ? undefined : languageOf(tag, readCatalogue(file)));
}

/** The first wanted language that exists, exactly or in a general form. English always exists. */
export function chosenLanguage(wanted: readonly string[], there: readonly string[]): string {
  const known = ['en', PSEUDO_LANGUAGE, ...there];
  return wanted.flatMap(formsOf).find((tag) => known.includes(tag)) ?? 'en';
}

/** `de-CH`, `de-Latn`, `de`; `zh-CN`, `zh-Hans`, `zh`. A system may add its encoding: `de_AT.UTF-8`. */
function formsOf(tag: string): string[] {
  const [bare = ''] = tag.replaceAll('_', '-').split(/[.@]/);
  try {
    const { language, script } = new Intl.Locale(bare).maximize();
    return [bare, `${language}-${script}`, language];
  } catch {
    return [];
  }
}

function catalogueFiles(folder: string): Record<string, string> {
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith('.json') && name !== 'en.json');
    return Object.fromEntries(names.map((name) => [name.slice(0, -'.json'.length), join(folder, name)]));
  } catch {
    return {};
  }
}

const readCatalogue = (file: string): Catalogue => JSON.parse(readFileSync(file, 'utf8')) as Catalogue;

function languageOfSettings(path: string): string | undefined {
  try {
    const { settings } = JSON.parse(readRegularFile(path) ?? '{}') as { settings?: { language?: unknown } };
    const language = settings?.language;
    return typeof language === 'string' && language !== 'system' ? language : undefined;
  } catch {
    return undefined;
  }
}
