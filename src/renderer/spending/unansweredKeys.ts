import { Unanswered } from './unanswered.ts';

/** The keys of calls whose answer has not come: what is asked for once more, as it was, has the key that it had. */
const keys = new Unanswered<{ key: string }>('dailies.unanswered');

/** `isKnown`: it was asked for before, and its answer never came. */
export function keyFor(what: string): { key: string; isKnown: boolean } {
  const found = keys.get(what);
  if (found) return { key: found.key, isKnown: true };
  const key = crypto.randomUUID();
  keys.set(what, { key });
  return { key, isKnown: false };
}

/** Whether it was asked for, and no definite answer has come yet. */
export const isUnanswered = (what: string): boolean => keys.get(what) !== undefined;

/** A definite answer came: the same thing asked for again is another one. */
export function forgetKey(what: string, key: string): void {
  if (keys.get(what)?.key === key) keys.delete(what);
}
