/**
 * The texts of the program, in the language that is set. English stands where it is used, as the argument of {@link t}, and is its own key;
 * `npm run texts` collects it into `resources/locales/en.json`, and a language is one more file beside that one. A message is in the form
 * of ICU with named arguments: `{count, plural, one {# shot} other {# shots}}` is {@link counted}.
 */
/** What is not there leaves its place empty. */
export type TextValue = string | number | Counted | undefined | null;

/** Words whose form a number chooses, with the number before them or without it. */
class Counted {
  readonly count: number;
  readonly one: string;
  readonly many: string;
  readonly isNumberShown: boolean;

  constructor(count: number, one: string, many: string, isNumberShown: boolean) {
    this.count = count;
    this.one = one;
    this.many = many;
    this.isNumberShown = isNumberShown;
  }
}

export type { Counted };

/** `1 shot`, `3 shots` as a value of {@link t}: the words are literals, so that they can be collected. */
export const counted = (count: number, one: string, many = `${one}s`): Counted => new Counted(count, one, many, true);

/** A word that agrees with a number which stands elsewhere, as a value of {@link t}: `waits`, `wait`. */
export const inflected = (count: number, one: string, many: string): Counted => new Counted(count, one, many, false);

export interface Language {
  /** A BCP 47 tag, such as `de`. */
  readonly tag: string;
  /** The parts of a message with its values in their places, in the order of the language; undefined where it has no words for it. */
  readonly translate: (message: string, values: readonly unknown[]) => readonly unknown[] | undefined;
}

/** English is written as in Great Britain: `26 Nov`, `1,200`. */
const ENGLISH = 'en-GB';
let language: Language | undefined;

/** Sets the language of every text that is made from now on: before the modules are loaded that keep texts. */
export function setLanguage(next: Language | undefined): void {
  language = next;
}

/** The language of what is said: a BCP 47 tag. */
export const languageTag = (): string => language?.tag ?? 'en';

/** What dates and numbers are written by: a BCP 47 tag. */
export const formatLocale = (): string => language?.tag ?? ENGLISH;

/** By locale: a page shows hundreds of counts. */
const countFormats = new Map<string, Intl.NumberFormat>();

/** `11,840`. */
export function formatCount(count: number): string {
  const locale = formatLocale();
  const format = countFormats.get(locale) ?? new Intl.NumberFormat(locale);
  countFormats.set(locale, format);
  return format.format(count);
}

/** `a, b and c`, as the language lists. */
export const listed = (words: readonly string[]): string => new Intl.ListFormat(formatLocale()).format(words);

/** A text of the program, in the language that is set: ``t`Take ${number} stays` ``. */
export function t(strings: TemplateStringsArray, ...values: TextValue[]): string {
  return textParts<string | number | undefined | null>(strings, values).join('');
}

/** A text for programs, such as the error of a call: always English, in no catalogue. */
export const en = (strings: TemplateStringsArray, ...values: TextValue[]): string =>
  englishParts<string | number | undefined | null>(strings, values).join('');

/** `1 job`, `3 jobs`; inside of a sentence it is {@link counted}. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return textParts<string>(['', ''], [counted(count, one, many)]).join('');
}

/** The parts of a text: its words, and the values among them, which may be elements of a page. */
export function textParts<Value>(strings: readonly string[], values: readonly (Value | Counted)[]): (string | Value)[] {
  if (language === undefined) return englishParts(strings, values);
  const plain = values.map((value) => (value instanceof Counted ? value.count : value));
  const translated = language.translate(messageId(strings, values), plain);
  return translated === undefined ? englishParts(strings, values) : [...(translated as readonly (string | Value)[])];
}

function englishParts<Value>(strings: readonly string[], values: readonly (Value | Counted)[]): (string | Value)[] {
  return strings.flatMap((text, at): (string | Value)[] => {
    if (at >= values.length) return [text];
    const value = values[at] as Value | Counted;
    return [text, value instanceof Counted ? inEnglish(value) : value];
  });
}

function inEnglish({ count, one, many, isNumberShown }: Counted): string {
  const words = count === 1 ? one : many;
  return isNumberShown ? `${formatCount(count)} ${words}` : words;
}

/** The key of a text: its English as a message of ICU. Its arguments have the numbers of the values, or names. */
export function messageId(strings: readonly string[], values: readonly unknown[], names?: readonly string[]): string {
  const parts = strings.map((text, at) => {
    if (at >= values.length) return quoted(text);
    const value = values[at];
    const name = names?.[at] ?? String(at);
    return `${quoted(text)}${value instanceof Counted ? pluralOf(name, value) : `{${name}}`}`;
  });
  return parts.join('');
}

function pluralOf(name: string, { one, many, isNumberShown }: Counted): string {
  const form = (words: string) => `{${isNumberShown ? '# ' : ''}${quoted(words, /[{}<>#']+/g)}}`;
  return `{${name}, plural, one ${form(one)} other ${form(many)}}`;
}

/** What has a meaning in a message of ICU is between apostrophes, and an apostrophe is two, except in a word: `don't`. */
function quoted(text: string, special = /[{}<>']+/g): string {
  return text.replace(special, (found, at: number) => {
    if (!/^'+$/.test(found)) return `'${found.replaceAll("'", "''")}'`;
    const isInWord = found.length === 1 && /^\w'\w$/.test(text.slice(at - 1, at + 2));
    return isInWord ? found : found.repeat(2);
  });
}
