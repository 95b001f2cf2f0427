/** After a standstill a host's orders go one by one at first, twice as fast every second: what waited does not come down on it at once. */
export class SlowStart {
  private begun: number | undefined;
  private last = 0;

  begin(now: number): void {
    this.begun = now;
    this.last = 0;
  }

  /** Orders go one by one, each after its wait. */
  isOn(now: number): boolean {
    if (this.begun !== undefined && this.gapMs(now) < SHORTEST_GAP_MS) this.begun = undefined;
    return this.begun !== undefined;
  }

  waitMs(now: number): number {
    return this.isOn(now) ? Math.max(0, this.last + Math.ceil(this.gapMs(now)) - now) : 0;
  }

  sent(now: number): void {
    this.last = now;
  }

  private gapMs(now: number): number {
    return FIRST_GAP_MS / 2 ** (Math.max(0, now - (this.begun ?? now)) / 1_000);
  }
}

const FIRST_GAP_MS = 100;
const SHORTEST_GAP_MS = 2;
