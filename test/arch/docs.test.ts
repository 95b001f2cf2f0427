import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import {
  anchorsIn,
  brokenLinksIn,
  linksIn,
  picturesIn,
  readPage,
  releasesIn,
  scriptsIn,
  spansIn,
  targetOf,
  wordsIn,
} from './docs.ts';
import { root } from './tools.ts';

/** The documentation is short, and its paths exist. */
const filesIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(
    (file) => `${folder}/${file.replaceAll('\\', '/')}`,
  );

const DOCS = filesIn('docs').filter((file) => file.endsWith('.md'));
const PAGES = [
  ...['README.md', 'CHANGELOG.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CODE_OF_CONDUCT.md'],
  ...['src/main/core/gateway/README.md', 'src/main/sandbox/README.md', 'test/README.md', 'test/fixtures/README.md'],
  ...DOCS,
];
const MOST_WORDS: Record<string, number> = {
  'README.md': 1_000,
  'ARCHITECTURE.md': 1_500,
  'CONTRIBUTING.md': 700,
  'SECURITY.md': 400,
  'test/README.md': 400,
};
const mostWords = (page: string): number =>
  MOST_WORDS[page] ?? (/^docs\/decisions\/\d/.test(page) ? 200 : page.startsWith('docs/') ? 900 : Infinity);

const TOP = /^(src|test|resources|packaging|docs)\//;
/** Stands for any name in the instructions; in an installed program, `resources/bin` is there. */
const PLACEHOLDER = /NAME|NNNN|TAG|^resources\/bin\//;

describe.each(PAGES)('%s', (page) => {
  const text = readPage(page);

  it('names only paths that exist', () => {
    const paths = spansIn(text).filter((span) => TOP.test(span) && !PLACEHOLDER.test(span));
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it('links only to what exists', () => {
    expect(brokenLinksIn(page, text)).toEqual([]);
  });

  it('names only commands that exist', () => {
    const { scripts } = JSON.parse(readPage('package.json')) as { scripts: object };
    expect(scriptsIn(text).filter((name) => !(name in scripts))).toEqual([]);
  });

  it('says what is on each picture', () => {
    expect(picturesIn(text).filter(({ alt }) => wordsIn(alt) < 3)).toEqual([]);
  });

  it('is short', () => {
    expect(wordsIn(text)).toBeLessThanOrEqual(mostWords(page));
  });
});

const targetsOf = (page: string): string[] => linksIn(readPage(page)).map((link) => targetOf(page, link).path);

test('every page of docs is reached from docs/README.md', () => {
  const reached = new Set(['docs/README.md']);
  for (const page of reached) for (const target of targetsOf(page)) if (DOCS.includes(target)) reached.add(target);
  expect(DOCS.filter((page) => !reached.has(page))).toEqual([]);
});

test('every picture is used', () => {
  const used = new Set(PAGES.flatMap(targetsOf));
  const pictures = filesIn('docs/pictures');
  expect(pictures.length).toBeGreaterThan(0);
  expect(pictures.filter((picture) => !used.has(picture))).toEqual([]);
});

test('a release has at most 25 entries of at most 15 words', () => {
  const releases = [...releasesIn(readPage('CHANGELOG.md'))];
  expect(releases.length).toBeGreaterThan(0);
  expect(releases.filter(([, entries]) => entries.length > 25).map(([release]) => release)).toEqual([]);
  expect(releases.flatMap(([, entries]) => entries.filter((entry) => wordsIn(entry) > 15))).toEqual([]);
});

/** A gate that never fails proves nothing. */
describe('what is found in a page', () => {
  it.each([
    ['a file that is not there', '[x](gone.md)', ['gone.md']],
    ['a picture that is not there', '![the board with five shots](docs/pictures/gone.png)', ['docs/pictures/gone.png']],
    ['a picture of HTML that is not there', '<img src="gone.png" alt="x">', ['gone.png']],
    ['a heading that is not there', '[x](ARCHITECTURE.md#no-such-heading)', ['ARCHITECTURE.md#no-such-heading']],
    ['a heading that is not on this page', '# Here\n\n[x](#there) [y](#here)', ['#there']],
    ['a link by its name', '[x][1]\n\n[1]: gone.md', ['gone.md']],
    ['a place outside the repository', '[x](../main/README.md)', ['../main/README.md']],
  ])('%s', (_what, text, broken) => {
    expect(brokenLinksIn('README.md', text)).toEqual(broken);
  });

  it('is nothing where all is there', () => {
    const text = '[a](LICENSE) [b](ARCHITECTURE.md#the-way-of-one-cent) [c](https://x.example/y) `[d](gone.md)`';
    expect(brokenLinksIn('README.md', text)).toEqual([]);
  });

  it('is the anchor of each heading as GitHub makes it', () => {
    expect([...anchorsIn('# What `npm` does, or not\n\n## A – b\n\n## A – b')]).toEqual([
      'what-npm-does-or-not',
      'a--b',
      'a--b-1',
    ]);
  });

  it('is each command, each word and each entry', () => {
    expect(scriptsIn('`npm run -s dailies -- mcp`\n\n    npm run test:all')).toEqual(['dailies', 'test:all']);
    expect(wordsIn('| a | `b c` | – | 2,000 |')).toBe(4);
    expect([...releasesIn('## 2\n\n- a **b**\n- c\n\n## 1\n\n- d')]).toEqual([
      ['2', ['a b', 'c']],
      ['1', ['d']],
    ]);
  });
});

it('registers a kind in the places that the kind of the tests is registered in', () => {
  const named = spansIn(readPage('docs/developers/adding-a-kind.md')).filter((span) =>
    /(registry|index)\.ts$/.test(span),
  );
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
