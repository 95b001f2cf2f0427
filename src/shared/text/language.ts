import { IntlMessageFormat } from 'intl-messageformat';
import type { Language } from './texts.ts';

/** The messages of a language by their English, both in the form of ICU: a file of `resources/locales`. */
export type Catalogue = Readonly<Record<string, string>>;

/** The language of a catalogue. A message that is no ICU, or asks for a value that there is not, is left in English. */
export function languageOf(tag: string, catalogue: Catalogue): Language {
  const own = new Map(Object.entries(catalogue));
  return translating(tag, (message) => {
    const translation = own.get(message);
    return translation ? new IntlMessageFormat(translation, tag) : undefined;
  });
}

/** {@link PSEUDO_LANGUAGE}: it has words for every message. */
export const pseudoLanguage = (): Language =>
  translating(PSEUDO_LANGUAGE, (message) => {
    const elements = new IntlMessageFormat(message, 'en').getAst().map(accentedElement);
    return new IntlMessageFormat([literal('['), ...elements, literal(']')], 'en');
  });

function translating(tag: string, read: (message: string) => IntlMessageFormat | undefined): Language {
  const formats = new Map<string, IntlMessageFormat | undefined>();
  const formatOf = (message: string) => {
    if (!formats.has(message))
      formats.set(
        message,
        attempt(() => read(message)),
      );
    return formats.get(message);
  };
  return {
    tag,
    translate: (message, values) => {
      const format = formatOf(message);
      return format && attempt(() => partsOf(format, values));
    },
  };
}

function partsOf(format: IntlMessageFormat, values: Readonly<Record<string, unknown>>): unknown[] {
  const present = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value ?? '']));
  return format.formatToParts(present).map(({ value }) => value);
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
