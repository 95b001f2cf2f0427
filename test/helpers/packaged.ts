import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPackage, extractAll, getRawHeader } from '@electron/asar';
import { findElectron } from '../../src/main/hosts/launch/electronBinary.ts';
import { root } from './host.ts';

/** A package as `npm run package -- --dir` makes it, for this system. */
export interface Packaged {
  /** The executable, or on a Mac the `.app`. */
  program: string;
  archive: string;
  /** The folder of native modules beside the archive. */
  unpacked: string;
}

/** A file of an archive; `unpacked` ones lie beside it. */
export interface ArchiveFile {
  path: string;
  bytes: number;
  unpacked: boolean;
}

/**
 * Builds the package into `folder`. On Linux without Electron's binary, a made-up binary takes its place; all our own files are real.
 * Elsewhere the packager downloads the binary.
 */
export async function packageInto(folder: string): Promise<Packaged> {
  const out = join(folder, 'dist');
  const cli = join(root, 'node_modules', 'electron-builder', 'cli.js');
  await run(cli, ['--dir', `-c.directories.output=${out}`, ...(await distOption(folder))]);
  const made = readdirSync(out).find((name) => name.includes('unpacked') || name.startsWith('mac'));
  if (made === undefined) throw new Error(`Nothing was packaged: ${readdirSync(out)}`);
  return locate(join(out, made));
}

async function distOption(folder: string): Promise<string[]> {
  if (findElectron(root)) return [`-c.electronDist=${join(root, 'node_modules', 'electron', 'dist')}`];
  return process.platform === 'linux' ? [`-c.electronDist=${await madeUpElectron(folder)}`] : [];
}

function locate(folder: string): Packaged {
  const program = join(
    folder,
    { darwin: 'Dailies.app', win32: 'Dailies.exe' }[process.platform as string] ?? 'dailies',
  );
  const resources = process.platform === 'darwin' ? join(program, 'Contents', 'Resources') : join(folder, 'resources');
  const archive = join(resources, 'app.asar');
  return { program, archive, unpacked: `${archive}.unpacked` };
}

/** The parts of Electron's Linux distribution that the packager touches: a binary with all fuses in their delivered state. */
async function madeUpElectron(folder: string): Promise<string> {
  const dist = join(folder, 'electron');
  mkdirSync(join(dist, 'resources'), { recursive: true });
  const empty = mkdtempSync(join(folder, 'empty-'));
  writeFileSync(join(empty, 'package.json'), '{}');
  await createPackage(empty, join(dist, 'resources', 'default_app.asar'));
  writeFileSync(join(dist, 'version'), '');
  const wire = `${FUSE_SENTINEL}${String.fromCharCode(1, DELIVERED_FUSES.length)}${DELIVERED_FUSES}`;
  writeFileSync(join(dist, 'electron'), `\x7fELF ${wire}\0`, { mode: 0o755, encoding: 'latin1' });
  return dist;
}

/** The bytes that precede the fuses in every Electron binary (electronjs.org/docs/latest/tutorial/fuses). */
const FUSE_SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
const DELIVERED_FUSES = '101100011';

async function run(script: string, args: string[]): Promise<void> {
  // Do not look for a signing certificate on this machine.
  const env = { ...process.env, CSC_IDENTITY_AUTO_DISCOVERY: 'false' };
  const child = spawn(process.execPath, [script, ...args], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text) => {
      said += text;
    });
  }
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`The packager ended with ${code}:\n${said}`);
}

interface Entry {
  files?: Record<string, Entry>;
  size?: number;
  unpacked?: boolean;
}

export function filesOf(archive: string): ArchiveFile[] {
  const files: ArchiveFile[] = [];
  const walk = (entry: Entry, path: string): void => {
    if (!entry.files) files.push({ path, bytes: entry.size ?? 0, unpacked: entry.unpacked ?? false });
    for (const [name, inner] of Object.entries(entry.files ?? {})) walk(inner, path === '' ? name : `${path}/${name}`);
  };
  walk(JSON.parse(getRawHeader(archive).headerString) as Entry, '');
  return files;
}

/** Extracts the archive and the files beside it, as they are in the package. Returns the entry file. */
export function extract({ archive }: Packaged, folder: string): string {
  extractAll(archive, folder);
  const { main } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { main: string };
  return join(folder, main);
}
