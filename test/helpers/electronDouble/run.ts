import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Runs the really built main of the Electron host under Node, with the double in place of the `electron` module.
 * Functions sent by the test's process are run here with that module, as Playwright's `electronApp.evaluate` does.
 */
const double = pathToFileURL(join(import.meta.dirname, 'electron.ts')).href;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' ? { url: double, shortCircuit: true } : next(specifier, context),
});

const electron: object = await import(double);
process.on('message', async ({ id, source }: { id: number; source: string }) => {
  try {
    const run = new Function(`return (${source})`)() as (module: object) => unknown;
    process.send?.({ id, value: await run(electron) });
  } catch (error) {
    process.send?.({ id, error: String(error) });
  }
});
// The test's process is gone: nothing of it stays behind.
process.on('disconnect', () => process.exit(1));

await import(pathToFileURL(join(import.meta.dirname, '..', '..', '..', 'out', 'main', 'electron.js')).href);
