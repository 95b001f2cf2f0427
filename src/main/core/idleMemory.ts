/** A page that is open asks nothing when nothing happens, so a pause of this length is one. */
const IDLE_MS = 30_000;

/** Gives memory back once nothing was asked and nothing has changed for a while: what a busy hour took is not held through a night. */
export class IdleMemory {
  private readonly timer: NodeJS.Timeout;
  private isClosed = false;

  constructor(release: () => void) {
    this.timer = setTimeout(release, IDLE_MS).unref();
  }

  /** A call came, or something has changed. */
  used(): void {
    if (!this.isClosed) this.timer.refresh();
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
  }
}
