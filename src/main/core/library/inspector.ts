import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { PictureSize } from '../../../shared/readiness.ts';
import type { MaskFacts } from './mask.ts';
import type { Probe } from './probe.ts';

/**
 * Files are read in processes of their own: one from anywhere may say of itself that it has four thousand million frames, or have no
 * end. What takes too long or too much memory ends its process and nothing else, and counts as a file that cannot be read. (Out of
 * memory in a thread mostly ends the whole program.)
 */
export interface Question {
  about: 'probe' | 'mask' | 'type';
  file: string;
  /** Of a mask: the size of the picture that it belongs to. */
  base?: PictureSize | undefined;
}

/** What a picture or clip is; `null` where it is none that Dailies keeps. Throws where no process can be started. */
export const probed = (file: string): Promise<Probe | null> => ask({ about: 'probe', file });

/** What a mask holds, or only its size where that is not its base's; `null` when it cannot be read. */
export const maskFacts = (file: string, base?: PictureSize): Promise<MaskFacts | PictureSize | null> =>
  ask({ about: 'mask', file, base });

/** The MIME type that the content shows; `null` where it shows none. */
export const typeOfFile = (file: string): Promise<string | null> => ask({ about: 'type', file });

/** So many files are read at once: one that has to be given up holds nobody up. */
const PROCESSES = 2;
/** A clip of hours has an index of some ten megabytes. */
const MOST_MEGABYTES = 256;
/** A hundred times what the largest mask takes. */
const LONGEST_MS = 30_000;
/** One that has nothing to do for so long is ended. */
const IDLE_MS = 10_000;

interface Waiting {
  question: Question;
  settle(answer: unknown): void;
  fail(error: Error): void;
}

interface Reader {
  child: ChildProcess;
  /** It has come to reading: what ends it now is the file. */
  ready: boolean;
  rest?: NodeJS.Timeout;
}

const queue: Waiting[] = [];
const idle: Reader[] = [];
let running = 0;

function ask<Answer>(question: Question): Promise<Answer | null> {
  return new Promise((resolve, fail) => {
    queue.push({ question, settle: (answer) => resolve(answer as Answer | null), fail });
    next();
  });
}

function next(): void {
  if (queue.length === 0 || (idle.length === 0 && running === PROCESSES)) return;
  const waiting = queue.shift();
  if (waiting) answer(idle.pop() ?? open(), waiting);
}

function open(): Reader {
  running += 1;
  const child = fork(PROGRAM, {
    // Neither the program's flags nor its secrets are for those that read files.
    execArgv: [`--max-old-space-size=${MOST_MEGABYTES}`],
    env: process.platform === 'win32' ? { SystemRoot: process.env.SystemRoot } : {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const reader: Reader = { child, ready: false };
  child.once('message', () => {
    reader.ready = true;
  });
  const kill = () => void child.kill('SIGKILL');
  const gone = (): void => {
    child.off('exit', gone).off('error', gone);
    process.off('exit', kill);
    kill();
    running -= 1;
    leaveIdle(reader);
    next();
  };
  // One that is busy does not hear that nobody is there any more.
  process.on('exit', kill);
  // `error`: it could not be started, or told anything.
  child.on('exit', gone).on('error', gone);
  return reader;
}

/** A process at work keeps the program alive; one that waits does not. */
function answer(reader: Reader, { question, settle, fail }: Waiting): void {
  const { child } = reader;
  clearTimeout(reader.rest);
  const late = setTimeout(() => child.kill('SIGKILL'), LONGEST_MS);
  const over = (): void => {
    clearTimeout(late);
    child.off('exit', ended).off('error', failed).off('message', heard);
  };
  const failed = (error: Error): void => {
    over();
    fail(error);
  };
  const ended = (code: number | null, signal: string | null): void => {
    over();
    // One that never came to reading says nothing of the file.
    if (reader.ready) settle(null);
    else fail(new Error(`What reads files ended with ${code ?? signal}.`));
  };
  const heard = (message: unknown): void => {
    const { found } = message as { found?: unknown };
    if (found === undefined) return;
    over();
    putAside(reader);
    settle(found);
    next();
  };
  child.once('exit', ended).once('error', failed).on('message', heard);
  child.ref();
  child.channel?.ref();
  child.send(question);
}

function putAside(reader: Reader): void {
  reader.child.unref();
  reader.child.channel?.unref();
  reader.rest = setTimeout(() => {
    leaveIdle(reader);
    reader.child.disconnect();
  }, IDLE_MS).unref();
  idle.push(reader);
}

/** It is asked nothing any more. */
function leaveIdle(reader: Reader): void {
  const at = idle.indexOf(reader);
  if (at >= 0) idle.splice(at, 1);
}

/** The source itself under plain Node; beside the entries once bundled. */
const PROGRAM = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? './inspectProgram.ts' : './inspect.js', import.meta.url),
);
