/**
 * If the system's language is `C` or `POSIX`, Chromium names it `en-US@posix`. `Intl` refuses that, and the chart library would crash the
 * page. Imported before any library that reads the language.
 */
if (!isKnown(navigator.language)) Object.defineProperty(navigator, 'language', { value: 'en-US' });

function isKnown(language: string): boolean {
  try {
    return Intl.getCanonicalLocales(language).length > 0;
  } catch {
    return false;
  }
}
