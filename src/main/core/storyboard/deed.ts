import { t } from '../../../shared/text/texts.ts';

/** What a change of a board did: a verb, and what it was done to. */
export interface Deed {
  verb: keyof typeof WORDS;
  what: string;
}

/** Of each verb the name of a command and the end of a sentence about the past. */
const WORDS = {
  add: { name: (what: string) => t`add ${what}`, past: (what: string) => t`added ${what}` },
  change: { name: (what: string) => t`change ${what}`, past: (what: string) => t`changed ${what}` },
  keep: { name: (what: string) => t`keep ${what}`, past: (what: string) => t`kept ${what}` },
  move: { name: (what: string) => t`move ${what}`, past: (what: string) => t`moved ${what}` },
  'put back': { name: (what: string) => t`put back ${what}`, past: (what: string) => t`put back ${what}` },
  remove: { name: (what: string) => t`remove ${what}`, past: (what: string) => t`removed ${what}` },
  skip: { name: (what: string) => t`skip ${what}`, past: (what: string) => t`skipped ${what}` },
} as const;

/** A deed as the end of a sentence about the past: `removed shot 3`. */
export const doneWords = ({ verb, what }: Deed): string => WORDS[verb].past(what);
/** A deed as the name of a command: `remove shot 3`. */
export const deedWords = ({ verb, what }: Deed): string => WORDS[verb].name(what);
