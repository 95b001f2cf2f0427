import { createInterface } from 'node:readline/promises';
import { shownJson } from '../../shared/shownName.ts';
import type { Terminal } from './command.ts';
import { runCommand } from './run.ts';
import { printed } from './words.ts';

/** The command line of this process: the answer on stdout, everything else on stderr, the exit code by `exitCodes.ts`. */
export async function commandLine(argv: readonly string[]): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  const { code, result, lines, json } = await runCommand(argv, terminal);
  if (json) process.stdout.write(`${shownJson(JSON.stringify(result))}\n`);
  else if (lines.length > 0) process.stdout.write(`${lines.join('\n')}\n`);
  if (!result.ok) terminal.say(result.error.message);
  process.exitCode = code;
}

const terminal: Terminal = {
  isInteractive: process.stdin.isTTY === true && process.stderr.isTTY === true,
  say: (text) => void process.stderr.write(`${printed(text)}\n`),
  async ask(question) {
    const lines = createInterface({ input: process.stdin, output: process.stderr });
    try {
      return await lines.question(question);
    } finally {
      lines.close();
    }
  },
};
