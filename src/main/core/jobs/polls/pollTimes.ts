/** A priority queue of names by time, the earliest first, each name once: a binary heap with the index of each name, O(log n) per change. */
export class DueHeap {
  private readonly heap: { name: string; at: number }[] = [];
  private readonly indexes = new Map<string, number>();

  get size(): number {
    return this.heap.length;
  }

  peek(): { name: string; at: number } | undefined {
    return this.heap[0];
  }

  /** Adds a name, or gives it another time. */
  set(name: string, at: number): void {
    const known = this.indexes.get(name);
    const index = known ?? this.heap.length;
    this.put(index, { name, at });
    this.siftDown(this.siftUp(index));
  }

  delete(name: string): void {
    const index = this.indexes.get(name);
    const last = this.heap.pop();
    if (index === undefined) {
      if (last) this.heap.push(last);
      return;
    }
    this.indexes.delete(name);
    if (!last || last.name === name) return;
    this.put(index, last);
    this.siftDown(this.siftUp(index));
  }

  private siftUp(from: number): number {
    let index = from;
    for (let parent = (index - 1) >> 1; index > 0 && this.at(index) < this.at(parent); parent = (index - 1) >> 1) {
      this.swap(index, parent);
      index = parent;
    }
    return index;
  }

  private siftDown(from: number): void {
    for (let index = from; ; ) {
      const left = 2 * index + 1;
      const least = this.at(left + 1) < this.at(left) ? left + 1 : left;
      if (this.at(least) >= this.at(index)) return;
      this.swap(index, least);
      index = least;
    }
  }

  private at(index: number): number {
    return this.heap[index]?.at ?? Infinity;
  }

  private swap(one: number, other: number): void {
    const [a, b] = [this.heap[one], this.heap[other]];
    if (!a || !b) return;
    this.put(one, b);
    this.put(other, a);
  }

  private put(index: number, entry: { name: string; at: number }): void {
    this.heap[index] = entry;
    this.indexes.set(entry.name, index);
  }
}

/** A host that cannot be reached is tried once a minute; only a pause that the service asked for is longer, and it counts for less. */
const LONGEST_GAP_MS = 120_000;

/**
 * The time in which tasks were asked for, in ms: it counts only while it is read again and again. A machine that was suspended has asked
 * nothing meanwhile, nor has one whose clock was set forward. `time` never goes back.
 */
export function askingTime(time: () => number): () => number {
  let last = time();
  let asked = 0;
  return () => {
    const now = time();
    asked += Math.min(now - last, LONGEST_GAP_MS);
    last = now;
    return asked;
  };
}

/**
 * Limits the polls of all tasks together (a token bucket). With many tasks each one is polled less often than its age alone would require;
 * those that wait longest go first. When polls have to wait, they go in groups, since a timer for each costs more than the poll itself.
 */
export class PollRateLimiter {
  private tokens = GROUP;
  private filledAt: number | undefined;
  /** True until the tokens of a whole group are available. */
  private isRefilling = false;

  /** How long until the next poll may begin. */
  waitMs(now: number): number {
    this.refill(now);
    this.isRefilling = this.tokens < 1 || (this.isRefilling && this.tokens < GROUP);
    return this.isRefilling ? Math.ceil(((GROUP - this.tokens) * 1_000) / PER_SECOND) : 0;
  }

  /** A poll took this number of requests. */
  spend(requests: number): void {
    this.tokens -= requests;
  }

  private refill(now: number): void {
    const since = Math.max(0, now - (this.filledAt ?? now));
    this.filledAt = now;
    this.tokens = Math.min(GROUP, this.tokens + (since * PER_SECOND) / 1_000);
  }
}

/** Stays well below 70 requests in any one second, and below 2 % of a core: each of a thousand tasks is polled every 31 s. */
const PER_SECOND = 32;
const GROUP = 16;
