import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { PictureSize } from '../../../shared/mediaRef.ts';
import type { FoundProvenance } from '../../../shared/provenance.ts';
import type { ClipFacts } from './clipFacts.ts';
import type { MaskFacts } from './mask.ts';
import type { Probe } from './probe.ts';

/**
 * Files are inspected in separate processes: a file from anywhere may claim four thousand million frames, or have no end. One that takes
 * too long or too much memory ends only its process and counts as unreadable. (Running out of memory in a thread usually ends the whole
 * program.)
 */
export interface InspectRequest {
  kind: 'probe' | 'mask' | 'type' | 'clip' | 'found';
  file: string;
  /** For what a file says of itself: its type. */
  mime?: string;
  /** For a mask: the size of its base picture. */
  base?: PictureSize | undefined;
}

/** Describes a picture or clip; `null` if it is not a format that Dailies keeps. Throws if no process can be started. */
export const probeInProcess = (file: string): Promise<Probe | null> => request({ kind: 'probe', file });

/** The facts of a mask, or only its size if that differs from its base's; `null` if it cannot be read. */
export const maskFactsInProcess = (file: string, base?: PictureSize): Promise<MaskFacts | PictureSize | null> =>
  request({ kind: 'mask', file, base });

/** The MIME type of the content; `null` if it shows none. */
export const mimeInProcess = (file: string): Promise<string | null> => request({ kind: 'type', file });

/** What the streams of a clip are; `null` if it cannot be read. */
export const clipFactsInProcess = (file: string): Promise<ClipFacts | null> => request({ kind: 'clip', file });

/** What a file says of how it was made, as untrusted text; `null` if nothing of it can be read. */
export const foundInProcess = (file: string, mime: string): Promise<FoundProvenance | null> =>
  request({ kind: 'found', file, mime });

/** Files inspected at once: one that has to be given up does not hold up the next. */
const MAX_PROCESSES = 2;
/** An hours-long clip has an index of some ten megabytes. */
const MAX_HEAP_MB = 256;
/** A hundred times as long as the largest mask takes. */
const REQUEST_TIMEOUT_MS = 30_000;
/** An idle process is ended after this time. */
const IDLE_TIMEOUT_MS = 10_000;

interface PendingRequest {
  request: InspectRequest;
  resolve(answer: unknown): void;
  reject(error: Error): void;
}

interface InspectorProcess {
  child: ChildProcess;
  /** The process has started up: if it ends from now on, the file is the cause. */
  ready: boolean;
  idleTimer?: NodeJS.Timeout;
}

const queue: PendingRequest[] = [];
const idle: InspectorProcess[] = [];
let running = 0;

function request<Answer>(pending: InspectRequest): Promise<Answer | null> {
  return new Promise((resolve, fail) => {
    queue.push({ request: pending, resolve: (answer) => resolve(answer as Answer | null), reject: fail });
    startNext();
  });
}

function startNext(): void {
  if (queue.length === 0 || (idle.length === 0 && running === MAX_PROCESSES)) return;
  const waiting = queue.shift();
  if (waiting) sendRequest(idle.pop() ?? startProcess(), waiting);
}

function startProcess(): InspectorProcess {
  running += 1;
  const child = fork(PROGRAM, {
    // Processes that read untrusted files get neither the program's flags nor its secrets.
    execArgv: [`--max-old-space-size=${MAX_HEAP_MB}`],
    env: process.platform === 'win32' ? { SystemRoot: process.env.SystemRoot } : {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const reader: InspectorProcess = { child, ready: false };
  child.once('message', () => {
    reader.ready = true;
  });
  const kill = () => void child.kill('SIGKILL');
  const gone = (): void => {
    child.off('exit', gone).off('error', gone);
    process.off('exit', kill);
    kill();
    running -= 1;
    removeFromIdle(reader);
    startNext();
  };
  // A busy process does not notice that its parent is gone.
  process.on('exit', kill);
  // `error`: it could not be started, or not sent a request.
  child.on('exit', gone).on('error', gone);
  return reader;
}

/** A busy process keeps the program alive; an idle one does not. */
function sendRequest(
  reader: InspectorProcess,
  { request: pending, resolve: settle, reject: fail }: PendingRequest,
): void {
  const { child } = reader;
  clearTimeout(reader.idleTimer);
  const late = setTimeout(() => child.kill('SIGKILL'), REQUEST_TIMEOUT_MS);
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
    // A process that never started up says nothing about the file.
    if (reader.ready) settle(null);
    else fail(new Error(`What reads files ended with ${code ?? signal}.`));
  };
  const heard = (message: unknown): void => {
    const { found } = message as { found?: unknown };
    if (found === undefined) return;
    over();
    markIdle(reader);
    settle(found);
    startNext();
  };
  child.once('exit', ended).once('error', failed).on('message', heard);
  child.ref();
  child.channel?.ref();
  child.send(pending);
}

function markIdle(reader: InspectorProcess): void {
  reader.child.unref();
  reader.child.channel?.unref();
  reader.idleTimer = setTimeout(() => {
    removeFromIdle(reader);
    reader.child.disconnect();
  }, IDLE_TIMEOUT_MS).unref();
  idle.push(reader);
}

/** The process gets no more requests. */
function removeFromIdle(reader: InspectorProcess): void {
  const at = idle.indexOf(reader);
  if (at >= 0) idle.splice(at, 1);
}

/** The source file under plain Node; next to the entry points once bundled. */
const PROGRAM = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? './inspectProgram.ts' : './inspect.js', import.meta.url),
);
