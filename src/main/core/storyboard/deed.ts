/** What a change of a board did: a verb, and what it was done to. */
export interface Deed {
  verb: keyof typeof PAST;
  what: string;
}

const PAST = {
  add: 'added',
  change: 'changed',
  keep: 'kept',
  move: 'moved',
  'put back': 'put back',
  remove: 'removed',
  skip: 'skipped',
} as const;

/** A deed as the end of a sentence about the past: `removed shot 3`. */
export const doneWords = ({ verb, what }: Deed): string => `${PAST[verb]} ${what}`;
/** A deed as the name of a command: `remove shot 3`. */
export const deedWords = ({ verb, what }: Deed): string => `${verb} ${what}`;
