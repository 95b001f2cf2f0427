/**
 * A small part of XML, enough for hash lists of any program: elements, attributes, texts. A file is anybody's: it is gone through once, what
 * declares types or entities is refused, and how deep elements stand in each other is bounded.
 */

export interface XmlElement {
  /** Without its prefix. */
  name: string;
  attributes: Readonly<Record<string, string>>;
  children: readonly XmlElement[];
  text: string;
}

const MAX_DEPTH = 32;
/** Beginnings and ends: a list of 100,000 files has about a million. */
const MAX_TAGS = 3_000_000;

interface Open {
  name: string;
  tag: string;
  attributes: Record<string, string>;
  children: XmlElement[];
  text: string[];
}

/** The root element; undefined of what is no such XML. */
export function readXml(source: string): XmlElement | undefined {
  const top: Open = { name: '', tag: '', attributes: {}, children: [], text: [] };
  const stack: Open[] = [top];
  let at = source.charCodeAt(0) === 0xfeff ? 1 : 0;
  for (let tags = 0; at < source.length; tags += 1) {
    if (tags > MAX_TAGS) return undefined;
    const open = source.indexOf('<', at);
    const end = open < 0 ? source.length : open;
    (stack.at(-1) ?? top).text.push(textOf(source.slice(at, end)));
    if (open < 0) break;
    const next = takeTag(source, open, stack);
    if (next === undefined) return undefined;
    at = next;
  }
  const isWhole = stack.length === 1 && top.children.length === 1 && top.text.join('').trim() === '';
  return isWhole ? top.children[0] : undefined;
}

/** Takes what begins at `<`; returns where it ends, or undefined where it cannot be read. */
function takeTag(source: string, open: number, stack: Open[]): number | undefined {
  if (source.startsWith('<!--', open)) return behind(source, '-->', open + 4);
  if (source.startsWith('<?', open)) return behind(source, '?>', open + 2);
  // Types and entities of its own, and sections that are read otherwise.
  if (source.startsWith('<!', open)) return undefined;
  const close = behind(source, '>', open + 1);
  if (close === undefined) return undefined;
  const inner = source.slice(open + 1, close - 1);
  if (inner.startsWith('/')) return closeElement(stack, inner.slice(1).trim()) ? close : undefined;
  const isEmpty = inner.endsWith('/');
  const element = elementOf(isEmpty ? inner.slice(0, -1) : inner);
  if (!element || stack.length > MAX_DEPTH) return undefined;
  stack.push(element);
  return !isEmpty || closeElement(stack, element.tag) ? close : undefined;
}

function behind(source: string, mark: string, from: number): number | undefined {
  const found = source.indexOf(mark, from);
  return found < 0 ? undefined : found + mark.length;
}

function closeElement(stack: Open[], tag: string): boolean {
  const element = stack.pop();
  const parent = stack.at(-1);
  if (!element || !parent || element.tag !== tag) return false;
  const { name, attributes, children, text } = element;
  parent.children.push({ name, attributes, children, text: text.join('') });
  return true;
}

function elementOf(inner: string): Open | undefined {
  const space = firstSpace(inner);
  const tag = inner.slice(0, space);
  const attributes = attributesOf(inner.slice(space));
  if (tag === '' || !attributes) return undefined;
  return { name: tag.slice(tag.indexOf(':') + 1), tag, attributes, children: [], text: [] };
}

function firstSpace(text: string): number {
  for (let at = 0; at < text.length; at += 1) if (' \t\r\n'.includes(text[at] ?? '')) return at;
  return text.length;
}

function attributesOf(text: string): Record<string, string> | undefined {
  const found: Record<string, string> = {};
  let rest = text.trimStart();
  while (rest !== '') {
    const equals = rest.indexOf('=');
    const value = equals < 0 ? '' : rest.slice(equals + 1).trimStart();
    const quote = value[0];
    const end = quote === '"' || quote === "'" ? value.indexOf(quote, 1) : -1;
    if (end < 0) return undefined;
    found[rest.slice(0, equals).trim()] = textOf(value.slice(1, end));
    rest = value.slice(end + 1).trimStart();
  }
  return found;
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** What a reference stands for; one that is not known stays as it is written. */
function textOf(raw: string): string {
  if (!raw.includes('&')) return raw;
  return raw.replace(/&(#x?[0-9A-Fa-f]{1,6}|[a-z]{2,4});/g, (whole, name: string) => {
    if (!name.startsWith('#')) return NAMED[name] ?? whole;
    const code = name[1] === 'x' ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

export const childrenOf = (element: XmlElement | undefined, name: string): XmlElement[] =>
  element?.children.filter((child) => child.name === name) ?? [];

export const childOf = (element: XmlElement | undefined, name: string): XmlElement | undefined =>
  element?.children.find((child) => child.name === name);
