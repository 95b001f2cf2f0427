import { MEDIA_TASK_LIMIT_MS, type MediaTask } from '../../shared/asset.ts';
import { mediaMeasuresSchema } from '../../shared/measures.ts';
import { t } from '../../shared/texts.ts';
import { type DoTask, Hung, type TaskResult } from './loop.ts';

/**
 * A page of the browser host has its media tasks done in a frame that is sandboxed to an origin of its own: what came from the network is
 * decoded there, and whoever takes that over by a damaged file has no key, no storage and no call. The page hands it bytes and gets a
 * picture or measures back over one port; claims and uploads are the page's.
 */

/** What the page says when it hands over the port for tasks. */
const TASKS = 'tasks';

interface Order {
  id: number;
  task: MediaTask;
  bytes: Blob;
}

interface Answer {
  id: number;
  result?: TaskResult;
  error?: string;
}

/** In the frame: does the tasks of the page around it. */
export function servePage(doTask: DoTask): void {
  window.addEventListener('message', ({ source, data, ports: [port] }) => {
    if (source !== window.parent || data !== TASKS || !port) return;
    port.onmessage = async ({ data: { id, task, bytes } }: MessageEvent<Order>) => {
      const answer = await doTask(task, bytes).then(
        (result): Answer => ({ id, result }),
        (error: unknown): Answer => ({ id, error: error instanceof Error ? error.message : String(error) }),
      );
      port.postMessage(answer);
    };
  });
}

/**
 * In the page, once the frame has been loaded. What the frame answers is taken for a picture, for measures within their bounds or for a
 * sentence, and for nothing else.
 * `onHung` is called where it does not answer in time: a file may hold its decoder for ever, and then it has to be replaced.
 */
export function tasksDoneBy(frame: Window, onHung: () => void): DoTask {
  const { port1, port2 } = new MessageChannel();
  const waiting = new Map<number, { done(result: TaskResult): void; failed(error: Error): void }>();
  let count = 0;
  port1.onmessage = ({ data }: MessageEvent<unknown>) => {
    const { id, result, error } = (data ?? {}) as Partial<Answer>;
    const order = waiting.get(Number(id));
    waiting.delete(Number(id));
    const known = resultOf(result);
    if (known) order?.done(known);
    else order?.failed(new Error(typeof error === 'string' ? error : t`The file could not be read.`));
  };
  // A sandboxed frame has no origin that could be named.
  frame.postMessage(TASKS, '*', [port2]);
  return (task, bytes) =>
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
}

function resultOf(result: unknown): TaskResult | undefined {
  const { picture, measures } = (result ?? {}) as { picture?: unknown; measures?: unknown };
  if (picture instanceof Blob) return { picture };
  const parsed = mediaMeasuresSchema.safeParse(measures);
  return parsed.success ? { measures: parsed.data } : undefined;
}
