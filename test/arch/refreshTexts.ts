import { catalogueFile, languages, textsOfSource, translationsOf, writeCatalogue } from './texts.ts';

/**
 * `npm run texts`: collects the program's texts into `resources/locales/en.json`, and removes from other languages what is no text any more.
 */
const { catalogue, faults } = textsOfSource();
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
else {
  writeCatalogue('en', catalogueFile(catalogue));
  for (const tag of languages()) writeCatalogue(tag, catalogueFile(translationsOf(tag, Object.keys(catalogue))));
}
