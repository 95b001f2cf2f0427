import type { Clock } from './ports.ts';

/**
 * Gives a `revision` to a computed value that is not stored: it grows whenever the value changes. It starts from the clock, so that it also
 * grows over restarts.
 */
export class RevisionCounter<T extends object> {
  private readonly clock: Pick<Clock, 'now'>;
  private seen = '';
  private revision = 0;

  constructor(clock: Pick<Clock, 'now'>) {
    this.clock = clock;
  }

  stamp(value: T): T & { revision: number } {
    const seen = JSON.stringify(value);
    if (seen !== this.seen) {
      this.seen = seen;
      this.revision = Math.max(this.revision + 1, this.clock.now());
    }
    return { ...value, revision: this.revision };
  }
}
