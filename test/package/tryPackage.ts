import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { chromium, type Page } from 'playwright';
import type { Result } from '../../src/shared/contract/result.ts';
import { makeTake } from '../helpers/oneTake.ts';
import { PATIENCE_MS } from '../helpers/patience.ts';

/**
 * `npm run package:try -- PROGRAM`: starts a packaged Dailies on a fresh data folder, makes a take in its sandbox, checks that it is shown
 * and on disk, types a command, and quits it as the system does. Ends with 1 and a sentence on a failure. Its debugger is off, so it is
 * driven through its window.
 */
const program = resolve(process.argv[2] ?? '');
const dataDir = mkdtempSync(join(tmpdir(), 'dailies-package-'));
const flags = [
  '--remote-debugging-port=0',
  '--data-dir',
  dataDir,
  '--sandbox-speed',
  'fast',
  '--sandbox-media',
  'tiny',
];
const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];

if (!existsSync(program)) {
  process.stderr.write(`${program} is not there: npm run package -- --dir makes it.\n`);
  process.exit(1);
}
const child = spawn(program, [...asRoot, ...flags], {
  stdio: ['ignore', 'inherit', 'pipe'],
  env: { ...process.env, DAILIES_KEYCHAIN: 'off' },
});
const ended = new Promise<number | string>((done) => child.once('exit', (code, signal) => done(code ?? signal ?? '')));
const late = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
try {
  await tryOut();
  process.stdout.write(`${program}: started, made a take, answered a command, quit.\n`);
} catch (error) {
  process.stderr.write(`${program}: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  clearTimeout(late);
  child.kill('SIGKILL');
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
}

async function tryOut(): Promise<void> {
  const gone = ended.then((code): never => {
    throw new Error(`it ended with ${code} while it was being tried.`);
  });
  const browser = await Promise.race([connect(), gone]);
  const context = browser.contexts()[0];
  if (!context) throw new Error('it has no window.');
  const page = await Promise.race([mainPage(context.pages(), context.waitForEvent('page')), gone]);
  const job = await Promise.race([makeTake((name, input) => ask(page, name, input)), gone]);
  if (!job.outputs.every(({ sha256, width }) => /^[0-9a-f]{64}$/.test(sha256) && width > 0))
    throw new Error('the take is not on the disk.');
  await page.waitForSelector('main');
  await Promise.race([typeCommands(page), gone]);
  await browser.close();
  gone.catch(() => {});
  quit(child);
  const code = await ended;
  if (code !== 0) throw new Error(`it ended with ${code}.`);
}

/** The command line and the MCP server of the same program, while its window is open. */
async function typeCommands(page: Page): Promise<void> {
  const { launcher = '' } = (await ask(page, 'app.info')) as { launcher?: string };
  await ask(page, 'settings.set', { commandLine: true });
  // The server opens a moment after the switch.
  for (let code: unknown = 4; code === 4; ) {
    const answered = await typed(launcher, ['status', '--json', '--data-dir', dataDir]);
    code = answered.code;
    if (code === 0 && (JSON.parse(answered.stdout) as Result<unknown>).ok !== true) code = answered.stdout;
    if (code !== 0 && code !== 4) throw new Error(`${launcher} status ended with ${code}.`);
  }
  const client = new Client({ name: 'npm run package:try', version: '1' });
  const args = [...asRoot, 'mcp', '--data-dir', dataDir];
  await client.connect(new StdioClientTransport({ command: program, args, stderr: 'inherit' }));
  const { tools } = await client.listTools();
  if (tools.length === 0) throw new Error('its server has no tools.');
  await client.close();
}

const typed = (launcher: string, args: string[]) =>
  new Promise<{ code: unknown; stdout: string }>((done) => {
    const shell = process.platform === 'win32';
    execFile(shell ? `"${launcher}"` : launcher, args, { shell, encoding: 'utf8' }, (error, stdout) =>
      done({ code: error ? error.code : 0, stdout }),
    );
  });

/** Chromium says its debugging address on stderr. */
function connect() {
  return new Promise<Awaited<ReturnType<typeof chromium.connectOverCDP>>>((done, failed) => {
    if (!child.stderr) return failed(new Error('it has no stderr.'));
    createInterface(child.stderr).on('line', (line) => {
      process.stderr.write(`  ${line}\n`);
      const address = /DevTools listening on (ws:\S+)/.exec(line)?.[1];
      if (address !== undefined)
        chromium.connectOverCDP(address, { noDefaults: true, timeout: PATIENCE_MS }).then(done, failed);
    });
  });
}

async function mainPage(open: Page[], coming: Promise<Page>): Promise<Page> {
  const shown = async (page: Page) => {
    await page.waitForURL('**/index.html', { waitUntil: 'commit' });
    return page;
  };
  return Promise.any([coming.then(shown), ...open.map(shown)]);
}

async function ask(page: Page, name: string, input: object = {}): Promise<unknown> {
  const answer = (await page.evaluate(([name, input]) => globalThis.dailies.call(name, input), [
    name,
    input,
  ] as const)) as Result<unknown>;
  if (!answer.ok) throw new Error(`${name}: ${answer.error.message}`);
  return answer.data;
}

/** A signal asks nobody; Windows has none, and closes the window. */
function quit({ pid, kill }: ChildProcess): void {
  if (process.platform === 'win32') execFileSync('taskkill', ['/pid', String(pid)]);
  else kill.call(child, 'SIGTERM');
}
