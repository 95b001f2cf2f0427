import { parseArgs } from 'node:util';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createServer } from './server.ts';
import { studioOf } from './studio.ts';

/** `dailies mcp [--data-dir FOLDER]`: the protocol on stdin and stdout, and nothing else there. It ends with its client. */
export function serveMcp(argv: readonly string[]): void {
  const folder = folderIn(argv);
  if (folder === null) return;
  const studio = studioOf(folder);
  serveStdio(() => createServer(studio), {
    onerror: (error) => void process.stderr.write(`${error.message}\n`),
  });
}

function folderIn(argv: readonly string[]): string | undefined | null {
  try {
    const { values } = parseArgs({ args: [...argv], options: { 'data-dir': { type: 'string' } }, strict: true });
    return values['data-dir'];
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 2;
    return null;
  }
}
