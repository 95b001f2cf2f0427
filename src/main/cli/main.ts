import { createInterface } from 'node:readline/promises';
import { shownJson } from '../../shared/text/safeText.ts';
import type { StandardStreams } from '../hosts/common/standardStreams.ts';
import type { Terminal } from './command.ts';
import { runCommand } from './run.ts';
import { printed } from './words.ts';

/** The command line: the answer on stdout, everything else on stderr. Returns the exit code (`exitCodes.ts`). */
export async function commandLine(argv: readonly string[], streams: StandardStreams = process): Promise<number> {
  for (const stream of [streams.stdout, streams.stderr]) stream.on('error', () => {});
  const terminal = terminalOf(streams);
  const { code, result, lines, json } = await runCommand(argv, terminal);
  if (json) streams.stdout.write(`${shownJson(JSON.stringify(result))}\n`);
  else if (lines.length > 0) streams.stdout.write(`${lines.join('\n')}\n`);
  if (!result.ok) terminal.say(result.error.message);
  return code;
}

const terminalOf = ({ stdin, stderr }: StandardStreams): Terminal => ({
  isInteractive: stdin.isTTY === true && stderr.isTTY === true,
  say: (text) => void stderr.write(`${printed(text)}\n`),
  async ask(question) {
    const lines = createInterface({ input: stdin, output: stderr });
    try {
      return await lines.question(question);
    } finally {
      lines.close();
    }
  },
});
