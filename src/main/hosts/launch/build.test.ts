import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ensureBuilt } from './build.ts';

let root: string;
const put = (path: string, text: string) => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};
const builds = () => (existsSync(join(root, 'builds')) ? readFileSync(join(root, 'builds'), 'utf8').length : 0);
const built = () => readFileSync(join(root, 'out', 'main', 'made'), 'utf8');

/** A builder that counts itself; with `src/slow.ts` it takes a moment, with `src/broken.ts` it leaves half and fails. */
const BUILDER = `
  import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
  import { join } from 'node:path';
  const out = process.argv[process.argv.indexOf('--outDir') + 1];
  appendFileSync('builds', '.');
  for (const part of ['main', 'preload', 'renderer']) {
    mkdirSync(join(out, part), { recursive: true });
    writeFileSync(join(out, part, 'made'), readFileSync('src/a.ts'));
    if (existsSync('src/broken.ts')) process.exit(1);
  }
  if (existsSync('src/slow.ts')) await new Promise((resolve) => setTimeout(resolve, 300));
`;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'dailies-build-'));
  put('src/a.ts', 'one');
  put('node_modules/electron-vite/package.json', '{ "type": "module" }');
  put('node_modules/electron-vite/bin/electron-vite.js', BUILDER);
});
afterEach(() => rmSync(root, { recursive: true }));

test('what is built from the sources as they are is not built again, whatever their dates', async () => {
  await ensureBuilt(root);
  utimesSync(join(root, 'src/a.ts'), new Date(), new Date(Date.now() + 3_600_000));
  await ensureBuilt(root);
  expect([builds(), built()]).toEqual([1, 'one']);
});

test.each([
  ['a changed source', () => put('src/a.ts', 'two')],
  [
    'an older source with an older date',
    () => {
      put('src/a.ts', 'zero');
      utimesSync(join(root, 'src/a.ts'), new Date(0), new Date(0));
    },
  ],
  ['a new source', () => put('src/deep/b.ts', '')],
  ['a removed source', () => rmSync(join(root, 'src/extra.ts'))],
  ['other packages', () => put('package-lock.json', '{}')],
  ['a lost part', () => rmSync(join(root, 'out/preload'), { recursive: true })],
])('%s is built', async (_, change) => {
  put('src/extra.ts', '');
  await ensureBuilt(root);
  change();
  await ensureBuilt(root);
  expect([builds(), built()]).toEqual([2, readFileSync(join(root, 'src/a.ts'), 'utf8')]);
});

test('a changed test builds nothing', async () => {
  await ensureBuilt(root);
  put('src/a.test.ts', 'more');
  await ensureBuilt(root);
  expect(builds()).toBe(1);
});

test('two starts at once build once', async () => {
  put('src/slow.ts', '');
  const script = `
    const { ensureBuilt } = await import(${JSON.stringify(join(import.meta.dirname, 'build.ts'))});
    await ensureBuilt(${JSON.stringify(root)});
  `;
  const starts = [1, 2].map(() => spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'ignore' }));
  const codes = await Promise.all(starts.map(async (child) => (await once(child, 'exit'))[0]));
  expect([codes, builds()]).toEqual([[0, 0], 1]);
});

test('a build that fails leaves what was there, and is tried again', async () => {
  await ensureBuilt(root);
  put('src/broken.ts', '');
  await expect(ensureBuilt(root)).rejects.toThrow('The build failed');
  expect(built()).toBe('one');
  rmSync(join(root, 'src/broken.ts'));
  put('src/a.ts', 'two');
  await ensureBuilt(root);
  expect(built()).toBe('two');
});
