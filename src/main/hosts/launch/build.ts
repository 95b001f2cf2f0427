import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';

/** The sources of `out/`. */
const SOURCES = [
  'src',
  'resources',
  'electron.vite.config.ts',
  'package.json',
  'package-lock.json',
  'THIRD_PARTY_NOTICES.md',
];
const PARTS = ['main', 'preload', 'renderer'];
/** A build takes seconds; one that holds the lock this long is stuck. */
const WAIT_FOR_OTHER_BUILD_MS = 120_000;

/**
 * Builds `out/` if it is missing or outdated; logs to stderr. Concurrent starts build one after the other, so the second has nothing to do.
 * A killed build leaves the old `out/`.
 */
export async function ensureBuilt(root: string): Promise<void> {
  if (!existsSync(join(root, 'src'))) return;
  if (isFresh(root)) return;
  const unlock = lockBuild(root);
  try {
    if (!isFresh(root)) await build(root);
  } finally {
    unlock();
  }
}

const stampPath = (root: string) => join(root, 'out', '.sources');

function isFresh(root: string): boolean {
  const stamp = existsSync(stampPath(root)) ? readFileSync(stampPath(root), 'utf8') : '';
  return stamp === fingerprint(root) && PARTS.every((part) => existsSync(join(root, 'out', part)));
}

/** Hashes contents, not times: a checkout of an older version has newer times. */
function fingerprint(root: string): string {
  const hash = createHash('sha256').update(process.versions.node.split('.')[0] ?? '');
  for (const path of SOURCES.flatMap((source) => filesUnder(root, source))) {
    hash.update(`\0${path}\0`).update(readFileSync(join(root, path)));
  }
  return hash.digest('hex');
}

function filesUnder(root: string, path: string): string[] {
  const entries = listFolder(join(root, path));
  if (entries === undefined) return existsSync(join(root, path)) ? [path] : [];
  return entries
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => filesUnder(root, `${path}/${entry.name}`))
    .filter((file) => !/[.]test[.]tsx?$/.test(file));
}

function listFolder(path: string) {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch {
    return undefined;
  }
}

/** An operating system lock on a SQLite file: it ends with its process in any case. */
function lockBuild(root: string): () => void {
  mkdirSync(join(root, 'out'), { recursive: true });
  const db = new Database(join(root, 'out', '.lock'), { timeout: WAIT_FOR_OTHER_BUILD_MS });
  db.exec('BEGIN EXCLUSIVE');
  return () => db.close();
}

async function build(root: string): Promise<void> {
  const started = Date.now();
  process.stderr.write('Building Dailies (once; the next start is quick) …\n');
  const sources = fingerprint(root);
  const out = join(root, 'out');
  for (const name of readdirSync(out)) if (name.startsWith('next-')) rmSync(join(out, name), { recursive: true });
  const next = join(out, `next-${process.pid}`);
  await runElectronVite(root, next);
  rmSync(stampPath(root), { force: true });
  for (const part of PARTS) {
    rmSync(join(out, part), { recursive: true, force: true });
    renameSync(join(next, part), join(out, part));
  }
  rmSync(next, { recursive: true, force: true });
  writeFileSync(stampPath(root), sources);
  process.stderr.write(`Built in ${((Date.now() - started) / 1000).toFixed(1)} s.\n`);
}

async function runElectronVite(root: string, outDir: string): Promise<void> {
  const cli = join(root, 'node_modules', 'electron-vite', 'bin', 'electron-vite.js');
  const child = spawn(process.execPath, [cli, 'build', '--outDir', outDir, '--logLevel', 'warn'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  child.stdout.pipe(process.stderr, { end: false });
  child.stderr.pipe(process.stderr, { end: false });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new Error('The build failed; its log is above.');
}
