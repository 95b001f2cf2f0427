import { fileURLToPath } from 'node:url';
import { WorkQueue } from '../../timeSlicing.ts';
import { type RunningProcess, startProcess, urlOf } from '../../workers/index.ts';
import type { UpkeepTask } from './upkeepProcess.ts';
import type { UpkeepAnswer } from './upkeepWork.ts';

/** A longer run means that the disk does not answer. */
const LIMIT_MS = 30 * 60_000;

/**
 * Checks and copies the whole database in a separate process, one task at a time: the program stays responsive, and can end at any time
 * without waiting.
 */
export class Upkeep {
  private readonly running = new Set<RunningProcess>();
  private readonly queue = new WorkQueue();
  private isClosed = false;

  /** Undefined if the task did not finish. */
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

  /** Ends a running task. */
  close(): void {
    this.isClosed = true;
    for (const child of this.running) child.kill();
  }
}

const PROGRAM = fileURLToPath(urlOf({ from: import.meta.url, source: './upkeepProcess.ts', bundled: 'upkeep.js' }));
