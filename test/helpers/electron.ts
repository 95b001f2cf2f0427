import { type ChildProcess, fork, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { _electron, type Browser, chromium, type Page } from 'playwright';
import { QUIET_FLAGS } from '../../src/main/hosts/common/chromium.ts';
import { findElectron } from '../../src/main/hosts/launch/electronBinary.ts';
import { testChromium } from './browser.ts';
import { firstLine } from './firstLine.ts';
import { end, root } from './host.ts';

type ElectronModule = typeof import('electron');

/** A running Electron host: the real one where a binary is found, else the built main on the double of the `electron` module. */
export interface ElectronRun {
  kind: 'real' | 'double';
  dataDir: string;
  /** The main window's page. */
  page: Page;
  /** What `studio-media://` is called in this run. */
  mediaBase: string;
  /** Runs in the main process with the electron module; the function is sent as text. */
  evaluate<Value>(run: (electron: ElectronModule) => Value | Promise<Value>): Promise<Value>;
  /** Ends it in order; answers the exit code. */
  stop(): Promise<number | string>;
}

export interface ElectronOptions {
  /** Without it a temporary folder that is removed with the run. */
  dataDir?: string;
  env?: Record<string, string>;
}

const READY_MS = 60_000;

export async function startElectron(options: ElectronOptions = {}): Promise<ElectronRun> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'dailies-'));
  const env = { ...process.env, DAILIES_KEYCHAIN: 'off', DAILIES_SANDBOX_SPEED: 'fast', ...options.env };
  const binary = findElectron(root);
  const run = binary ? await startReal(binary, dataDir, env) : await startDouble(dataDir, env);
  const stop = async () => {
    const code = await run.stop();
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
    page: await electron.firstWindow(),
    mediaBase: 'studio-media://',
    evaluate: (run) => electron.evaluate(run as never),
    stop: async () => {
      const ended = end(electron.process(), 'SIGTERM');
      return ended;
    },
  };
}

async function startDouble(dataDir: string, env: NodeJS.ProcessEnv): Promise<Started> {
  const browser = await startChromium();
  const main = fork(join(import.meta.dirname, 'electronDouble', 'run.ts'), ['--data-dir', dataDir], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    execArgv: [],
    env: { ...env, DOUBLE_CDP: browser.endpoint },
  });
  const evaluate = evaluator(main);
  await firstLine(main, READY_MS).catch(async (error: unknown) => {
    await browser.stop();
    throw error;
  });
  const connection = await chromium.connectOverCDP(browser.endpoint);
  const page = await mainPage(connection);
  return {
    kind: 'double',
    page,
    mediaBase: await evaluate<string>('({ double }) => double.schemes.toLoopback("studio-media://")'),
    evaluate: (run) => evaluate(run.toString()),
    async stop() {
      await connection.close();
      const code = await end(main, 'SIGTERM');
      await browser.stop();
      return code;
    },
  };
}

/** The page that shows the app, now or as soon as it has been opened. */
async function mainPage(connection: Browser): Promise<Page> {
  const [context] = connection.contexts();
  if (!context) throw new Error('Chromium has no window.');
  const shown = async (page: Page) => {
    await page.waitForURL('**/index.html', { waitUntil: 'commit' });
    return page;
  };
  const coming = context.waitForEvent('page').then(shown);
  return Promise.any([coming, ...context.pages().map(shown)]);
}

/** Chromium as the inside of the double's windows, reached over its debugging port by the double and by the test. */
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
  // The pipe ends with this process, however that ends, and Chromium with the pipe.
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
    const timer = setTimeout(() => reject(new Error('Chromium did not tell its address.')), READY_MS);
    lines.on('line', (line) => {
      const address = /DevTools listening on (ws:\S+)/.exec(line)?.[1];
      if (address === undefined) return;
      clearTimeout(timer);
      resolve(address);
    });
    child.once('exit', () => reject(new Error('Chromium ended at once.')));
  });
}

/** Sends a function as text to the double's process and waits for what it answers. */
function evaluator(main: ChildProcess) {
  let nextId = 1;
  return <Value>(source: string): Promise<Value> =>
    new Promise((resolve, reject) => {
      const id = nextId++;
      const hear = (message: { id: number; value?: Value; error?: string }) => {
        if (message.id !== id) return;
        main.off('message', hear);
        if (message.error === undefined) resolve(message.value as Value);
        else reject(new Error(message.error));
      };
      main.on('message', hear);
      main.send({ id, source });
    });
}
