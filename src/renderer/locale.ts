/**
 * Where the system's language is `C` or `POSIX`, Chromium names it `en-US@posix`, which `Intl` refuses; the chart library would end the
 * page with it. Imported before any library that reads it.
 */
if (!isKnown(navigator.language)) Object.defineProperty(navigator, 'language', { value: 'en-US' });

function isKnown(language: string): boolean {
  try {
    return Intl.getCanonicalLocales(language).length > 0;
  } catch {
    return false;
  }
}
