#!/usr/bin/env node
// The entry of `npm start`, `npm run sandbox`, `npm run verify` and `dailies`. Any Node must be able to parse it: on an old Node SQLite
// crashes without a message, so the version is checked first.
import module from 'node:module';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  // Machines for which an optional dependency brings a Node.
  const isBrought = ['linux arm64', 'linux x64', 'win32 x64'].includes(`${process.platform} ${process.arch}`);
  const advice = isBrought
    ? 'use `npm start`, which brings its own Node 24.'
    : 'install Node 24 (https://nodejs.org). None comes with `npm ci` on this kind of machine.';
  process.stderr.write(`Dailies needs Node 22.18 or newer and this is ${process.version}: ${advice}\n`);
  process.exit(1);
}

// Compiled once, not at every start.
module.enableCompileCache?.(fileURLToPath(new URL('../../node_modules/.cache/dailies/compiled', import.meta.url)));

if (process.argv[2] === 'sandbox') {
  process.argv.splice(2, 1);
  await import('./sandbox/program.ts');
} else if (process.argv[2] === 'verify') {
  const { verify } = await import('./hosts/launch/verify.ts');
  process.exitCode = await verify(process.argv.slice(3));
} else if (process.argv[2] === 'mcp') {
  const { serveMcp } = await import('./mcp/main.ts');
  process.exitCode = await serveMcp(process.argv.slice(3));
} else if (process.argv[2] !== undefined && !process.argv[2].startsWith('-')) {
  const { commandLine } = await import('./cli/main.ts');
  process.exitCode = await commandLine(process.argv.slice(2));
} else {
  const { launch } = await import('./hosts/launch/launch.ts');
  await launch(process.argv.slice(2));
}
