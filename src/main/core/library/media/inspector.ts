import { fileURLToPath } from 'node:url';
import type { PictureSize } from '../../../../shared/library/mediaRef.ts';
import type { FoundProvenance } from '../../../../shared/library/provenance.ts';
import { type RunningProcess, startProcess, urlOf } from '../../workers/index.ts';
import type { ClipFacts } from './clipFacts.ts';
import { orientationOf } from './exif.ts';
import type { MaskFacts } from './mask.ts';
import type { Probe } from './probe.ts';

/**
 * Files are inspected in separate processes: a file from anywhere may claim four thousand million frames, or have no end. One that takes
 * too long or too much memory ends only its process and counts as unreadable. (Running out of memory in a thread usually ends the whole
 * program.)
 */
export interface InspectRequest {
  kind: 'probe' | 'mask' | 'type' | 'clip' | 'found' | 'upright' | 'alphaMask' | 'place';
  file: string;
  /** For what a file says of itself, and for a picture's pixels: its type. */
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

/** Facts about the streams of a clip; `null` if it cannot be read. */
export const clipFactsInProcess = (file: string): Promise<ClipFacts | null> => request({ kind: 'clip', file });

/** How a file was made, according to its metadata, as untrusted text; `null` if nothing can be read. */
export const foundInProcess = (file: string, mime: string): Promise<FoundProvenance | null> =>
  request({ kind: 'found', file, mime });

/**
 * A picture as base64 with its pixels upright and without an orientation; undefined where they stand that way already, or nothing says
 * otherwise. Throws if it cannot be decoded.
 */
export async function uprightInProcess(file: string, mime: string): Promise<string | undefined> {
  const found = await request<{ upright: string | null }>({ kind: 'upright', file, mime });
  if (!found) throw new Error('The picture cannot be decoded.');
  return found.upright ?? undefined;
}

/** A mask whose white is transparent ({@link alphaMask}). Throws if it cannot be decoded. */
export async function alphaMaskInProcess(file: string): Promise<Buffer> {
  const found = await request<string>({ kind: 'alphaMask', file });
  if (!found) throw new Error('The mask cannot be decoded.');
  return Buffer.from(found, 'base64');
}

/** A WebP with upright pixels if it states a rotation, because browsers ignore that. */
export async function uprightWebp(file: string): Promise<Buffer | undefined> {
  if (((await orientationOf(file, 'image/webp')) ?? 1) === 1) return undefined;
  const upright = await uprightInProcess(file, 'image/webp');
  return upright === undefined ? undefined : Buffer.from(upright, 'base64');
}

/** The number of files inspected at once: a file that has to be given up must not hold up the next. */
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
  child: RunningProcess;
  /** The process has started up: if it ends from now on, the file is the cause. */
  ready: boolean;
  asked?: PendingRequest | undefined;
  lateTimer?: NodeJS.Timeout;
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
  if (waiting) sendRequest(idle.pop() ?? startInspector(), waiting);
}

function startInspector(): InspectorProcess {
  running += 1;
  // Processes that read untrusted files get neither the program's flags nor its secrets.
  const child = startProcess(PROGRAM, {
    maxHeapMb: MAX_HEAP_MB,
    heard: (message) => hear(reader, message),
    ended(reason, error) {
      running -= 1;
      removeFromIdle(reader);
      const asked = takeAsked(reader);
      // A process that never started up says nothing about the file.
      if (error === undefined && reader.ready) asked?.resolve(null);
      else asked?.reject(error ?? new Error(`What reads files ended with ${reason}.`));
      startNext();
    },
  });
  const reader: InspectorProcess = { child, ready: false };
  return reader;
}

function hear(reader: InspectorProcess, message: unknown): void {
  reader.ready = true;
  const { found } = message as { found?: unknown };
  if (found === undefined) return;
  const asked = takeAsked(reader);
  markIdle(reader);
  asked?.resolve(found);
  startNext();
}

/** Takes the request out of the process: it has ended, with or without a result. */
function takeAsked(reader: InspectorProcess): PendingRequest | undefined {
  const { asked } = reader;
  clearTimeout(reader.lateTimer);
  reader.asked = undefined;
  return asked;
}

/** A busy process keeps the program alive; an idle one does not. */
function sendRequest(reader: InspectorProcess, asked: PendingRequest): void {
  clearTimeout(reader.idleTimer);
  reader.asked = asked;
  reader.lateTimer = setTimeout(() => reader.child.kill(), REQUEST_TIMEOUT_MS);
  reader.child.setBusy(true);
  reader.child.send(asked.request);
}

function markIdle(reader: InspectorProcess): void {
  reader.child.setBusy(false);
  reader.idleTimer = setTimeout(() => {
    removeFromIdle(reader);
    reader.child.end();
  }, IDLE_TIMEOUT_MS).unref();
  idle.push(reader);
}

/** The process gets no more requests. */
function removeFromIdle(reader: InspectorProcess): void {
  const at = idle.indexOf(reader);
  if (at >= 0) idle.splice(at, 1);
}

/** The time in which a disk must answer whether a path exists. */
const FOLDER_TIMEOUT_MS = 10_000;

let idleLooker: { child: RunningProcess; timer: NodeJS.Timeout } | undefined;

/**
 * Whether the disk of a user's file or folder answers in time, with any result. A share that is gone blocks every access, and may even
 * block a process that is being ended, so a separate process asks.
 */
export function folderAnswers(file: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const waiting = idleLooker;
  clearTimeout(waiting?.timer);
  idleLooker = undefined;
  const child = waiting?.child ?? startProcess(PROGRAM, { heard: (message) => lookers.get(child)?.(message), ended });
  function ended(): void {
    if (idleLooker?.child === child) idleLooker = undefined;
    // If no process can be started, nothing is known about the disk.
    lookers.get(child)?.({ found: true });
  }
  const late = setTimeout(() => over(false), FOLDER_TIMEOUT_MS);
  const over = (answers: boolean): void => {
    lookers.delete(child);
    clearTimeout(late);
    if (!answers) child.kill();
    child.setBusy(false);
    resolve(answers);
  };
  lookers.set(child, (message) => {
    if ((message as { found?: unknown }).found === undefined) return;
    over(true);
    keepLooker(child);
  });
  child.setBusy(true);
  child.send({ kind: 'place', file } satisfies InspectRequest);
  return promise;
}

const lookers = new Map<RunningProcess, (message: unknown) => void>();

function keepLooker(child: RunningProcess): void {
  idleLooker?.child.end();
  clearTimeout(idleLooker?.timer);
  const timer = setTimeout(() => {
    idleLooker = undefined;
    child.end();
  }, IDLE_TIMEOUT_MS).unref();
  idleLooker = { child, timer };
}

const PROGRAM = fileURLToPath(urlOf({ from: import.meta.url, source: './inspectProcess.ts', bundled: 'inspect.js' }));
