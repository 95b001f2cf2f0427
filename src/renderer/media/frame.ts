import { MEDIA_TASK_LIMIT_MS, type MediaTask } from '../../shared/asset.ts';
import { Hung, type MakePicture } from './loop.ts';

/**
 * A page of the browser host has its pictures made in a frame that is sandboxed to an origin of its own: what came from the network is
 * decoded there, and whoever takes that over by a damaged file has no key, no storage and no call. The page hands it bytes and gets a
 * picture back over one port; claims and uploads are the page's.
 */

interface Order {
  id: number;
  task: MediaTask;
  bytes: Blob;
}

interface Answer {
  id: number;
  picture?: Blob;
  error?: string;
}

/** In the frame: makes pictures for the page around it. */
export function servePage(makePicture: MakePicture): void {
  window.addEventListener('message', ({ source, ports: [port] }) => {
    if (source !== window.parent || !port) return;
    port.onmessage = async ({ data: { id, task, bytes } }: MessageEvent<Order>) => {
      const answer = await makePicture(task, bytes).then(
        (picture): Answer => ({ id, picture }),
        (error: unknown): Answer => ({ id, error: error instanceof Error ? error.message : String(error) }),
      );
      port.postMessage(answer);
    };
  });
}

/**
 * In the page, once the frame has been loaded. What the frame answers is taken for a picture or a sentence, and for nothing else.
 * `onHung` is called where it does not answer in time: a file may hold its decoder for ever, and then it has to be replaced.
 */
export function picturesOf(frame: Window, onHung: () => void): MakePicture {
  const { port1, port2 } = new MessageChannel();
  const waiting = new Map<number, { done(picture: Blob): void; failed(error: Error): void }>();
  let count = 0;
  port1.onmessage = ({ data }: MessageEvent<unknown>) => {
    const { id, picture, error } = (data ?? {}) as Partial<Answer>;
    const order = waiting.get(Number(id));
    waiting.delete(Number(id));
    if (picture instanceof Blob) order?.done(picture);
    else order?.failed(new Error(typeof error === 'string' ? error : 'The file could not be read.'));
  };
  // A sandboxed frame has no origin that could be named.
  frame.postMessage('pictures', '*', [port2]);
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
        done(picture) {
          clearTimeout(timer);
          done(picture);
        },
        failed(error) {
          clearTimeout(timer);
          failed(error);
        },
      });
      port1.postMessage({ id, task, bytes } satisfies Order);
    });
}
