import { setImmediate } from 'node:timers/promises';

/**
 * Lets callers pass one in each turn of the event loop, in the order in which they came. One that comes alone does not wait: many that
 * arrive in one turn, as from eight programs at once, would be one long turn.
 */
export class OneATurn {
  private last: Promise<unknown> = Promise.resolve();
  private readonly nextTurn: () => Promise<unknown>;

  constructor(nextTurn: () => Promise<unknown> = () => setImmediate()) {
    this.nextTurn = nextTurn;
  }

  async pass(): Promise<void> {
    const mine = this.last;
    this.last = mine.then(() => this.nextTurn());
    await mine;
  }
}
