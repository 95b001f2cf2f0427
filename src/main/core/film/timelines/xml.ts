/** A small tree that is written as XML 1.0: every name is ours, every value may be anybody's. */
export interface Element {
  name: string;
  attributes: Readonly<Record<string, string>>;
  content: readonly Element[] | string;
}

export const element = (
  name: string,
  attributes: Readonly<Record<string, string>>,
  content: readonly Element[] | string = [],
): Element => ({ name, attributes, content });

export const xmlDocument = (doctype: string, root: Element): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${doctype}\n\n${written(root, '')}\n`;

function written({ name, attributes, content }: Element, indent: string): string {
  const list = Object.entries(attributes).map(([key, value]) => ` ${key}="${attributeText(value)}"`);
  const start = `${indent}<${name}${list.join('')}`;
  if (typeof content === 'string') return `${start}>${plainText(content)}</${name}>`;
  if (content.length === 0) return `${start}/>`;
  const inside = content.map((child) => written(child, `${indent}    `));
  return [`${start}>`, ...inside, `${indent}</${name}>`].join('\n');
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Without the characters that XML 1.0 cannot hold, escaped or not (XML 1.0, 2.2). */
const plainText = (text: string): string =>
  text.replace(/[^\t\n\r\P{Cc}]|[\p{Cs}\ufffe\uffff]/gu, '').replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign);

/** A parser turns line ends and tabs of an attribute into spaces unless they are written as references (XML 1.0, 3.3.3). */
const attributeText = (text: string): string =>
  plainText(text).replace(/[\t\n\r]/g, (sign) => `&#${sign.charCodeAt(0)};`);
