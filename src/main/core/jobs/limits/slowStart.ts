/** After a pause, sends a host's requests one by one, twice as fast every second, so that a backlog does not overload the service at once. */
export class SlowStart {
  private startedAt: number | undefined;
  private lastSentAt = 0;

  begin(now: number): void {
    this.startedAt = now;
    this.lastSentAt = 0;
  }

  /** Whether requests are sent one by one, each after its wait. */
  isOn(now: number): boolean {
    if (this.startedAt !== undefined && this.gapMs(now) < MIN_GAP_MS) this.startedAt = undefined;
    return this.startedAt !== undefined;
  }

  waitMs(now: number): number {
    return this.isOn(now) ? Math.max(0, this.lastSentAt + Math.ceil(this.gapMs(now)) - now) : 0;
  }

  sent(now: number): void {
    this.lastSentAt = now;
  }

  private gapMs(now: number): number {
    return FIRST_GAP_MS / 2 ** (Math.max(0, now - (this.startedAt ?? now)) / 1_000);
  }
}

const FIRST_GAP_MS = 100;
const MIN_GAP_MS = 2;
