import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withArguments, withNumbers } from '../../src/shared/text/language.ts';
import { type Counted, counted, inflected, messageId } from '../../src/shared/text/texts.ts';
import { inSource, type Node, placeOf, syntaxOf, walk } from './source.ts';
import { root } from './tools.ts';

/** Collects the program's texts from its source, and finds texts that would stay English in every language. */

interface Syntax extends Node {
  tag?: Syntax;
  quasi?: Syntax;
  quasis?: { value: { cooked: string } }[];
  expressions?: Syntax[];
  callee?: Syntax;
  arguments?: Syntax[];
  expression?: Syntax;
  name?: string | Syntax;
  key?: Syntax;
  value?: unknown;
  openingElement?: Syntax;
  children?: Syntax[];
  argument?: Syntax;
  consequent?: Syntax;
  alternate?: Syntax;
  object?: Syntax;
  property?: Syntax;
  operator?: string;
  left?: Syntax;
  right?: Syntax;
}

const LANGUAGE_TAGS = new Set(['t', 'rich']);
const WORD_FORMS = { counted, inflected, plural: counted };
type WordForm = keyof typeof WORD_FORMS;

/** Selectors and style values. */
const IS_CODE = /\[[a-z-]+(=[^\]]*)?\]|\burl\(/;

const LOCALES = join(root, 'resources/locales');

interface Message {
  /** In the form of ICU with named arguments: the id and the English of the catalogue. */
  id: string;
  /** The same with numbered arguments, as the program asks for it. */
  numbered: string;
}

interface Collected {
  messages: Message[];
  /** Texts that cannot be collected: `src/…ts:12: why`. */
  faults: string[];
}

export function messagesIn(file: string, text: string): Collected {
  const found: Collected = { messages: [], faults: [] };
  const inSentence = new Set<Syntax>();
  const compared = new Set<Syntax>();
  const fault = (node: Node, why: string) => found.faults.push(`${placeOf(file, text, node)}: ${why}`);
  walk(syntaxOf(file, text), (each) => {
    const node = each as Syntax;
    if (node.type === 'TaggedTemplateExpression' && nameOf(node.tag) === 'en') {
      for (const value of node.quasi?.expressions ?? []) inSentence.add(value);
    } else if (file.startsWith('src/main/') && node.type === 'CallExpression' && nameOf(node.callee) === 'fail') {
      walk(node.arguments, (part) => {
        if (nameOf((part as Syntax).tag) === 't') fault(part, 'the error of a call is en`…`');
      });
    } else if (node.type === 'TaggedTemplateExpression' && LANGUAGE_TAGS.has(nameOf(node.tag))) {
      const { quasis = [], expressions = [] } = node.quasi ?? {};
      const values = expressions.map((value) => {
        if (!isCallOf(value, 'counted', 'inflected')) return undefined;
        inSentence.add(value);
        return wordForm(value);
      });
      if (values.includes('not literal')) return fault(node, 'the words of a number are literals');
      const texts = quasis.map(({ value }) => value.cooked);
      const numbered = messageId(texts, values);
      if (IS_CODE.test(numbered) || compared.has(node)) return fault(node, 'it is read by the program');
      found.messages.push({ id: messageId(texts, values, argumentNames(expressions)), numbered });
    } else if (node.type === 'BinaryExpression' && /^[!=]==?$/.test(node.operator ?? '')) {
      for (const side of [node.left, node.right]) if (side) compared.add(side);
    } else if (isCallOf(node, 'plural')) {
      const form = wordForm(node);
      if (form === 'not literal') fault(node, 'the words of a number are literals');
      else found.messages.push({ id: messageId(['', ''], [form], ['count']), numbered: messageId(['', ''], [form]) });
    } else if (imports(text) && isCallOf(node, 'counted', 'inflected') && !inSentence.has(node)) {
      fault(node, 'it stands in no text');
    }
  });
  return found;
}

/** The word form of a {@link Counted} call in a message, without its number. */
function wordForm({ callee, arguments: [, ...words] = [] }: Syntax): Counted | 'not literal' {
  const texts = words.map(({ type, value }) => (type === 'Literal' && typeof value === 'string' ? value : undefined));
  const [one, many] = texts;
  if (one === undefined || texts.includes(undefined)) return 'not literal';
  return WORD_FORMS[nameOf(callee) as WordForm](0, one, many ?? `${one}s`);
}

/** Other modules have functions with these names. */
const imports = (text: string): boolean => /(counted|inflected)[^;]*texts\.ts'/.test(text);
const nameOf = (node: Syntax | undefined): string => (node?.type === 'Identifier' ? String(node.name) : '');
const isCallOf = (node: Syntax, ...names: WordForm[]): boolean =>
  node.type === 'CallExpression' && (names as string[]).includes(nameOf(node.callee));

/** Names of the values of a text by what the source calls them; a name that is there already gets a number. */
function argumentNames(expressions: readonly Syntax[]): string[] {
  const names: string[] = [];
  for (const name of expressions.map(argumentName)) {
    const taken = names.filter((other) => other.replace(/\d+$/, '') === name).length;
    names.push(taken === 0 ? name : `${name}${taken + 1}`);
  }
  return names;
}

/** `counted(shots.length, …)` and `<b>{formatTime(job.startedAt)}</b>` are named by the value that is in them. */
function argumentName(value: Syntax | undefined): string {
  switch (value?.type) {
    case 'Identifier':
      return String(value.name);
    case 'MemberExpression':
      return memberName(value);
    case 'JSXElement':
      return elementName(value);
    default:
      return nameWithin(value ?? {}) ?? 'value';
  }
}

/** The first part of an expression that has a name. */
function nameWithin(value: Partial<Syntax>): string | undefined {
  const {
    callee,
    arguments: given = [],
    expressions = [],
    expression,
    argument,
    left,
    right,
    consequent,
    alternate,
  } = value;
  const parts = [...given, ...expressions, expression, argument, left, right, consequent, alternate, callee];
  return parts.flatMap((part) => (part ? [argumentName(part)] : [])).find((name) => name !== 'value');
}

function memberName({ object, property }: Syntax): string {
  if (property?.type !== 'Identifier') return argumentName(object);
  return property.name === 'length' ? `${argumentName(object)}Count` : String(property.name);
}

function elementName({ openingElement, children = [] }: Syntax): string {
  const inner = children.find(({ type }) => type === 'JSXExpressionContainer' || type === 'JSXElement');
  const name = String((openingElement?.name as Syntax | undefined)?.name ?? 'value');
  return inner ? argumentName(inner) : `${name[0]?.toLowerCase()}${name.slice(1)}`;
}

/** A part of the program, for translators: `Page: storyboard`, `Engine: ledger`. */
function partOf(file: string): string {
  const [, page, engine] = /^src\/(?:renderer\/features\/([^/]+)|main\/core\/([^/.]+)\/)/.exec(file) ?? [];
  if (page !== undefined) return `Page: ${page}`;
  return engine === undefined ? 'Program' : `Engine: ${engine}`;
}

interface Entry {
  defaultMessage: string;
  description: string;
}
export type Catalogue = Record<string, Entry>;

/** Every message of the program once, in alphabetical order. The first file names the arguments. */
export function textsOfSource(): { catalogue: Catalogue; faults: string[] } {
  // The texts module itself has the plural that takes any noun.
  const all = inSource(
    (file, text) => ({ part: partOf(file), ...messagesIn(file, text) }),
    (file) => file !== 'src/shared/text/texts.ts',
  );
  const found = new Map<string, { id: string; parts: Set<string> }>();
  for (const { part, messages } of all) {
    for (const { id, numbered } of messages) {
      const known = found.get(numbered) ?? { id, parts: new Set() };
      known.parts.add(part);
      found.set(numbered, known);
    }
  }
  const entries = [...found.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  const catalogue = Object.fromEntries(
    entries.map(({ id, parts }) => [id, { defaultMessage: id, description: [...parts].sort().join(', ') }]),
  );
  return { catalogue, faults: all.flatMap(({ faults }) => faults) };
}

export const catalogueFile = (catalogue: object): string => `${JSON.stringify(catalogue, null, 2)}\n`;

const pathOf = (tag: string): string => join(LOCALES, `${tag}.json`);
export const knownCatalogue = (tag: string): string => readFileSync(pathOf(tag), 'utf8');
export const writeCatalogue = (tag: string, catalogue: string): void => writeFileSync(pathOf(tag), catalogue);

/** The languages besides English, by their tags. */
export const languages = (): string[] =>
  readdirSync(LOCALES)
    .map((file) => file.replace('.json', ''))
    .filter((tag) => tag !== 'en');

/** A language's translations of these messages, with their present argument names. */
export function translationsOf(
  tag: string,
  messages: readonly string[],
): Record<string, Pick<Entry, 'defaultMessage'>> {
  const known = Object.entries(JSON.parse(knownCatalogue(tag)) as Catalogue).map(([english, { defaultMessage }]) => {
    const { numbered, names } = withNumbers(english);
    return [numbered, { defaultMessage, names }] as const;
  });
  const byNumbers = new Map(known);
  return Object.fromEntries(
    messages.flatMap((english) => {
      const { numbered, names } = withNumbers(english);
      const own = byNumbers.get(numbered);
      const renamed = (name: string) => names[own?.names.indexOf(name) ?? -1] ?? name;
      return own ? [[english, { defaultMessage: withArguments(own.defaultMessage, renamed) }]] : [];
    }),
  );
}

/** Attributes that are shown or read out. */
const READ = new Set([
  'aria-label',
  'aria-description',
  'aria-valuetext',
  'title',
  'label',
  'placeholder',
  'alt',
  'hint',
]);
/** Keys and code, which are not translated. */
const TYPED = new Set(['Kbd', 'kbd', 'code']);
const hasWords = (text: unknown): boolean => typeof text === 'string' && /\p{L}{2}/u.test(text);
const isSentence = (text: string): boolean =>
  /^\p{Lu}\p{Ll}*[ ,].*\p{Ll}/u.test(text) || /\p{Ll} .*[.?!…]$/u.test(text);

/** Texts of a page outside the catalogue: `src/…tsx:12: the words`. */
export function englishIn(file: string, text: string): string[] {
  const found: string[] = [];
  const allowed = new Set<unknown>();
  const say = (node: Node) => found.push(`${placeOf(file, text, node)}: ${text.slice(node.start, node.end).trim()}`);
  walk(syntaxOf(file, text), (each) => {
    const node = each as Syntax;
    if (allowed.has(node)) return;
    const isTyped = node.type === 'JSXElement' && TYPED.has(String((node.openingElement?.name as Syntax)?.name));
    const isForDevelopers =
      node.type === 'ThrowStatement' || (node.type === 'NewExpression' && /Error$/.test(nameOf(node.callee)));
    if (isTyped || isForDevelopers || node.type === 'TaggedTemplateExpression') {
      const inner = node.type === 'TaggedTemplateExpression' ? node.quasi : undefined;
      if (inner) allowed.add(inner);
      else walk(node, (below) => allowed.add(below));
      return;
    }
    if (isEnglish(node)) say(node);
  });
  return found;
}

function isEnglish(node: Syntax): boolean {
  switch (node.type) {
    case 'JSXText':
      return hasWords(node.value);
    case 'JSXAttribute': {
      const { type, value } = (node.value ?? {}) as Syntax;
      return READ.has(String((node.name as Syntax).name)) && type === 'Literal' && hasWords(value);
    }
    case 'Literal':
      return typeof node.value === 'string' && isSentence(node.value);
    case 'TemplateLiteral':
      return isSentence((node.quasis ?? []).map(({ value }) => value.cooked).join('0'));
    default:
      return false;
  }
}

const isOfPages = (file: string) => file.startsWith('src/renderer/') && !file.startsWith('src/renderer/testing/');
export const englishOfPages = (): string[] => inSource(englishIn, isOfPages).flat();
