import { deleteFlag, readFlag, type Store, writeFlag } from '../../store/index.ts';

const FLAG = 'library:pausedMove';

/** Holds a move between two of its files until the user lets it go on, also over a restart. */
export class MovePause {
  private readonly store: Store;
  private id: string | undefined;
  private readonly waiting = new Set<() => void>();

  constructor(store: Store) {
    this.store = store;
    this.id = readFlag(store.read, FLAG);
  }

  isOn(id: string): boolean {
    return this.id === id;
  }

  hold(id: string): void {
    this.store.transaction((db) => writeFlag(db, FLAG, id));
    this.id = id;
  }

  /** Nothing if it is not held. */
  release(id: string): void {
    if (!this.isOn(id)) return;
    this.store.transaction((db) => deleteFlag(db, FLAG));
    this.id = undefined;
    for (const wake of this.waiting) wake();
  }

  /** Resolves once the move may go on; rejects with the reason of a stop. */
  async over(id: string, signal: AbortSignal): Promise<void> {
    while (this.isOn(id) && !signal.aborted)
      await new Promise<void>((wake) => {
        const done = (): void => {
          this.waiting.delete(done);
          signal.removeEventListener('abort', done);
          wake();
        };
        this.waiting.add(done);
        signal.addEventListener('abort', done);
      });
    signal.throwIfAborted();
  }
}
