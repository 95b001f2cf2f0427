import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from './tools.ts';

/** What the pages for engineers say about the tree is true: a path that was renamed is red here. */
const PAGES = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'src/main/core/gateway/README.md',
  'src/main/sandbox/README.md',
];
const TOP = /^(src|test|resources)\//;
/** Stands for any name in the instructions. */
const PLACEHOLDER = /NAME|NNNN/;

const spansOf = (text: string): string[] => [...text.matchAll(/`([^`\n]{1,200})`/g)].map(([, span = '']) => span);
const linksOf = (text: string): string[] =>
  [...text.matchAll(/\]\(([^)\s]{1,200})\)/g)].map(([, to = '']) => to).filter((to) => !to.includes(':'));

describe.each(PAGES)('%s', (page) => {
  const text = readFileSync(join(root, page), 'utf8');

  it('names only paths that exist', () => {
    const paths = spansOf(text).filter((span) => TOP.test(span) && !PLACEHOLDER.test(span));
    const links = linksOf(text).map((to) => join(dirname(page), to));
    expect([...paths, ...links].filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it('names only commands that exist', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object };
    const named = [...text.matchAll(/npm run ([a-z:]{1,40})/g)].map(([, name = '']) => name);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });
});

it('registers a kind in the places that the kind of the tests is registered in', () => {
  const page = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
  const [, section = ''] = page.split('### a kind of generation');
  const named = spansOf(section.split('###')[0] ?? '').filter((span) => /(registry|index)\.ts$/.test(span));
  const speech = join(root, 'test/kinds/speech');
  const registering = readdirSync(speech)
    .map((file) => readFileSync(join(speech, file), 'utf8'))
    .flatMap((source) => [...source.matchAll(/=> register([A-Z][a-z]+)[<(]/g)].map(([, what]) => what));
  expect(registering.sort()).toEqual(['Driver', 'Kind']);
  expect(named).toEqual(['src/shared/kinds/registry.ts', 'src/main/core/jobs/kinds/index.ts']);
});

describe('what the comments refer to', () => {
  const sources = ['src', 'test'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(tsx?|mjs)$/.test(file))
      .map((file) => [join(folder, file), readFileSync(join(root, folder, file), 'utf8')] as const),
  );
  const referringTo = (reference: RegExp) => sources.flatMap(([file, text]) => (reference.test(text) ? [file] : []));

  it('is in the tree', () => {
    expect(sources.length).toBeGreaterThan(100);
    expect(referringTo(/\b(?:DESIGN|WIRE|CONTRACT|STACK) "/)).toEqual([]);
  });

  it('is a heading of ARCHITECTURE.md', () => {
    const page = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
    const headings = new Set([...page.matchAll(/^#+ (.{1,200})$/gm)].map(([, heading]) => heading));
    const named = sources.flatMap(([, text]) =>
      [...text.matchAll(/\bARCHITECTURE "([^"\n]{1,200})"/g)].map(([, name]) => name),
    );
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((name) => !headings.has(name))).toEqual([]);
  });
});
