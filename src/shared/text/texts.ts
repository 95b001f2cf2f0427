/**
 * The texts of the program in the current language. The English text is the argument of {@link t} and also its key; `npm run texts`
 * collects all of them into `resources/locales/en.json`, and each language is one more file beside that one. Messages have ICU form with
 * named arguments: `{count, plural, one {# shot} other {# shots}}` is {@link counted}.
 */
/** Undefined and null leave their place empty. */
export type TextValue = string | number | Counted | undefined | null;

/** Words with a form for each number, with or without the number before them. */
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

/** `1 shot`, `3 shots` as a value of {@link t}; the words must be literals, so that they can be collected. */
export const counted = (count: number, one: string, many = `${one}s`): Counted => new Counted(count, one, many, true);

/** A word that agrees with a number elsewhere in the message, as a value of {@link t}: `waits`, `wait`. */
export const inflected = (count: number, one: string, many: string): Counted => new Counted(count, one, many, false);

export interface Language {
  readonly tag: string;
  /** The parts of a message with its values, in the language's order; undefined if it is not translated. */
  readonly translate: (message: string, values: readonly unknown[]) => readonly unknown[] | undefined;
}

/** British English: `26 Nov`, `1,200`. */
const ENGLISH = 'en-GB';
let language: Language | undefined;

/** Sets the language of all later texts. Must be called before modules that hold texts are loaded. */
export function setLanguage(next: Language | undefined): void {
  language = next;
}

/** The language as a BCP 47 tag. */
export const languageTag = (): string => language?.tag ?? 'en';

/** The locale of dates and numbers, a BCP 47 tag. */
export const formatLocale = (): string => language?.tag ?? ENGLISH;

/** Cached: a page shows hundreds of counts. */
const countFormats = new Map<string, Intl.NumberFormat>();

/** `11,840`. */
export function formatCount(count: number): string {
  const locale = formatLocale();
  const format = countFormats.get(locale) ?? new Intl.NumberFormat(locale);
  countFormats.set(locale, format);
  return format.format(count);
}

/** `a, b and c`, in the current language. */
export const listed = (words: readonly string[]): string => new Intl.ListFormat(formatLocale()).format(words);

/** A text in the current language: ``t`Take ${number} stays` ``. */
export function t(strings: TemplateStringsArray, ...values: TextValue[]): string {
  return textParts<string | number | undefined | null>(strings, values).join('');
}

/** A text for programs, such as the error of a call: always English, in no catalogue. */
export const en = (strings: TemplateStringsArray, ...values: TextValue[]): string =>
  englishParts<string | number | undefined | null>(strings, values).join('');

/** `1 job`, `3 jobs`; within a sentence use {@link counted}. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return textParts<string>(['', ''], [counted(count, one, many)]).join('');
}

/** The words and values of a text in order; values may be elements of a page. */
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

/** The catalogue key of a text: its English as an ICU message, with numbered or named arguments. */
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

/** ICU quotes special characters with apostrophes and doubles an apostrophe, except within a word: `don't`. */
function quoted(text: string, special = /[{}<>']+/g): string {
  return text.replace(special, (found, at: number) => {
    if (!/^'+$/.test(found)) return `'${found.replaceAll("'", "''")}'`;
    const isInWord = found.length === 1 && /^\w'\w$/.test(text.slice(at - 1, at + 2));
    return isInWord ? found : found.repeat(2);
  });
}
