import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { gunzipSync } from 'node:zlib';
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inAscii } from '../../electron.vite.config.ts';
import type { LibraryFolder } from '../../src/shared/library/libraryFolder.ts';
import { builtInPackages, NOTICES, noticesOf } from '../arch/notices.ts';
import { FOLDERS } from '../fixtures/keptFolder.ts';
import { startElectron, typedAt } from '../helpers/electron.ts';
import { ask, told } from '../helpers/electronRuns.ts';
import { root } from '../helpers/host.ts';
import { makeTake } from '../helpers/oneTake.ts';
import { type ArchiveFile, extract, filesOf, type Packaged, packageInto } from '../helpers/packaged.ts';

/** The contents of the package, and a start from it alone. */

let folder: string;
let packaged: Packaged;
let files: ArchiveFile[];
beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'dailies-package-')));
  packaged = await packageInto(folder);
  files = filesOf(packaged.archive);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const bytes = (which: ArchiveFile[]) => which.reduce((sum, file) => sum + file.bytes, 0);
const MB = 1024 ** 2;

test('contains the files that run, and no others', () => {
  const unwanted = files.filter(({ path }) =>
    /[.](map|[cm]?ts|tsbuildinfo|md|cpp|[ch]|gyp|obj)$|^(src|test|packaging|node_modules[/]([.]bin|node-|electron[/]|@napi-rs[/]keyring))/.test(
      path,
    ),
  );
  expect(unwanted.map(({ path }) => path)).toEqual([]);
  const natives = files.filter(({ path }) => path.endsWith('.node')).map(({ path }) => path);
  expect(natives.length).toBe(2);
  expect(natives).toContain(`node_modules/better-sqlite3/prebuilds/${process.platform}-${process.arch}.node`);
  expect(natives.join()).toContain('node_modules/@napi-rs/canvas-');
  // Twice each, for pages and for the command line: the encoding detector with 1.2 MB, every language with 0.6 MB.
  expect(bytes(files.filter(({ unpacked }) => !unpacked)) / MB).toBeLessThan(31);
  expect(bytes(files.filter(({ unpacked }) => unpacked)) / MB).toBeLessThan(40);
});

test('has programs in ASCII only, with the same texts as their sources', () => {
  const main = join(root, 'out', 'main');
  const wide = readdirSync(main).filter(
    (name) => name.endsWith('.js') && /[^\p{ASCII}]/u.test(readFileSync(join(main, name), 'utf8')),
  );
  expect(wide).toEqual([]);
  const values = [
    '"é…\\u2026\\\\…"',
    "'\\…'",
    '`成\n功\u{1F600}`',
    '/^[一-龥“\\”]+$/.test("一“")',
    '/^[😀ß]+$/u.test("😀ß")',
  ];
  for (const value of values) {
    const text = inAscii(value);
    expect(text).toMatch(/^\p{ASCII}+$/u);
    expect(runInNewContext(text)).toBe(runInNewContext(value));
  }
});

test('has its binaries beside the archive, and its pages, fonts and sample in it', () => {
  const packed = files.filter(({ unpacked }) => !unpacked).map(({ path }) => path);
  expect(packed.filter((path) => path.endsWith('.node'))).toEqual([]);
  const beside = files.filter(({ unpacked }) => unpacked).map(({ path }) => path);
  expect(beside.filter((path) => !existsSync(join(packaged.unpacked, path)))).toEqual([]);
  const needed = [
    'LICENSE',
    'resources/fonts/inter-latin-opsz.woff2',
    'resources/fonts/inter-LICENSE.txt',
    'resources/sample/sample.json',
    'resources/tray.png',
    'out/preload/index.cjs',
    'out/renderer/index.html',
    'out/renderer/media.html',
    ...[
      'electron',
      'inspect',
      'upkeep',
      'migrate',
      'read-worker',
      'file-worker',
      'bundle',
      'chat-file',
      'sandbox-worker',
      'authorities',
    ].map((program) => `out/main/${program}.js`),
  ];
  expect(needed.filter((path) => !packed.includes(path))).toEqual([]);
});

test('contains the licence of every package in it, packed or built in', () => {
  const packed = files.flatMap(
    ({ path }) => /^(?:node_modules\/(?:@[^/]+\/)?[^/]+\/)+/.exec(path)?.[0].slice(0, -1) ?? [],
  );
  const page = readFileSync(join(packaged.archive, '..', NOTICES), 'utf8').replaceAll('\r\n', '\n');
  expect(page).toBe(noticesOf([...packed, ...builtInPackages()]));
});

test('has its fuses set', async () => {
  const { version: _, ...wire } = await getCurrentFuseWire(packaged.program);
  const set = Object.entries(wire).map(([fuse, state]) => [FuseV1Options[Number(fuse)], state === FuseState.ENABLE]);
  expect(Object.fromEntries(set)).toEqual({
    RunAsNode: false,
    EnableCookieEncryption: true,
    EnableNodeOptionsEnvironmentVariable: false,
    EnableNodeCliInspectArguments: false,
    EnableEmbeddedAsarIntegrityValidation: true,
    OnlyLoadAppFromAsar: true,
    LoadBrowserProcessSpecificV8Snapshot: false,
    GrantFileProtocolExtraPrivileges: false,
    WasmTrapHandlers: true,
  });
});

test('states the same Windows class and program names as the program', () => {
  const program = readFileSync(join(root, 'src/main/hosts/electron/main.ts'), 'utf8');
  const [, activator] = /TOAST_ACTIVATOR = '([^']+)'/.exec(program) ?? [];
  const [, appId] = /APP_ID = '([^']+)'/.exec(program) ?? [];
  const installer = readFileSync(join(root, 'packaging/installer.nsh'), 'utf8');
  expect(/TOAST_ACTIVATOR "([^"]+)"/.exec(installer)?.[1]).toBe(activator);
  expect(/^appId: (.+)$/m.exec(readFileSync(join(root, 'electron-builder.yml'), 'utf8'))?.[1]).toBe(appId);
});

function typed(entry: string, words: string[], env: Record<string, string> = {}) {
  const { command, args, env: whole } = typedAt(entry, words, env);
  const { status, stdout, stderr } = spawnSync(command, args, { env: whole, encoding: 'utf8', input: '' });
  return { code: status, stdout, stderr };
}

async function typesAt(entry: string, dataDir: string, letIn: () => Promise<unknown>): Promise<void> {
  const at = ['--data-dir', dataDir];
  expect(typed(entry, ['status', ...at])).toMatchObject({ code: 4, stdout: '' });
  await letIn();
  // The server starts shortly after the switch.
  await expect.poll(() => typed(entry, ['cli', 'status', '--json', ...at])).toMatchObject({ code: 0, stderr: '' });
  expect(typed(entry, ['verify', dataDir])).toMatchObject({ code: 2, stdout: '' });
  const env = { DOUBLE_STREAMS: 'windows' };
  expect(typed(entry, ['stauts'], env)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching('stauts') });
  const client = new Client({ name: 'A test', version: '1' });
  await client.connect(new StdioClientTransport({ ...typedAt(entry, ['mcp', ...at], env), stderr: 'ignore' }));
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('quote_order');
  await client.close();
}

test.skipIf(process.platform === 'win32')('has a launcher that passes every argument to the program', () => {
  const launcher = join(packaged.archive, '..', 'bin', 'dailies');
  const installed = join(folder, 'in stalled');
  const [bin, program] =
    process.platform === 'darwin' ? ['Contents/Resources/bin', 'Contents/MacOS/Dailies'] : ['resources/bin', 'dailies'];
  for (const part of [join(installed, bin), join(installed, program, '..')]) mkdirSync(part, { recursive: true });
  cpSync(launcher, join(installed, bin, 'dailies'));
  writeFileSync(join(installed, program), '#!/bin/sh\nprintf "%s\\n" "$@"\nexit 7\n', { mode: 0o755 });
  symlinkSync(join(installed, bin, 'dailies'), join(folder, 'linked'));
  const { status, stdout } = spawnSync(join(folder, 'linked'), ['batch', 'two words', '--json'], { encoding: 'utf8' });
  expect([status, stdout.split('\n').filter((word) => word !== '--no-sandbox')]).toEqual([
    7,
    ['cli', 'batch', 'two words', '--json', ''],
  ]);
});

/** A data folder of an earlier version, so that the migration thread runs too. */
function earlierData(): string {
  const dataDir = join(folder, 'data');
  cpSync(join(FOLDERS, '0.1.0'), dataDir, { recursive: true });
  writeFileSync(join(dataDir, 'dailies.db'), gunzipSync(readFileSync(join(dataDir, 'dailies.db.gz'))));
  return dataDir;
}

test('starts from its own files, and makes a take with all its threads and processes', async () => {
  const entry = extract(packaged, join(folder, 'extracted'));
  const run = await startElectron({ dataDir: earlierData(), entry, onDouble: true });
  // The window first shows the progress of the migration.
  await run.page.locator('#root > *').first().waitFor();
  const { outputs } = await makeTake((name, input) => ask(run, name, input));
  expect(outputs.map(({ state, mime }) => [state, mime])).toEqual([['local', 'image/png']]);
  await typesAt(entry, run.dataDir, () => ask(run, 'settings.set', { commandLine: true }));
  const project = (await ask(run, 'projects.openSample')) as { id: string };
  expect(project.id).toMatch(/^prj/);
  expect(await ask(run, 'backups.make')).toMatchObject({ bytes: expect.any(Number) });
  expect(await ask(run, 'library.verify')).toMatchObject({ state: 'running' });
  await expect.poll(async () => ((await ask(run, 'library.folder')) as LibraryFolder).check?.state).toBe('done');
  // A packaged program cannot fork Node: on the double `fork` throws.
  const started = () => [...new Set(told(run, 'utilityProcess.fork').flat())].sort();
  await expect.poll(started).toEqual(['authorities.js', 'inspect.js', 'upkeep.js']);
  expect(await run.stop()).toBe(0);
});
