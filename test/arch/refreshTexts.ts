import { catalogueFile, textsOfSource, writeCatalogue } from './texts.ts';

/** `npm run texts`: collects the texts of the program into `resources/locales/en.json`. */
const { catalogue, faults } = textsOfSource();
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
else writeCatalogue(catalogueFile(catalogue));
