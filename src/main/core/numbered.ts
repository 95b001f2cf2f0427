import type { Clock } from './ports.ts';

/**
 * Gives a `revision` to something that no row holds but that is worked out at every look, such as sums: it grows whenever the value
 * is another one than at the look before. It begins at the time, so that it goes on growing after a restart.
 */
export class Numbered<T extends object> {
  private readonly clock: Pick<Clock, 'now'>;
  private seen = '';
  private revision = 0;

  constructor(clock: Pick<Clock, 'now'>) {
    this.clock = clock;
  }

  of(value: T): T & { revision: number } {
    const seen = JSON.stringify(value);
    if (seen !== this.seen) {
      this.seen = seen;
      this.revision = Math.max(this.revision + 1, this.clock.now());
    }
    return { ...value, revision: this.revision };
  }
}
