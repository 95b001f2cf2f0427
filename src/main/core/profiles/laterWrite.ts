import type { Clock } from '../ports.ts';

/** Another program may hold the file for a while, or its disk be full. */
const RETRY_MS = 60_000;

/** Writes later what the settings file did not take; where it does not take it then either, whoever writes asks for it again. */
export class LaterWrite {
  private readonly clock: Pick<Clock, 'after'>;
  private readonly write: () => void;
  private cancel: (() => void) | undefined;
  private isClosed = false;

  constructor(clock: Pick<Clock, 'after'>, write: () => void) {
    this.clock = clock;
    this.write = write;
  }

  ask(): void {
    if (this.isClosed || this.cancel) return;
    this.cancel = this.clock.after(RETRY_MS, () => {
      this.cancel = undefined;
      this.write();
    });
  }

  close(): void {
    this.isClosed = true;
    this.cancel?.();
  }
}
