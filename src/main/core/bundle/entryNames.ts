import { BUNDLE_ENTRIES, CHAT_ENTRY, MEDIA_ENTRY } from '../../../shared/bundle/document.ts';

/** What an entry of a bundle may be called. Each name that is written somewhere is one of ours; these rules say what is wrong with another. */

const MOST_BYTES = 255;
const decoder = new TextDecoder('utf-8', { fatal: true });

/** The name, or the rule that it breaks with what can be shown of it. */
export function nameOfEntry(raw: Uint8Array): { name: string; rule?: string } {
  const plain = Buffer.from(raw).toString('latin1');
  if (raw.length > MOST_BYTES)
    return { name: plain.slice(0, 80), rule: `its name is longer than ${MOST_BYTES} bytes.` };
  const name = decoded(raw);
  if (name === undefined) return { name: plain, rule: 'its name is no UTF-8.' };
  const rule = ruleOfName(name);
  return rule === undefined ? { name } : { name, rule };
}

function decoded(raw: Uint8Array): string | undefined {
  try {
    return decoder.decode(raw);
  } catch {
    return undefined;
  }
}

function ruleOfName(name: string): string | undefined {
  if (name === '') return 'an entry has no name.';
  if ([...name].some((sign) => sign < ' ' || sign === '\x7f')) return 'its name holds a control character.';
  if (name.includes('\\')) return 'its name holds a backslash; folders are separated by /.';
  if (name.startsWith('/')) return 'its name is an absolute path.';
  if (/^[A-Za-z]:/.test(name)) return 'its name begins with a drive letter.';
  if (name.split('/').some((part) => part === '..' || part === '.')) return 'its name leads out of its folder.';
  return undefined;
}

/** Names that some systems take for one: by case, and by the form in which Unicode is composed. */
export const foldedName = (name: string): string => name.normalize('NFKC').toLowerCase();

const FIXED: ReadonlySet<string> = new Set(Object.values(BUNDLE_ENTRIES));

export const isOfBundle = (name: string): boolean => FIXED.has(name) || CHAT_ENTRY.test(name) || MEDIA_ENTRY.test(name);
