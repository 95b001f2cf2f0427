/** Ends of a text, in one pass: a pattern such as `/x+$/` is tried anew at every x, which takes long where there are many. */

/** The text without the characters at its end that are of this kind. */
export function withoutEnd(text: string, isOff: (character: string) => boolean): string {
  let end = text.length;
  while (end > 0 && isOff(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** The text without these characters at its end. */
export const trimmedEnd = (text: string, characters: string): string =>
  withoutEnd(text, (character) => characters.includes(character));

/** The text without these characters at its beginning and its end. */
export function trimmed(text: string, characters: string): string {
  let start = 0;
  while (start < text.length && characters.includes(text.charAt(start))) start += 1;
  return trimmedEnd(text.slice(start), characters);
}
