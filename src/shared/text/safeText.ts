/**
 * Invisible characters (Unicode Default_Ignorable_Code_Point: bidi controls, zero widths, fillers, the tags block), control characters
 * except tab and line ends, line and paragraph separators, annotation marks, a blank braille cell and lone surrogates.
 */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Cc}\p{Cs}\u2028\u2029\u2800\ufff9-\ufffb]/gu;

/** The flag of a region: a black flag, its code in tag letters, and the end tag. */
const TAGGED_FLAG = /\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{3,6}\u{e007f}/gu;

const JOINING =
  /^[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Nko}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/**
 * A foreign name that is safe to show on one line with our own words: `photo\u202egpj.exe` would read `photoexe.jpg` and reverse the text
 * after it. Invisible characters become code points, except where writing needs them: inside an emoji, and between letters of joining
 * scripts.
 */
export const safeName = (name: string): string => unseenAs(name, (unseen) => `‹U+${hexOf(unseen)}›`);

/** The same, at most so long. The text is cut before, to save work, and after, since code points make it longer. */
export const shownBeginning = (text: string, most: number): string =>
  beginningOf(safeName(beginningOf(text, most)), most);

/** The beginning of a {@link TAGGED_FLAG}, or a joiner between emoji. */
const PARTED = /(?:\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{1,6}|\u200d)$/u;

/** The beginning, without half a character, which would become a code point. */
const beginningOf = (text: string, most: number): string =>
  text.length <= most
    ? text
    : text
        .slice(0, most)
        .replace(/[\ud800-\udbff]$/, '')
        .replace(PARTED, '');

/** Equal JSON with invisible characters escaped. Line ends between values stay. */
export const shownJson = (json: string): string => unseenAs(json, escapesOf);

function unseenAs(text: string, write: (unseen: string) => string): string {
  if (text.search(UNSEEN) === -1) return text;
  const flags = [...text.matchAll(TAGGED_FLAG)].map(({ index, 0: flag }) => [index, index + flag.length] as const);
  let next = 0;
  return text.replace(UNSEEN, (unseen, at: number) => {
    // Both are in text order.
    while (at >= (flags[next]?.[1] ?? Number.POSITIVE_INFINITY)) next += 1;
    const isInFlag = at >= (flags[next]?.[0] ?? Number.POSITIVE_INFINITY);
    return isInFlag || isWriting(text, unseen, at) ? unseen : write(unseen);
  });
}

const escapesOf = (unseen: string): string =>
  Array.from({ length: unseen.length }, (_, at) => `\\u${unseen.charCodeAt(at).toString(16).padStart(4, '0')}`).join(
    '',
  );

const hexOf = (character: string): string =>
  (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');

function isWriting(name: string, unseen: string, at: number): boolean {
  if (unseen === '\t' || unseen === '\n' || unseen === '\r') return true;
  const before = characterBefore(name, at);
  const after = String.fromCodePoint(name.codePointAt(at + unseen.length) ?? 0);
  if (unseen === '\ufe0e' || unseen === '\ufe0f') return /^[\p{Emoji}]$/u.test(before);
  if (/^[\ufe00-\ufe0d\u{e0100}-\u{e01ef}]$/u.test(unseen)) return /^\p{Ideographic}$/u.test(before);
  if (unseen === '\u200d' && /^\p{Extended_Pictographic}$/u.test(after))
    return before === '\ufe0f' || /^[\p{Extended_Pictographic}\p{Emoji_Modifier}]$/u.test(before);
  return (unseen === '\u200c' || unseen === '\u200d') && JOINING.test(before) && JOINING.test(after);
}

function characterBefore(name: string, at: number): string {
  const last = name.charCodeAt(at - 1);
  const isPair = last >= 0xdc00 && last <= 0xdfff && at > 1;
  return at === 0 ? '' : name.slice(isPair ? at - 2 : at - 1, at);
}
