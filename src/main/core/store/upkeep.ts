import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { UpkeepTask } from './upkeepProgram.ts';
import type { UpkeepAnswer } from './upkeepWork.ts';

/** One that takes longer hangs, on a disk that does not answer. */
const LIMIT_MS = 30 * 60_000;

/**
 * Checks and copies of the whole database, in a process of their own, one at a time: the program answers meanwhile, and can end at any
 * moment without waiting for one.
 */
export class Upkeep {
  private readonly running = new Set<ChildProcess>();
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
      const child = fork(PROGRAM, {
        // It needs none of the program's flags and secrets.
        execArgv: [],
        env: process.platform === 'win32' ? { SystemRoot: process.env.SystemRoot } : {},
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      });
      this.running.add(child);
      const kill = () => void child.kill('SIGKILL');
      const late = setTimeout(kill, LIMIT_MS).unref();
      // A busy process does not notice that its parent is gone.
      process.on('exit', kill);
      const over = (answer?: UpkeepAnswer): void => {
        clearTimeout(late);
        process.off('exit', kill);
        this.running.delete(child);
        done(answer);
      };
      child.once('message', (answer) => over(answer as UpkeepAnswer));
      child.once('exit', () => over()).once('error', () => over());
      child.send(task, (error) => {
        if (error) kill();
      });
    });
  }

  /** What is running is ended. */
  close(): void {
    this.isClosed = true;
    for (const child of this.running) child.kill('SIGKILL');
  }
}

/** The source file under plain Node; next to the entry points once bundled. */
const PROGRAM = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? './upkeepProgram.ts' : './upkeep.js', import.meta.url),
);
