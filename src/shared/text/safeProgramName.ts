import { safeName } from './safeText.ts';

/** Letters that look like a Latin one (Unicode UTS 39, confusables), and Latin letters that look like another. */
const LOOKALIKES = new Set('АВЕЅІЈКМНОРСТХУЗҮԌԚԜӀавеѕіјкморсухһӏԁԛԝѵүΑΒΕΖΗΙΚΜΝΟΡΤΥΧοανρυικτօոսհցքզՕՍՏԼɑɡɩıƖǀ');
/** Scripts whose letters pass for Latin ones. */
const BESIDE_LATIN =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}\p{Script=Lisu}]/u;
const WORD = /[\p{L}\p{M}\p{N}]+/gu;
/** Names are quoted: a quote inside would end them. */
const QUOTES = /[“”]/g;

/**
 * A program's own name in a form that cannot imitate another: like {@link safeName}, with confusable letters as code points. A word wholly
 * in one other script stays.
 */
export const safeProgramName = (name: string): string =>
  safeName(name.replace(WORD, markedWord).replace(QUOTES, codePoint));

function markedWord(word: string): string {
  const letters = [...word];
  const isMixed = /\p{Script=Latin}/u.test(word) && BESIDE_LATIN.test(word);
  const isPretended = letters.every((letter) => LOOKALIKES.has(letter) || /\p{N}/u.test(letter));
  return letters
    .map((letter) => {
      const isLatinLookalike = LOOKALIKES.has(letter) && !BESIDE_LATIN.test(letter);
      const isOther = (isMixed && BESIDE_LATIN.test(letter)) || (isPretended && LOOKALIKES.has(letter));
      return isOther || isLatinLookalike || isStyled(letter) ? codePoint(letter) : letter;
    })
    .join('');
}

/** A full-width or mathematical form of an ASCII letter. */
function isStyled(letter: string): boolean {
  const plain = letter.normalize('NFKC');
  return plain !== letter && /^[A-Za-z0-9]+$/.test(plain);
}

const codePoint = (letter: string): string =>
  `‹U+${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}›`;
