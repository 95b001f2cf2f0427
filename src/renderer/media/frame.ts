import { mediaMeasuresSchema } from '../../shared/film/measures.ts';
import type { ClipPart } from '../../shared/film/trim.ts';
import { MEDIA_TASK_LIMIT_MS, type MediaTask } from '../../shared/library/asset.ts';
import { t } from '../../shared/text/texts.ts';
import { type DoTask, Hung, type TaskResult } from './loop.ts';
import { answerOver, askOver, openPorts, servePorts } from './port.ts';

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
  task: MediaTask | StripTask;
  bytes: Blob;
}

/** In the frame: does the tasks of the page around it. */
export const servePage = (doTask: DoTask, readStrip: ReadStrip): void =>
  servePorts(TASKS, (port) =>
    answerOver<Order>(port, async ({ task, bytes }) =>
      task.kind === 'strip' ? { frames: await readStrip(task, bytes) } : doTask(task, bytes),
    ),
  );

/**
 * In the page, once the frame has been loaded. What the frame answers is taken for pictures, for measures within their bounds or for a
 * sentence, and for nothing else.
 * `onHung` is called where it does not answer in time: a file may hold its decoder for ever, and then it has to be replaced.
 */
export function tasksDoneBy(frame: Window, onHung: () => void): { doTask: DoTask; readStrip: ReadStrip } {
  const [port] = openPorts(frame, TASKS);
  const askFrame = askOver(port);
  const ask = (order: Order): Promise<unknown> => {
    const hung = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      hung.reject(new Hung());
      onHung();
    }, MEDIA_TASK_LIMIT_MS);
    return Promise.race([askFrame(order), hung.promise]).finally(() => clearTimeout(timer));
  };
  return {
    doTask: async (task, bytes) => known(resultOf(await ask({ task, bytes }))),
    readStrip: async (task, bytes) => known(stripOf(await ask({ task, bytes }), task)),
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
