/** A list in slices of at most `size`, each for a turn of its own. */
export function* slicesOf<T>(items: readonly T[], size: number): Generator<T[]> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size);
}
