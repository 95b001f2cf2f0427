import { shownName } from './shownName.ts';

/** Letters of other scripts that look like a Latin one (Unicode UTS 39, confusables), and Latin letters that look like another. */
const LOOKALIKES = new Set('АВЕЅІЈКМНОРСТХУЗҮԌԚԜӀавеѕіјкморсухһӏԁԛԝѵүΑΒΕΖΗΙΚΜΝΟΡΤΥΧοανρυικτօոսհցքզՕՍՏԼɑɡɩıƖǀ');
/** Scripts whose letters are taken for Latin ones beside these. */
const BESIDE_LATIN =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}\p{Script=Lisu}]/u;
const WORD = /[\p{L}\p{M}\p{N}]+/gu;
/** A name stands between these: one of its own would end it. */
const QUOTES = /[“”]/g;

/**
 * The name that a program gives itself, in a form in which it cannot pass for another: besides what {@link shownName} shows, letters that
 * look like others are shown as their code points. A word that is written in one other script stays as it is.
 */
export const shownAsker = (name: string): string =>
  shownName(name.replace(WORD, markedWord).replace(QUOTES, codePoint));

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
