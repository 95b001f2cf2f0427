import { allPricings, KINDS } from '../../src/shared/kinds/index.ts';
import { inSource, type Node, placeOf, syntaxOf, walk } from './source.ts';

/**
 * Code that uses a kind's name: compares it, lists it, has a table by it, or names it in SQL. Properties of a kind belong to the kind
 * (`shared/kinds`, `core/jobs/kinds`), so that a further one is complete or does not compile. Building a request of one kind is allowed.
 */

const JOB_KINDS: ReadonlySet<unknown> = new Set(Object.keys(KINDS));
const ALL_NAMES: ReadonlySet<unknown> = new Set([...JOB_KINDS, ...allPricings().map(({ name }) => name)]);

/** Where names are allowed: the kinds themselves, both sides of the wire, and old versions of the database. */
const MAY_NAME =
  /\/kinds\/|^src\/shared\/wire\/|^src\/main\/core\/gateway\/|^src\/main\/sandbox\/|^src\/main\/core\/store\/migrations\//;

interface Syntax extends Node {
  operator?: string;
  left?: Syntax;
  right?: Syntax;
  discriminant?: Syntax;
  cases?: { test: Syntax | null }[];
  elements?: (Syntax | null)[];
  properties?: { key?: Syntax }[];
  property?: Syntax;
  expression?: Syntax;
  typeAnnotation?: Syntax;
  types?: Syntax[];
  literal?: Syntax;
  key?: Syntax;
  id?: Syntax;
  name?: string;
  value?: unknown;
}

/** `job.kind`, `kind`, `priceKind`, with `?.` and `as` seen through. */
function isKind(node: Syntax | undefined): boolean {
  if (!node) return false;
  if (node.type === 'Identifier') return /kind$/i.test(node.name ?? '');
  if (node.type === 'MemberExpression') return isKind(node.property);
  return node.expression ? isKind(node.expression) : false;
}

const isName = (node: Syntax | null | undefined, names: ReadonlySet<unknown>): boolean =>
  node?.type === 'Literal' && names.has(node.value);

const keyOf = ({ key }: { key?: Syntax }): unknown => key?.name ?? key?.value;

function asksForName(node: Syntax): boolean {
  switch (node.type) {
    case 'BinaryExpression':
      return (
        /^[!=]==?$/.test(node.operator ?? '') &&
        ((isKind(node.left) && isName(node.right, ALL_NAMES)) || (isKind(node.right) && isName(node.left, ALL_NAMES)))
      );
    case 'SwitchStatement':
      return isKind(node.discriminant) && (node.cases ?? []).some(({ test }) => isName(test, ALL_NAMES));
    case 'ArrayExpression': {
      const elements = node.elements ?? [];
      return elements.length > 1 && elements.every((element) => isName(element, JOB_KINDS));
    }
    case 'Property': {
      const list = node.value as Syntax | undefined;
      return (
        /kinds$/i.test(String(keyOf(node))) &&
        list?.type === 'ArrayExpression' &&
        (list.elements ?? []).some((element) => isName(element, ALL_NAMES))
      );
    }
    case 'ObjectExpression':
      return (node.properties ?? []).filter((property) => ALL_NAMES.has(keyOf(property))).length > 2;
    case 'TSPropertySignature':
      return /kind$/i.test(String(keyOf(node))) && isUnionOfNames(node.typeAnnotation?.typeAnnotation);
    case 'TSTypeAliasDeclaration':
      return /kind$/i.test(node.id?.name ?? '') && isUnionOfNames(node.typeAnnotation);
    default:
      return false;
  }
}

const isUnionOfNames = (type: Syntax | undefined): boolean =>
  (type?.types ?? []).filter(({ literal }) => isName(literal, JOB_KINDS)).length > 1;

const IN_SQL = new RegExp(`\\bkind\\s*(?:=|<>|!=|\\bIN\\s*\\()\\s*'(?:${[...JOB_KINDS].join('|')})'`, 'i');

/** `src/…ts:12: source text`, for each place of one file. */
export function namedKindsIn(file: string, text: string): string[] {
  if (MAY_NAME.test(file)) return [];
  const found: string[] = [];
  walk(syntaxOf(file, text), (node) => {
    const source = text.slice(node.start, node.end);
    const isText = node.type === 'TemplateLiteral' || (node.type === 'Literal' && /^['"]/.test(source));
    if (!asksForName(node as Syntax) && !(isText && IN_SQL.test(source))) return;
    found.push(`${placeOf(file, text, node)}: ${source.split('\n', 1)[0]?.slice(0, 100)}`);
  });
  return found;
}

export const namedKinds = (): string[] => inSource(namedKindsIn).flat();
