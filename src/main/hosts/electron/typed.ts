import { join } from 'node:path';
import { descriptorStreams, flushed, type StandardStreams } from '../common/standardStreams.ts';

/**
 * Commands typed for an installed program, such as `dailies status --json` or `dailies cli mcp`. Its binary handles them: it cannot run as
 * plain Node, and the package has no other. The system opens it with a path or a link, never a bare word.
 */

/** Everything after it is a command; the launchers (`packaging/bin`) add it. */
const COMMAND_LINE = 'cli';

/** The words of a command; undefined if the window is meant. */
export function typedWords(argv: readonly string[], isPackaged: boolean): string[] | undefined {
  if (!isPackaged) return undefined;
  const words = argv.slice(1);
  // Chromium as root requires it before anything of ours runs; a command shows no page.
  while (words[0] === '--no-sandbox') words.shift();
  const [first = '', ...rest] = words;
  if (first === COMMAND_LINE) return rest;
  return isBareWord(first) || first === '--help' ? words : undefined;
}

const isBareWord = (word: string): boolean =>
  word !== '' && [...word].every((letter) => letter >= 'a' && letter <= 'z');

/** The full path to type; for an AppImage the image itself, since its contents have another path in each run. */
export function launcherIn({
  platform,
  env,
  resourcesPath,
}: Pick<NodeJS.Process, 'platform' | 'env'> & Resources): string {
  if (platform === 'linux' && env.APPIMAGE) return env.APPIMAGE;
  return join(resourcesPath, 'bin', platform === 'win32' ? 'dailies.cmd' : 'dailies');
}

interface Resources {
  resourcesPath: string;
}

/** Runs it and returns its exit code, once all output has left. */
export async function runTyped(words: readonly string[], platform: NodeJS.Platform): Promise<number> {
  const streams = platform === 'win32' ? descriptorStreams() : process;
  const code = await run(words, streams);
  await flushed(streams);
  return code;
}

async function run([name = 'help', ...rest]: readonly string[], streams: StandardStreams): Promise<number> {
  if (name === 'mcp') return (await import('../../mcp/main.ts')).serveMcp(rest, streams);
  if (name === 'verify') return (await import('../launch/verify.ts')).verify(rest, streams);
  return (await import('../../cli/main.ts')).commandLine([name, ...rest], streams);
}
