/** Names with their times, the earliest first; each name once. A binary heap that knows where each name is: O(log n) for every change. */
export class DueHeap {
  private readonly heap: { name: string; at: number }[] = [];
  private readonly places = new Map<string, number>();

  get size(): number {
    return this.heap.length;
  }

  first(): { name: string; at: number } | undefined {
    return this.heap[0];
  }

  /** Adds a name, or gives it another time. */
  set(name: string, at: number): void {
    const known = this.places.get(name);
    const place = known ?? this.heap.length;
    this.put(place, { name, at });
    this.sink(this.rise(place));
  }

  delete(name: string): void {
    const place = this.places.get(name);
    const last = this.heap.pop();
    if (place === undefined) {
      if (last) this.heap.push(last);
      return;
    }
    this.places.delete(name);
    if (!last || last.name === name) return;
    this.put(place, last);
    this.sink(this.rise(place));
  }

  private rise(from: number): number {
    let place = from;
    for (let above = (place - 1) >> 1; place > 0 && this.at(place) < this.at(above); above = (place - 1) >> 1) {
      this.swap(place, above);
      place = above;
    }
    return place;
  }

  private sink(from: number): void {
    for (let place = from; ; ) {
      const left = 2 * place + 1;
      const least = this.at(left + 1) < this.at(left) ? left + 1 : left;
      if (this.at(least) >= this.at(place)) return;
      this.swap(place, least);
      place = least;
    }
  }

  private at(place: number): number {
    return this.heap[place]?.at ?? Infinity;
  }

  private swap(one: number, other: number): void {
    const [a, b] = [this.heap[one], this.heap[other]];
    if (!a || !b) return;
    this.put(one, b);
    this.put(other, a);
  }

  private put(place: number, entry: { name: string; at: number }): void {
    this.heap[place] = entry;
    this.places.set(entry.name, place);
  }
}
