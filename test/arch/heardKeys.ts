import { posix } from 'node:path';
import { parseSync } from 'oxc-parser';
import { type Node, walk } from './source.ts';

/** Where the actions of the keyboard have handlers, as the source says it: in the components of a place, and in all that they use. */

interface Syntax extends Node {
  name?: string | Syntax;
  id?: Syntax;
  init?: Syntax;
  declaration?: Syntax;
  declarations?: Syntax[];
  source?: { value: string };
  specifiers?: Syntax[];
  local?: Syntax;
  imported?: Syntax;
  exported?: Syntax;
  callee?: Syntax;
  arguments?: Syntax[];
  attributes?: Syntax[];
  computed?: boolean;
  value?: unknown;
}

/** An element that is made: its component, a property, and the strings that stand in its value. */
interface Given {
  component: string;
  /** None for properties that are spread. */
  property: string;
  strings: string[];
}

/** A function, a component or a constant of a module. */
interface Declaration {
  /** `src/renderer/features/queue/PauseAll.tsx#PauseAll` */
  key: string;
  isConstant: boolean;
  /** What it names, of its module or of another. */
  names: Set<string>;
  /** Actions that it handles itself. */
  heard: string[];
  /** Properties with actions that it handles. */
  takes: Set<string>;
  given: Given[];
  strings: string[];
}

interface Module {
  declared: Map<string, Declaration>;
  /** What a name means that is another module's: `file#name`. */
  from: Map<string, string>;
}

const nameOf = (node: Syntax | undefined): string =>
  typeof node?.name === 'string' ? node.name : typeof node?.value === 'string' ? node.value : '';

/** Types run nothing. */
const TYPES = new Set(['typeAnnotation', 'typeArguments', 'typeParameters', 'returnType']);

/** Names of properties are not names of anything in the module. */
const isProperty = ({ type, computed }: Syntax, part: string): boolean =>
  !computed && part === (type === 'MemberExpression' ? 'property' : 'key');

function addNames(value: unknown, found: Set<string>): void {
  if (typeof value !== 'object' || value === null) return;
  const node = value as Syntax;
  if (node.type === 'Identifier' || node.type === 'JSXIdentifier') found.add(nameOf(node));
  for (const [part, inner] of Object.entries(node))
    if (!TYPES.has(part) && !isProperty(node, part)) addNames(inner, found);
}

function stringsIn(value: unknown): string[] {
  const found: string[] = [];
  walk(value, ({ type, value: text }: Syntax) => {
    if (type === 'Literal' && typeof text === 'string') found.push(text);
  });
  return found;
}

/** They take an action first, and handle its key. */
const HEARS = new Set(['useShortcut', 'useSpendKey']);

function declarationOf(key: string, syntax: Syntax, isConstant: boolean): Declaration {
  const found: Declaration = { key, isConstant, names: new Set(), heard: [], takes: new Set(), given: [], strings: [] };
  addNames(syntax, found.names);
  found.strings = stringsIn(syntax);
  walk(syntax, (each) => {
    const { type, callee, arguments: [action] = [], name, attributes = [] } = each as Syntax;
    if (type === 'CallExpression' && HEARS.has(nameOf(callee))) {
      found.heard.push(...stringsIn(action));
      if (action?.type === 'Identifier') found.takes.add(nameOf(action));
    }
    if (type !== 'JSXOpeningElement') return;
    const component = nameOf(name as Syntax);
    for (const { name: property, value } of attributes)
      found.given.push({ component, property: nameOf(property as Syntax), strings: stringsIn(value) });
  });
  return found;
}

const isFunction = (node: Syntax | undefined): boolean => /Function/.test(node?.type ?? '');

function moduleOf(file: string, text: string): Module {
  const read: Module = { declared: new Map(), from: new Map() };
  const declare = (node: Syntax, isConstant: boolean) =>
    read.declared.set(nameOf(node.id), declarationOf(`${file}#${nameOf(node.id)}`, node, isConstant));
  for (const statement of parseSync(file, text).program.body as unknown as Syntax[]) {
    const { type, source, specifiers = [] } = statement;
    const path = source && posix.join(posix.dirname(file), source.value);
    for (const { imported, local, exported } of path === undefined ? [] : specifiers)
      read.from.set(nameOf(exported ?? local), `${path}#${nameOf(type === 'ImportDeclaration' ? imported : local)}`);
    const node = statement.declaration ?? statement;
    if (isFunction(node)) declare(node, false);
    for (const one of node.declarations ?? []) declare(one, !isFunction(one.init));
  }
  return read;
}

const fileOf = ({ key }: Declaration): string => key.slice(0, key.indexOf('#'));

export class HeardKeys {
  readonly #modules: ReadonlyMap<string, Module>;

  /** `sources`: the text of each file. */
  constructor(sources: readonly (readonly [file: string, text: string])[]) {
    this.#modules = new Map(sources.map(([file, text]) => [file, moduleOf(file, text)]));
  }

  /** What is heard where these components are shown. What is `apart` is not shown with them, though they name it. */
  heardFrom(components: readonly string[], apart: ReadonlySet<string>): { ids: Set<string>; reached: Set<string> } {
    const waiting = components.map((component) => this.#componentOf(component));
    const ids = new Set<string>();
    const reached = new Set<string>();
    for (const declaration of waiting) {
      if (reached.has(declaration.key)) continue;
      reached.add(declaration.key);
      for (const id of this.#idsOf(declaration)) ids.add(id);
      waiting.push(...this.#usedBy(declaration).filter(({ key }) => !apart.has(key)));
    }
    return { ids, reached };
  }

  /** Every component and hook with a handler of a key. */
  hearing(): string[] {
    const all = [...this.#modules.values()].flatMap(({ declared }) => [...declared.values()]);
    return all.filter(({ heard, takes }) => heard.length > 0 || takes.size > 0).map(({ key }) => key);
  }

  #componentOf(component: string): Declaration {
    const [file = '', name = ''] = component.split('#');
    const found = this.#meant(file, name);
    if (!found) throw new Error(`${component} is not in the source.`);
    return found;
  }

  /** What a name means, through what only hands it on. */
  #meant(file: string, name: string): Declaration | undefined {
    const own = this.#modules.get(file);
    const [path = '', there = ''] = own?.from.get(name)?.split('#') ?? [];
    return own?.declared.get(name) ?? (path === '' ? undefined : this.#meant(path, there));
  }

  #usedBy(declaration: Declaration): Declaration[] {
    const meant = [...declaration.names].map((name) => this.#meant(fileOf(declaration), name));
    return meant.filter((one) => one !== undefined && one !== declaration) as Declaration[];
  }

  /** The actions that it hears itself, or gives to a component that does: as they stand there, or in a constant that it uses. */
  #idsOf(declaration: Declaration): string[] {
    const handed = declaration.given.flatMap(({ component, property, strings }) => {
      const takes = this.#meant(fileOf(declaration), component)?.takes;
      if (!takes || (property === '' ? takes.size === 0 : !takes.has(property))) return [];
      if (strings.length > 0) return strings;
      return this.#usedBy(declaration).flatMap((used) => (used.isConstant ? used.strings : []));
    });
    return [...declaration.heard, ...handed];
  }
}
