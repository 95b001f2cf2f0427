/** U+2060, invisible. SubRip has no escapes, so it breaks up what would be read as a tag or as an arrow. */
export const WORD_JOINER = '\u2060';

/** A text that every subtitle format can hold: no blank lines, which would end the subtitle, and no control characters. */
export function plainText(text: string): string {
  const lines = text.replaceAll('\r\n', '\n').replaceAll('\r', '\n').split('\n');
  return lines
    .map((line) => withoutJoiners(withoutControls(line)).trim())
    .filter((line) => line !== '')
    .join('\n');
}

const withoutControls = (line: string): string =>
  [...line].filter((character) => character === '\t' || !isControl(character.codePointAt(0) ?? 0)).join('');

const isControl = (code: number): boolean =>
  code < 0x20 || (code >= 0x7f && code < 0xa0) || (code >= 0xd800 && code < 0xe000);

/** Removes the joiners that `writeSrt` adds. */
function withoutJoiners(line: string): string {
  let plain = '';
  for (const character of line) {
    if (character !== WORD_JOINER || !['<', '{', '-'].includes(plain.at(-1) ?? '')) plain += character;
  }
  return plain;
}
