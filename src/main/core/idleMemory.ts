/** Idle pages ask nothing, so a pause of this length means idle. */
const IDLE_MS = 30_000;

/** Releases unused memory after a while without calls and changes. */
export class IdleMemory {
  private readonly timer: NodeJS.Timeout;
  private isClosed = false;

  constructor(release: () => void) {
    this.timer = setTimeout(release, IDLE_MS).unref();
  }

  /** A call came, or something changed. */
  used(): void {
    if (!this.isClosed) this.timer.refresh();
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
  }
}
