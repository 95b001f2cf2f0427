import { t } from '../../shared/texts.ts';
import type { MaskAnswers, MaskTask } from './mask.worker.ts';

interface Waiting {
  resolve: (answer: never) => void;
  reject: (error: Error) => void;
}

/** The page's side of the mask worker: one worker, answers by number. */
export class MaskWorker {
  private readonly worker = new Worker(new URL('./mask.worker.ts', import.meta.url), { type: 'module' });
  private readonly waiting = new Map<number, Waiting>();
  private last = 0;

  constructor() {
    this.worker.addEventListener(
      'message',
      ({ data }: MessageEvent<{ id: number; answer?: never; error?: string }>) => {
        const waiting = this.waiting.get(data.id);
        this.waiting.delete(data.id);
        if (data.error !== undefined) waiting?.reject(new Error(data.error));
        else waiting?.resolve(data.answer as never);
      },
    );
    this.worker.addEventListener('error', (event) =>
      this.failAll(event.message || t`The mask worker could not start.`),
    );
  }

  /** Rejects with a sentence where a picture cannot be decoded. */
  run<Kind extends MaskTask['kind']>(task: Extract<MaskTask, { kind: Kind }>): Promise<MaskAnswers[Kind]> {
    const id = ++this.last;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.worker.postMessage({ id, task });
    });
  }

  dispose(): void {
    this.worker.terminate();
    this.failAll(t`The mask worker was closed.`);
  }

  private failAll(message: string): void {
    for (const { reject } of this.waiting.values()) reject(new Error(message));
    this.waiting.clear();
  }
}
