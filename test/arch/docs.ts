import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { root } from './tools.ts';

/** Statements of the documentation that can be checked against the tree. */

interface Node {
  type: string;
  children?: Node[];
  value?: string;
  url?: string;
  alt?: string | null;
  depth?: number;
}

/** Every node of a page, in reading order. */
function nodesOf(text: string): Node[] {
  const found: Node[] = [];
  const visit = (node: Node): void => {
    found.push(node);
    for (const child of node.children ?? []) visit(child);
  };
  visit(fromMarkdown(text) as Node);
  return found;
}

const plain = (node: Node): string => node.value ?? (node.children ?? []).map(plain).join('');

/** Words with a letter or a digit; a table's bars are none. */
export const wordsIn = (text: string): number => text.match(/\S*[\p{L}\p{N}]\S*/gu)?.length ?? 0;

export const spansIn = (text: string): string[] =>
  nodesOf(text).flatMap(({ type, value = '' }) => (type === 'inlineCode' ? [value] : []));

/** The scripts of package.json that a page names, in its text and in its commands. */
export const scriptsIn = (text: string): string[] =>
  [...text.matchAll(/npm run (?:-s )?([a-z][a-z:]{0,40})/g)].map(([, name = '']) => name);

export interface Picture {
  url: string;
  alt: string;
}

/** Pictures as Markdown writes them, and those of HTML. */
export const picturesIn = (text: string): Picture[] =>
  nodesOf(text).flatMap(({ type, url = '', alt, value = '' }) => {
    if (type === 'image') return [{ url, alt: alt ?? '' }];
    if (type !== 'html') return [];
    const attribute = (tag: string, name: string) => new RegExp(` ${name}="([^"]{0,300})"`).exec(tag)?.[1] ?? '';
    const tags = [...value.matchAll(/<img\b[^>]{0,1000}>/g)].map(([tag]) => tag);
    return tags.map((tag) => ({ url: attribute(tag, 'src'), alt: attribute(tag, 'alt') }));
  });

/** The targets inside the repository that a page links to or shows. */
export const linksIn = (text: string): string[] => {
  const links = nodesOf(text).flatMap(({ type, url = '' }) => (/^(?:link|definition)$/.test(type) ? [url] : []));
  return [...links, ...picturesIn(text).map(({ url }) => url)].filter((url) => !/^[a-z]+:/.test(url));
};

/** The anchors that GitHub makes of the headings of a page. */
export function anchorsIn(text: string): Set<string> {
  const anchors = new Set<string>();
  for (const heading of nodesOf(text).filter(({ type }) => type === 'heading')) {
    const slug = plain(heading)
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-');
    let anchor = slug;
    for (let again = 1; anchors.has(anchor); again += 1) anchor = `${slug}-${again}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** Where a link of a page leads: a path from the root, and an anchor there. */
export function targetOf(page: string, link: string): { path: string; anchor: string | undefined } {
  const [to = '', anchor] = decodeURI(link).split('#');
  return { path: to === '' ? page : posix.normalize(posix.join(posix.dirname(page), to)), anchor };
}

export const readPage = (page: string): string => readFileSync(join(root, page), 'utf8');

/** The links of a page that lead nowhere. */
export function brokenLinksIn(page: string, text: string): string[] {
  return linksIn(text).filter((link) => {
    const { path, anchor } = targetOf(page, link);
    if (path.startsWith('../') || !existsSync(join(root, path))) return true;
    return (
      anchor !== undefined && path.endsWith('.md') && !anchorsIn(path === page ? text : readPage(path)).has(anchor)
    );
  });
}

/** The entries of each release of a changelog, by its heading. */
export function releasesIn(text: string): Map<string, string[]> {
  const releases = new Map<string, string[]>();
  let release = '';
  for (const node of nodesOf(text)) {
    if (node.type === 'heading' && node.depth === 2) release = plain(node);
    if (node.type === 'listItem') releases.set(release, [...(releases.get(release) ?? []), plain(node)]);
  }
  return releases;
}
