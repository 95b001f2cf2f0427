/** One-pass trimming: a pattern such as `/x+$/` is retried at every x, which is slow for many. */

export function withoutEnd(text: string, isOff: (character: string) => boolean): string {
  let end = text.length;
  while (end > 0 && isOff(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

export const trimmedEnd = (text: string, characters: string): string =>
  withoutEnd(text, (character) => characters.includes(character));

export function withoutStart(text: string, characters: string): string {
  let start = 0;
  while (start < text.length && characters.includes(text.charAt(start))) start += 1;
  return text.slice(start);
}

export const trimmed = (text: string, characters: string): string =>
  trimmedEnd(withoutStart(text, characters), characters);
