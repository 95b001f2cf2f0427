import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** A server that does not answer in this time counts as unreachable, so that the browser host starts within 5 s. */
const REACH_MS = 4_000;
/** A started download that stalls this long has failed. */
const STALL_MS = 30_000;

const require = createRequire(import.meta.url);

/** The Electron binary of this checkout, or undefined if its package has none. */
export function findElectron(root: string): string | undefined {
  const folder = join(root, 'node_modules', 'electron');
  const pathFile = join(folder, 'path.txt');
  const name = existsSync(pathFile) ? readFileSync(pathFile, 'utf8') : undefined;
  // Like Electron's own package: an overridden binary needs no `path.txt`.
  const elsewhere = process.env.ELECTRON_OVERRIDE_DIST_PATH;
  if (name === undefined && !elsewhere) return undefined;
  const binary = join(elsewhere || join(folder, 'dist'), name ?? 'electron');
  return existsSync(binary) ? binary : undefined;
}

/**
 * Downloads the binary into the package as Electron's own installer does, with progress on stderr. Returns the reason of a failure in one
 * phrase; the next start tries again.
 */
export async function fetchElectron(root: string): Promise<{ ok: true } | { ok: false; reason: string }> {
  try {
    await download(root);
    await runInstaller(root);
    return findElectron(root) ? { ok: true } : { ok: false, reason: 'its installer left no binary' };
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? error.message : String(error) };
  }
}

interface Progress {
  transferred: number;
  total: number | null;
  percent: number;
}

/** Downloads into the cache that Electron's installer reads, checked against the package's checksums. */
async function download(root: string): Promise<void> {
  const folder = join(root, 'node_modules', 'electron');
  const { version } = require(join(folder, 'package.json')) as { version: string };
  const getPath = createRequire(join(folder, 'install.js')).resolve('@electron/get');
  const { downloadArtifact } = (await import(getPath)) as {
    downloadArtifact(details: Record<string, unknown>): Promise<string>;
  };
  const abort = new AbortController();
  const giveUp = (reason: string) => () => abort.abort(new Error(reason));
  let timer = setTimeout(giveUp('its source cannot be reached'), REACH_MS);
  const progress = progressLine();
  try {
    await downloadArtifact({
      version,
      artifactName: 'electron',
      checksums: require(join(folder, 'checksums.json')),
      cacheRoot: process.env.electron_config_cache,
      downloadOptions: {
        quiet: true,
        signal: abort.signal,
        getProgressCallback: async (state: Progress) => {
          clearTimeout(timer);
          timer = setTimeout(giveUp('its source stopped sending'), STALL_MS);
          progress.show(state);
        },
      },
    });
  } catch (error) {
    throw abort.signal.aborted ? (abort.signal.reason as Error) : sourceError(error);
  } finally {
    clearTimeout(timer);
    progress.end();
  }
}

function sourceError(error: unknown): Error {
  const message = error instanceof Error ? error.message : String(error);
  return new Error(message === 'fetch failed' ? 'its source cannot be reached' : message);
}

/** One progress line on stderr, rewritten in place on a terminal and printed in tenths elsewhere. */
function progressLine() {
  let shown = -1;
  const step = process.stderr.isTTY ? 1 : 10;
  return {
    show({ percent, transferred }: Progress) {
      const now = Math.floor((percent * 100) / step) * step;
      if (now === shown) return;
      shown = now;
      const line = `Fetching Electron: ${now} % (${(transferred / 1e6).toFixed(0)} MB)`;
      process.stderr.write(process.stderr.isTTY ? `\r${line}` : `${line}\n`);
    },
    end() {
      if (shown >= 0 && process.stderr.isTTY) process.stderr.write('\n');
    },
  };
}

async function runInstaller(root: string): Promise<void> {
  const child = spawn(process.execPath, [join(root, 'node_modules', 'electron', 'install.js')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new Error('its installer failed');
}
