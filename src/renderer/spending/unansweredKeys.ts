/**
 * The keys of calls whose answer has not come, by what each call asks for. They are kept for the life of the window, also over a reload:
 * what is asked for once more, as it was, has the key that it had.
 */

interface Unanswered {
  key: string;
  /** Milliseconds since 1970. */
  at: number;
}

const PLACE = 'dailies.unanswered';
/** The studio knows a key for 30 days at least. */
const KEPT_MS = 28 * 86_400_000;
/** More are not kept: nobody waits for so many answers. */
const MOST = 20;
/** In characters: what is longer is kept until a reload only. */
const MOST_STORED = 500_000;

let known: Map<string, Unanswered> | undefined;

function entries(): Map<string, Unanswered> {
  known ??= new Map(stored());
  return known;
}

/** `isKnown`: it was asked for before, and its answer never came. */
export function keyFor(what: string): { key: string; isKnown: boolean } {
  const found = entries().get(what);
  if (found && found.at > Date.now() - KEPT_MS) return { key: found.key, isKnown: true };
  const key = crypto.randomUUID();
  entries().set(what, { key, at: Date.now() });
  store();
  return { key, isKnown: false };
}

/** Whether it was asked for, and no definite answer has come yet. */
export function isUnanswered(what: string): boolean {
  const found = entries().get(what);
  return found !== undefined && found.at > Date.now() - KEPT_MS;
}

/** A definite answer came: the same thing asked for again is another one. */
export function forgetKey(what: string, key: string): void {
  if (entries().get(what)?.key !== key) return;
  entries().delete(what);
  store();
}

function stored(): [string, Unanswered][] {
  try {
    return JSON.parse(window.sessionStorage.getItem(PLACE) ?? '[]') as [string, Unanswered][];
  } catch {
    return [];
  }
}

function store(): void {
  const newest = [...entries()].slice(-MOST);
  known = new Map(newest);
  const short = newest.filter(([what]) => what.length < MOST_STORED / MOST);
  try {
    window.sessionStorage.setItem(PLACE, JSON.stringify(short));
  } catch {
    // Where the storage is shut off or full, they are known until a reload.
  }
}
