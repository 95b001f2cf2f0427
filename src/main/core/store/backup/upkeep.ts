import { fileURLToPath } from 'node:url';
import { WorkQueue } from '../../timeSlicing.ts';
import { type RunningProcess, startProcess, urlOf } from '../../workers/index.ts';
import type { UpkeepTask } from './upkeepProcess.ts';
import type { UpkeepAnswer } from './upkeepWork.ts';

/** One that takes longer hangs, on a disk that does not answer. */
const LIMIT_MS = 30 * 60_000;

/**
 * Checks and copies of the whole database, in a process of their own, one at a time: the program answers meanwhile, and can end at any
 * moment without waiting for one.
 */
export class Upkeep {
  private readonly running = new Set<RunningProcess>();
  private readonly queue = new WorkQueue();
  private isClosed = false;

  /** Undefined if it did not come to its end. */
  run(task: UpkeepTask): Promise<UpkeepAnswer | undefined> {
    return this.queue.add(() => (this.isClosed ? undefined : this.inProcess(task)));
  }

  private inProcess(task: UpkeepTask): Promise<UpkeepAnswer | undefined> {
    return new Promise((done) => {
      const over = (answer?: UpkeepAnswer): void => {
        clearTimeout(late);
        this.running.delete(child);
        child.end();
        done(answer);
      };
      const child = startProcess(PROGRAM, {
        heard: (answer) => over(answer as UpkeepAnswer),
        ended: () => over(),
      });
      const late = setTimeout(() => child.kill(), LIMIT_MS).unref();
      this.running.add(child);
      child.send(task);
    });
  }

  /** What is running is ended. */
  close(): void {
    this.isClosed = true;
    for (const child of this.running) child.kill();
  }
}

const PROGRAM = fileURLToPath(urlOf({ from: import.meta.url, source: './upkeepProcess.ts', bundled: 'upkeep.js' }));
