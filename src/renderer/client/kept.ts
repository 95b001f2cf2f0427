/** What this window (`sessionStorage`) or this browser (`localStorage`) keeps under a name. */
type Where = 'sessionStorage' | 'localStorage';

/** Undefined where nothing is kept, or where it cannot be read. */
export function readKept(where: Where, place: string): unknown {
  try {
    return JSON.parse(window[where].getItem(place) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

/** Undefined keeps nothing. Where the storage is off or full nothing is kept either: answers whether it is. */
export function keep(where: Where, place: string, value: unknown): boolean {
  try {
    if (value === undefined) window[where].removeItem(place);
    else window[where].setItem(place, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}
