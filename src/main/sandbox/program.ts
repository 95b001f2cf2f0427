import { readFlags } from './flags.ts';
import { type SandboxOptions, startSandbox } from './sandbox.ts';

/** `npm run sandbox`: the sandbox gateway on its own. Prints one line of JSON when ready; SIGTERM or SIGINT ends it. */
async function main(): Promise<void> {
  const read = readFlags(process.argv.slice(2));
  if (!read.ok) {
    process.stderr.write(`${read.message}\n`);
    process.exitCode = 2;
    return;
  }
  const sandbox = await start(read.options);
  if (!sandbox) return;
  const { baseUrl, apiKey, imagePrefix, vendor, imageAuthHeaders } = sandbox;
  const ready = { ready: true, baseUrl, apiKey, imagePrefix, vendor, imageAuthHeaders, pid: process.pid };
  process.stdout.write(`${JSON.stringify(ready)}\n`);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => void sandbox.close().finally(() => process.exit(0)));
  }
}

async function start(options: SandboxOptions) {
  try {
    return await startSandbox(options);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(`The sandbox could not start: ${message}\n`);
    process.exitCode = 1;
    return null;
  }
}

await main();
