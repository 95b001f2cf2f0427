import { inSource, type Node, placeOf, syntaxOf, walk } from './source.ts';

/** Words that docs/glossary.md has replaced, with what identifiers say instead. */
const REPLACED: ReadonlyMap<string, string> = new Map([
  ['deed', 'change or action'],
  ['custody', 'storage'],
  ['commission', 'request'],
  ['audition', 'compare'],
]);

/** Those of pages that the engine no longer uses. */
const REPLACED_IN_CORE: ReadonlyMap<string, string> = new Map([
  ...REPLACED,
  ['arm', 'schedule'],
  ['armed', 'scheduled'],
  ['press', 'request'],
  ['withheld', 'not sent'],
  ['ordering', 'enqueueing'],
]);

/** Where assets are not marked. */
const REPLACED_IN_JOBS_AND_BILLS: ReadonlyMap<string, string> = new Map([
  ...REPLACED_IN_CORE,
  ['mark', 'hash, sign or flag'],
]);

/** Where files lie: what has a place is a job in its queue. */
const REPLACED_IN_FILES: ReadonlyMap<string, string> = new Map([
  ...REPLACED_IN_CORE,
  ['place', 'location, destination, position, offset or range'],
]);

/** What is kept is what a deletion or a restore leaves, as calls say; these have none. */
const REPLACED_WHERE_NONE_STAYS: ReadonlyMap<string, string> = new Map([
  ...REPLACED_IN_FILES,
  ['kept', 'stored, saved, remaining or retention'],
]);

function replacedFor(file: string): ReadonlyMap<string, string> {
  if (/^src\/main\/core\/(jobs|statements)\//.test(file)) return REPLACED_IN_JOBS_AND_BILLS;
  if (/^src\/main\/core\/(store|exports|film|bundle|library\/(content|downloads|media|moving))\//.test(file))
    return REPLACED_WHERE_NONE_STAYS;
  if (/^src\/main\/core\/(library|backups)\//.test(file)) return REPLACED_IN_FILES;
  return /^src\/main\/core\/(?!gateway\/)/.test(file) ? REPLACED_IN_CORE : REPLACED;
}

const wordsOf = (name: string): string[] =>
  name.split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/).map((word) => word.toLowerCase().replace(/s$/, ''));

/** Identifiers that use a replaced word, each with its place and the word to use. */
export function replacedWordsIn(file: string, text: string): string[] {
  const found: string[] = [];
  const replaced = replacedFor(file);
  walk(syntaxOf(file, text), (node: Node & { name?: unknown }) => {
    if (node.type !== 'Identifier' || typeof node.name !== 'string') return;
    const word = wordsOf(node.name).find((one) => replaced.has(one));
    if (word !== undefined) found.push(`${placeOf(file, text, node)}: ${node.name}: say ${replaced.get(word)}`);
  });
  return found;
}

export const replacedWords = (): string[] => inSource(replacedWordsIn).flat();
