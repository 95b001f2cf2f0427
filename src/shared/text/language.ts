import { IntlMessageFormat } from 'intl-messageformat';
import type { Language } from './texts.ts';

/**
 * A file of `resources/locales` (FormatJS): for each English message in ICU form with named arguments, the message of the language with the
 * same arguments.
 */
export type Catalogue = Readonly<Record<string, { readonly defaultMessage: string }>>;

/** The language of a catalogue. Messages that are not valid ICU, or use unknown arguments, stay in English. */
export function languageOf(tag: string, catalogue: Catalogue): Language {
  const own = new Map(
    Object.entries(catalogue).map(([english, { defaultMessage }]) => {
      const { numbered, names } = withNumbers(english);
      return [numbered, { defaultMessage, names }];
    }),
  );
  return translating(tag, (message) => {
    const { defaultMessage = '', names = [] } = own.get(message) ?? {};
    return defaultMessage ? { format: new IntlMessageFormat(defaultMessage, tag), names } : undefined;
  });
}

/** A quoted part, the start of an argument or of plural words, or a closing brace. */
const PART = /''|'[{}<>#]+(?:''[{}<>#]*)*'|\{(\w*)|\}/g;

/** A message with numbered arguments, the form in which {@link t} looks it up, and their names. */
export function withNumbers(message: string): { numbered: string; names: string[] } {
  const names: string[] = [];
  return { numbered: withArguments(message, (name) => String(names.push(name) - 1)), names };
}

/** A message with renamed arguments. Braces alternate between arguments and plural words. */
export function withArguments(message: string, renamed: (name: string) => string): string {
  let depth = 0;
  return message.replace(PART, (part, name?: string) => {
    if (part === '}') depth -= 1;
    if (name === undefined) return part;
    depth += 1;
    return depth % 2 === 1 ? `{${renamed(name)}` : part;
  });
}

/** {@link PSEUDO_LANGUAGE}, with words for every message. */
export const pseudoLanguage = (): Language =>
  translating(PSEUDO_LANGUAGE, (message) => {
    const elements = new IntlMessageFormat(message, 'en').getAst().map(accentedElement);
    return { format: new IntlMessageFormat([literal('['), ...elements, literal(']')], 'en'), names: [] };
  });

interface Translation {
  format: IntlMessageFormat;
  /** In the order of the English message; unnamed arguments have numbers. */
  names: readonly string[];
}

function translating(tag: string, read: (message: string) => Translation | undefined): Language {
  const translations = new Map<string, Translation | undefined>();
  const translationOf = (message: string) => {
    if (!translations.has(message)) {
      const translation = attempt(() => read(message));
      translations.set(message, translation);
    }
    return translations.get(message);
  };
  return {
    tag,
    translate: (message, values) => {
      const translation = translationOf(message);
      return translation && attempt(() => partsOf(translation, values));
    },
  };
}

function partsOf({ format, names }: Translation, values: readonly unknown[]): unknown[] {
  const named = Object.fromEntries(values.map((value, at) => [names[at] ?? at, value ?? '']));
  return format.formatToParts(named).map(({ value }) => value);
}

function attempt<Value>(work: () => Value): Value | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

type Element = ReturnType<IntlMessageFormat['getAst']>[number];

/** A text element (`TYPE.literal` of the parser, an enum of types). */
const literal = (value: string): Element => ({ type: 0, value });

function accentedElement(element: Element): Element {
  if (element.type === 0) return { ...element, value: accented(element.value) };
  if (!('options' in element)) return element;
  const options = Object.entries(element.options).map(([name, option]) => [
    name,
    { ...option, value: option.value.map(accentedElement) },
  ]);
  return { ...element, options: Object.fromEntries(options) } as Element;
}

const PLAIN = 'AaCcDdEeGgHhIiJjKkLlNnOoRrSsTtUuWwYyZz';
const ACCENTED = 'ÅåÇçÐðÉéĜĝĤĥÎîĴĵĶķĻļÑñÖöŔŕŠšŢţÛûŴŵÝýŽž';
const ACCENTS = new Map([...PLAIN].map((letter, at) => [letter, [...ACCENTED][at] ?? letter]));

/** A third longer, like German and Finnish: every third letter is doubled. */
function accented(text: string): string {
  return text.replace(/[A-Za-z]/g, (letter, at: number) =>
    (ACCENTS.get(letter) ?? letter).repeat(at % 3 === 2 ? 2 : 1),
  );
}

/** A BCP 47 tag with script and region: `de`, `pt-BR`, `zh-Hans`. */
export const LANGUAGE_TAG = /^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/;

/** A pseudo-language: accented, longer English in brackets, so that texts outside the catalogue stand out. */
export const PSEUDO_LANGUAGE = 'en-XA';
