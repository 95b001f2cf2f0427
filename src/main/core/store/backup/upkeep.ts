import { fileURLToPath } from 'node:url';
import { type RunningProgram, startProgram } from '../../programs/index.ts';
import type { UpkeepTask } from './upkeepProgram.ts';
import type { UpkeepAnswer } from './upkeepWork.ts';

/** One that takes longer hangs, on a disk that does not answer. */
const LIMIT_MS = 30 * 60_000;

/**
 * Checks and copies of the whole database, in a process of their own, one at a time: the program answers meanwhile, and can end at any
 * moment without waiting for one.
 */
export class Upkeep {
  private readonly running = new Set<RunningProgram>();
  private last: Promise<unknown> = Promise.resolve();
  private isClosed = false;

  /** Undefined if it did not come to its end. */
  run(task: UpkeepTask): Promise<UpkeepAnswer | undefined> {
    const mine = this.last.then(() => (this.isClosed ? undefined : this.inProcess(task)));
    this.last = mine;
    return mine;
  }

  private inProcess(task: UpkeepTask): Promise<UpkeepAnswer | undefined> {
    return new Promise((done) => {
      const over = (answer?: UpkeepAnswer): void => {
        clearTimeout(late);
        this.running.delete(program);
        program.end();
        done(answer);
      };
      const program = startProgram(PROGRAM, {
        heard: (answer) => over(answer as UpkeepAnswer),
        ended: () => over(),
      });
      const late = setTimeout(() => program.kill(), LIMIT_MS).unref();
      this.running.add(program);
      program.send(task);
    });
  }

  /** What is running is ended. */
  close(): void {
    this.isClosed = true;
    for (const program of this.running) program.kill();
  }
}

/** The source file under plain Node; next to the entry points once bundled. */
const PROGRAM = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? './upkeepProgram.ts' : './upkeep.js', import.meta.url),
);
