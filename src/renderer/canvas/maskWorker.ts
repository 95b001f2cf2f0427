import { t } from '../../shared/text/texts.ts';
import type { MaskAnswers, MaskTask } from './mask.worker.ts';

interface Waiting {
  resolve: (answer: never) => void;
  reject: (error: Error) => void;
}

/** The page's side of the mask worker. One worker, started by its first task; answers are matched by number. */
class MaskWorker {
  private started: Worker | undefined;
  private readonly waiting = new Map<number, Waiting>();
  private last = 0;

  /** Rejects with a message if a picture cannot be decoded. */
  run<Kind extends MaskTask['kind']>(task: Extract<MaskTask, { kind: Kind }>): Promise<MaskAnswers[Kind]> {
    const id = ++this.last;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.started ??= this.start();
      this.started.postMessage({ id, task });
    });
  }

  private start(): Worker {
    const worker = new Worker(new URL('./mask.worker.ts', import.meta.url), { type: 'module' });
    worker.addEventListener('message', ({ data }: MessageEvent<{ id: number; answer?: never; error?: string }>) => {
      const waiting = this.waiting.get(data.id);
      this.waiting.delete(data.id);
      if (data.error !== undefined) waiting?.reject(new Error(data.error));
      else waiting?.resolve(data.answer as never);
    });
    worker.addEventListener('error', (event) => {
      const error = new Error(event.message || t`The mask worker could not start.`);
      for (const { reject } of this.waiting.values()) reject(error);
      this.waiting.clear();
    });
    return worker;
  }
}

export const maskWorker = new MaskWorker();
