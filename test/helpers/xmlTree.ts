import { JSDOM, type XmlNode } from 'jsdom';

export interface XmlElement {
  name: string;
  attributes: Record<string, string>;
  children: XmlElement[];
  /** Its own text, without its children's. */
  text: string;
}

/** Reads a document; throws if it is not well formed. */
export const xmlTree = (xml: string): XmlElement =>
  treeOf(new JSDOM(xml, { contentType: 'application/xml' }).window.document.documentElement);

const TEXT = 3;

const treeOf = (node: XmlNode): XmlElement => ({
  name: node.localName,
  attributes: Object.fromEntries([...node.attributes].map(({ name, value }) => [name, value])),
  children: [...node.children].map(treeOf),
  text: [...node.childNodes].map(({ nodeType, nodeValue }) => (nodeType === TEXT ? (nodeValue ?? '') : '')).join(''),
});

/** All descendants with this name, in document order. */
export const below = (element: XmlElement, name: string): XmlElement[] =>
  element.children.flatMap((child) => [...(child.name === name ? [child] : []), ...below(child, name)]);
