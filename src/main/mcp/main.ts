import { parseArgs } from 'node:util';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { flushed, type StandardStreams } from '../hosts/common/standardStreams.ts';
import { patientTransport } from './patientTransport.ts';
import { createServer } from './server.ts';
import { studioOf } from './studio.ts';

/**
 * `dailies mcp [--data-dir FOLDER]`: the protocol, and nothing else, on stdin and stdout. Ends with its client, once all input is answered;
 * returns the exit code.
 */
export async function serveMcp(argv: readonly string[], streams: StandardStreams = process): Promise<number> {
  const { stdin, stdout, stderr } = streams;
  const folder = folderIn(argv);
  if ('wrong' in folder) {
    stderr.write(`${folder.wrong}\n`);
    return 2;
  }
  const studio = studioOf(folder.dataDir);
  const { transport, input } = patientTransport(stdin, stdout);
  const over = new Promise((done) => {
    for (const event of ['end', 'close', 'error']) input.once(event, done);
    stdout.once('error', done);
  });
  const serving = serveStdio(() => createServer(studio), {
    transport,
    onerror: (error) => void stderr.write(`${error.message}\n`),
  });
  await over;
  await serving.close();
  stdin.destroy();
  if (!stdout.errored) await flushed(streams);
  return 0;
}

function folderIn(argv: readonly string[]): { dataDir: string | undefined } | { wrong: string } {
  try {
    const { values } = parseArgs({ args: [...argv], options: { 'data-dir': { type: 'string' } }, strict: true });
    return { dataDir: values['data-dir'] };
  } catch (error) {
    return { wrong: error instanceof Error ? error.message : String(error) };
  }
}
