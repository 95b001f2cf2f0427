import { IntlMessageFormat } from 'intl-messageformat';
import type { Language } from './texts.ts';

/**
 * A file of `resources/locales`, in the form of FormatJS: by the English message, in the form of ICU with named arguments, the message of the
 * language with the same arguments.
 */
export type Catalogue = Readonly<Record<string, { readonly defaultMessage: string }>>;

/** The language of a catalogue. A message that is no ICU, or asks for a value that there is not, is left in English. */
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

/** What is quoted, an argument or the words of a plural, and where those end. */
const PART = /''|'[{}<>#]+(?:''[{}<>#]*)*'|\{(\w*)|\}/g;

/** A message with the numbers of its arguments, as {@link t} asks for it, and their names. */
export function withNumbers(message: string): { numbered: string; names: string[] } {
  const names: string[] = [];
  return { numbered: withArguments(message, (name) => String(names.push(name) - 1)), names };
}

/** A message with other names of its arguments. Its braces are by turns those of an argument and those of the words of a plural. */
export function withArguments(message: string, renamed: (name: string) => string): string {
  let depth = 0;
  return message.replace(PART, (part, name?: string) => {
    if (part === '}') depth -= 1;
    if (name === undefined) return part;
    depth += 1;
    return depth % 2 === 1 ? `{${renamed(name)}` : part;
  });
}

/** {@link PSEUDO_LANGUAGE}: it has words for every message. */
export const pseudoLanguage = (): Language =>
  translating(PSEUDO_LANGUAGE, (message) => {
    const elements = new IntlMessageFormat(message, 'en').getAst().map(accentedElement);
    return { format: new IntlMessageFormat([literal('['), ...elements, literal(']')], 'en'), names: [] };
  });

interface Translation {
  format: IntlMessageFormat;
  /** Of its arguments, in the order of the English message; an argument without one has its number. */
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

/** An element of a message that is text (`TYPE.literal` of the parser, which is an enumeration of types). */
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

/** A third longer, as German and Finnish are: each third letter stands twice. */
function accented(text: string): string {
  return text.replace(/[A-Za-z]/g, (letter, at: number) =>
    (ACCENTS.get(letter) ?? letter).repeat(at % 3 === 2 ? 2 : 1),
  );
}

/** A BCP 47 tag of a language, with its script and its region: `de`, `pt-BR`, `zh-Hans`. */
export const LANGUAGE_TAG = /^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/;

/** A language made for trying, as other programs name it: English with accents, longer, in brackets, so that what is not in the catalogue is seen. */
export const PSEUDO_LANGUAGE = 'en-XA';
