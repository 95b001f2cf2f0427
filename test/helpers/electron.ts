import { type ChildProcess, fork, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { _electron, type Browser, chromium, type Page } from 'playwright';
import { QUIET_FLAGS } from '../../src/main/hosts/common/chromium.ts';
import { findElectron } from '../../src/main/hosts/launch/electronBinary.ts';
import { testChromium } from './browser.ts';
import type { Told } from './electronDouble/record.ts';
import { firstLine } from './firstLine.ts';
import { end, root } from './host.ts';
import { PATIENCE_MS } from './patience.ts';

/** The electron module; on the double also what it records and simulates. */
type ElectronModule = typeof import('electron') & {
  double: typeof import('./electronDouble/record.ts').double;
};

/** A running Electron host: the real one where a binary is found, else the built main on the double of the `electron` module. */
export interface ElectronRun {
  kind: 'real' | 'double';
  dataDir: string;
  /** The main window's page. */
  page: Page;
  /** The address of `studio-media://` in this run. */
  mediaBase: string;
  /** Runs a function, sent as text, in the main process with the electron module. */
  evaluate<Value>(run: string | ((electron: ElectronModule) => Value | Promise<Value>)): Promise<Value>;
  /** Recorded system calls, oldest first; empty with a real Electron. */
  told: Told[];
  /** Resolves with the exit code when it ends by itself. */
  ended: Promise<number | string>;
  /** Shuts it down, by SIGTERM by default; returns the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | string>;
}

export interface ElectronOptions {
  /** By default a temporary folder that is removed with the run. */
  dataDir?: string;
  env?: Record<string, string>;
  /** The folder's name on the command line, relative to `cwd`; by default its full path. */
  dataDirAs?: string;
  cwd?: string;
  /** Additional command line arguments. */
  args?: string[];
  /** The program that is started on the double; by default the one in `out/`. */
  entry?: string;
  /** For a start without a window: called once it is ready, and must make the window appear. */
  whileHidden?: (run: Pick<ElectronRun, 'evaluate' | 'told'>) => Promise<void>;
  /** Always uses the double: only there can the system and the user be simulated. */
  onDouble?: true;
}

const DOUBLE = join(import.meta.dirname, 'electronDouble', 'run.ts');

export async function startElectron(options: ElectronOptions = {}): Promise<ElectronRun> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'dailies-'));
  const entry = options.entry === undefined ? {} : { DOUBLE_ENTRY: options.entry };
  const env = { ...process.env, DAILIES_KEYCHAIN: 'off', DAILIES_SANDBOX_SPEED: 'fast', ...entry, ...options.env };
  const binary = options.onDouble ? undefined : findElectron(root);
  const run = binary
    ? await startReal(binary, dataDir, env)
    : await startDouble([...(options.args ?? []), '--data-dir', options.dataDirAs ?? dataDir], env, options);
  const stop = async (signal?: NodeJS.Signals) => {
    const code = await run.stop(signal);
    if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true });
    return code;
  };
  return { ...run, dataDir, stop };
}

type Started = Omit<ElectronRun, 'dataDir'>;

async function startReal(binary: string, dataDir: string, env: NodeJS.ProcessEnv): Promise<Started> {
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const electron = await _electron.launch({
    executablePath: binary,
    args: [...asRoot, root, '--data-dir', dataDir],
    env: env as Record<string, string>,
  });
  return {
    kind: 'real',
    page: await electron.firstWindow({ timeout: PATIENCE_MS }),
    mediaBase: 'studio-media://',
    evaluate: (run) => electron.evaluate(run as never),
    told: [],
    ended: exitOf(electron.process()),
    stop: (signal = 'SIGTERM') => end(electron.process(), signal),
  };
}

const exitOf = (child: ChildProcess): Promise<number | string> =>
  new Promise((resolve) => child.once('exit', (code, signal) => resolve(code ?? signal ?? '')));

/** Waits for everything that it recorded: its last messages may come after its exit. */
async function exitOfDouble(child: ChildProcess): Promise<number | string> {
  const disconnected = new Promise((resolve) => child.once('disconnect', resolve));
  const code = await exitOf(child);
  await disconnected;
  return code;
}

/** A start on the double that should end by itself. */
export async function runElectron(
  args: string[],
  env: Record<string, string> = {},
): Promise<{ code: number | string; told: Told[]; stderr: string }> {
  const browser = await startChromium();
  const full = { ...process.env, DAILIES_KEYCHAIN: 'off', ...env };
  const main = forkDouble(args, { env: full, stderr: 'pipe' }, browser.endpoint);
  const told = toldBy(main);
  let stderr = '';
  main.stderr?.on('data', (data) => {
    stderr += data;
  });
  const late = setTimeout(() => main.kill('SIGKILL'), PATIENCE_MS);
  const code = await exitOfDouble(main);
  clearTimeout(late);
  await browser.stop();
  return { code, told, stderr };
}

/** Types a command at an installed program: there is no Chromium, so opening a window fails. */
export const typedAt = (entry: string, words: string[], env: Record<string, string> = {}) => ({
  command: process.execPath,
  args: [DOUBLE, ...words],
  env: { ...(process.env as Record<string, string>), DOUBLE_ENTRY: entry, DOUBLE_RESOURCES: join(entry, '..'), ...env },
});

interface ForkOptions {
  env: NodeJS.ProcessEnv;
  stderr: 'pipe' | 'inherit';
  cwd?: string | undefined;
}

const forkDouble = (args: string[], { env, stderr, cwd }: ForkOptions, endpoint: string) =>
  fork(DOUBLE, args, {
    stdio: ['ignore', 'pipe', stderr, 'ipc'],
    // As in Electron, an unhandled rejection is a warning.
    execArgv: ['--expose-gc', '--unhandled-rejections=warn'],
    env: { ...env, DOUBLE_CDP: endpoint },
    ...(cwd === undefined ? {} : { cwd }),
  });

function toldBy(main: ChildProcess): Told[] {
  const told: Told[] = [];
  main.on('message', (message: { told?: Told }) => {
    if (message.told) told.push(message.told);
  });
  return told;
}

async function startDouble(
  args: string[],
  env: NodeJS.ProcessEnv,
  { cwd, whileHidden }: ElectronOptions,
): Promise<Started> {
  const browser = await startChromium();
  const main = forkDouble(args, { env, stderr: 'inherit', cwd }, browser.endpoint);
  const told = toldBy(main);
  const ended = exitOfDouble(main);
  const evaluate = evaluator(main);
  await firstLine(main).catch(async (error: unknown) => {
    main.kill('SIGKILL');
    await browser.stop();
    throw error;
  });
  const evaluated: ElectronRun['evaluate'] = (run) => evaluate(run.toString());
  await whileHidden?.({ evaluate: evaluated, told });
  // The double decides where downloads go.
  const connection = await chromium.connectOverCDP(browser.endpoint, { noDefaults: true, timeout: PATIENCE_MS });
  const page = await mainPage(connection);
  return {
    kind: 'double',
    page,
    mediaBase: await evaluate<string>('({ schemes }) => schemes.toLoopback("studio-media://")'),
    evaluate: evaluated,
    told,
    ended,
    async stop(signal = 'SIGTERM') {
      await connection.close().catch(() => {});
      const code = await end(main, signal);
      await browser.stop();
      return code;
    },
  };
}

/** The app's page, once it is open. */
async function mainPage(connection: Browser): Promise<Page> {
  const [context] = connection.contexts();
  if (!context) throw new Error('Chromium has no window.');
  context.setDefaultTimeout(PATIENCE_MS);
  const shown = async (page: Page) => {
    await page.waitForURL('**/index.html', { waitUntil: 'commit' });
    return page;
  };
  const coming = context.waitForEvent('page').then(shown);
  return Promise.any([coming, ...context.pages().map(shown)]);
}

/** Chromium renders the double's windows; the double and the test connect to its debugging port. */
async function startChromium() {
  const { path, env } = await testChromium();
  const profile = mkdtempSync(join(tmpdir(), 'dailies-chromium-'));
  const flags = [
    '--headless=new',
    '--remote-debugging-port=0',
    `--user-data-dir=${profile}`,
    '--disable-gpu',
    '--window-size=1360,860',
  ];
  // The pipe closes with this process in any case, and Chromium with the pipe.
  const child = spawn(path, [...QUIET_FLAGS, ...flags, '--remote-debugging-pipe', 'about:blank'], {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  const endpoint = await debuggerAddress(child);
  const stop = async () => {
    await end(child, 'SIGKILL');
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  };
  return { endpoint, stop };
}

function debuggerAddress(child: ChildProcess): Promise<string> {
  if (!child.stderr) throw new Error('Chromium was started without stderr.');
  const lines = createInterface(child.stderr);
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('Chromium did not tell its address.')), PATIENCE_MS);
    lines.on('line', (line) => {
      const address = /DevTools listening on (ws:\S+)/.exec(line)?.[1];
      if (address === undefined) return;
      clearTimeout(timer);
      resolve(address);
    });
    child.once('exit', () => reject(new Error('Chromium ended at once.')));
  });
}

/** Sends a function as text to the double's process and waits for its result, or for the end of that process. */
function evaluator(main: ChildProcess) {
  let nextId = 1;
  return <Value>(source: string): Promise<Value> =>
    new Promise((resolve, reject) => {
      const id = nextId++;
      const hear = (message: { id: number; value?: Value; error?: string }) => {
        if (message.id !== id) return;
        stopHearing();
        if (message.error === undefined) resolve(message.value as Value);
        else reject(new Error(message.error));
      };
      const end = () => {
        stopHearing();
        reject(new Error('The program ended before it answered.'));
      };
      const stopHearing = () => main.off('message', hear).off('disconnect', end);
      main.on('message', hear).once('disconnect', end);
      main.send({ id, source }, (error) => error && end());
    });
}
