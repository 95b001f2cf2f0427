/** The part of jsdom that reads XML; it comes without types. */
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
