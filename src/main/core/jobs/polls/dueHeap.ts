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
