import { mediaMeasuresSchema } from '../../shared/film/measures.ts';
import type { ClipPart } from '../../shared/film/trim.ts';
import { MEDIA_TASK_LIMIT_MS, type MediaTask } from '../../shared/library/asset.ts';
import { t } from '../../shared/text/texts.ts';
import { type DoTask, Hung, type TaskResult } from './loop.ts';
import { answerOver, askOver, openPorts, servePorts } from './port.ts';

/**
 * Pages of the browser host do media tasks in a frame that is sandboxed to its own origin: files from the network are decoded there, and an
 * attacker who takes it over with a damaged file gets no key, no storage and no calls. The page passes bytes in and gets pictures or
 * measurements back over one port; claims and uploads stay in the page. Both hosts read film strips there.
 */

/** The message with which the page passes the port for tasks. */
const TASKS = 'tasks';

/** Frames of a clip, evenly spread over its length or a part of it. */
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

/** In the frame: does the tasks of its page. */
export const servePage = (doTask: DoTask, readStrip: ReadStrip): void =>
  servePorts(TASKS, (port) =>
    answerOver<Order>(port, async ({ task, bytes }) =>
      task.kind === 'strip' ? { frames: await readStrip(task, bytes) } : doTask(task, bytes),
    ),
  );

/**
 * In the page, once the frame has loaded. Answers of the frame count only as pictures, as measurements within their limits, or as a
 * sentence. `onHung` is called if it does not answer in time: a file may block the decoder for ever, and then the frame is replaced.
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

/** Whatever type the frame states, they are shown as pictures only. */
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
