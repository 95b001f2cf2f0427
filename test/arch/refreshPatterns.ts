import { knownVerdicts, patternsOfSource, type Verdicts, verdictOf, writeVerdicts } from './patterns.ts';

/** `npm run patterns`: checks new regular expressions and removes old ones. */
const known = knownVerdicts();
const verdicts: Verdicts = {};
for (const pattern of patternsOfSource().literals) {
  verdicts[pattern.literal] ??= known[pattern.literal] ?? (await verdictOf(pattern));
  if (known[pattern.literal] === undefined)
    console.log(`${verdicts[pattern.literal]}: ${pattern.literal} (${pattern.place})`);
}
writeVerdicts(verdicts);
