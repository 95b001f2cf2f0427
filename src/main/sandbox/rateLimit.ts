/** A sliding window: at most `count` requests in `windowMs`. */
export class RateLimit {
  readonly #count: number;
  readonly #windowMs: number;
  #taken: number[] = [];

  constructor(count: number, windowMs: number) {
    this.#count = count;
    this.#windowMs = windowMs;
  }

  /** Counts a request and returns 0, or returns the milliseconds until one is allowed. */
  take(now: number): number {
    this.#taken = this.#taken.filter((at) => at > now - this.#windowMs);
    const oldest = this.#taken[0];
    if (this.#taken.length >= this.#count && oldest !== undefined) return oldest + this.#windowMs - now;
    this.#taken.push(now);
    return 0;
  }
}
