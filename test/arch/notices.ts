import { readdirSync, readFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { parse } from 'yaml';
import { root } from './tools.ts';

/** The works in the package, with their licences. */

export const NOTICES = 'THIRD_PARTY_NOTICES.md';
/** Licences that packages do not contain as a file, and `compiled.md`: the contents of compiled files, by the version that was examined. */
const OWN = 'packaging/notices';
const FONTS = 'resources/fonts';

interface LockEntry {
  version: string;
  dev?: boolean;
  devOptional?: boolean;
  cpu?: string[];
}

interface Manifest {
  name: string;
  version: string;
  license?: string;
  author?: string | { name: string };
  repository?: string | { url: string };
  homepage?: string;
}

interface Work {
  /** `react 19.3.1`. */
  title: string;
  license: string;
  source?: string;
  texts: string[];
}

const read = (path: string): string => readFileSync(join(root, path), 'utf8').replaceAll('\r\n', '\n');
export const readNotices = (): string => read(NOTICES);

const lock = (JSON.parse(read('package-lock.json')) as { packages: Record<string, LockEntry> }).packages;
/** A package for one system is covered by the package that requires it. */
const isForOneSystem = (folder: string): boolean => lock[folder]?.cpu !== undefined;

/** Folders of the packages whose code was built into `out/`. */
export const builtInPackages = (): string[] =>
  ['main', 'preload', 'renderer'].flatMap((part) => JSON.parse(read(`out/${part}/packages.json`)) as string[]);

/** Folders of the packages that are packed as they are. */
export function packedPackages(): string[] {
  const { files } = parse(read('electron-builder.yml')) as { files: string[] };
  const leftOut = files.filter((glob) => glob.startsWith('!')).map((glob) => glob.slice(1));
  return Object.entries(lock).flatMap(([folder, { dev, devOptional }]) =>
    folder === '' || dev || devOptional || leftOut.some((glob) => matchesGlob(`${folder}/package.json`, glob))
      ? []
      : [folder],
  );
}

/** Folders of the packages that a page of notices names. */
export function namedPackages(page: string): string[] {
  const folders = new Map(
    Object.entries(lock).map(([folder, { version }]) => [`${folder.split('node_modules/').at(-1)} ${version}`, folder]),
  );
  const [, list = ''] = page.split(/^## /m);
  return [...list.matchAll(/^- (\S+ \S+) \(/gm)].flatMap(([, title = '']) => folders.get(title) ?? []);
}

/** The page about these packages, and about what is packed with every one. */
export function noticesOf(folders: Iterable<string>): string {
  const packages = [...new Set([...folders, 'node_modules/electron'])].filter((folder) => !isForOneSystem(folder));
  const works = packages.map(workIn).sort((a, b) => (a.title < b.title ? -1 : 1));
  const compiled = read(`${OWN}/compiled.md`);
  for (const [, title] of compiled.matchAll(/^### (.+)$/gm)) {
    if (!works.some((work) => work.title === title))
      throw new Error(`${OWN}/compiled.md describes ${title}, which is not packed. See what its new version holds.`);
  }
  return [
    HEAD,
    listOf(works),
    compiled.trimEnd(),
    '## Licences',
    ...licenceTexts([...works, ...fonts(), ...ownTexts()]),
  ]
    .join('\n\n')
    .concat('\n');
}

const HEAD = `# Third-party notices

Dailies contains the work of others. Each part keeps its own licence; all of them are below. Electron also brings the notices of Chromium: \`LICENSES.chromium.html\`, beside the program. \`npm run notices\` makes this page.`;

const listOf = (works: Work[]): string =>
  `## Packages\n\n${works.map(({ title, license, source }) => `- ${title} (${license}) ${source}`).join('\n')}`;

function workIn(folder: string): Work {
  const manifest = JSON.parse(read(`${folder}/package.json`)) as Manifest;
  const { name, version, license } = manifest;
  if (typeof license !== 'string') throw new Error(`${folder} names no licence.`);
  const found = licenceFiles(folder).map(read);
  const texts = found.length > 0 ? found : [`${copyrightOf(manifest)}\n\n${read(`${OWN}/${license}.txt`)}`];
  return { title: `${name} ${version}`, license, source: sourceOf(manifest), texts };
}

function licenceFiles(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : licenceFiles(path);
    return /^(licen[cs]e|copying|notice)/i.test(entry.name) ? [path] : [];
  });
}

function copyrightOf({ name, author }: Manifest): string {
  const holder = typeof author === 'string' ? author : author?.name;
  if (holder === undefined) throw new Error(`${name} has no licence file and names no author.`);
  return `Copyright (c) ${holder}`;
}

function sourceOf({ name, repository, homepage }: Manifest): string {
  const address = (typeof repository === 'string' ? repository : repository?.url) ?? homepage;
  if (address === undefined) throw new Error(`${name} does not say where its source is.`);
  const path = address.replace(/^(git\+)?(https?|ssh|git):\/\/(git@)?|^git@|^github:/, '').replace(/\.git$/, '');
  return `https://${/^[^/.]+\/[^/]+$/.test(path) ? `github.com/${path}` : path.replace(':', '/')}`;
}

const fonts = (): Work[] =>
  textFiles(FONTS, '-LICENSE.txt').map(([name, text]) => ({
    title: `The font ${name}`,
    license: 'OFL-1.1',
    texts: [text],
  }));

/** Of what is inside compiled files. */
const ownTexts = (): Work[] =>
  textFiles(OWN, '.txt').map(([license, text]) => ({ title: `${license}, named above`, license, texts: [text] }));

const textFiles = (folder: string, ending: string): [string, string][] =>
  readdirSync(join(root, folder))
    .filter((file) => file.endsWith(ending))
    .sort()
    .map((file) => [file.slice(0, -ending.length), read(`${folder}/${file}`)]);

/** The copyright line is separate from the terms, which many works share. */
const TERMS = /^.*(Permission is hereby granted|Permission to use, copy|Redistribution and use|This Font Software is)/m;
const LONGEST_HEAD = 1500;

/** Each licence once, with its works. */
function licenceTexts(works: Work[]): string[] {
  const groups = new Map<string, { terms: string; ids: Set<string>; holders: string[] }>();
  for (const { title, license, texts } of works) {
    for (const text of texts) {
      const at = Math.max(0, text.slice(0, LONGEST_HEAD).search(TERMS));
      const terms = text.slice(at).trim();
      const key = terms.replace(/\W+/g, ' ').toLowerCase();
      const group = groups.get(key) ?? { terms, ids: new Set(), holders: [] };
      group.ids.add(license);
      group.holders.push([title, ...linesOf(text.slice(0, at))].join('\n  '));
      groups.set(key, group);
    }
  }
  return [...groups.values()].map(
    ({ terms, ids, holders }) =>
      `### ${[...ids].join(', ')}\n\n${holders.map((holder) => `- ${holder}`).join('\n')}\n\n\`\`\`text\n${terms}\n\`\`\``,
  );
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
