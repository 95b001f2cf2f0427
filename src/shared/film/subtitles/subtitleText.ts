/** U+2060, which is not seen. SubRip has no escape, so it keeps apart what would be read as a tag or the arrow of a time. */
export const WORD_JOINER = '\u2060';

/**
 * The words of a subtitle as every file of subtitles can hold them: lines without a blank one between them, which would end the
 * subtitle, and without control characters.
 */
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

/** Takes out the joiners that `writeSrt` puts in. */
function withoutJoiners(line: string): string {
  let plain = '';
  for (const character of line) {
    if (character !== WORD_JOINER || !['<', '{', '-'].includes(plain.at(-1) ?? '')) plain += character;
  }
  return plain;
}
