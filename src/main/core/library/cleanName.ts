import path from 'node:path';
import { shortened } from '../../../shared/text/shortened.ts';

const LONGEST = 200;
/** A dot in a sentence is followed by more than that. */
const LONGEST_ENDING = 10;

/** A display name: without path and control characters, and of limited length; a long one keeps the ending that says what it is. */
export function cleanName(name: string): string {
  const base = name.split(/[\\/]/).at(-1) ?? '';
  const clean = [...base].filter((character) => character >= ' ' && character !== '\u007f').join('');
  const whole = clean.trim();
  if (whole.length <= LONGEST) return whole || 'Untitled';
  const found = path.extname(whole);
  const ending = found.length <= LONGEST_ENDING ? found : '';
  return `${shortened(whole.slice(0, whole.length - ending.length), LONGEST - ending.length)}${ending}`;
}
