import childProcess from 'node:child_process';
import { registerHooks, syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { app } from './app.ts';
import { played } from './record.ts';
import { dialog } from './system.ts';

/**
 * Runs the built main of the Electron host under Node, with the double as the `electron` module and in Electron's start order: the app
 * becomes ready once the entry's import has succeeded or failed. Functions sent by the test's process run here with that module, as in
 * Playwright's `electronApp.evaluate`.
 */
const double = pathToFileURL(join(import.meta.dirname, 'electron.ts')).href;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' ? { url: double, shortCircuit: true } : next(specifier, context),
});
const reallyExit = process.exit.bind(process);

Object.assign(process, { resourcesPath: played('RESOURCES') });
// The arguments of a packaged program begin right after its own path.
if (played('RESOURCES') !== undefined) process.argv.splice(1, 1);
if (played('STREAMS') === 'windows') playWindowsStreams();
const electron: object = await import(double);
// A packaged program cannot run as Node (its fuse is off): `fork` would open another window.
childProcess.fork = () => {
  throw new Error('A packaged program forks no Node.');
};
syncBuiltinESMExports();
process.on('message', async ({ id, source }: { id: number; source: string }) => {
  try {
    const run = new Function(`return (${source})`)() as (module: object) => unknown;
    process.send?.({ id, value: await run(electron) });
  } catch (error) {
    process.send?.({ id, error: String(error) });
  }
});
// Ends with the test's process.
process.on('disconnect', () => reallyExit(1));

process.on('uncaughtException', (error) => {
  if (process.listenerCount('uncaughtException') > 1) return;
  const said = `Uncaught Exception:\n${error.stack ?? `${error.name}: ${error.message}`}`;
  dialog.showErrorBox('A JavaScript error occurred in the main process', said);
});
process.exit = app.exit.bind(app) as typeof process.exit;

/** On Windows stdin is always at its end, and stderr is stdout (electron: lib/common/init.ts, lib/browser/init.ts). */
function playWindowsStreams(): void {
  const stdin = new Readable({ read() {} });
  stdin.push(null);
  Object.defineProperty(process, 'platform', { value: 'win32' });
  Object.defineProperty(process, 'stdin', { get: () => stdin });
  process.stderr.write = process.stdout.write.bind(process.stdout) as typeof process.stderr.write;
}

const built = join(import.meta.dirname, '..', '..', '..', 'out', 'main', 'electron.js');
import(pathToFileURL(played('ENTRY') ?? built).href).then(
  () => app.entrySettled(),
  (error: Error) => {
    app.entrySettled();
    process.emit('uncaughtException', error);
  },
);
