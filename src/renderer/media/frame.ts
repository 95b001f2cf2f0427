import { mediaMeasuresSchema } from '../../shared/film/measures.ts';
import type { ClipPart } from '../../shared/film/trim.ts';
import { MEDIA_TASK_LIMIT_MS, type MediaTask } from '../../shared/library/asset.ts';
import { t } from '../../shared/text/texts.ts';
import { type DoTask, Hung, type TaskResult } from './loop.ts';

/**
 * A page of the browser host has its media tasks done in a frame that is sandboxed to an origin of its own: what came from the network is
 * decoded there, and whoever takes that over by a damaged file has no key, no storage and no call. The page hands it bytes and gets
 * pictures or measures back over one port; claims and uploads are the page's. Film strips are read there in both hosts.
 */

/** What the page says when it hands over the port for tasks. */
const TASKS = 'tasks';

/** Frames of a clip, evenly over its length, or over a part of it. */
export interface StripTask {
  kind: 'strip';
  count: number;
  height: number;
  part?: ClipPart | undefined;
}

/** Reads the frames of a clip, in order, as pictures. */
export type ReadStrip = (task: StripTask, bytes: Blob) => Promise<Blob[]>;

interface Order {
  id: number;
  task: MediaTask | StripTask;
  bytes: Blob;
}

type Result = TaskResult | { frames: Blob[] };

interface Answer {
  id: number;
  result?: Result;
  error?: string;
}

/** In the frame: does the tasks of the page around it. */
export function servePage(doTask: DoTask, readStrip: ReadStrip): void {
  const work = async (task: Order['task'], bytes: Blob): Promise<Result> =>
    task.kind === 'strip' ? { frames: await readStrip(task, bytes) } : doTask(task, bytes);
  window.addEventListener('message', ({ source, data, ports: [port] }) => {
    if (source !== window.parent || data !== TASKS || !port) return;
    port.onmessage = async ({ data: { id, task, bytes } }: MessageEvent<Order>) => {
      const answer = await work(task, bytes).then(
        (result): Answer => ({ id, result }),
        (error: unknown): Answer => ({ id, error: error instanceof Error ? error.message : String(error) }),
      );
      port.postMessage(answer);
    };
  });
}

/**
 * In the page, once the frame has been loaded. What the frame answers is taken for pictures, for measures within their bounds or for a
 * sentence, and for nothing else.
 * `onHung` is called where it does not answer in time: a file may hold its decoder for ever, and then it has to be replaced.
 */
export function tasksDoneBy(frame: Window, onHung: () => void): { doTask: DoTask; readStrip: ReadStrip } {
  const { port1, port2 } = new MessageChannel();
  const waiting = new Map<number, { done(result: unknown): void; failed(error: Error): void }>();
  let count = 0;
  port1.onmessage = ({ data }: MessageEvent<unknown>) => {
    const { id, result, error } = (data ?? {}) as Partial<Answer>;
    const order = waiting.get(Number(id));
    waiting.delete(Number(id));
    if (typeof error === 'string') order?.failed(new Error(error));
    else order?.done(result);
  };
  // A sandboxed frame has no origin that could be named.
  frame.postMessage(TASKS, '*', [port2]);
  const ask = (task: Order['task'], bytes: Blob): Promise<unknown> =>
    new Promise((done, failed) => {
      count += 1;
      const id = count;
      const timer = setTimeout(() => {
        waiting.delete(id);
        failed(new Hung());
        onHung();
      }, MEDIA_TASK_LIMIT_MS);
      waiting.set(id, {
        done(result) {
          clearTimeout(timer);
          done(result);
        },
        failed(error) {
          clearTimeout(timer);
          failed(error);
        },
      });
      port1.postMessage({ id, task, bytes } satisfies Order);
    });
  return {
    doTask: async (task, bytes) => known(resultOf(await ask(task, bytes))),
    readStrip: async (task, bytes) => known(stripOf(await ask(task, bytes), task)),
  };
}

function known<Known>(result: Known | undefined): Known {
  if (result === undefined) throw new Error(t`The file could not be read.`);
  return result;
}

/** Whatever the frame says of them, they are shown as pictures alone. */
function stripOf(result: unknown, { count }: StripTask): Blob[] | undefined {
  const { frames } = (result ?? {}) as { frames?: unknown };
  if (!Array.isArray(frames) || frames.length > count || !frames.every((frame) => frame instanceof Blob))
    return undefined;
  return frames.map((frame) => frame.slice(0, frame.size, 'image/webp'));
}

function resultOf(result: unknown): TaskResult | undefined {
  const { picture, measures } = (result ?? {}) as { picture?: unknown; measures?: unknown };
  if (picture instanceof Blob) return { picture };
  const parsed = mediaMeasuresSchema.safeParse(measures);
  return parsed.success ? { measures: parsed.data } : undefined;
}
