import type en from '../../resources/locales/en.json';
import { formatCount } from '../../src/shared/text/texts.ts';

/** A text with values is a function of them: `keepTake(2)`. */
type Label<Message extends string> = Message extends `${string}{${string}`
  ? (...values: (string | number)[]) => string
  : string;

const VALUE = /\{\w+(?:, plural, one \{([^}]*)\} other \{([^}]*)\})?\}/g;

/** What satisfies it names texts of the catalogue: one that left it is a type error where it is named, and nowhere else. */
export type Texts = Record<string, keyof typeof en>;

/** Labels by a short name. */
export function catalogue<const Labels extends Record<string, string>>(
  labels: Labels,
): { [Name in keyof Labels]: Label<Labels[Name]> } {
  const entries = Object.entries(labels).map(([name, message]) => [name, labelOf(message)]);
  return Object.fromEntries(entries) as { [Name in keyof Labels]: Label<Labels[Name]> };
}

function labelOf(message: string): string | ((...values: (string | number)[]) => string) {
  const plain = message.replaceAll("''", "'");
  if (!message.includes('{')) return plain;
  return (...values) => {
    let at = 0;
    return plain.replace(VALUE, (_, one?: string, other?: string) => {
      const value = values[at++] ?? '';
      if (typeof value === 'string' || one === undefined) return String(value);
      return ((value === 1 ? one : other) ?? '').replace('#', formatCount(value));
    });
  };
}
