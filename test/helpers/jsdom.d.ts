/** Types for jsdom's XML parser, which has none. */
declare module 'jsdom' {
  export interface XmlNode {
    readonly localName: string;
    readonly nodeType: number;
    readonly nodeValue: string | null;
    readonly childNodes: Iterable<XmlNode>;
    readonly children: Iterable<XmlNode>;
    readonly attributes: Iterable<{ name: string; value: string }>;
  }
  export class JSDOM {
    constructor(text: string, options: { contentType: 'application/xml' });
    readonly window: { document: { documentElement: XmlNode } };
  }
}
