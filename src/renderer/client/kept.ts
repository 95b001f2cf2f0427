/** The storage of this window (`sessionStorage`) or of this browser (`localStorage`). */
type Where = 'sessionStorage' | 'localStorage';

/** Undefined if nothing is stored or the storage cannot be read. */
export function readKept(where: Where, place: string): unknown {
  try {
    return JSON.parse(window[where].getItem(place) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

/** Undefined removes the value. Returns whether the value is stored: the storage may be off or full. */
export function keep(where: Where, place: string, value: unknown): boolean {
  try {
    if (value === undefined) window[where].removeItem(place);
    else window[where].setItem(place, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}
